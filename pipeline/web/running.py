"""Whether a run goes on in a folder: asked without touching its lock, so that the question holds no run up."""

import os
import socket
from pathlib import Path

from pipeline.store.lock import LOCK_FILE

_LOCKS = Path("/proc/locks")


def is_running(folder: Path) -> bool:
    """The lock file names its holder; where the system lists its locks, the lock must be among them too."""
    path = folder / LOCK_FILE
    try:
        owner = path.read_text(errors="replace").split()
        inode = path.stat().st_ino
    except OSError:
        return False
    if len(owner) != 4 or owner[0] != "process" or not owner[1].isdigit():
        return False
    if owner[3] != socket.gethostname():
        return True
    try:
        listed = _LOCKS.read_text()
    except OSError:
        return _is_alive(int(owner[1]))
    return any(line.split()[5].rpartition(":")[2] == str(inode) for line in listed.splitlines() if " -> " not in line)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

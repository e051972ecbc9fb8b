"""One run at a time in a folder. The lock belongs to the open file, so it ends with its owner however that ends."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from pipeline.errors import PipelineError, os_error

LOCK_FILE = "run.lock"


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the run's lock while the block runs.

    Raises PipelineError that names the host and process that hold it.
    """
    file = _open(folder)
    try:
        if not _try_lock(file.fileno()):
            file.seek(0)
            owner = file.read(200).strip() or "another process"
            raise PipelineError(f"{folder} is in use by {owner}", "wait until that run has ended")
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        if hasattr(os, "register_at_fork"):
            _close_in_children.add(file.fileno())
        yield
        file.seek(0)
        file.truncate()
    finally:
        _close_in_children.discard(file.fileno())
        file.close()


def _open(folder: Path) -> TextIO:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / LOCK_FILE).open("a+", encoding="utf-8", errors="replace")
    except OSError as error:
        raise os_error("write to run folder", error) from error


_close_in_children: set[int] = set()


def _forget_locks() -> None:
    """A forked worker must not keep its parent's lock alive."""
    for descriptor in _close_in_children:
        with contextlib.suppress(OSError):
            os.close(descriptor)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_locks)


def _try_lock(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

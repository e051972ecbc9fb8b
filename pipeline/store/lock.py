"""One run at a time in a folder.

On this machine the lock belongs to an open file, so it ends with its owner however that ends; in a folder that was
removed and made again lies another file, which whoever holds the first does not hold. In an object store it is
a lease: a token and a time until which it holds, which its owner puts off again and again. Every put asks whether the
token is still the owner's; a lease that has run out, or whose owner on this machine has ended, is taken over.
"""

import contextlib
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from pipeline.errors import PipelineError, os_error
from pipeline.store.files import Files, is_alive, is_remote, local_folder, open_files, read_if_there

LOCK_FILE = "run.lock"
LEASE_FILE = "run.lease"
LEASE_SECONDS = 120.0
RENEW_AFTER = 20.0
"""Seconds after which a lease is renewed, at the next part that comes back."""


@dataclass
class Lease:
    """What an owner holds: `token` is empty for a lock on this machine, which needs no renewal."""

    files: Files | None = None
    token: str = ""
    renewed: float = 0.0
    check: Callable[[], None] = lambda: None
    """Raises PipelineError where the run is held no longer: its folder was removed, or another has taken it over."""

    def renew(self) -> None:
        """Put the end of the lease off, where some time has gone by.

        Raises PipelineError where another process has taken it over.
        """
        if self.files is None or time.time() - self.renewed < RENEW_AFTER:
            return
        check_lease(self.files, self.token)
        self._write()

    def _write(self) -> None:
        assert self.files is not None
        self.renewed = time.time()
        lease = {"holder": self.token, "owner": _owner(), "until": self.renewed + LEASE_SECONDS}
        self.files.write(LEASE_FILE, json.dumps(lease).encode())


@contextlib.contextmanager
def hold_run(location: str) -> Iterator[Lease]:
    """Hold the run at a location, wherever that is, while the block runs.

    Raises PipelineError that names who holds it.
    """
    if not is_remote(location):
        with hold(local_folder(location)) as check:
            yield Lease(check=check)
        return
    files = open_files(location)
    held = _read_lease(files)
    if held and held["until"] > time.time() and not _is_dead(held["owner"]):
        wait = held["until"] - time.time()
        raise PipelineError(
            f"{location} is in use by {held['owner']}",
            f"wait until that run has ended, or {wait:.0f} s if it was killed",
        )
    files.make()
    token = secrets.token_hex(16)
    lease = Lease(files, token, check=lambda: check_lease(files, token))
    lease._write()
    try:
        yield lease
    finally:
        # A store that is gone keeps the lease until it runs out; why the run ended is what counts.
        with contextlib.suppress(PipelineError):
            if lease_holder(files) == lease.token:
                files.delete(LEASE_FILE)


def check_lease(files: Files, token: str) -> None:
    """Raises PipelineError where another holds the lease of an object store, or the store does not give it."""
    if lease_holder(files) != token:
        raise PipelineError(
            f"{files.url('')} was taken over by another process, or removed",
            "wait until that has ended, then start it again",
            exit_code=1,
        )


def lease_holder(files: Files) -> str:
    """Return the token of whoever holds the lease of an object store; empty for nobody.

    Raises PipelineError where the store cannot tell.
    """
    return str((_read_lease(files) or {}).get("holder", ""))


def _read_lease(files: Files) -> dict[str, Any] | None:
    try:
        held = json.loads(read_if_there(files, LEASE_FILE))
    except ValueError:
        return None
    known = isinstance(held, dict) and isinstance(held.get("until"), float) and isinstance(held.get("owner"), str)
    return held if known else None


def _owner() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def _is_dead(owner: str) -> bool:
    """Whether the owner was a process of this machine that has ended."""
    match = re.fullmatch(r"process (\d+) on (.*)", owner)
    return match is not None and match[2] == socket.gethostname() and not is_alive(int(match[1]))


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[Callable[[], None]]:
    """Hold the run's lock while the block runs; yields what raises PipelineError where the folder is another by then.

    Raises PipelineError that names the host and process that hold it.
    """
    file = _open(folder)
    try:
        if not _try_lock(file.fileno()):
            file.seek(0)
            owner = file.read(200).strip() or "another process"
            raise PipelineError(f"{folder} is in use by {owner}", "wait until that run has ended")

        def check() -> None:
            try:
                mine = os.path.samestat(os.fstat(file.fileno()), os.stat(folder / LOCK_FILE))
            except FileNotFoundError:
                mine = False
            except OSError as error:
                raise os_error("look for", error) from error
            if not mine:
                raise PipelineError(
                    f"run folder {folder} was removed while this process worked in it", "start it again", exit_code=1
                )

        # Between opening and locking the folder may have been removed.
        check()
        file.seek(0)
        file.truncate()
        file.write(f"{_owner()}\n")
        file.flush()
        if hasattr(os, "register_at_fork"):
            _close_in_children.add(file.fileno())
        yield check
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

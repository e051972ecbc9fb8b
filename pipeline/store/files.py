"""One small interface over the folder of a run: local disk now, an object store by the same calls."""

import contextlib
import errno
import hashlib
import os
import re
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from pipeline.errors import PipelineError, os_error
from pipeline.stopping import unbroken

TEMPORARY = ".tmp-"


def temporary_prefix() -> str:
    """Return how temporary names of this process begin: they tell the machine and the process that write them."""
    return f"{TEMPORARY}{_HOST}-{os.getpid()}-"


def is_temporary(name: str) -> bool:
    """Return whether a file is being written, or was when its writer ended: no file of a run yet."""
    return name.startswith(TEMPORARY)


def is_abandoned(name: str) -> bool:
    """Return whether a file is a temporary one whose writer has ended, as far as this machine can tell."""
    match = re.fullmatch(re.escape(TEMPORARY) + r"(\w+)-(\d+)-.*", name)
    if match is None or match[1] != _HOST:
        return False
    return int(match[2]) == os.getpid() or not is_alive(int(match[2]))


def is_alive(process: int) -> bool:
    """Return whether a process of this machine is there and has not ended (an ended one may wait to be noticed)."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in "ZX"


_HOST = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


class Files(Protocol):
    """Paths are relative to the run and use `/`. Every failure of the storage is a PipelineError."""

    def make(self) -> None:
        """Make the run's folder where the storage needs one."""

    def write(self, path: str, data: bytes) -> None:
        """Store whole or not at all, whoever's the folder is by now; an existing file is replaced."""

    def write_all(self, files: Iterable[tuple[str, bytes]], guard: Callable[[], None] | None = None) -> None:
        """Store files that belong together, each whole or not at all; the first is there only when all others are.

        `guard` is called when they are about to be seen, and raises where they must not be.
        """

    def read(self, path: str) -> bytes: ...

    def exists(self, path: str) -> bool: ...

    def sizes(self, folder: str) -> dict[str, int]:
        """Files directly in a folder and their sizes; empty where there is no such folder."""

    def delete(self, path: str) -> None: ...

    def url(self, path: str) -> str:
        """What polars, DuckDB or a person would open."""


class LocalFiles:
    """A folder on this machine: temporary name, fsync, rename, fsync of the folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def make(self) -> None:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise os_error("make the run folder", error) from error

    def write(self, path: str, data: bytes) -> None:
        self.write_all([(path, data)])

    @unbroken()
    def write_all(self, files: Iterable[tuple[str, bytes]], guard: Callable[[], None] | None = None) -> None:
        temporary: dict[Path, str] = {}
        try:
            # The next file is made ready while the disk is busy with the one before.
            with ThreadPoolExecutor(1) as disk:
                synced = []
                for path, data in files:
                    target = self.root / path
                    with _writing(target):
                        temporary[target] = self._write_temporary(target, data)
                    synced.append((target, disk.submit(_sync, temporary[target], os.O_RDWR)))
                for target, done in synced:
                    with _writing(target):
                        done.result()
            # From here on a folder that is removed and made again takes the temporary files with it.
            if guard:
                guard()
            for target in reversed(list(temporary)):
                with _writing(target):
                    os.chmod(temporary[target], 0o666 & ~_UMASK)
                    os.replace(temporary[target], target)
                    del temporary[target]
                    if os.name == "posix":
                        _sync(target.parent, os.O_RDONLY)
        finally:
            for name in temporary.values():
                with contextlib.suppress(OSError):
                    os.unlink(name)

    def _write_temporary(self, target: Path, data: bytes) -> str:
        if not self.root.is_dir():
            # Never made anew here: a folder that someone removed must not come back half filled.
            raise FileNotFoundError(errno.ENOENT, "the run folder is gone")
        folder = self.root
        for name in target.parent.relative_to(self.root).parts:
            folder /= name
            folder.mkdir(exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=temporary_prefix(), dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        return temporary

    def read(self, path: str) -> bytes:
        try:
            return (self.root / path).read_bytes()
        except OSError as error:
            raise os_error("read", error) from error

    def exists(self, path: str) -> bool:
        return exists(self.root / path)

    def sizes(self, folder: str) -> dict[str, int]:
        try:
            with os.scandir(self.root / folder) as entries:
                return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise os_error("list", error) from error

    def delete(self, path: str) -> None:
        try:
            (self.root / path).unlink(missing_ok=True)
        except OSError as error:
            raise os_error("delete", error) from error

    def url(self, path: str) -> str:
        return str(self.root / path)


def exists(path: Path) -> bool:
    """Raises PipelineError where that cannot be told: no permission, or a name too long."""
    try:
        return path.exists()
    except OSError as error:
        raise os_error("look for", error) from error


def _read_umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


_UMASK = _read_umask()
"""Read once: asking means setting it, which another thread might see."""


@contextlib.contextmanager
def _writing(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise os_error("write", OSError(error.errno, error.strerror, str(target))) from error


def _sync(path: str | Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_files(location: str) -> Files:
    """Return the files of a run: a folder, `file://`, `s3://` or `gs://`.

    Raises PipelineError for a scheme that is not known.
    """
    scheme, separator, rest = location.partition("://")
    if not separator or scheme == "file":
        return LocalFiles(local_folder(location))
    if scheme in ("s3", "gs") and rest.strip("/"):
        from pipeline.store.object_store import ObjectFiles

        return ObjectFiles(location)
    raise PipelineError(
        f"cannot store a run at {location}", "use a folder, file://, s3://bucket/prefix or gs://bucket/prefix"
    )


def local_folder(location: str) -> Path:
    """Return the folder of a location that is not remote, as an absolute path."""
    return Path(os.path.abspath(os.path.expanduser(location.removeprefix("file://"))))


def read_if_there(files: Files, path: str) -> bytes:
    """Return the bytes of a file; none where there is no such file, however that comes.

    Raises PipelineError where the storage cannot tell.
    """
    try:
        return files.read(path)
    except PipelineError:
        if files.exists(path):
            raise
        return b""


def is_remote(location: str) -> bool:
    return "://" in location and not location.startswith("file://")

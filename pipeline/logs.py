"""One log file a run: every line with time, level and worker.

Records of forked workers come through multiprocessing-logging, those of spawned ones through the standard library's
queue handlers.
"""

import contextlib
import logging
import logging.handlers
import queue
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from pipeline.errors import PipelineError, os_error

LOGGER = logging.getLogger("shakedown")
_FORMAT = "%(asctime)s %(levelname)s %(processName)s %(message)s"


def set_up(verbosity: int = 0) -> None:
    """Messages for people on standard error: warnings, with -v also information, with -q errors alone."""
    LOGGER.propagate = False
    LOGGER.setLevel(logging.DEBUG)
    for handler in list(LOGGER.handlers):
        LOGGER.removeHandler(handler)
    console = logging.StreamHandler(sys.stderr)
    console.setLevel({-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}.get(verbosity, logging.DEBUG))
    console.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    console.addFilter(lambda record: not getattr(record, "file_only", False))
    LOGGER.addHandler(console)


def check_file(path: Path) -> None:
    """Raises PipelineError where something that is no file lies where the log goes."""
    if path.exists() and not path.is_file():
        raise PipelineError(f"cannot write the log {path}: it is no file", "move it away")


@contextlib.contextmanager
def log_file(path: Path | None) -> Iterator[None]:
    """Append records to a file while the block runs (None: no file, as for an object store).

    Raises PipelineError where there can be no such file.
    """
    if path is None:
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise os_error("write the log", error) from error
    handler.setLevel(logging.DEBUG)
    handler.setFormatter(logging.Formatter(_FORMAT))
    LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        with contextlib.suppress(OSError):
            handler.close()


class WorkerLogs(Protocol):
    """Carries the records of one pool's workers to the handlers of this process.

    A new one for every pool: a worker that is killed may die holding the lock of the queue.
    """

    def close(self, broken: bool) -> None:
        """Once the workers have ended; of a broken pool, never wait for what a dead one was about to send."""


class ForkedLogs:
    """Of forked workers, which print for people themselves: only the run's log file is written by this process."""

    def __init__(self) -> None:
        from multiprocessing_logging import MultiProcessingHandler

        self._pairs: list[tuple[logging.Handler, Any]] = []
        for handler in list(LOGGER.handlers):
            if isinstance(handler, logging.FileHandler):
                wrapped = MultiProcessingHandler("run-log", sub_handler=handler)
                self._pairs.append((handler, wrapped))
                LOGGER.removeHandler(handler)
                LOGGER.addHandler(wrapped)

    def close(self, broken: bool) -> None:
        """Put the plain handler back; of a broken pool, never wait for the queue's feeder."""
        for handler, wrapped in self._pairs:
            LOGGER.removeHandler(wrapped)
            LOGGER.addHandler(handler)
            if broken:
                wrapped.queue.cancel_join_thread()
            wrapped._is_closed = True
            if not broken:
                wrapped.emit(LOGGER.makeRecord(LOGGER.name, logging.DEBUG, "", 0, "workers ended", (), None))
            wrapped._receive_thread.join(5.0)


class SpawnedLogs:
    """Of spawned workers: `records` is the queue that they are given, and hand to `send_records`."""

    def __init__(self, context: Any) -> None:
        self.records = context.Queue()
        self._listener = _Listener(self.records, *LOGGER.handlers, respect_handler_level=True)
        self._listener.start()

    def close(self, broken: bool) -> None:
        """Take the records that are there; where a worker died within one, its rest never comes."""
        self._listener.ended = True
        thread = self._listener._thread
        if thread is not None:
            thread.join(5.0)
        self.records.cancel_join_thread()
        if thread is None or not thread.is_alive():
            self.records.close()


class _Listener(logging.handlers.QueueListener):
    """Ends once it is told to and no record is left, without a last record: its queue may be locked for ever."""

    queue: Any
    ended = False

    def dequeue(self, block: bool) -> Any:
        while True:
            try:
                return self.queue.get(timeout=0.1)
            except queue.Empty:
                if self.ended:
                    return self._sentinel  # type: ignore[attr-defined]


def send_records(records: Any) -> None:
    """Send every record of this process, a spawned worker, to the queue of its parent."""
    LOGGER.propagate = False
    LOGGER.setLevel(logging.DEBUG)
    LOGGER.handlers[:] = [logging.handlers.QueueHandler(records)]

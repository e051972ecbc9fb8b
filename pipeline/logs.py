"""One log file a run: every line with time, level and worker. Workers' records come through multiprocessing-logging."""

import contextlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


@contextlib.contextmanager
def log_file(path: Path | None) -> Iterator[None]:
    """Append records to a file while the block runs (None: no file, as for an object store)."""
    if path is None:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(path, encoding="utf-8", delay=True)
    handler.setLevel(logging.DEBUG)
    handler.setFormatter(logging.Formatter(_FORMAT))
    LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        handler.close()


class WorkerLogs:
    """Carries the records of one pool's workers to the run's log file.

    A new one for every pool: a worker that is killed may die holding the lock of the handler's queue.
    """

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

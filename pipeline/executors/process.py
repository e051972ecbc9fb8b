"""A pool of processes: forked ones, and spawned ones where the system has no safe fork.

A pool is renewed when a worker dies. Every unfinished future then fails alike, so workers note in shared memory which
item they hold until they begin another: those that are unfinished are tried again one at a time, and an item that ends
its worker three times ends the run.
"""

import contextlib
import ctypes
import itertools
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from typing import Any

from pipeline.errors import PipelineError
from pipeline.executors.base import Executor, Item, Resources, Result
from pipeline.executors.memory import keep_memory, limit_memory
from pipeline.executors.sliding import sliding
from pipeline.logs import ForkedLogs, SpawnedLogs, WorkerLogs, send_records

ATTEMPTS = 3
START_METHOD = "SHAKEDOWN_START_METHOD"
"""Name of an environment variable: fork or spawn, for this system's own way to start workers to be left aside."""
_LOOK = 0.2
"""Seconds between two looks for workers that have been started since."""
_STOPS = (signal.SIGINT, signal.SIGTERM)
log = logging.getLogger("shakedown")


def start_method() -> str:
    """Return how workers start: forked on Linux, spawned where there is no fork or none that is safe (macOS).

    Raises PipelineError where the environment asks for another way than these two, or one that is not there.
    """
    known = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]
    usual = "fork" if sys.platform == "linux" else "spawn"
    wanted = os.environ.get(START_METHOD) or usual
    if wanted not in known:
        raise PipelineError(f"{START_METHOD}={wanted} is not known", f"known are {' and '.join(known)}")
    return wanted


class ProcessExecutor(Executor):
    """A pool of workers.

    Forked ones inherit `task` and all it refers to, so only items and results are pickled. Spawned ones are sent the
    task as it pickles: that of a run is its description, and the workload is made from what the run has stored.
    """

    def __init__(self, resources: Resources) -> None:
        self.workers = resources.workers
        self.memory = resources.memory
        self.method = start_method()
        self.inherits = self.method == "fork"
        multiprocessing.set_start_method(self.method, force=True)

    def run(
        self, task: Callable[[Item], Result], items: Iterable[Item], on_start: Callable[[], None] | None = None
    ) -> Generator[Result]:
        waiting = iter(enumerate(items))
        ready: deque[tuple[int, Any]] = deque()
        """Items that come before those that wait: a few, to know how many workers there is work for, and lost ones."""
        deaths: Counter[int] = Counter()
        suspects: list[tuple[int, Any]] = []
        while True:
            alone = suspects.pop() if suspects else None
            if alone is None:
                ready += itertools.islice(waiting, max(0, self.workers - len(ready)))
            batch = iter([alone]) if alone is not None else _taken(ready, waiting)
            several = 1 if alone is not None else min(self.workers, len(ready))
            if not several:
                return
            pool = _Pool(task, several, self.memory, self.method)
            try:
                yield from pool.results(batch, on_start)
            except BrokenProcessPool:
                # A worker that held nothing unfinished: the first unfinished item, lest this goes on for ever.
                held = [number for number in pool.held() if number in pool.unfinished] or list(pool.unfinished)[:1]
                for number in held:
                    deaths[number] += 1
                    if deaths[number] >= ATTEMPTS:
                        raise PipelineError(
                            f"a worker ended three times on {pool.unfinished[number]}",
                            "the parts so far are kept; free memory or give fewer --workers, and run the same command",
                            exit_code=1,
                        ) from None
                suspects += [(number, pool.unfinished.pop(number)) for number in dict.fromkeys(held)]
                ready.extendleft(reversed(pool.unfinished.items()))
            finally:
                pool.close()
            if pool.broken and suspects:
                log.warning(
                    "a worker ended unexpectedly: going on with a new pool, first with %s alone", suspects[-1][1]
                )


def _taken(ready: "deque[tuple[int, Any]]", waiting: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Take items as they are asked for: what nobody asked for stays where it is."""
    while ready:
        yield ready.popleft()
    yield from waiting


class _Pool:
    """One ProcessPoolExecutor with its log handler and the notes of its workers."""

    def __init__(self, task: Callable[[Any], Any], workers: int, memory: int, method: str) -> None:
        context: Any = multiprocessing.get_context(method)
        self.workers = workers
        self.notes = context.RawArray(ctypes.c_int64, [-1] * workers)
        self.logs: WorkerLogs
        records = None
        if method == "fork":
            self.logs = ForkedLogs()
        else:
            self.logs = SpawnedLogs(context)
            records = self.logs.records
        self.unfinished: dict[int, Any] = {}
        """Items that were handed in and have not come back, by number."""
        self.broken = False
        self.closing = False
        self.watch = threading.Thread(target=self._watch, name="watch-workers", daemon=True)
        self.executor = ProcessPoolExecutor(
            workers,
            mp_context=context,
            initializer=_start_worker,
            initargs=(task, self.notes, context.Value(ctypes.c_int64, 0), os.getpid(), memory, records),
        )

    def results(self, items: Iterable[tuple[int, Any]], on_start: Callable[[], None] | None) -> Iterator[Any]:
        """Yield results as they come; `on_start` is called after the fork.

        Raises BrokenProcessPool where a worker died.
        """
        try:
            for number, result in sliding(self._submit, items, 2 * self.workers, on_start):
                del self.unfinished[number]
                yield result
        except BrokenProcessPool:
            self.broken = True
            raise

    def _submit(self, number: int, item: Any) -> "Future[Any]":
        self.unfinished[number] = item
        if len(self._processes()) == self.workers:
            return self.executor.submit(_work, number, item)
        # A pool forks all its workers at the first item, and spawns them one by one.
        with signals_later():
            future = self.executor.submit(_work, number, item)
        if self.watch.ident is None:
            self.watch.start()
        return future

    def held(self) -> list[int]:
        """Return the number of the items that workers hold or held last."""
        return [number for number in self.notes if number >= 0]

    def _watch(self) -> None:
        """Where a worker ends before it is told to, end the others too.

        It may have died within a result, whose rest the pool waits for, while the others wait for their turn to send.
        """
        known: list[Any] = []
        while not self.closing and len(known) < self.workers:
            known = self._processes()
            # Until all are there, more may be spawned at any time.
            if connection.wait([process.sentinel for process in known], _LOOK):
                break
        else:
            connection.wait([process.sentinel for process in known])
        if not self.closing:
            self._kill()
            self._hang_up()

    def _processes(self) -> list[Any]:
        return list((self.executor._processes or {}).values())

    def _kill(self) -> None:
        for process in self._processes():
            process.kill()

    def _hang_up(self) -> None:
        """Close this side's end of the pipe of results: the thread that reads it ends with the last worker."""
        self.executor._result_queue._writer.close()  # type: ignore[attr-defined]

    def close(self) -> None:
        """End the workers: idle ones in peace, others at once; never wait for what a dead one was about to send."""
        self.closing = True
        processes = self._processes()
        if self.broken or self.executor._pending_work_items:
            self.broken = True
            self._kill()
            for process in processes:
                process.join()
            if self.watch.ident is not None:
                self.watch.join()
            self._hang_up()
        self.executor.shutdown(wait=True, cancel_futures=True)
        self.logs.close(broken=self.broken)


@contextlib.contextmanager
def signals_later() -> Iterator[None]:
    """Ctrl-C and SIGTERM take effect after the block: what their handlers raise while a worker starts is lost.

    A worker is started with Ctrl-C held back, which its parent sees to, where the system can.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    usual = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in _STOPS}
    _hold_back(signal.SIG_BLOCK)
    try:
        yield
    finally:
        _hold_back(signal.SIG_UNBLOCK)
        for number, handler in usual.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if came:
            signal.raise_signal(came[0])


def _hold_back(how: int) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(how, [signal.SIGINT])


_task: Callable[[Any], Any] | None = None
_notes: Any = None
_slot = 0


def _start_worker(task: Callable[[Any], Any], notes: Any, counter: Any, parent: int, memory: int, records: Any) -> None:
    """`records`: the queue for what a spawned worker logs, None for a forked one."""
    global _task, _notes, _slot
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _hold_back(signal.SIG_UNBLOCK)
    if sys.platform == "linux":
        end_with_parent(parent)
    else:
        follow_parent()
    limit_memory(memory)
    keep_memory()
    with counter.get_lock():
        _slot = counter.value
        counter.value += 1
    multiprocessing.current_process().name = f"worker-{_slot + 1}"
    if records is not None:
        send_records(records)
    _task, _notes = task, notes


def end_with_parent(parent: int) -> None:
    """Ask the kernel to end this process when its parent ends, however that happens (Linux)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def follow_parent() -> None:
    """End this process when its parent ends, where the kernel does not: a thread waits for that."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, name="watch-parent", daemon=True).start()


def _work(number: int, item: Any) -> Any:
    assert _task is not None
    _notes[_slot] = number
    try:
        return _task(item)
    except MemoryError:
        raise PipelineError(
            f"a worker passed its memory limit on {item}",
            "give a smaller --chunk or a larger --worker-memory; the parts so far are kept",
            exit_code=1,
        ) from None

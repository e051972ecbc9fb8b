"""Work off the event loop: a few threads, a bounded queue, and a bound on how long an answer is waited for.

Waking a thread and coming back costs more than a small board, so a thread takes all requests that wait, up to `batch`,
and comes back once.
"""

import asyncio
import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pipeline.web.problems import BUSY, LIMIT, RefusalError

Answer = TypeVar("Answer")
PATIENCE = 0.05
"""Seconds after which one more thread takes what waits: more than a batch of usual boards, since threads that run at
the same time hinder each other."""


@dataclass(slots=True, eq=False)  # compared by identity, so that a task leaves the queue in one step
class _Task:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: "asyncio.Future[Any]"
    answer: Any = None
    error: BaseException | None = None


class Workers:
    """`threads` work at once, `waiting` requests may wait, `seconds` are waited for an answer.

    Work that is given up is not begun, or goes on to its end: every search has a node limit of its own. While one
    thread is at something slow, another takes what waits behind it.
    """

    def __init__(self, name: str, threads: int, waiting: int, seconds: float, batch: int = 1) -> None:
        self._name, self._threads, self._most, self._seconds, self._batch = name, threads, waiting, seconds, batch
        self._waiting: deque[_Task] = deque()
        self._finished: deque[_Task] = deque()
        self._running = 0
        self._begun = 0
        self._planned = False
        self._calls: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, int] | None] = queue.SimpleQueue()

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Raises RefusalError 503 where no place is free or the time is up, and whatever the function raises."""
        if len(self._waiting) >= self._most:
            detail = "too many requests are waiting; try again shortly"
            raise RefusalError(503, detail, BUSY, headers={"Retry-After": "1"})
        loop = asyncio.get_running_loop()
        task = _Task(function, arguments, loop.create_future())
        self._waiting.append(task)
        if not self._planned and self._running < self._threads:
            # Not at once: requests that arrive together go together, and a second thread helps only where one is slow.
            self._planned = True
            loop.call_later(PATIENCE if self._running else 0, self._call_thread, loop)
        limit = loop.call_later(self._seconds, self._give_up, task)
        try:
            answer: Answer = await task.future
            return answer
        finally:
            limit.cancel()
            if task.future.cancelled():
                self._forget(task)

    def _give_up(self, task: _Task) -> None:
        self._forget(task)
        if not task.future.done():
            detail = f"no answer within {self._seconds:g} s, the time limit of a request"
            task.future.set_exception(RefusalError(503, detail, LIMIT, headers={"Retry-After": "5"}))

    def _forget(self, task: _Task) -> None:
        """Do not begin it, if no thread has taken it yet."""
        with contextlib.suppress(ValueError):
            self._waiting.remove(task)

    def _call_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        self._planned = False
        if not self._waiting or self._running == self._threads:
            return
        self._running += 1
        if self._begun < self._running:
            self._begun += 1
            threading.Thread(target=self._work, name=f"{self._name}-{self._begun}", daemon=True).start()
        self._calls.put((loop, min(len(self._waiting), self._batch)))
        if self._running < self._threads:
            self._planned = True
            loop.call_later(PATIENCE, self._call_thread, loop)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            loop, most = call
            with contextlib.suppress(IndexError):  # another thread has taken the rest
                for _ in range(most):
                    self._finish(self._waiting.popleft())
            try:
                loop.call_soon_threadsafe(self._take_back, loop)
            except RuntimeError:
                return  # the loop is closed: nobody waits any more

    def _finish(self, task: _Task) -> None:
        try:
            task.answer = task.function(*task.arguments)
        except BaseException as error:
            task.error = error
        self._finished.append(task)

    def _take_back(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give out what is finished, also by a thread that is still at something else."""
        self._running -= 1
        while self._finished:
            task = self._finished.popleft()
            if task.future.done():
                continue
            if task.error is not None:
                task.future.set_exception(task.error)
            else:
                task.future.set_result(task.answer)
        self._call_thread(loop)

    def close(self) -> None:
        """End the threads after what they are doing."""
        for _ in range(self._begun):
            self._calls.put(None)

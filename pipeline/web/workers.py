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
PATIENCE = 0.01
"""Seconds after which one more thread takes what waits."""


@dataclass(slots=True)
class _Task:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: "asyncio.Future[Any]"
    answer: Any = None
    error: BaseException | None = None


class Workers:
    """`threads` batches run at once, `waiting` requests may wait, `seconds` are waited for an answer.

    Work that is given up is not begun, or goes on to its end: every search has a node limit of its own.
    """

    def __init__(self, name: str, threads: int, waiting: int, seconds: float, batch: int = 1) -> None:
        self._name, self._threads, self._most, self._seconds, self._batch = name, threads, waiting, seconds, batch
        self._waiting: deque[_Task] = deque()
        self._running = 0
        self._begun = 0
        self._planned = False
        self._batches: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, list[_Task]] | None] = queue.SimpleQueue()

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
            loop.call_later(PATIENCE if self._running else 0, self._hand_over, loop)
        try:
            async with asyncio.timeout(self._seconds):
                answer: Answer = await task.future
                return answer
        except TimeoutError:
            detail = f"no answer within {self._seconds:g} s, the time limit of a request"
            raise RefusalError(503, detail, LIMIT, headers={"Retry-After": "5"}) from None
        finally:
            if not task.future.done() or task.future.cancelled():
                with contextlib.suppress(ValueError):
                    self._waiting.remove(task)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        self._planned = False
        if not self._waiting or self._running == self._threads:
            return
        batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._batch))]
        self._running += 1
        if self._begun < self._running:
            self._begun += 1
            threading.Thread(target=self._work, name=f"{self._name}-{self._begun}", daemon=True).start()
        self._batches.put((loop, batch))
        if self._waiting and not self._planned:
            self._planned = True
            loop.call_later(PATIENCE, self._hand_over, loop)

    def _work(self) -> None:
        while (taken := self._batches.get()) is not None:
            loop, batch = taken
            for task in batch:
                if not task.future.cancelled():
                    try:
                        task.answer = task.function(*task.arguments)
                    except BaseException as error:
                        task.error = error
            try:
                loop.call_soon_threadsafe(self._take_back, loop, batch)
            except RuntimeError:
                return  # the loop is closed: nobody waits any more

    def _take_back(self, loop: asyncio.AbstractEventLoop, batch: list[_Task]) -> None:
        self._running -= 1
        for task in batch:
            if task.future.done():
                continue
            if task.error is not None:
                task.future.set_exception(task.error)
            else:
                task.future.set_result(task.answer)
        self._hand_over(loop)

    def close(self) -> None:
        """End the threads after what they are doing."""
        for _ in range(self._begun):
            self._batches.put(None)

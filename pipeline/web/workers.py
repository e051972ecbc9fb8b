"""Work off the event loop: a few threads, a bounded queue, and a bound on how long an answer is waited for."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from pipeline.web.problems import BUSY, LIMIT, RequestProblem

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Workers:
    """`threads` run at once, `waiting` more may wait. Work that is given up keeps its place until it ends: every
    search has a node limit of its own, so that is soon.
    """

    def __init__(self, name: str, threads: int, waiting: int, seconds: float) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._places = threading.BoundedSemaphore(threads + waiting)
        self._seconds = seconds

    async def run(
        self, function: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Answer:
        """Raises RequestProblem 503 where no place is free or the time is up, and whatever the function raises."""
        if not self._places.acquire(blocking=False):
            raise RequestProblem(
                503, "too many requests are waiting; try again shortly", BUSY, headers={"Retry-After": "1"}
            )
        try:
            work = self._executor.submit(function, *args, **kwargs)
        except RuntimeError:
            self._places.release()
            raise RequestProblem(503, "the server is shutting down", BUSY) from None
        work.add_done_callback(self._leave)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(work), self._seconds)
        except TimeoutError:
            detail = f"no answer within {self._seconds:g} s, the time limit of a request"
            raise RequestProblem(503, detail, LIMIT, headers={"Retry-After": "5"}) from None

    def _leave(self, _: "Future[Answer]") -> None:
        self._places.release()

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

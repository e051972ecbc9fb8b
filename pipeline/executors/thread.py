"""Chunks in threads of this process: for programs that must not be forked, such as a notebook that has used polars."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor

from pipeline.executors.base import Executor, Item, Resources, Result
from pipeline.executors.sliding import sliding


class ThreadExecutor(Executor):
    """A pool of threads. Kernels and the writing of Parquet let go of Python's lock, so they run side by side."""

    def __init__(self, resources: Resources) -> None:
        self.workers = resources.workers

    def run(
        self, task: Callable[[Item], Result], items: Iterable[Item], on_start: Callable[[], None] | None = None
    ) -> Generator[Result]:
        """Yield results as they come. What has not begun when the iterator is closed never does."""
        pool = ThreadPoolExecutor(self.workers, "worker")
        try:
            for _, result in sliding(
                lambda _, item: pool.submit(task, item), enumerate(items), 2 * self.workers, on_start
            ):
                yield result
        finally:
            pool.shutdown(cancel_futures=True)

"""Submit a long plan to a `concurrent.futures` executor a few items ahead, and take results as they come."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from pipeline.stopping import safe_point

Key = TypeVar("Key")
POLL = 0.1
"""Seconds between two looks at whether a signal has come; results are taken as they come."""


def sliding(
    submit: Callable[[Key, Any], "Future[Any]"],
    items: Iterable[tuple[Key, Any]],
    ahead: int,
    on_start: Callable[[], None] | None = None,
) -> Iterator[tuple[Key, Any]]:
    """Yield (key, result) in any order; memory does not grow with the plan. `on_start` follows the first submits.

    Raises what a task raised.
    """
    waiting = iter(items)
    running: dict[Future[Any], Key] = {}
    while True:
        while len(running) < ahead and (entry := next(waiting, None)) is not None:
            running[submit(*entry)] = entry[0]
        if not running:
            return
        if on_start:
            on_start()
            on_start = None
        safe_point()
        done, _ = wait(running, POLL, FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()

"""Waiting for something to happen in another process: until it does, however busy the machine is."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Found = TypeVar("Found")
LONG = 300.0
"""Seconds after which whatever is waited for will not come: a bound on a test that hangs, never part of its outcome."""


def wait_until(condition: Callable[[], Found], what: str, process: Any = None, pause: float = 0.005) -> Found:
    """What `condition` returns once it is true, or once `process` has ended."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        # Asked first: what ended may have done what is waited for just before.
        ended = process is not None and process.poll() is not None
        found = condition()
        if found or ended:
            return found
        time.sleep(pause)
    raise AssertionError(f"not within {LONG:.0f} s: {what}")


def parts_of(run: Path, kind: str = "boards") -> list[Path]:
    return list(run.glob(f"{kind}/*/part-*"))


def wait_for_parts(run: Path, process: Any, count: int, kind: str = "boards") -> None:
    """Until a run has committed so many parts, or has ended."""
    wait_until(lambda: len(parts_of(run, kind)) >= count, f"{count} parts of {kind}", process, 0.002)

"""Progress of a run on standard error: a bar with rows/s and time left, or a line now and then without a terminal."""

import sys
import time
from types import TracebackType
from typing import Any

from pipeline.runs.chunks import ChunkResult
from pipeline.runs.run import Progress

LINE_EVERY = 30.0
"""Seconds between lines where standard error is not a terminal."""


class RunProgress:
    """Starts to draw only once the workers exist, because drawing uses a thread."""

    def __init__(self, quiet: bool, rows: str = "boards") -> None:
        self.quiet = quiet
        self.rows = rows
        self.bar: Any = None
        self.task: Any = None
        self.done = self.total = self.solved = 0
        self.began = self.spoke = time.monotonic()

    def __enter__(self) -> "RunProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def callbacks(self) -> Progress:
        return Progress(self._started, self._advanced, _import_report)

    def _started(self, done: int, total: int) -> None:
        if self.bar is not None:
            return
        self.done, self.total = self.done or done, total
        self.began = self.spoke = time.monotonic()
        if self.quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {self.rows}"),
            BarColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("time left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.bar.start()
        self.task = self.bar.add_task("", total=total, completed=self.done, rate="")

    def _advanced(self, result: ChunkResult) -> None:
        self.done += result.part.rows
        self.solved += result.part.rows
        elapsed = max(time.monotonic() - self.began, 1e-9)
        rate = self.solved / elapsed
        if self.bar is not None:
            self.bar.update(self.task, completed=self.done, rate=f"{rate:,.0f} {self.rows}/s")
        elif not self.quiet and time.monotonic() - self.spoke > LINE_EVERY:
            self.spoke = time.monotonic()
            left = (self.total - self.done) / rate
            print(
                f"{self.done:,} of {self.total:,} {self.rows}, {rate:,.0f} {self.rows}/s, {left:,.0f} s left",
                file=sys.stderr,
            )


def _import_report() -> None:
    """Import what a report needs and what takes two tenths of a second, while the last chunks are solved.

    Polars comes last of all: a process that has used it cannot fork workers that do. Importing it is not using it, and
    workers that a pool is renewed with from here on do not use it either.
    """
    import polars  # noqa: F401

"""Progress on standard error: what takes long is said, and a run has a bar with rows/s and time left.

Without a terminal a line takes the place of what moves.
"""

import contextlib
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pipeline.cli.printing import say

if TYPE_CHECKING:
    from pipeline.runs.chunks import ChunkResult
    from pipeline.runs.run import Progress

COMPILING = "compiling the solver (once on this machine)"
LINE_EVERY = 30.0
"""Seconds between lines where standard error is not a terminal."""


@contextlib.contextmanager
def busy(what: str, quiet: bool = False) -> Iterator[None]:
    """Say what goes on while the block runs: a spinner on a terminal, else one line. Its thread ends with the block."""
    if quiet:
        yield
    elif not _is_terminal():
        say(what)
        yield
    else:
        from rich.console import Console

        with Console(stderr=True).status(what):
            yield


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class Compiling:
    """Says within the block that kernels are compiled, while they are: what comes from the cache is not worth a word.

    `begin` and `end` are for those who compile in processes of their own.
    """

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self._depth = 0
        self._said = False
        self._shown = contextlib.ExitStack()
        self._listening = contextlib.ExitStack()

    def __enter__(self) -> "Compiling":
        from numba.core import event

        compiling = self

        class Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                compiling.begin()

            def on_end(self, event: Any) -> None:
                compiling.end()

        self._listening.enter_context(event.install_listener("numba:compile", Listener()))
        return self

    def __exit__(self, *failure: object) -> None:
        self._listening.close()
        self._shown.close()

    def begin(self) -> None:
        """A compilation begins, perhaps within another one."""
        self._depth += 1
        if self._depth == 1 and not (self.quiet or (self._said and not _is_terminal())):
            self._said = True
            self._shown.enter_context(busy(COMPILING))

    def end(self) -> None:
        """A compilation has ended: the spinner stops with the outermost one."""
        self._depth -= 1
        if self._depth == 0:
            self._shown.close()


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

    def callbacks(self) -> "Progress":
        from pipeline.runs.run import Progress

        return Progress(self._started, self._advanced, _import_report, lambda: Compiling(self.quiet))

    def _started(self, done: int, total: int) -> None:
        if self.bar is not None:
            return
        self.done, self.total = self.done or done, total
        self.began = self.spoke = time.monotonic()
        if self.quiet or not _is_terminal():
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

    def _advanced(self, result: "ChunkResult") -> None:
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

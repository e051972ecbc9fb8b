"""The command line as a person runs it: in a process of its own, in a folder of its own.

`pipeline` and `start` fork that process from one that has imported everything; `command` is for what depends on a start
of Python itself, such as its environment.
"""

import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.forking import Forked
from tests.waiting import LONG


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def error_line(self) -> str:
        """The one line of a refusal: exit code 2, nothing else said, no traceback."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.out == ""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


def command(*arguments: Any) -> list[str]:
    return [sys.executable, "-m", "pipeline", *map(str, arguments)]


def start(*arguments: Any, cwd: Path, env: dict[str, str] | None = None, stdin: str | None = None) -> Forked:
    """A command under way."""
    # A page takes seconds and has tests of its own.
    quick = ("--no-html",) if arguments[0] in ("run", "report") else ()
    return Forked((*arguments, *quick), cwd, env, stdin)


def pipeline(*arguments: Any, cwd: Path, env: dict[str, str] | None = None, stdin: str | None = None) -> Outcome:
    process = start(*arguments, cwd=cwd, env=env, stdin=stdin)
    out, err = process.communicate(timeout=LONG)
    assert process.returncode is not None
    return Outcome(process.returncode, out, err)


def pipeline_inside(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Outcome:
    """The same within this process: for refusals, which fork nothing and write nothing."""
    from pipeline.cli.app import run_command_line

    monkeypatch.setattr(sys, "argv", ["pipeline", *arguments])
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        code = run_command_line()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)


def rows_of(run: Path, kind: str = "boards/dice") -> pl.DataFrame:
    """All rows of a run in order, read as anyone would: by polars from the folder, without code of ours."""
    folder, partition = kind.split("/")
    frame = pl.read_parquet(f"{run}/{folder}/{partition}=*/part-*.parquet", hive_partitioning=True)
    return frame.sort(partition, frame.columns[0])


def row_hash(run: Path, kind: str = "boards/dice") -> int:
    frame = rows_of(run, kind)
    return int(frame.hash_rows(seed=1).sum()) ^ frame.height

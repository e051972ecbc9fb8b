"""Runs made within the test process, their workloads, and their rows as plain lists."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.config import RunConfig, load
from pipeline.games import game
from pipeline.runs.run import Progress, run
from pipeline.store.kinds import ROWS, Mode
from pipeline.store.run_store import RunStore


def make_run(folder: Path, **options: Any) -> RunStore:
    flags = {"out": str(folder), "executor": "serial", "chunk": 1_000, **options}
    return run(load(None, flags), Progress(lambda *_: None, lambda _: None)).store


def workload_of(config: RunConfig, mode: Mode = ROWS) -> Any:
    return game(config.game).workload(config, mode)


def rows(store: RunStore, variant: str, boards: int | None = None) -> list[dict[str, Any]]:
    found = [row for path in store.part_paths(variant) for row in pq.ParquetFile(path).read().to_pylist()]
    return found if boards is None else found[:boards]


def column(store: RunStore, variant: str, name: str, boards: int | None = None) -> list[int]:
    return [row[name] for row in rows(store, variant, boards)]


def values(answer: pa.Table) -> list[tuple[Any, ...]]:
    """Rows of an answer to a query."""
    return [tuple(row.values()) for row in answer.to_pylist()]

"""The rows of a run, after the parts' schemas have been checked: part by part as Arrow, or as a polars frame."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import PipelineError
from pipeline.games import counted_columns, game
from pipeline.runs.condensed import need_rows, read_histograms
from pipeline.stats.histograms import Histogram
from pipeline.store.kinds import BOARDS
from pipeline.store.parts import UNREADABLE, Part
from pipeline.store.run_store import RunStore

if TYPE_CHECKING:
    # polars is imported inside functions: a process that has used it must not fork workers afterwards.
    import polars as pl

BATCH = 1_000_000
"""Rows that are counted in one go, and those of the part that completes them."""
READERS = 2
"""Parts that are read at a time: memory holds a few parts, whatever the run."""


def require(store: RunStore, variant: str, boards: int) -> None:
    """Raises PipelineError where not all of the first `boards` rows are there."""
    missing = store.missing(variant, boards)
    if missing:
        held = boards - sum(gap.end - gap.start for gap in missing)
        raise PipelineError(
            f"run {store.location} holds {held:,} of {boards:,} {store.rows_folder} of {variant}",
            "finish it with the same `pipeline run` command, or report fewer with --boards",
        )


def read_part(store: RunStore, variant: str, part: Part, columns: Sequence[str]) -> pa.Table:
    """Columns of one part.

    Raises PipelineError for a part that cannot be read, has another schema, or not the rows of its name.
    """
    path = f"{store.folder(variant)}/{part.name}"
    place = store.files.url(path)
    try:
        file = pq.ParquetFile(pa.BufferReader(store.files.read(path)))
        _compare_schema(place, file.schema_arrow, game(store.run["game"]).schema)
        table = file.read(columns=list(columns), use_threads=False)
        table.validate(full=True)
    except UNREADABLE as error:
        raise _broken(place, error) from error
    if table.num_rows != part.end - part.start:
        raise PipelineError(
            f"part {place} has {table.num_rows:,} rows, its name says {part.end - part.start:,}",
            "remove it and run again",
        )
    return table


def iter_parts(
    store: RunStore, variant: str, boards: int, columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, npt.NDArray[np.integer]]]]:
    """(id of the first row, integer columns as arrays) of each part in order of ids, cut to the first `boards` rows.

    Raises PipelineError where rows are missing or a part is not as it should be.
    """
    need_rows(store)
    require(store, variant, boards)
    parts = [part for part in store.parts(variant) if part.start < boards]

    def load(part: Part) -> dict[str, npt.NDArray[np.integer]]:
        table = read_part(store, variant, part, columns)
        wanted = min(part.end, boards) - part.start
        return {name: table.column(name).to_numpy()[:wanted] for name in columns}

    if len(parts) == 1:
        yield parts[0].start, load(parts[0])
        return
    with ThreadPoolExecutor(min(READERS, os.cpu_count() or 1)) as pool:
        ahead: deque[tuple[int, Future[dict[str, npt.NDArray[np.integer]]]]] = deque()
        for part in parts:
            ahead.append((part.start, pool.submit(load, part)))
            if len(ahead) > READERS:
                start, future = ahead.popleft()
                yield start, future.result()
        for start, future in ahead:
            yield start, future.result()


Arrays = Mapping[str, npt.NDArray[np.integer]]
"""Columns of the same length, by name."""


class _Counter:
    """Counts columns batch by batch in polars and merges what it counted; memory holds a batch and the histograms."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.histograms = dict.fromkeys(columns, Histogram.merged([]))

    def add(self, batch: Sequence[Arrays]) -> None:
        import polars as pl

        frame = pl.concat([pl.DataFrame(dict(arrays)) for arrays in batch], rechunk=False).lazy()
        counted = pl.collect_all([frame.group_by(name).len() for name in self.histograms])
        for (name, held), found in zip(self.histograms.items(), counted, strict=True):
            more = Histogram.of(found[name].to_numpy(), found["len"].to_numpy())
            self.histograms[name] = Histogram.merged([held, more])


def histograms(
    store: RunStore, variant: str, boards: int, also: Callable[[int, Arrays], None] | None = None
) -> dict[str, Histogram]:
    """Of every metric and every further integer column that the game's report needs, in one pass over the rows.

    `also` is shown each part on the way, by the id of its first row. A run that keeps no rows has its histograms
    stored, and shows nothing.
    """
    if store.keep != BOARDS:
        require(store, variant, boards)
        return read_histograms(store, variant, boards)
    columns = counted_columns(store.run["game"])
    counter = _Counter(columns)
    held: list[Arrays] = []
    rows = 0
    for start, arrays in iter_parts(store, variant, boards, columns):
        if also:
            also(start, arrays)
        held.append(arrays)
        rows += len(arrays[columns[0]])
        # Many parts at a time, so that small ones cost no more than large ones.
        if rows >= BATCH:
            counter.add(held)
            held, rows = [], 0
    if held:
        counter.add(held)
    return counter.histograms


def differences(
    a: tuple[RunStore, str], b: tuple[RunStore, str], boards: int, columns: Sequence[str]
) -> dict[str, Histogram]:
    """Histogram of B - A by item for each column, of two variants whose items are the same; one pass over both."""
    counter = _Counter(columns)
    left, right = (_in_steps(*side, boards, columns) for side in (a, b))
    held: dict[str, npt.NDArray[np.int64]] = {}
    other: dict[str, npt.NDArray[np.int64]] = {}
    done = 0
    while done < boards:
        held = held or next(left)
        other = other or next(right)
        step = min(len(held[columns[0]]), len(other[columns[0]]))
        counter.add([{name: other[name][:step] - held[name][:step] for name in columns}])
        held, other = ({n: x[step:] for n, x in side.items() if len(x) > step} for side in (held, other))
        done += step
    return counter.histograms


def _in_steps(
    store: RunStore, variant: str, boards: int, columns: Sequence[str]
) -> Iterator[dict[str, npt.NDArray[np.int64]]]:
    for _, arrays in iter_parts(store, variant, boards, columns):
        yield {name: array.astype(np.int64) for name, array in arrays.items()}


def scan(store: RunStore, variant: str, boards: int | None = None) -> "pl.LazyFrame":
    """Rows of one variant (the first `boards` of them), with its id in the partition column.

    Raises PipelineError where rows are missing or a part has another schema.
    """
    wanted = store.boards if boards is None else boards
    require(store, variant, wanted)
    return _checked_scan(store, variant, wanted)


def scan_stored(store: RunStore, variant: str) -> "pl.LazyFrame":
    """Whatever rows of a variant are there."""
    if not store.parts(variant):
        raise PipelineError(f"run {store.location} has no parts of {variant} yet", "start it again with `pipeline run`")
    return _checked_scan(store, variant, None)


def _checked_scan(store: RunStore, variant: str, boards: int | None) -> "pl.LazyFrame":
    import polars as pl

    need_rows(store)
    kind = game(store.run["game"])
    paths = store.part_paths(variant, boards=boards)
    for path in paths:
        check_schema(path, kind.schema)
    frame = pl.scan_parquet(paths, hive_partitioning=False)
    if boards is not None:
        frame = frame.filter(pl.col(kind.layout.id_column) < boards)
    return frame.with_columns(pl.lit(variant).alias(kind.layout.partition))


def check_schema(path: str, schema: pa.Schema) -> None:
    try:
        found = pq.read_schema(path)
    except UNREADABLE as error:
        raise _broken(path, error) from error
    _compare_schema(path, found, schema)


def _compare_schema(place: str, found: pa.Schema, schema: pa.Schema) -> None:
    if not found.equals(schema):
        raise PipelineError(f"part {place} has another schema than this version writes", "remove it and run again")


def _broken(place: str, error: Exception) -> PipelineError:
    return PipelineError(
        f"part {place} is broken: {str(error).splitlines()[0]}", "`pipeline verify` lists all broken parts"
    )

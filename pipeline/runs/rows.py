"""Reading runs that keep one row an item: part by part as Arrow, a few at a time; counted in polars."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.runs.ranking import Ranking, best_first
from pipeline.runs.reading import Arrays, Reader
from pipeline.stats.histograms import Histogram
from pipeline.store.parts import Part, decode
from pipeline.store.reading import read_rows

if TYPE_CHECKING:
    from pipeline.runs.sql_tables import Fault, Source

BATCH = 1_000_000
"""Rows that are counted in one go, and those of the part that completes them."""
READERS = 2
"""Parts that are read at a time: memory holds a few parts, whatever the run."""


class Rows(Reader):
    """A run with rows: any number of its first rows can be told from the others."""

    paired = True

    def ends_at(self, boards: int) -> bool:
        """Return True: rows can be counted one by one."""
        return True

    def iter_parts(
        self, variant: str, boards: int, columns: Sequence[str]
    ) -> Iterator[tuple[int, dict[str, npt.NDArray[np.integer]]]]:
        """Yield (id of the first row, integer columns as arrays) of each part in order of ids, cut to `boards` rows."""
        self.require(variant, boards)
        parts = [part for part in self.store.parts(variant) if part.start < boards]

        def load(part: Part) -> dict[str, npt.NDArray[np.integer]]:
            table = self.read(variant, part, columns)
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

    def read(self, variant: str, part: Part, columns: Sequence[str] = ()) -> pa.Table:
        """Return the columns of one part."""
        return read_rows(self.store, variant, part, self.game.schema, columns)

    def histograms(
        self, variant: str, boards: int, also: Callable[[int, Arrays], None] | None = None
    ) -> dict[str, Histogram]:
        """Return the histogram of every counted column, in one pass over the rows."""
        columns = self.game.counted_columns
        counter = _Counter(columns)
        held: list[Arrays] = []
        rows = 0
        for start, arrays in self.iter_parts(variant, boards, columns):
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

    def histogram_between(self, variant: str, column: str, start: int, end: int) -> Histogram:
        """Return the histogram of one column over rows start .. end - 1."""
        found = []
        for part in self.store.parts(variant):
            first, last = max(part.start, start), min(part.end, end)
            if first < last:
                values = self.read(variant, part, [column]).column(column).to_numpy()
                found.append(Histogram.of(values[first - part.start : last - part.start]))
        return Histogram.merged(found)

    def first_rows(self, variant: str, columns: Sequence[str], count: int) -> dict[str, npt.NDArray[np.int64]]:
        """Return the columns of the first `count` rows."""
        parts = [arrays for _, arrays in self.iter_parts(variant, count, columns)]
        return {name: np.concatenate([part[name] for part in parts]).astype(np.int64) for name in columns}

    def best(self, variant: str, boards: int, count: int, ranking: Ranking | None = None) -> list[dict[str, Any]]:
        """Return the best rows among the first `boards`."""
        assert self.game.ranked_by is not None
        if ranking is not None:
            return self.by_id(variant, boards, ranking.ids.tolist())
        return self.ranked(variant, boards, best_first(count, self.game.ranked_by))

    def ranked(self, variant: str, boards: int, ranking: Ranking) -> list[dict[str, Any]]:
        """Return the rows that lead a ranking of the first `boards`."""
        for start, arrays in self.iter_parts(variant, boards, (ranking.column,)):
            ranking.add(start, arrays)
        return self.by_id(variant, boards, ranking.ids.tolist())

    def by_id(self, variant: str, boards: int, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return the rows of these ids, in their order."""
        self.check_ids(variant, boards, ids)
        self.require(variant, boards)
        wanted = np.unique(np.array(ids, np.int64))
        found: dict[int, dict[str, Any]] = {}
        for part in self.store.parts(variant):
            first, last = np.searchsorted(wanted, (part.start, part.end)).tolist()
            if first < last:
                here = wanted[first:last]
                rows = self.read(variant, part).take(pa.array(here - part.start)).to_pylist()
                found |= dict(zip(here.tolist(), rows, strict=True))
        return [found[one] for one in ids]

    def differences(
        self, variant: str, other: "Rows", other_variant: str, boards: int, columns: Sequence[str]
    ) -> dict[str, Histogram]:
        """Return the histogram of other - self by item for each column: one pass over both sides."""
        counter = _Counter(columns)
        left, right = self._in_steps(variant, boards, columns), other._in_steps(other_variant, boards, columns)
        mine: dict[str, npt.NDArray[np.int64]] = {}
        its: dict[str, npt.NDArray[np.int64]] = {}
        done = 0
        while done < boards:
            mine = mine or next(left)
            its = its or next(right)
            step = min(len(mine[columns[0]]), len(its[columns[0]]))
            counter.add([{name: its[name][:step] - mine[name][:step] for name in columns}])
            mine, its = ({n: x[step:] for n, x in side.items() if len(x) > step} for side in (mine, its))
            done += step
        return counter.histograms

    def _in_steps(
        self, variant: str, boards: int, columns: Sequence[str]
    ) -> Iterator[dict[str, npt.NDArray[np.int64]]]:
        for _, arrays in self.iter_parts(variant, boards, columns):
            yield {name: array.astype(np.int64) for name, array in arrays.items()}

    def sql_tables(self, fault: "Fault") -> "dict[str, Source]":
        """Return whatever rows are there, of all variants."""
        from pipeline.runs.sql_tables import rows

        return {self.store.rows_folder: rows(self, fault)}

    def fault(self, variant: str, part: Part, faults: Mapping[str, str]) -> str:
        """Return what is wrong with the rows of a part, as a clause."""
        id_column = self.game.layout.id_column
        table = decode(self.store.files.read(self.store.path(variant, part)))
        table.validate(full=True)
        if any(column.null_count for column in table.columns):
            return "has missing values"
        if not np.array_equal(table.column(id_column).to_numpy(), np.arange(part.start, part.end)):
            return f"does not hold the rows {part.start} to {part.end - 1} of its name"
        return self.game.contradiction(table)

    def solve_again(self, sound: Sequence[tuple[str, Part]], sample: int, seed: int) -> tuple[int, list[str]]:
        """Solve rows drawn from all sound parts again."""
        total = sum(part.rows for _, part in sound)
        if not total:
            return 0, []
        chosen = np.sort(np.random.default_rng(seed).choice(total, min(sample, total), replace=False))
        problems = []
        before = 0
        for variant, part in sound:
            mine = chosen[(chosen >= before) & (chosen < before + part.rows)] - before
            before += part.rows
            if not len(mine):
                continue
            stored = decode(self.store.files.read(self.store.path(variant, part))).take(pa.array(mine))
            for place, row in zip(mine.tolist(), stored.to_pylist(), strict=True):
                item = part.start + place
                problems += differing(variant, item, row, self.workload)
        return len(chosen), problems

    def notes(self) -> list[str]:
        """Return nothing: all is there."""
        return []


def differing(variant: str, item: int, row: dict[str, Any], workload: Any) -> list[str]:
    """Return one sentence where a stored row is not what its item gives, solved again."""
    solved = workload.solve_chunk(variant, Part(item, item + 1)).rows.to_pylist()[0]
    if solved == row:
        return []
    column = next(name for name in row if row[name] != solved[name])
    return [f"{variant} row {item}: {column} is {row[column]!r}, solved again it is {solved[column]!r}"]


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

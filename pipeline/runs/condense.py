"""What is stored of a chunk: its rows, or histograms, word counts and the best rows of the slices it is solved in.

Workers use this, so nothing here knows polars.
"""

import itertools
from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.games.game import Workload
from pipeline.runs.ranking import best_rows
from pipeline.stats.histograms import Histogram, Tally
from pipeline.stats.moments import Moments
from pipeline.store.kinds import Mode
from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, SUMS, SUMS_SCHEMA, TOP, WORDS, WORDS_SCHEMA, Part

SLICE = 50_000
"""Rows that are in memory at a time, however long the chunk, where no rows are kept."""
TOP_ROWS = 10
"""Best rows of a part."""


def chunk_tables(workload: Workload, mode: Mode, variant: str, part: Part) -> dict[str, pa.Table]:
    """Solve a chunk and return what its parts hold, by kind, the main one last."""
    if not mode.rows:
        return _condensed(workload, mode, variant, part)
    made = workload.solve_chunk(variant, part)
    words = {WORDS: made.words} if mode.words and made.words is not None else {}
    sums = {SUMS: sums_table(made.sums)} if made.sums is not None else {}
    return {**words, **sums, workload.layout.rows: made.rows}


def _condensed(workload: Workload, mode: Mode, variant: str, part: Part) -> dict[str, pa.Table]:
    about = game(workload.layout.game)
    kept = about.schemas(mode)
    tallies = {name: Tally() for name in about.counted_columns}
    words = WordCounts()
    sums: Moments | None = None
    best: list[pa.Table] = []
    for start in range(part.start, part.end, SLICE):
        made = workload.solve_chunk(variant, Part(start, min(start + SLICE, part.end)))
        for name, tally in tallies.items():
            tally.add(made.rows.column(name).to_numpy())
        if WORDS in kept and made.words is not None:
            words.add(made.words)
        if made.sums is not None:
            sums = made.sums if sums is None else sums + made.sums
        if TOP in kept and about.ranked_by is not None:
            best = [best_rows([*best, made.rows], about.layout.id_column, about.ranked_by, TOP_ROWS)]
    tables = {WORDS: words.table()} if WORDS in kept else {}
    if sums is not None:
        tables[SUMS] = sums_table(sums)
    if best:
        tables[TOP] = best[0]
    tables[HISTOGRAMS] = histogram_table({name: tally.histogram for name, tally in tallies.items()})
    return tables


class WordCounts:
    """Sums word tables; memory grows with the largest word id."""

    def __init__(self) -> None:
        self.totals: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)

    def add(self, table: pa.Table) -> None:
        """Add the counts of a part."""
        ids = table.column("word_id").to_numpy()
        if not len(ids):
            return
        longer = int(ids.max()) + 1 - len(self.totals)
        if longer > 0:
            self.totals = np.concatenate([self.totals, np.zeros(longer, np.uint64)])
        self.totals[ids] += table.column("boards").to_numpy()

    def table(self) -> pa.Table:
        """Return the words that were seen, by id."""
        seen = np.flatnonzero(self.totals)
        return pa.Table.from_arrays(
            [pa.array(seen.astype(np.uint32)), pa.array(self.totals[seen])], schema=WORDS_SCHEMA
        )


def histogram_table(histograms: Mapping[str, Histogram]) -> pa.Table:
    """Return the columns column, value, count: by column in the given order, then by value."""
    names: list[str] = []
    for name, histogram in histograms.items():
        names += [name] * len(histogram.values)
    return pa.Table.from_arrays(
        [
            pa.array(names, pa.string()),
            pa.array(np.concatenate([one.values for one in histograms.values()])),
            pa.array(np.concatenate([one.counts for one in histograms.values()]).astype(np.uint64)),
        ],
        schema=HISTOGRAMS_SCHEMA,
    )


ROWS_COLUMN = "rows"
"""What the column of ones is called among sums: its product with itself is the number of rows."""
_MOST = 10**38


def sums_table(moments: Moments) -> pa.Table:
    """Return the sums that are not 0: columns first, second, sum.

    Raises PipelineError where a sum has more than 38 digits.
    """
    # In one order, whatever was added up to it.
    moments = moments.over(sorted(moments.names))
    labels = (ROWS_COLUMN, *moments.names)
    first, second = np.triu_indices(len(labels))
    sums = moments.sums[first, second].tolist()
    kept = [place for place, number in enumerate(sums) if number]
    if max(sums) >= _MOST:
        place = sums.index(max(sums))
        raise PipelineError(
            f"the sum of {labels[first[place]]} times {labels[second[place]]} has more than 38 digits",
            "these boards have more words or ways than any real ones; give fewer, or smaller ones",
        )
    return pa.Table.from_arrays(
        [
            pa.array([labels[first[place]] for place in kept], pa.string()),
            pa.array([labels[second[place]] for place in kept], pa.string()),
            pa.array([Decimal(sums[place]) for place in kept], pa.decimal128(38, 0)),
        ],
        schema=SUMS_SCHEMA,
    )


def sums_of(table: pa.Table) -> Moments:
    """Return what `sums_table` was given, without the columns that are all zeros.

    Raises ValueError for a pair that is there twice, or a column whose own sum is not there.
    """
    first, second, numbers = (column.to_pylist() for column in table.columns)
    names = [name for one, name in zip(first, second, strict=True) if one == ROWS_COLUMN]
    places = {name: place for place, name in enumerate(names)}
    if places.get(ROWS_COLUMN) != 0 or len(places) < len(names):
        raise ValueError("no number of rows")
    read = Moments.none(names[1:])
    for one, other, number in zip(first, second, numbers, strict=True):
        if one not in places or other not in places or read.sums[places[one], places[other]]:
            raise ValueError(f"sums of {one} and {other}")
        read.sums[places[one], places[other]] = read.sums[places[other], places[one]] = int(number)
    return read


def histograms_of(table: pa.Table) -> dict[str, Histogram]:
    """Return what `histogram_table` was given."""
    names = table.column("column").to_numpy(zero_copy_only=False)
    values = table.column("value").to_numpy()
    counts = table.column("count").to_numpy().astype(np.int64)
    starts = [0, *(np.flatnonzero(names[1:] != names[:-1]) + 1).tolist(), len(names)]
    return {
        str(names[start]): Histogram(values[start:end], counts[start:end])
        for start, end in itertools.pairwise(starts)
        if start < end
    }

"""Chunks without rows: solve in slices, and keep of each slice only histograms, word counts and the best rows.

Workers use this, so nothing here knows polars.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.games.game import ChunkTables, Workload
from pipeline.stats.histograms import Histogram, Tally
from pipeline.store.kinds import NONE_BUT_TOP, RANKED_BY
from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, TOP, WORDS, WORDS_SCHEMA, Part

SLICE = 50_000
"""Rows that are in memory at a time, however long the chunk."""
TOP_ROWS = 10
"""Best rows of a part."""


def condense(workload: Workload, columns: Sequence[str], variant: str, part: Part, keep: str) -> dict[str, pa.Table]:
    """The parts of a chunk by kind, the main one last."""
    tallies = {name: Tally() for name in columns}
    words = WordCounts()
    best: pa.Table | None = None
    ranked = RANKED_BY in workload.schemas[workload.layout.rows].names
    for start in range(part.start, part.end, SLICE):
        made: ChunkTables = workload.solve_chunk(variant, Part(start, min(start + SLICE, part.end)))
        for name, tally in tallies.items():
            tally.add(made.rows.column(name).to_numpy())
        if made.words is not None:
            words.add(made.words)
        if ranked:
            best = best_rows([made.rows] if best is None else [best, made.rows], workload.layout.id_column)
    tables = {}
    if keep != NONE_BUT_TOP and WORDS in workload.schemas:
        tables[WORDS] = words.table()
    if best is not None:
        tables[TOP] = best
    tables[HISTOGRAMS] = histogram_table({name: tally.histogram for name, tally in tallies.items()})
    return tables


class WordCounts:
    """Sums word tables; memory grows with the largest word id."""

    def __init__(self) -> None:
        self.totals: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)

    def add(self, table: pa.Table) -> None:
        ids = table.column("word_id").to_numpy()
        if not len(ids):
            return
        longer = int(ids.max()) + 1 - len(self.totals)
        if longer > 0:
            self.totals = np.concatenate([self.totals, np.zeros(longer, np.uint64)])
        self.totals[ids] += table.column("boards").to_numpy()

    def table(self) -> pa.Table:
        """Words that were seen, by id."""
        seen = np.flatnonzero(self.totals)
        return pa.Table.from_arrays(
            [pa.array(seen.astype(np.uint32)), pa.array(self.totals[seen])], schema=WORDS_SCHEMA
        )


def best_rows(tables: Iterable[pa.Table], id_column: str, count: int = TOP_ROWS) -> pa.Table:
    """The rows of the highest score, best first; of equal ones the smaller ids; in whatever order tables come."""
    several = list(tables)
    chosen = []
    for table in several:
        keys = -table.column(RANKED_BY).to_numpy().astype(np.int64)
        few = np.arange(len(keys))
        if len(few) > count:
            # Everything up to the count-th smallest key; ties are cut after sorting by id.
            few = np.flatnonzero(keys <= np.partition(keys, count - 1)[count - 1])
        chosen.append(table.take(pa.array(few)))
    together = pa.concat_tables(chosen).combine_chunks()
    scores = together.column(RANKED_BY).to_numpy().astype(np.int64)
    order = np.lexsort((together.column(id_column).to_numpy(), -scores))[:count]
    return together.take(pa.array(order))


def histogram_table(histograms: Mapping[str, Histogram]) -> pa.Table:
    """Columns column, value, count: by column in the given order, then by value."""
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


def histograms_of(table: pa.Table) -> dict[str, Histogram]:
    """What `histogram_table` was given."""
    names = table.column("column").to_numpy(zero_copy_only=False)
    values = table.column("value").to_numpy()
    counts = table.column("count").to_numpy().astype(np.int64)
    starts = [0, *(np.flatnonzero(names[1:] != names[:-1]) + 1).tolist(), len(names)]
    return {
        str(names[start]): Histogram(values[start:end], counts[start:end])
        for start, end in itertools.pairwise(starts)
        if start < end
    }

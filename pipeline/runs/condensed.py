"""Reading runs that keep no rows: histograms and best rows of their first items, at the edges of their parts only."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.runs.condense import TOP_ROWS, chunk_tables, histograms_of
from pipeline.runs.ranking import Ranking, best_rows
from pipeline.runs.reading import Arrays, Reader
from pipeline.runs.rows import differing
from pipeline.stats.histograms import Histogram
from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, TOP, WORDS, Part, decode, is_whole
from pipeline.store.reading import REPAIR, parts_of, read_part

if TYPE_CHECKING:
    from pipeline.runs.sql_tables import Fault, Source

MERGED_AT_A_TIME = 16
"""Parts whose histograms are in memory before they are added up."""
PART_FOR_EACH = 100
"""The smallest part is solved again whole where it holds at most so many rows for each row of the sample."""


class Condensed(Reader):
    """A run without rows."""

    paired = False

    def ends_at(self, boards: int) -> bool:
        """Return whether no part goes beyond the first `boards` rows."""
        parts = (part for variant in self.variants for part in self.store.parts(variant))
        return not any(part.start < boards < part.end for part in parts)

    def _parts_within(self, variant: str, boards: int) -> list[Part]:
        self.require(variant, boards)
        self.check_edge(boards)
        return [part for part in self.store.parts(variant) if part.end <= boards]

    def histograms(
        self, variant: str, boards: int, also: Callable[[int, Arrays], None] | None = None
    ) -> dict[str, Histogram]:
        """Return the histogram of every counted column; there are no rows to show."""
        return self._merged(variant, self._parts_within(variant, boards))

    def _merged(self, variant: str, parts: Sequence[Part]) -> dict[str, Histogram]:
        merged: dict[str, list[Histogram]] = {}
        for place, part in enumerate(parts, 1):
            for name, histogram in self._of_part(variant, part).items():
                merged.setdefault(name, []).append(histogram)
            if place % MERGED_AT_A_TIME == 0:
                merged = {name: [Histogram.merged(several)] for name, several in merged.items()}
        return {name: Histogram.merged(several) for name, several in merged.items()}

    def _of_part(self, variant: str, part: Part) -> dict[str, Histogram]:
        found = histograms_of(read_part(self.store, variant, part, HISTOGRAMS_SCHEMA))
        if list(found) != self.game.counted_columns or any(one.n != part.rows for one in found.values()):
            place = self.store.files.url(self.store.path(variant, part))
            raise PipelineError(
                f"part {place} does not count the {part.rows:,} {self.store.rows_folder} of its name in every column",
                REPAIR,
            )
        return found

    def histogram_between(self, variant: str, column: str, start: int, end: int) -> Histogram:
        """Return the histogram of one column over the parts within rows start .. end - 1."""
        parts = (part for part in self.store.parts(variant) if start <= part.start and part.end <= end)
        return Histogram.merged([self._of_part(variant, part)[column] for part in parts])

    def first_rows(self, variant: str, columns: Sequence[str], count: int) -> dict[str, npt.NDArray[np.int64]]:
        """Solve the first `count` rows again."""
        rows = self.workload.solve_chunk(variant, Part(0, count)).rows
        return {name: rows.column(name).to_numpy().astype(np.int64) for name in columns}

    def best(self, variant: str, boards: int, count: int, ranking: Ranking | None = None) -> list[dict[str, Any]]:
        """Return the best rows among the first `boards`, at most as many as each part keeps."""
        assert self.game.ranked_by is not None
        if count > TOP_ROWS or TOP not in self.schemas:
            self.need_rows(f"a list of {count} best {self.store.rows_folder}")
        parts = self._parts_within(variant, boards)
        tables = [read_part(self.store, variant, part, self.game.schema, TOP) for part in parts]
        id_column = self.game.layout.id_column
        return best_rows(tables, id_column, self.game.ranked_by, count).to_pylist() if tables else []

    def ranked(self, variant: str, boards: int, ranking: Ranking) -> list[dict[str, Any]]:
        """Raises PipelineError: only the best rows are kept."""
        self.need_rows()
        raise AssertionError("a run without rows has none to rank")

    def by_id(self, variant: str, boards: int, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Solve the rows of these ids again."""
        self.check_ids(variant, boards, ids)
        return [self.workload.solve_chunk(variant, Part(one, one + 1)).rows.to_pylist()[0] for one in ids]

    def sql_tables(self, fault: "Fault") -> "dict[str, Source]":
        """Return `histograms` (column, value, count) summed over the parts, and `top`."""
        from pipeline.runs.sql_tables import Later

        found = {HISTOGRAMS: Later(self._summed, fault)}
        if TOP in self.schemas:
            found[TOP] = Later(self._top, fault)
        return found

    def _summed(self) -> pa.Table:
        tables = []
        for variant in self.variants:
            for name, one in self._merged(variant, parts_of(self.store, variant)).items():
                columns = ([name] * len(one.values), one.values, one.counts.astype(np.uint64))
                table = pa.table(dict(zip(HISTOGRAMS_SCHEMA.names, columns, strict=True)), HISTOGRAMS_SCHEMA)
                tables.append(self._named(table, variant))
        return pa.concat_tables(tables)

    def _top(self) -> pa.Table:
        return pa.concat_tables(
            self._named(read_part(self.store, variant, part, self.game.schema, TOP), variant)
            for variant in self.variants
            for part in parts_of(self.store, variant)
        )

    def _named(self, table: pa.Table, variant: str) -> pa.Table:
        return table.append_column(self.store.partition, pa.repeat(pa.scalar(variant), table.num_rows))

    def fault(self, variant: str, part: Part, faults: Mapping[str, str]) -> str:
        """Return what in a part disagrees with its name or with its companions, as a clause."""

        def read(kind: str) -> pa.Table | None:
            path = self.store.path(variant, part, kind)
            sound = path not in faults and self.store.files.exists(path)
            return decode(self.store.files.read(path)) if sound else None

        main, top, words = read(HISTOGRAMS), read(TOP), read(WORDS)
        assert main is not None
        histograms = histograms_of(main)
        if list(histograms) != self.game.counted_columns:
            return "has histograms of other columns than this version writes"
        for name, histogram in histograms.items():
            if histogram.n != part.rows:
                return f"counts {histogram.n:,} rows in column {name}, its name says {part.rows:,}"
        ranked_by = self.game.ranked_by
        if top is not None and ranked_by is not None:
            id_column = self.game.layout.id_column
            ids, values = top.column(id_column).to_numpy(), top.column(ranked_by).to_numpy()
            in_range = top.num_rows and ids.min() >= part.start and ids.max() < part.end
            if not in_range or best_rows([top], id_column, ranked_by, TOP_ROWS) != top:
                return f"has rows in {TOP}/ that are not of its range, or out of order"
            most = histograms[ranked_by].values[-1]
            if values[0] != most:
                return f"has {values[0]} as best {ranked_by} in {TOP}/, {most} in its histogram"
        if words is not None and "words" in histograms:
            found = int(words.column("boards").to_numpy().sum(dtype=np.uint64))
            if found != histograms["words"].total:
                return f"has {found:,} finds in {WORDS}/, {histograms['words'].total:,} in its histogram"
        return ""

    def solve_again(self, sound: Sequence[tuple[str, Part]], sample: int, seed: int) -> tuple[int, list[str]]:
        """Solve the best rows of the parts again, and the smallest part whole if it is small."""
        if not sound or not sample:
            return 0, []
        problems = []
        again = 0
        for place in np.random.default_rng(seed).permutation(len(sound)).tolist():
            variant, part = sound[place]
            top = self._sound(variant, part, TOP)
            if again >= sample or top is None:
                continue
            for row in top.to_pylist()[: sample - again]:
                again += 1
                problems += differing(variant, row[self.game.layout.id_column], row, self.workload)
        variant, part = min(sound, key=lambda one: one[1].rows)
        if part.rows <= PART_FOR_EACH * sample:
            made = chunk_tables(self.workload, self.store.mode, variant, part)
            again += part.rows
            for kind, table in made.items():
                stored = self._sound(variant, part, kind)
                if stored is not None and not stored.equals(table):
                    path = self.store.path(variant, part, kind)
                    problems.append(f"{path} is not what its rows give, solved again")
        return again, problems

    def _sound(self, variant: str, part: Part, kind: str) -> pa.Table | None:
        """The table of a part; None where it is gone or broken, which is said elsewhere."""
        path = self.store.path(variant, part, kind)
        data = self.store.files.read(path) if self.store.files.exists(path) else b""
        return decode(data) if is_whole(data) else None

    def notes(self) -> list[str]:
        """Return what the run does without, and what therefore cannot be asked."""
        rows = self.store.rows_folder
        best = f" and its best {rows}" if TOP in self.schemas else ""
        return [
            f"This run keeps exact histograms{best}, {self.store.mode.lacks()} (--keep {self.store.run.keep}): the "
            f"figures are the same as with rows; lists of other {rows}, SQL over rows and comparisons in pairs are not "
            "available."
        ]

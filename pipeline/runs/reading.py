"""What is stored of a run, read by whoever asks: one interface, with rows and without."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.games.game import Game, Workload
from pipeline.runs.condense import sums_of
from pipeline.runs.ranking import Ranking
from pipeline.stats.controls import CONTROLLED_FROM, Known, Sample
from pipeline.stats.histograms import Histogram
from pipeline.stats.moments import Moments, moments
from pipeline.store.parts import SUMS, SUMS_SCHEMA, WORDS, WORDS_SCHEMA, Part
from pipeline.store.reading import REPAIR, read_part
from pipeline.store.run_store import RunStore

if TYPE_CHECKING:
    from pipeline.runs.sql_tables import Fault, Source

Arrays = Mapping[str, npt.NDArray[np.integer]]
"""Columns of the same length, by name."""


class Reader(ABC):
    """Reads an opened run. `workload` makes its rows again: the run's own where it was just made, else from the store.

    Whatever is asked of the first `boards` rows of a variant raises PipelineError where not all of them are there,
    where they cannot be told from the others, and where a part is not what was written.
    """

    paired: bool
    """Rows of this run can be set against the same rows of another."""

    def __init__(self, store: RunStore, workload: Workload | None = None) -> None:
        self.store = store
        self._workload = workload
        self._known: dict[str, Known | None] = {}

    @cached_property
    def game(self) -> Game:
        return game(self.store.run.game)

    @cached_property
    def schemas(self) -> dict[str, pa.Schema]:
        """Columns of each kind of part that the run holds."""
        return self.game.schemas(self.store.mode)

    @cached_property
    def workload(self) -> Any:
        """What makes any row of the run again: the workload of its game."""
        return self._workload or self.game.workload_of(self.store, "numba")

    @property
    def variants(self) -> list[str]:
        return self.store.variants

    def rules(self, variant: str) -> dict[str, str]:
        """Return what must be equal for two variants to be compared as like with like."""
        return self.game.rules(self.store.run, variant)

    def require(self, variant: str, boards: int) -> None:
        """Raises PipelineError where not all of the first `boards` rows are there."""
        missing = self.store.missing(variant, boards)
        if missing:
            held = boards - sum(gap.rows for gap in missing)
            raise PipelineError(
                f"run {self.store.location} holds {held:,} of {boards:,} {self.store.rows_folder} of {variant}",
                "finish it with the same `pipeline run` command, or report fewer with --boards",
            )

    def word_counts(self, variant: str, part: Part) -> pa.Table:
        """Return how many rows of a part show each word: columns word_id, boards.

        Raises PipelineError for a run that keeps no word counts.
        """
        if WORDS not in self.schemas:
            raise PipelineError(
                f"run {self.store.location} keeps no word counts (--keep {self.store.run.keep})",
                "make a run with --keep histograms and another --out",
            )
        return read_part(self.store, variant, part, WORDS_SCHEMA, WORDS)

    def sums(self, variant: str, part: Part) -> Moments:
        """Return the exact sums of a part.

        Raises PipelineError where they are broken, or not of as many rows as the part's name says.
        """
        table = read_part(self.store, variant, part, SUMS_SCHEMA, SUMS)
        try:
            found = sums_of(table)
        except ValueError as error:
            fault = f"does not hold sums of columns ({error})"
        else:
            if found.n == part.rows:
                return found
            fault = f"has sums of {found.n:,} {self.store.rows_folder}, its name says {part.rows:,}"
        raise PipelineError(f"part {self.store.files.url(self.store.path(variant, part, SUMS))} {fault}", REPAIR)

    def sums_between(self, variant: str, start: int, end: int) -> Moments:
        """Return the exact sums of rows start .. end - 1; those of a part that only reaches in are counted again."""
        found = Moments.none(())
        for part in self.store.parts(variant):
            inside = Part(max(part.start, start), min(part.end, end))
            if inside == part:
                found += self.sums(variant, part)
            elif inside.start < inside.end:
                found += moments(self.workload.counted(variant, inside))
        return found

    def known(self, variant: str) -> Known | None:
        """Return exact means of a variant, worked out at the first time; None where none are known."""
        if variant not in self._known:
            self._known[variant] = self.game.known(self.workload, variant)
        return self._known[variant]

    def sample(self, variant: str, boards: int) -> Sample | None:
        """Return the sums of the first `boards` rows with what is known exactly; None where too few rows are asked for,
        or nothing is known."""
        if not self.game.keeps_sums or boards < CONTROLLED_FROM:
            return None
        self.require(variant, boards)
        known = self.known(variant)
        return None if known is None else Sample(self.sums_between(variant, 0, boards).over(known.columns), known)

    def need_rows(self, what: str = "this") -> None:
        """Raises PipelineError where the run keeps no rows, which `what` is about."""
        if not self.store.mode.rows:
            raise PipelineError(
                f"run {self.store.location} keeps no {self.store.rows_folder} (--keep {self.store.run.keep}), and "
                f"{what} needs them",
                "make a run with --keep boards and another --out",
            )

    @abstractmethod
    def ends_at(self, boards: int) -> bool:
        """Return whether the first `boards` rows of every variant can be told from the others."""

    def check_edge(self, boards: int) -> None:
        """Raises PipelineError where they cannot."""
        if self.ends_at(boards):
            return
        store = self.store
        parts = (part for variant in self.variants for part in store.parts(variant) if part.start < boards < part.end)
        part = next(parts)
        possible = " or ".join(f"{edge:,}" for edge in part if edge)
        raise PipelineError(
            f"run {store.location} keeps no {store.rows_folder} (--keep {store.run.keep}): its first {boards:,} "
            f"cannot be told from the others of their part",
            f"the nearest possible {'numbers are' if part.start else 'number is'} {possible}",
        )

    @abstractmethod
    def histograms(
        self, variant: str, boards: int, also: Callable[[int, Arrays], None] | None = None
    ) -> dict[str, Histogram]:
        """Return the histogram of every metric and every further integer column that the game's report needs.

        `also` is shown the columns of each part on the way, by the id of its first row, where there are rows.
        """

    @abstractmethod
    def histogram_between(self, variant: str, column: str, start: int, end: int) -> Histogram:
        """Return the histogram of one column over rows start .. end - 1."""

    @abstractmethod
    def first_rows(self, variant: str, columns: Sequence[str], count: int) -> dict[str, npt.NDArray[np.int64]]:
        """Return the columns of the first `count` rows; solved again where no rows are kept."""

    @abstractmethod
    def best(self, variant: str, boards: int, count: int, ranking: Ranking | None = None) -> list[dict[str, Any]]:
        """Return the best rows among the first `boards`, best first; of equal ones the smaller ids.

        `ranking` has been shown all rows, where somebody read them anyway.
        """

    @abstractmethod
    def ranked(self, variant: str, boards: int, ranking: Ranking) -> list[dict[str, Any]]:
        """Return the rows that lead a ranking of the first `boards`."""

    @abstractmethod
    def by_id(self, variant: str, boards: int, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return the rows of these ids, in their order.

        Raises PipelineError for an id that is not among the first `boards`.
        """

    def check_ids(self, variant: str, boards: int, ids: Iterable[int]) -> None:
        """Raises PipelineError for an id that is not among the first `boards`."""
        for one in ids:
            if not 0 <= one < boards:
                item, rows = self.game.layout.item, self.game.layout.rows
                raise PipelineError(
                    f"{item} {one} is not in run {self.store.location}", f"its {variant} {rows} are 0 to {boards - 1:,}"
                )

    @abstractmethod
    def sql_tables(self, fault: "Fault") -> "dict[str, Source]":
        """Return the tables that SQL sees: rows under the game's name, or what is kept instead of them.

        What goes wrong when they are read is noted in `fault`.
        """

    @abstractmethod
    def fault(self, variant: str, part: Part, faults: Mapping[str, str]) -> str:
        """Return what is wrong with a part of sound checksum, as a clause; kinds among `faults` are left out."""

    @abstractmethod
    def solve_again(self, sound: Sequence[tuple[str, Part]], sample: int, seed: int) -> tuple[int, list[str]]:
        """Solve about `sample` rows of sound parts again; returns how many, and what differed."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Return what a reader must know of what is kept, in sentences."""

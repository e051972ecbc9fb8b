"""What differs between games: how an item follows from its number, the columns of its row, what people are told."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.stats.controls import Known
from pipeline.stats.metric import Metric
from pipeline.stats.moments import Moments
from pipeline.store.kinds import Mode
from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, SUMS, SUMS_SCHEMA, TOP, WORDS, WORDS_SCHEMA, Part
from pipeline.store.run_file import Entry, FolderLayout, RunFile

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from pipeline.store.run_store import RunStore


@dataclass(frozen=True)
class ChunkTables:
    """What one chunk of one variant gives: its rows; how many of its boards show each word, and exact sums of its
    columns, in games that have them."""

    rows: pa.Table
    words: pa.Table | None = None
    sums: Moments | None = None


@dataclass(frozen=True)
class Layout:
    """Names that the folder and the reports use."""

    game: str
    rows: str
    partition: str
    item: str
    id_column: str
    text_column: str
    variant_key: str
    """Where the identity lists its variants; also what a variant is called."""

    def folder(self) -> FolderLayout:
        """Return the layout as run.json says it."""
        return FolderLayout(
            rows=self.rows, partition=self.partition, item=self.item, id_column=self.id_column,
            text_column=self.text_column, variant_key=self.variant_key,
        )  # fmt: skip


class Workload(Protocol):
    """A game made ready to run: rows are a pure function of (variant, part); no chunking, worker or order enters."""

    layout: Layout
    smallest_chunk: int
    """Rows of a part at least, unless fewer are asked for."""

    @property
    def solver(self) -> str: ...

    @property
    def variants(self) -> Sequence[str]: ...

    def identity(self) -> dict[str, Any]:
        """Return what makes the rows what they are, JSON-able; its hash is the run id."""

    def settings(self) -> Entry:
        """Return the names and notes for people and reports; not part of the identity."""

    def items(self) -> dict[str, str]:
        """Return for each variant a key of what its items hang on: equal keys mean equal items."""

    def build(self) -> None:
        """Build what all items share; raises PipelineError for input that cannot be solved."""

    def prepare(self) -> None:
        """Build and compile everything in this process, so that forked workers inherit it."""

    def lexicon_table(self) -> pa.Table | None: ...

    def solve_chunk(self, variant: str, part: Part) -> ChunkTables: ...

    def short_name(self) -> str:
        """Return what the folder of a run is called, before the digits of its id."""


class CountingWorkload(Workload, Protocol):
    """A workload of a game that keeps sums."""

    def counted(self, variant: str, part: Part) -> dict[str, npt.NDArray[np.integer]]:
        """Return the columns of which sums are kept, item by item."""


@dataclass(frozen=True)
class Description:
    """A run for people: `facts` by name, and what is printed on each variant, if anything."""

    words: str | None = None
    """The id of its word list, where it has one."""
    facts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


class Game:
    """One game. Subclasses say what it is; `games.TABLE` says where its one object is."""

    layout: Layout
    schema: pa.Schema
    """Columns of a row."""
    metrics: tuple[Metric, ...]
    columns: tuple[str, ...] = ()
    """Integer columns whose histograms the report's sections need beside the metrics."""
    options: tuple[str, ...] = ()
    """Options of a run that mean something for this game; others that only other games have are refused."""
    counts_words: bool = False
    """Its chunks tell how many boards show each word."""
    keeps_sums: bool = False
    """Its chunks tell exact sums of columns and of their products."""
    ranked_by: str | None = None
    """The column by which rows are best; None where no row is better than another."""
    verb: str = "gives"
    """What a set does with the first metric, in the sentence that heads a report."""
    run_file: type[RunFile] = RunFile
    report: str = ""
    """The module of the report room with sections of this game alone; empty for none."""

    def workload(self, config: "RunConfig", mode: Mode) -> Workload:
        """Return the workload that a config asks for.

        Raises PipelineError for anything in it that does not exist or does not fit together.
        """
        raise NotImplementedError

    def workload_of(self, store: "RunStore", solver: str) -> Workload:
        """Return what makes any row of a stored run again, from the run alone: configs may have changed since.

        Raises PipelineError where the run does not hold what that needs.
        """
        raise NotImplementedError

    def describe(self, run: RunFile) -> Description:
        """Return what people are told of a run beside its figures."""
        return Description()

    def rules(self, run: RunFile, variant: str) -> dict[str, str]:
        """Return what must be equal for two variants to be compared as like with like, in words."""
        return {}

    def rolls(self, run: RunFile, variant: str) -> str:
        """Return what the rolls of a variant hang on: where it is equal, items of the same number come from the same
        random numbers."""
        return run.items[variant]

    def known(self, workload: Any, variant: str) -> Known | None:
        """Return exact means of columns of which sums are kept; None where no closed form is known."""
        return None

    def contradiction(self, rows: pa.Table) -> str:
        """Return what in some rows contradicts the rest of them, as a clause; empty for sound ones."""
        return ""

    @property
    def counted_columns(self) -> list[str]:
        """Integer columns that have histograms: the metrics and what else the report adds up."""
        return [metric.name for metric in self.metrics] + list(self.columns)

    def schemas(self, mode: Mode) -> dict[str, pa.Schema]:
        """Return the columns of each kind of part that a run in this mode holds, the main kind first."""
        known = {self.layout.rows: self.schema, HISTOGRAMS: HISTOGRAMS_SCHEMA}
        if self.counts_words:
            known[WORDS] = WORDS_SCHEMA
        if self.keeps_sums:
            known[SUMS] = SUMS_SCHEMA
        if self.ranked_by is not None:
            known[TOP] = self.schema
        return {kind: known[kind] for kind in mode.kinds(self.layout.rows) if kind in known}

    def checked(self, run: dict[str, Any], place: str) -> RunFile:
        """Return the content of a run.json as this game's model; raises PipelineError as `run_file.check` does."""
        from pipeline.store.run_file import check

        return check(self.run_file, run, self.layout.folder(), place)

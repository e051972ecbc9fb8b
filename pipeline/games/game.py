"""What differs between games: how an item follows from its number, the columns of its row, the metrics of a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import pyarrow as pa

from pipeline.store.parts import Part


@dataclass(frozen=True)
class Metric:
    """An integer column that a report describes. A category has names for its values and no mean."""

    name: str
    title: str
    unit: str
    kind: Literal["count", "category"] = "count"
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChunkTables:
    """What one chunk of one variant gives: its rows, and how many of its boards show each word (or None)."""

    rows: pa.Table
    words: pa.Table | None = None


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
    """Where the identity lists its variants."""

    def as_dict(self) -> dict[str, str]:
        return {
            "rows": self.rows, "partition": self.partition, "item": self.item,
            "id_column": self.id_column, "text_column": self.text_column,
            "variant_key": self.variant_key,
        }  # fmt: skip


class Workload(Protocol):
    """A game made ready to run. `table` is a pure function of (variant, part): no chunking, worker or order enters."""

    layout: Layout
    smallest_chunk: int
    """Rows of a part at least, unless fewer are asked for."""

    @property
    def schemas(self) -> dict[str, pa.Schema]:
        """Columns of each kind of part: of the rows, and of the word counts where chunks have them."""

    @property
    def solver(self) -> str: ...

    @property
    def variants(self) -> Sequence[str]: ...

    def identity(self) -> dict[str, Any]:
        """JSON-able; its hash is the run id."""

    def settings(self) -> dict[str, Any]:
        """Names and notes for people and reports; not part of the identity."""

    def items(self) -> dict[str, str]:
        """For each variant a key of what its items depend on: equal keys mean equal items."""

    def build(self) -> None:
        """Build what all items share; raises PipelineError for input that cannot be solved."""

    def prepare(self) -> None:
        """Build and compile everything in this process, so that forked workers inherit it."""

    def lexicon_table(self) -> pa.Table | None: ...

    def solve_chunk(self, variant: str, part: Part) -> ChunkTables: ...

    def short_name(self) -> str:
        """What the folder of a run is called, before the digits of its id."""


@dataclass(frozen=True)
class ChunkResult:
    """The few numbers that a worker sends back."""

    variant: str
    part: Part
    seconds: float

    @property
    def rows(self) -> int:
        return self.part.end - self.part.start

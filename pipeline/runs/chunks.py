"""The chunks of a run: planned from what is missing, each solved and committed by whoever takes it."""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pipeline.executors.memory import keep_memory
from pipeline.games import game
from pipeline.games.game import Workload
from pipeline.runs.condense import chunk_tables
from pipeline.store import parts
from pipeline.store.kinds import ROWS, Mode
from pipeline.store.parts import Part
from pipeline.store.run_store import LEXICON, RunStore

log = logging.getLogger("shakedown")
FEWEST = 64
"""Chunks of a run that is large enough for several: many workers share them, and few wait for the last."""


@dataclass(frozen=True)
class Chunk:
    variant: str
    part: Part

    def __str__(self) -> str:
        return f"chunk {self.variant} {self.part.start}-{self.part.end}"


@dataclass(frozen=True)
class ChunkResult:
    """The few numbers that a worker sends back."""

    variant: str
    part: Part
    seconds: float


def default_chunk(boards: int, smallest: int, mode: Mode = ROWS) -> int:
    """Return the rows of a part: it grows with the run, as each part costs some milliseconds, within the mode's bounds.

    Without rows parts stay small, so a chunk may be larger: a million rows from 64 million on, and beyond four billion
    so many that there are no more than four thousand parts.
    """
    fewest_rows = -(-boards // mode.most_parts) if mode.most_parts else 0
    return max(smallest, min(mode.largest_chunk, boards // FEWEST), fewest_rows)


@dataclass(frozen=True)
class ChunkPlan:
    """The chunks that a run lacks: gaps by variant, cut into chunks of at most `size` rows as they are asked for."""

    gaps: tuple[tuple[str, Part], ...]
    size: int

    def __iter__(self) -> Iterator[Chunk]:
        for variant, gap in self.gaps:
            for start in range(gap.start, gap.end, self.size):
                yield Chunk(variant, Part(start, min(start + self.size, gap.end)))

    def __bool__(self) -> bool:
        return bool(self.gaps)

    @property
    def count(self) -> int:
        """Chunks: no length, which Python bounds."""
        return sum(-(-gap.rows // self.size) for _, gap in self.gaps)

    @property
    def rows(self) -> int:
        return sum(gap.rows for _, gap in self.gaps)


def plan_chunks(store: RunStore, boards: int, size: int) -> ChunkPlan:
    """Return what is missing of rows 0 .. boards - 1 of every variant, in chunks of at most `size` rows."""
    return ChunkPlan(
        tuple((variant, gap) for variant in store.variants for gap in store.missing(variant, boards)), size
    )


@dataclass(frozen=True)
class RunChunk:
    """The task of a worker: solve one chunk and commit its parts. Doing it twice does no harm.

    Pickled, it is only the run's description.
    """

    workload: Workload
    store: RunStore

    def __repr__(self) -> str:
        """Short: Dask asks for it with every task, and the fields' own would spell out the whole word list."""
        return repr(Described(self.store, self.workload.solver))

    def __reduce__(self) -> tuple[Any, ...]:
        return Described, (self.store, self.workload.solver)

    def __call__(self, chunk: Chunk) -> ChunkResult:
        started = time.monotonic()
        tables = chunk_tables(self.workload, self.store.mode, chunk.variant, chunk.part)
        self.store.commit(chunk.variant, chunk.part, tables)
        seconds = time.monotonic() - started
        log.info("%s done in %.2f s", chunk, seconds)
        return ChunkResult(chunk.variant, chunk.part, seconds)


@dataclass(frozen=True)
class Described:
    """RunChunk as it arrives on another machine: the workload is made there, where and when a first chunk is solved."""

    store: RunStore
    solver: str

    def __repr__(self) -> str:
        return f"RunChunk({self.store.location!r})"

    def __call__(self, chunk: Chunk) -> ChunkResult:
        return RunChunk(_workload(_Source(self.store), self.solver), self.store)(chunk)


@dataclass(frozen=True, eq=False)
class _Source:
    """A store as the source of a workload: equal to every other that holds the same run in the same mode."""

    store: RunStore

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str]:
        return self.store.run.run_id, self.store.run.keep


@lru_cache(maxsize=1)
def _workload(source: _Source, solver: str) -> Workload:
    """Kept by what is computed alone: where and how to write comes with every task."""
    keep_memory()
    return game(source.store.run.game).workload_of(source.store, solver)


def store_words(workload: Workload, store: RunStore) -> None:
    """Store the word list of a run that has one, once; one that another run left is replaced."""
    if store.files.exists(LEXICON) and not parts.problem(store.files.read(LEXICON), store.lexicon_label):
        return
    if (lexicon := workload.lexicon_table()) is not None:
        store.write(LEXICON, parts.encode(lexicon, store.lexicon_label))

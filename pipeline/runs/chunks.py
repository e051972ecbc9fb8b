"""The run loop: plan the missing chunks, hand them to an executor, commit what comes back."""

import itertools
import logging
import time
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pipeline.executors.memory import keep_memory
from pipeline.games import counted_columns
from pipeline.games.game import ChunkResult, Workload
from pipeline.runs.condense import condense
from pipeline.store import kinds, parts
from pipeline.store.parts import WORDS, Part
from pipeline.store.run_store import RunStore

log = logging.getLogger("shakedown")
MAX_CHUNK = 250_000
CONDENSED_CHUNK = 1_000_000
FEWEST = 64
"""Chunks of a run that is large enough for several: many workers share them, and few wait for the last."""
MOST_CONDENSED = 4_000


@dataclass(frozen=True)
class Chunk:
    variant: str
    part: Part

    def __str__(self) -> str:
        return f"chunk {self.variant} {self.part.start}-{self.part.end}"


def default_chunk(boards: int, smallest: int, kept: str = kinds.BOARDS) -> int:
    """Rows of a part: it grows with the run, as every part costs some milliseconds, up to what memory and a stop allow.

    Without rows parts stay small, so a chunk may be larger: a million rows from 64 million on, and beyond four billion
    so many that there are no more than four thousand parts.
    """
    if kept == kinds.BOARDS:
        return max(smallest, min(MAX_CHUNK, boards // FEWEST))
    return max(smallest, min(CONDENSED_CHUNK, boards // FEWEST), -(-boards // MOST_CONDENSED))


def plan_chunks(store: RunStore, boards: int, size: int) -> list[Chunk]:
    """Cut what is missing of rows 0 .. boards - 1 of every variant into chunks of at most `size` rows."""
    chunks = []
    for variant in store.variants:
        for gap in store.missing(variant, boards):
            edges = [*range(gap.start, gap.end, size), gap.end]
            chunks += [Chunk(variant, Part(*edge)) for edge in itertools.pairwise(edges)]
    return chunks


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
        self.store.commit(chunk.variant, chunk.part, self.tables(chunk))
        seconds = time.monotonic() - started
        log.info("%s done in %.2f s", chunk, seconds)
        return ChunkResult(chunk.variant, chunk.part, seconds)

    def tables(self, chunk: Chunk) -> dict[str, pa.Table]:
        """What the chunk's parts hold, by kind."""
        if self.store.keep != kinds.BOARDS:
            columns = counted_columns(self.store.run["game"])
            return condense(self.workload, columns, chunk.variant, chunk.part, self.store.keep)
        made = self.workload.solve_chunk(chunk.variant, chunk.part)
        words = {} if made.words is None else {WORDS: made.words}
        return {**words, self.store.rows_folder: made.rows}


@dataclass(frozen=True)
class Described:
    """RunChunk as it arrives on another machine: the workload is made there, where and when a first chunk is solved."""

    store: RunStore
    solver: str

    def __repr__(self) -> str:
        return f"RunChunk({self.store.location!r})"

    def __call__(self, chunk: Chunk) -> ChunkResult:
        return _made(self.store, self.solver)(chunk)


_kept: dict[tuple[str, str], RunChunk] = {}


def _made(store: RunStore, solver: str) -> RunChunk:
    key = (store.run["run_id"], store.location)
    if key not in _kept:
        from pipeline.runs.rebuild import workload

        keep_memory()
        _kept.clear()
        _kept[key] = RunChunk(workload(store, solver), store)
    return _kept[key]


def store_words(workload: Workload, store: RunStore) -> None:
    """Store the word list of a run that has one, once."""
    path = f"{WORDS}/lexicon.parquet"
    if not store.files.exists(path) and (lexicon := workload.lexicon_table()) is not None:
        store.files.write(path, parts.encode(lexicon))

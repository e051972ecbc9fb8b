"""Reading runs that keep no rows: histograms and best rows of their first boards, at the edges of their parts only."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import PipelineError
from pipeline.games import counted_columns, game
from pipeline.runs.condense import best_rows, histograms_of
from pipeline.stats.histograms import Histogram
from pipeline.store.kinds import BOARDS
from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, TOP, UNREADABLE, Part
from pipeline.store.run_store import RunStore

MERGED_AT_A_TIME = 16
"""Parts whose histograms are in memory before they are added up."""


def need_rows(store: RunStore, what: str = "this") -> None:
    """Raises PipelineError where the run keeps no rows, which `what` is about."""
    if store.keep != BOARDS:
        raise PipelineError(
            f"run {store.location} keeps no {store.rows_folder} (--keep {store.keep}), and {what} needs them",
            "make a run with --keep boards and another --out",
        )


def check_edge(store: RunStore, boards: int) -> None:
    """Raises PipelineError where the first `boards` rows of a run without rows end inside a part."""
    if store.keep == BOARDS:
        return
    for variant in store.variants:
        for part in store.parts(variant):
            if part.start < boards < part.end:
                possible = " or ".join(f"{edge:,}" for edge in (part.start, part.end) if edge)
                raise PipelineError(
                    f"run {store.location} keeps no {store.rows_folder} (--keep {store.keep}): its first {boards:,} "
                    f"cannot be told from the others of their part",
                    f"the nearest possible {'numbers are' if part.start else 'number is'} {possible}",
                )


def require_within(store: RunStore, boards: int) -> bool:
    """Do the first `boards` rows of every variant end at the edge of a part?"""
    return not any(part.start < boards < part.end for variant in store.variants for part in store.parts(variant))


def parts_within(store: RunStore, variant: str, boards: int) -> list[Part]:
    """The parts that hold the first `boards` rows, which must be all there.

    Raises PipelineError as `check_edge` does.
    """
    check_edge(store, boards)
    return [part for part in store.parts(variant) if part.end <= boards]


def read_part(store: RunStore, variant: str, part: Part, kind: str, schema: pa.Schema) -> pa.Table:
    """One part of a kind.

    Raises PipelineError for a part that cannot be read or has another schema.
    """
    path = f"{store.folder(variant, kind)}/{part.name}"
    place = store.files.url(path)
    try:
        table = pq.read_table(pa.BufferReader(store.files.read(path)), use_threads=False)
    except UNREADABLE as error:
        raise PipelineError(
            f"part {place} is broken: {str(error).splitlines()[0]}", "`pipeline verify` lists all broken parts"
        ) from error
    if not table.schema.equals(schema):
        raise PipelineError(f"part {place} has another schema than this version writes", "remove it and run again")
    return table


def read_histograms(store: RunStore, variant: str, boards: int) -> dict[str, Histogram]:
    """Of every column that the game's report needs, over the first `boards` rows.

    Raises PipelineError where rows are missing, end inside a part, or a part does not count as many as its name says.
    """
    merged: dict[str, list[Histogram]] = {}
    for place, part in enumerate(parts_within(store, variant, boards), 1):
        for name, histogram in _checked(store, variant, part).items():
            merged.setdefault(name, []).append(histogram)
        if place % MERGED_AT_A_TIME == 0:
            merged = {name: [Histogram.merged(several)] for name, several in merged.items()}
    return {name: Histogram.merged(several) for name, several in merged.items()}


def _checked(store: RunStore, variant: str, part: Part) -> dict[str, Histogram]:
    found = histograms_of(read_part(store, variant, part, HISTOGRAMS, HISTOGRAMS_SCHEMA))
    rows = part.end - part.start
    wanted = counted_columns(store.run["game"])
    if list(found) != wanted or any(one.n != rows for one in found.values()):
        place = store.files.url(f"{store.folder(variant, HISTOGRAMS)}/{part.name}")
        raise PipelineError(
            f"part {place} does not count the {rows:,} {store.rows_folder} of its name in every column",
            "remove it and run again",
        )
    return found


def best(store: RunStore, variant: str, boards: int, count: int) -> list[dict[str, Any]]:
    """The best rows among the first `boards`, at most as many as each part keeps."""
    kind = game(store.run["game"])
    wanted = set(parts_within(store, variant, boards))
    tables = [read_part(store, variant, part, TOP, kind.schema) for part in store.parts(variant, TOP) if part in wanted]
    return best_rows(tables, kind.layout.id_column, count).to_pylist() if tables else []

"""Merge the small parts of a run without rows into large ones; whenever this is stopped, the run stays whole.

A merged part covers exactly the ranges of parts that touch. It is written companions first, main part last; only then
are the small ones deleted, main parts last. Until they are gone, the store counts the large part and not those within.
"""

import logging
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass

import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.runs.condense import WordCounts, best_rows, histogram_table, histograms_of
from pipeline.runs.condensed import read_part
from pipeline.runs.rebuild import part_schemas
from pipeline.stats.histograms import Histogram
from pipeline.store import lock
from pipeline.store.files import is_remote, local_folder
from pipeline.store.kinds import BOARDS
from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, TOP, WORDS, WORDS_SCHEMA, Part
from pipeline.store.run_store import RunStore

log = logging.getLogger("shakedown")


@dataclass(frozen=True)
class Compacted:
    """Main parts and bytes of all parts, before and after."""

    parts: tuple[int, int]
    bytes: tuple[int, int]


def compact(store: RunStore, most: int | None = None) -> Compacted:
    """Merge parts that touch, into parts of at most `most` rows (None: no limit).

    Raises PipelineError for a run that keeps rows, and for one that is in use or broken.
    """
    if store.keep == BOARDS:
        raise PipelineError(
            f"run {store.location} keeps its {store.rows_folder}: only histograms can be merged",
            "`pipeline run --keep histograms` makes such a run",
        )
    known = part_schemas(store)
    with nullcontext() if is_remote(store.location) else lock.hold(local_folder(store.location)):
        store.sweep()
        for path, fault in store.problems(known).items():
            raise PipelineError(f"{path} {fault}", "the same `pipeline run` computes it again; then merge")
        before = _size(store, known)
        for variant in store.variants:
            for group in groups(store.parts(variant), most):
                merge(store, variant, group, list(known))
        store.drop_merged(known)
        after = _size(store, known)
    return Compacted((before[0], after[0]), (before[1], after[1]))


def groups(parts: list[Part], most: int | None) -> Iterator[list[Part]]:
    """Runs of two and more parts that touch and together hold at most `most` rows."""
    group: list[Part] = []
    for part in parts:
        fits = group and part.start == group[-1].end and (most is None or part.end - group[0].start <= most)
        if not fits:
            if len(group) > 1:
                yield group
            group = []
        group.append(part)
    if len(group) > 1:
        yield group


def merge(store: RunStore, variant: str, group: list[Part], kinds: list[str]) -> None:
    """Write the large part of a group, then delete the small ones."""
    whole = Part(group[0].start, group[-1].end)
    for kind in kinds:
        stored = set(store.parts(variant, kind))
        if not all(part in stored for part in group):
            raise PipelineError(
                f"run {store.location} lacks parts of {kind}/ that go with {store.main_kind}/ of {variant}",
                "the same `pipeline run` computes them again; then merge",
            )
    store.commit(variant, whole, {kind: merged(store, variant, group, kind) for kind in kinds})
    log.info("%s: %s parts merged into %s", variant, len(group), whole.name)
    store.drop_merged(kinds)


def merged(store: RunStore, variant: str, group: list[Part], kind: str) -> pa.Table:
    """The parts of a kind added up, a few in memory at a time."""
    if kind == WORDS:
        counts = WordCounts()
        for part in group:
            counts.add(read_part(store, variant, part, kind, WORDS_SCHEMA))
        return counts.table()
    if kind == TOP:
        about = game(store.run["game"])
        tables = (read_part(store, variant, part, kind, about.schema) for part in group)
        return best_rows(tables, about.layout.id_column)
    total: dict[str, Histogram] = {}
    for part in group:
        for name, histogram in histograms_of(read_part(store, variant, part, HISTOGRAMS, HISTOGRAMS_SCHEMA)).items():
            total[name] = Histogram.merged([total[name], histogram] if name in total else [histogram])
    return histogram_table(total)


def _size(store: RunStore, kinds: dict[str, pa.Schema]) -> tuple[int, int]:
    sizes = [store.files.sizes(store.folder(variant, kind)) for kind in kinds for variant in store.variants]
    return sum(len(store.parts(variant)) for variant in store.variants), sum(sum(one.values()) for one in sizes)

"""Merge the small parts of a run without rows into large ones; whenever this is stopped, the run stays whole.

A merged part covers exactly the ranges of parts that touch. It is written companions first, main part last; only then
are the small ones deleted, main parts last. Until they are gone, the store counts the large part and not those within.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.runs.condense import TOP_ROWS, WordCounts, histogram_table, histograms_of, sums_table
from pipeline.runs.condensed import Condensed
from pipeline.runs.ranking import best_rows
from pipeline.runs.reading import Reader
from pipeline.stats.histograms import Histogram
from pipeline.stats.moments import Moments
from pipeline.store import lock
from pipeline.store.parts import SUMS, TOP, WORDS, Part
from pipeline.store.reading import read_part
from pipeline.store.run_store import RunStore

log = logging.getLogger("shakedown")


@dataclass(frozen=True)
class Compacted:
    """Main parts and bytes of all parts, before and after."""

    parts: tuple[int, int]
    bytes: tuple[int, int]


def compact(reader: Reader, most: int | None = None) -> Compacted:
    """Merge parts that touch, into parts of at most `most` rows (None: no limit).

    Raises PipelineError for a run that keeps rows, and for one that is in use or broken.
    """
    store = reader.store
    if not isinstance(reader, Condensed):
        raise PipelineError(
            f"run {store.location} keeps its {store.rows_folder}: only histograms can be merged",
            "`pipeline run --keep histograms` makes such a run",
        )
    known = reader.schemas
    with lock.hold_run(store.location) as lease:
        store = replace(store, holder=lease.token)
        reader = Condensed(store)
        store.sweep()
        for path, fault in store.problems(known).items():
            raise PipelineError(f"{path} {fault}", "the same `pipeline run` computes it again; then merge")
        before = _size(store, known)
        for variant in store.variants:
            for group in groups(store.parts(variant), most):
                merge(reader, variant, group)
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


def merge(reader: Reader, variant: str, group: list[Part]) -> None:
    """Write the large part of a group, then delete the small ones."""
    store, kinds = reader.store, list(reader.schemas)
    whole = Part(group[0].start, group[-1].end)
    for kind in kinds:
        stored = set(store.parts(variant, kind))
        if not all(part in stored for part in group):
            raise PipelineError(
                f"run {store.location} lacks parts of {kind}/ that go with {store.main_kind}/ of {variant}",
                "the same `pipeline run` computes them again; then merge",
            )
    store.commit(variant, whole, {kind: merged(reader, variant, group, kind) for kind in kinds})
    log.info("%s: %s parts merged into %s", variant, len(group), whole.name)
    store.drop_merged(kinds)


def merged(reader: Reader, variant: str, group: list[Part], kind: str) -> pa.Table:
    """Return the parts of a kind added up, a few in memory at a time."""
    tables = (read_part(reader.store, variant, part, reader.schemas[kind], kind) for part in group)
    if kind == WORDS:
        counts = WordCounts()
        for table in tables:
            counts.add(table)
        return counts.table()
    if kind == TOP:
        assert reader.game.ranked_by is not None
        return best_rows(tables, reader.game.layout.id_column, reader.game.ranked_by, TOP_ROWS)
    if kind == SUMS:
        return sums_table(sum((reader.sums(variant, part) for part in group), Moments.none(())))
    total: dict[str, Histogram] = {}
    for table in tables:
        for name, histogram in histograms_of(table).items():
            total[name] = Histogram.merged([total[name], histogram] if name in total else [histogram])
    return histogram_table(total)


def _size(store: RunStore, kinds: dict[str, pa.Schema]) -> tuple[int, int]:
    sizes = [store.owned(variant, kind).values() for kind in kinds for variant in store.variants]
    return sum(len(store.parts(variant)) for variant in store.variants), sum(map(sum, sizes))

"""Is every row of a run what it should be? Checksums, schemas, ranges, and a sample of rows made and solved again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline import parts
from pipeline.games import game
from pipeline.parts import WORDS, Part
from pipeline.rebuild import LEXICON, workload
from pipeline.storage import RunStore

SAMPLE = 1_000
"""Rows that are solved again unless another number is asked for."""


@dataclass(frozen=True)
class Verdict:
    """What was looked at, and one sentence for each thing that is wrong."""

    parts: int
    rows: int
    solved_again: int
    problems: list[str]

    def as_dict(self) -> dict[str, Any]:
        return {
            "parts": self.parts, "rows": self.rows, "solved_again": self.solved_again, "problems": self.problems,
        }  # fmt: skip


def verify(store: RunStore, sample: int = SAMPLE, seed: int = 0) -> Verdict:
    """Check all parts of a run and solve `sample` rows of the sound ones again.

    Raises PipelineError only where the run cannot be opened or its storage cannot be read at all.
    """
    problems: list[str] = []
    sound: list[tuple[str, Part]] = []
    count = rows = 0
    with_words = store.files.exists(LEXICON)
    if with_words and not parts.is_whole(store.files.read(LEXICON)):
        problems.append(f"{LEXICON} is not what was written (its checksum differs)")
    kind = game(store.run["game"])
    schemas = {store.rows_folder: kind.schema} | ({WORDS: parts.WORDS_SCHEMA} if with_words else {})
    faults = store.problems(schemas)
    problems += [f"{path} {fault}" for path, fault in faults.items()]
    for variant in store.variants:
        count += sum(len(store.files.sizes(store.folder(variant, each))) for each in schemas)
        for part in store.parts(variant):
            path = f"{store.folder(variant)}/{part.name}"
            if path not in faults and (fault := _wrong_rows(store, path, part, kind.layout.id_column)):
                problems.append(f"{path} {fault}")
            elif path not in faults:
                sound.append((variant, part))
                rows += part.end - part.start
        problems += list(_gaps(store, variant, with_words))
    again = 0
    if not any(LEXICON in problem for problem in problems):
        again, wrong = _solve_again(store, sound, sample, seed)
        problems += wrong
    return Verdict(count, rows, again, problems)


def _wrong_rows(store: RunStore, path: str, part: Part, id_column: str) -> str:
    table = parts.decode(store.files.read(path))
    if any(column.null_count for column in table.columns):
        return "has missing values"
    if not np.array_equal(table.column(id_column).to_numpy(), np.arange(part.start, part.end)):
        return f"does not hold the rows {part.start} to {part.end - 1} of its name"
    return ""


def _gaps(store: RunStore, variant: str, with_words: bool) -> Iterator[str]:
    for gap in store.missing(variant, store.boards):
        yield f"{store.folder(variant)} lacks rows {gap.start} to {gap.end - 1}"
    if with_words:
        for part in sorted(set(store.parts(variant)) ^ set(store.parts(variant, WORDS))):
            yield f"{part.name} of {variant} is only in one of {store.rows_folder}/ and {WORDS}/"


def _solve_again(store: RunStore, sound: list[tuple[str, Part]], sample: int, seed: int) -> tuple[int, list[str]]:
    """Rows solved again, and what differed."""
    total = sum(part.end - part.start for _, part in sound)
    if not total:
        return 0, []
    maker = workload(store)
    chosen = np.sort(np.random.default_rng(seed).choice(total, min(sample, total), replace=False))
    problems = []
    before = 0
    for variant, part in sound:
        rows = part.end - part.start
        mine = chosen[(chosen >= before) & (chosen < before + rows)] - before
        before += rows
        if not len(mine):
            continue
        stored = parts.decode(store.files.read(f"{store.folder(variant)}/{part.name}")).take(pa.array(mine))
        for place, row in zip(mine.tolist(), stored.to_pylist(), strict=True):
            item = part.start + place
            solved = maker.solve_chunk(variant, Part(item, item + 1)).rows.to_pylist()[0]
            if solved != row:
                column = next(name for name in row if row[name] != solved[name])
                problems.append(
                    f"{variant} row {item}: {column} is {row[column]!r}, solved again it is {solved[column]!r}"
                )
    return len(chosen), problems

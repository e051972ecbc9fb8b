"""Is every row of a run what it should be? Checksums, schemas, ranges, and a sample of rows made and solved again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.games import game
from pipeline.runs.condensed_check import condense_again, wrong_part
from pipeline.runs.rebuild import LEXICON, part_schemas, workload
from pipeline.store import kinds, parts
from pipeline.store.parts import Part
from pipeline.store.run_store import RunStore

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
    wrong, solve_again = (_wrong_rows, _solve_again) if store.keep == kinds.BOARDS else (wrong_part, condense_again)
    with_words = store.files.exists(LEXICON)
    if with_words and not parts.is_whole(store.files.read(LEXICON)):
        problems.append(f"{LEXICON} is not what was written (its checksum differs)")
    schemas = part_schemas(store)
    faults = store.problems(schemas)
    problems += [f"{path} {fault}" for path, fault in faults.items()]
    for variant in store.variants:
        count += sum(len(store.files.sizes(store.folder(variant, each))) for each in schemas)
        for part in store.parts(variant):
            path = f"{store.folder(variant)}/{part.name}"
            if path in faults:
                continue
            try:
                fault = wrong(store, variant, part, faults)
            except parts.UNREADABLE as error:
                fault = f"cannot be read ({str(error).splitlines()[0]})"
            if fault:
                problems.append(f"{path} {fault}")
                continue
            sound.append((variant, part))
            rows += part.end - part.start
        problems += list(_gaps(store, variant, schemas))
    again = 0
    if not any(LEXICON in problem for problem in problems):
        again, differing = solve_again(store, sound, sample, seed)
        problems += differing
    return Verdict(count, rows, again, problems)


def _wrong_rows(store: RunStore, variant: str, part: Part, faults: Mapping[str, str]) -> str:
    id_column = game(store.run["game"]).layout.id_column
    table = parts.decode(store.files.read(f"{store.folder(variant)}/{part.name}"))
    table.validate(full=True)
    if any(column.null_count for column in table.columns):
        return "has missing values"
    if not np.array_equal(table.column(id_column).to_numpy(), np.arange(part.start, part.end)):
        return f"does not hold the rows {part.start} to {part.end - 1} of its name"
    return ""


def _gaps(store: RunStore, variant: str, kinds: Iterable[str]) -> Iterator[str]:
    for gap in store.missing(variant, store.boards):
        yield f"{store.folder(variant)} lacks rows {gap.start} to {gap.end - 1}"
    left = {part.name for part in store.leftovers(variant)}
    main = {part.name for part in store.parts(variant)}
    for kind in kinds:
        stored = {name for name in store.files.sizes(store.folder(variant, kind)) if parts.parse_name(name)}
        for name in sorted((main ^ stored) - left):
            yield f"{name} of {variant} is only in one of {store.main_kind}/ and {kind}/"


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

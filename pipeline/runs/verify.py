"""Is every row of a run what it should be? Checksums, schemas, ranges, and a sample of rows made and solved again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError
from pipeline.runs.reading import Reader
from pipeline.store import parts
from pipeline.store.parts import Part
from pipeline.store.reading import read_lexicon
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


def verify(reader: Reader, sample: int = SAMPLE, seed: int = 0) -> Verdict:
    """Check all parts of a run and solve `sample` rows of the sound ones again.

    Raises PipelineError only where the run cannot be opened or its storage cannot be read at all.
    """
    store = reader.store
    problems: list[str] = []
    sound: list[tuple[str, Part]] = []
    count = rows = 0
    faults = store.problems(reader.schemas)
    problems += [f"{path} {fault}" for path, fault in faults.items()]
    for variant in store.variants:
        count += sum(len(store.files.sizes(store.folder(variant, kind))) for kind in reader.schemas)
        for part in store.parts(variant):
            path = store.path(variant, part)
            if path in faults:
                continue
            try:
                fault = reader.fault(variant, part, faults)
            except parts.UNREADABLE as error:
                fault = f"cannot be read ({str(error).splitlines()[0]})"
            if fault:
                problems.append(f"{path} {fault}")
                continue
            sound.append((variant, part))
            rows += part.rows
        problems += list(_gaps(store, variant, reader.schemas))
    again = 0
    if reader.game.counts_words and (lost := _lost_words(store)):
        problems.append(lost)
    else:
        again, differing = reader.solve_again(sound, sample, seed)
        problems += differing
    return Verdict(count, rows, again, problems)


def _lost_words(store: RunStore) -> str:
    """What is wrong with the word list of a run, without which no row can be solved again."""
    try:
        read_lexicon(store)
    except PipelineError as error:
        return error.message
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

"""Is every row of a run what it should be? Checksums, schemas, ranges, and a sample of rows made and solved again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError
from pipeline.runs.reading import Reader
from pipeline.stats.oracle import Check, check
from pipeline.store import parts
from pipeline.store.parts import SUMS, Part
from pipeline.store.reading import read_lexicon
from pipeline.store.run_store import RunStore

SAMPLE = 1_000
"""Rows that are solved again unless another number is asked for."""


@dataclass(frozen=True)
class Verdict:
    """What was looked at, and one sentence for each thing that is wrong. `checks`: simulated means against exact ones,
    by variant."""

    parts: int
    rows: int
    solved_again: int
    problems: list[str]
    checks: dict[str, list[Check]]

    @property
    def farthest(self) -> str:
        """The check whose means are farthest apart, in words; empty where there is none."""
        every = [(abs(one.errors), variant, one) for variant, found in self.checks.items() for one in found]
        if not every:
            return ""
        _, variant, one = max(every, key=lambda entry: entry[0])
        return (
            f"{len(every)} means agree with their exact values; farthest apart are {one.column} of {variant}, by "
            f"{one.errors:+.1f} standard errors"
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "parts": self.parts, "rows": self.rows, "solved_again": self.solved_again, "problems": self.problems,
            "checks": {variant: [vars(one) for one in found] for variant, found in self.checks.items()},
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
            companion = store.path(variant, part, SUMS)
            if reader.game.keeps_sums and companion not in faults and (fault := _sums_fault(reader, variant, part)):
                problems.append(f"{companion} {fault}")
            sound.append((variant, part))
            rows += part.rows
        problems += list(_gaps(store, variant, reader.schemas))
    again = 0
    if reader.game.counts_words and (lost := _lost_words(store)):
        problems.append(lost)
    else:
        again, differing = reader.solve_again(sound, sample, seed)
        problems += differing
    checks = {} if problems else _oracle(reader)
    for variant, found in checks.items():
        problems += [
            f"{variant}: {one.column} is {one.found:,.6g} a {reader.game.layout.item}, its exact mean is "
            f"{one.expected:,.6g}, {abs(one.errors):.1f} standard errors away: shakes or solver are at fault"
            for one in found
            if one.fault
        ]
    return Verdict(count, rows, again, problems, checks)


def _oracle(reader: Reader) -> dict[str, list[Check]]:
    """Means of a sound run against exact ones, by variant."""
    boards = reader.store.boards
    samples = {variant: reader.sample(variant, boards) for variant in reader.variants}
    return {variant: check(one.sums, one.known) for variant, one in samples.items() if one is not None}


def _sums_fault(reader: Reader, variant: str, part: Part) -> str:
    """What is wrong with the sums of a part whose rows or histograms are sound, as a clause."""
    if not reader.store.files.exists(reader.store.path(variant, part, SUMS)):
        return ""
    try:
        sums = reader.sums(variant, part)
    except PipelineError as error:
        place = reader.store.files.url(reader.store.path(variant, part, SUMS))
        return error.message.removeprefix(f"part {place} ")
    for metric in reader.game.metrics[:2]:
        held = reader.histogram_between(variant, metric.name, part.start, part.end)
        stored = sums.over([metric.name])
        if (stored.total(metric.name), stored.product(metric.name, metric.name)) != (held.total, held.power_sum(2)):
            return f"does not add up {metric.name} as the {reader.store.rows_folder} do"
    return ""


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

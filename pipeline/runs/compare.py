"""Comparison of runs: which variants stand against which, and whether they hold the same boards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError
from pipeline.runs.reading import Reader
from pipeline.runs.rolls import FirstItems, Of, most_rolled
from pipeline.runs.rows import Rows
from pipeline.stats.comparison import Controls, against_first
from pipeline.stats.controls import CONTROLLED_FROM, Sample
from pipeline.stats.description import without_nan
from pipeline.stats.histograms import Histogram


@dataclass(frozen=True)
class Side:
    """One variant of one run."""

    reader: Reader
    variant: str
    label: str

    @property
    def items(self) -> str:
        """Equal for two sides whose item i is the same board."""
        return self.reader.store.run.items[self.variant]

    @property
    def rolls(self) -> str:
        """Equal for two sides whose item i comes from the same random numbers."""
        return self.reader.game.rolls(self.reader.store.run, self.variant)

    @property
    def of(self) -> Of:
        return self.reader, self.variant


def sides(readers: list[Reader]) -> list[Side]:
    """Return every variant of every run, labelled as shortly as is unambiguous.

    Raises PipelineError for runs of different games, or with nothing to compare.
    """
    games = {reader.store.run.game for reader in readers}
    if len(games) > 1:
        raise PipelineError(f"cannot compare runs of different games ({', '.join(sorted(games))})")
    found = [Side(reader, variant, variant) for reader in readers for variant in reader.variants]
    if len(found) < 2:
        store = readers[0].store
        raise PipelineError(
            f"run {store.location} holds one {store.run.layout.variant_key} only: {found[0].variant}",
            "name a second run, or make one with two --" + store.partition,
        )
    labels = [side.label for side in found]
    if len(set(labels)) < len(labels):
        found = [Side(side.reader, side.variant, f"{side.variant}@{side.reader.store.name}") for side in found]
    labels = [side.label for side in found]
    if len(set(labels)) < len(labels):
        raise PipelineError("the same run is given twice", "name different runs")
    return found


def compare_runs(readers: list[Reader]) -> list[dict[str, Any]]:
    """Compare each later side with the first, over the boards that all have.

    Raises PipelineError as `sides` does, and where rows are missing.
    """
    every = sides(readers)
    boards = min(reader.store.boards for reader in readers)
    return compare_sides(every, boards, *known_of(every, boards))


Known = tuple[list[dict[str, Histogram]], list[Sample | None]]


def known_of(every: Sequence[Side], boards: int) -> Known:
    """Return the histograms and samples of each side over its first `boards` rows."""
    histograms = [side.reader.histograms(side.variant, boards) for side in every]
    return histograms, [side.reader.sample(side.variant, boards) for side in every]


def compare_sides(
    every: Sequence[Side],
    boards: int,
    histograms: Sequence[Mapping[str, Histogram]],
    samples: Sequence[Sample | None],
    items: FirstItems | None = None,
) -> list[dict[str, Any]]:
    """Compare each later side with the first, item by item where both come from the same rolls.

    `histograms` and `samples` are those of each side over its first `boards` rows; `items` are the first ones, where
    somebody else needs them too.
    """
    first, *others = every
    items = items or first_items(every, boards)
    about = first.reader.game
    counts = [metric.name for metric in about.metrics if metric.kind == "count"]
    paired = {}
    controls = {}
    notes = {}
    for other, sample in zip(others, samples[1:], strict=True):
        notes[other.label] = unequal_rules(first, other)
        same_items, same_rolls = first.items == other.items, first.rolls == other.rolls
        if same_items and isinstance(first.reader, Rows) and isinstance(other.reader, Rows):
            paired[other.label] = first.reader.differences(first.variant, other.reader, other.variant, boards, counts)
        elif same_rolls and boards < CONTROLLED_FROM and about.keeps_sums:
            paired[other.label] = items.differences(first.of, other.of, counts)
        elif same_items:
            notes[other.label].append(
                f"both sides hold the same {about.layout.rows}, but without rows they cannot be compared one by one: "
                f"who has more is said of independent {about.layout.rows}"
            )
        if samples[0] is not None and sample is not None:
            rolls = items.rolls(first.of, other.of) if same_rolls else None
            controls[other.label] = Controls((samples[0], sample), rolls)
    by_label = {side.label: columns for side, columns in zip(every, histograms, strict=True)}
    return without_nan(against_first(by_label, about.metrics, about.layout.item, paired, notes, controls))


def first_items(every: Sequence[Side], boards: int) -> FirstItems:
    """Return the items from which it is seen how sides of the same rolls go along with each other."""
    return FirstItems(min(boards, most_rolled(len(every))))


def unequal_rules(a: Side, b: Side) -> list[str]:
    """Return what is unequal beside what is compared, in clauses."""
    rules_a, rules_b = a.reader.rules(a.variant), b.reader.rules(b.variant)
    return [
        f"the rules differ: {rule} is {rules_a[rule]} in {a.label}, {rules_b[rule]} in {b.label}"
        for rule in rules_a
        if rules_a[rule] != rules_b[rule]
    ]

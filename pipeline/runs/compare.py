"""Comparison of runs: which variants stand against which, and whether they hold the same boards."""

from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.report.summary import without_nan
from pipeline.runs.reading import differences, histograms
from pipeline.stats.comparison import adjust, compare
from pipeline.store.kinds import BOARDS
from pipeline.store.run_store import RunStore


@dataclass(frozen=True)
class Side:
    """One variant of one run."""

    store: RunStore
    variant: str
    label: str

    @property
    def items(self) -> str:
        """Equal for two sides whose item i is the same board."""
        return str(self.store.run["items"][self.variant])

    @property
    def rules(self) -> dict[str, Any]:
        position = self.store.variants.index(self.variant)
        entry: dict[str, Any] = self.store.identity[self.store.run["layout"]["variant_key"]][position]
        return {key: value for key, value in entry.items() if key not in ("rows", "columns", "dice")}


def sides(stores: list[RunStore]) -> list[Side]:
    """Every variant of every run, labelled as shortly as is unambiguous.

    Raises PipelineError for runs of different games, or with nothing to compare.
    """
    games = {store.run["game"] for store in stores}
    if len(games) > 1:
        raise PipelineError(f"cannot compare runs of different games ({', '.join(sorted(games))})")
    found = [Side(store, variant, variant) for store in stores for variant in store.variants]
    if len(found) < 2:
        raise PipelineError(
            f"run {stores[0].location} holds one {stores[0].partition} set only: {found[0].variant}",
            "name a second run, or make one with two --" + stores[0].partition,
        )
    labels = [side.label for side in found]
    if len(set(labels)) < len(labels):
        found = [Side(side.store, side.variant, f"{side.variant}@{side.store.name}") for side in found]
    labels = [side.label for side in found]
    if len(set(labels)) < len(labels):
        raise PipelineError("the same run is given twice", "name different runs")
    return found


def compare_runs(stores: list[RunStore]) -> list[dict[str, Any]]:
    """Each later side against the first, over the boards that all have; in pairs where the boards are the same.

    Raises PipelineError as `sides` does, and where rows are missing.
    """
    every = sides(stores)
    boards = min(store.boards for store in stores)
    kind = game(stores[0].run["game"])
    metrics = kind.metrics
    counts = [metric.name for metric in metrics if metric.kind == "count"]
    first = every[0]
    first_histograms = histograms(first.store, first.variant, boards)
    comparisons = []
    for other in every[1:]:
        paired = None
        notes = _warnings(first, other)
        rows = all(side.store.keep == BOARDS for side in (first, other))
        if first.items == other.items and not rows:
            notes.append(
                "both sides hold the same boards, but without rows they cannot be compared in pairs: the "
                "figures are those of independent boards, and too cautious"
            )
        if first.items == other.items and rows:
            paired = differences((first.store, first.variant), (other.store, other.variant), boards, counts)
        comparisons.append(
            compare(
                first.label,
                other.label,
                first_histograms,
                histograms(other.store, other.variant, boards),
                metrics,
                differences=paired,
                warnings=notes,
                item=kind.layout.item,
            )
        )
    return without_nan(adjust(comparisons))


def _warnings(a: Side, b: Side) -> list[str]:
    """What is unequal beside the dice, said aloud."""
    notes = []
    if a.rules.get("word list") != b.rules.get("word list"):
        lists = [side.store.run["settings"].get("words") for side in (a, b)]
        notes.append(f"the word lists differ: {lists[0]} and {lists[1]}")
    for rule in ("minimum length", "scoring"):
        if a.rules.get(rule) != b.rules.get(rule):
            notes.append(
                f"the rules differ: {rule} is {a.rules.get(rule)} in {a.label}, {b.rules.get(rule)} in {b.label}"
            )
    limits = [side.store.identity.get("node limit") for side in (a, b)]
    if limits[0] != limits[1]:
        notes.append(f"the node limits differ: {limits[0]} in {a.label}, {limits[1]} in {b.label}")
    return notes

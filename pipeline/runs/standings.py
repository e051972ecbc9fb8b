"""Sets of one run or of several in order of a mean, those of the same rules together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError, nearest
from pipeline.runs.compare import Side, first_items, known_of
from pipeline.runs.compare import sides as sides_of
from pipeline.runs.reading import Reader
from pipeline.runs.rolls import FirstItems
from pipeline.stats import estimates
from pipeline.stats.controls import MeanDifference, Rolls, Sample, difference_of, mean_of
from pipeline.stats.histograms import Histogram
from pipeline.stats.standings import Standing, standings

FROM = 3
"""Sets from which on a report begins with their order."""


@dataclass(frozen=True)
class Table:
    """Sets of the same rules in order."""

    metric: str
    title: str
    unit: str
    rules: Mapping[str, str]
    boards: int
    rows: list[Standing]

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), "rules": dict(self.rules), "rows": [row.as_dict() for row in self.rows]}


def rank_runs(readers: list[Reader], metric: str | None) -> list[Table]:
    """Rank every set of every run over the boards that all have.

    Raises PipelineError as `sides` does, for an unknown metric, and where rows are missing.
    """
    every = sides_of(readers)
    name = ranked_metric(every, metric)
    boards = min(reader.store.boards for reader in readers)
    return rank(every, boards, *known_of(every, boards), name, first_items(every, boards))


def ranked_metric(sides: Sequence[Side], metric: str | None = None) -> str:
    """Return the metric to rank by: the one asked for, or the game's own, or its first.

    Raises PipelineError for one that the game does not count.
    """
    about = sides[0].reader.game
    counts = [one.name for one in about.metrics if one.kind == "count"]
    if metric is None:
        return about.ranked_by or counts[0]
    if metric not in counts:
        raise PipelineError(f"--rank {metric!r} is not counted", nearest(metric, counts))
    return metric


def rank(
    every: Sequence[Side],
    boards: int,
    histograms: Sequence[Mapping[str, Histogram]],
    samples: Sequence[Sample | None],
    metric: str,
    items: FirstItems,
) -> list[Table]:
    """Return a table for each group of sets with the same rules, the largest first; unlike sets are not ranked
    together.

    `histograms` and `samples` are those of each side over its first `boards` rows.
    """
    about = next(one for one in every[0].reader.game.metrics if one.name == metric)
    alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for place, side in enumerate(every):
        alike.setdefault(tuple(side.reader.rules(side.variant).items()), []).append(place)
    tables = []
    for rules, places in sorted(alike.items(), key=lambda entry: -len(entry[1])):
        by_label = {every[place].label: place for place in places}
        means = {label: mean_of(metric, histograms[place][metric], samples[place]) for label, place in by_label.items()}

        def difference(a: str, b: str, by_label: Mapping[str, int] = by_label) -> MeanDifference:
            one, other = by_label[a], by_label[b]
            sides, sampled = (every[one], every[other]), (samples[one], samples[other])
            both = histograms[one][metric], histograms[other][metric]
            if sampled[0] is None or sampled[1] is None:
                plain = estimates.mean_difference(*both)
                return MeanDifference(plain, estimates.mean(both[0]), estimates.mean(both[1]), "plain", 1.0)
            rolls: Rolls | None = None
            if sides[0].rolls == sides[1].rolls:
                rolls = items.rolls(sides[0].of, sides[1].of)
            return difference_of(metric, *both, (sampled[0], sampled[1]), rolls)

        tables.append(Table(metric, about.title, about.unit, dict(rules), boards, standings(means, difference)))
    return tables

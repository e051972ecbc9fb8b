"""Two sets of boards against each other, metric by metric. A is the one named first; every difference is B - A."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.stats import distances, estimates
from pipeline.stats.controls import MeanDifference, Rolls, Sample, difference_of
from pipeline.stats.histograms import Histogram
from pipeline.stats.metric import Metric

COMPARED_QUANTILES = {"p5": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "p95": 0.95}


class Controls(NamedTuple):
    """What controls the means of two sides; `rolls` where items of the same number come from the same roll."""

    samples: tuple[Sample, Sample]
    rolls: Rolls | None = None


def against_first(
    by_variant: Mapping[str, Mapping[str, Histogram]],
    metrics: Sequence[Metric],
    item: str = "board",
    differences: Mapping[str, Mapping[str, Histogram]] | None = None,
    warnings: Mapping[str, Sequence[str]] | None = None,
    controls: Mapping[str, Controls] | None = None,
) -> list[dict[str, Any]]:
    """Compare each later variant with the first, p-values adjusted for all of them together.

    `differences` (of those that come from the same rolls as the first), `warnings` and `controls` are by variant; see
    `compare`.
    """
    first, *others = by_variant
    paired, notes = differences or {}, warnings or {}
    return adjust(
        [
            compare(
                first,
                other,
                by_variant[first],
                by_variant[other],
                metrics,
                paired.get(other),
                notes.get(other, ()),
                item,
                (controls or {}).get(other),
            )
            for other in others
        ]
    )


def compare(
    name_a: str,
    name_b: str,
    a: Mapping[str, Histogram],
    b: Mapping[str, Histogram],
    metrics: Sequence[Metric],
    differences: Mapping[str, Histogram] | None = None,
    warnings: Sequence[str] = (),
    item: str = "board",
    controls: Controls | None = None,
) -> dict[str, Any]:
    """Return the figures of B - A for every count metric, and shares of every category.

    `differences` holds, where items of the same number come from the same roll, the histogram of B - A item by item.
    `item` is what one row is called. With `controls` means are controlled where that pays.
    """
    counts = [metric for metric in metrics if metric.kind == "count"]
    return {
        "a": name_a,
        "b": name_b,
        "item": item,
        "n": min(next(iter(a.values())).n, next(iter(b.values())).n),
        "paired": differences is not None or (controls is not None and controls.rolls is not None),
        "warnings": list(warnings),
        "metrics": {
            metric.name: {
                "title": metric.title,
                **_compare_metric(
                    metric.name,
                    a[metric.name],
                    b[metric.name],
                    differences[metric.name] if differences else None,
                    controls,
                ),
            }
            for metric in counts
        },
        "categories": {
            metric.name: compare_shares(a[metric.name], b[metric.name], metric)
            for metric in metrics
            if metric.kind == "category"
        },
    }


def _compare_metric(
    name: str, a: Histogram, b: Histogram, differences: Histogram | None, controls: Controls | None
) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if differences is None:
        plain = estimates.mean_difference(a, b)
        odds = distances.odds(a, b)
    else:
        plain = estimates.paired_difference(a, b, differences)
        above, tie = differences.at_least(1), differences.equal_to(0)
        n = differences.n
        odds = distances.Odds(above / n, tie / n, (n - above - tie) / n)
    if differences is None and (controls is None or controls.rolls is None):
        # The tests of distance ask for independent samples, which items of the same rolls are not.
        figures["ks_p_value"] = distances.kolmogorov_smirnov_p(a, b)
        figures["mann_whitney"] = distances.mann_whitney(a, b)._asdict()
    found = MeanDifference(plain, estimates.mean(a), estimates.mean(b), "plain", 1.0)
    if controls is not None:
        better = difference_of(name, a, b, controls.samples, controls.rolls)
        found = better if better.method != "plain" else found
    difference = found.difference
    return {
        "mean_a": found.mean_a,
        "mean_b": found.mean_b,
        "difference": difference.mean._asdict(),
        "method": found.method,
        "worth": found.worth,
        "relative": difference.relative.value,
        "relative_interval": difference.relative._asdict(),
        "effect": difference.effect,
        "p_value": difference.p_value,
        "ks": distances.kolmogorov_smirnov(a, b),
        **figures,
        "odds": odds._asdict(),
        "quantiles": {
            name: {
                "a": estimates.quantile(a, p),
                "b": estimates.quantile(b, p),
                "difference": distances.quantile_difference(a, b, p)._asdict(),
            }
            for name, p in COMPARED_QUANTILES.items()
        },
    }


def compare_shares(a: Histogram, b: Histogram, metric: Metric) -> dict[str, Any]:
    """Return the share of each label on both sides, and B - A with its interval."""
    return {
        "title": metric.title,
        "labels": {
            label: {
                "a": estimates.share_estimate(a.equal_to(value), a.n).value,
                "b": estimates.share_estimate(b.equal_to(value), b.n).value,
                "difference": estimates.share_difference(a.equal_to(value), a.n, b.equal_to(value), b.n)._asdict(),
            }
            for value, label in enumerate(metric.labels)
        },
    }


def adjust(comparisons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add Holm's p-values over all metrics of all the comparisons, for each kind of test by itself."""
    tested = [metric for comparison in comparisons for metric in comparison["metrics"].values()]
    for name in ("p_value", "ks_p_value"):
        values = distances.holm([metric.get(name, math.nan) for metric in tested])
        for metric, adjusted in zip(tested, values, strict=True):
            if name in metric:
                metric[f"{name}_holm"] = adjusted
    values = distances.holm([metric.get("mann_whitney", {}).get("p_value", math.nan) for metric in tested])
    for metric, adjusted in zip(tested, values, strict=True):
        if "mann_whitney" in metric:
            metric["mann_whitney"]["p_value_holm"] = adjusted
    return comparisons

"""Two sets of boards against each other, metric by metric. A is the one named first; every difference is B - A."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline import statistics
from pipeline.histograms import Histogram
from pipeline.workloads import Metric

COMPARED_QUANTILES = {"p5": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "p95": 0.95}


def compare_variants(
    by_variant: Mapping[str, Mapping[str, Histogram]], metrics: Sequence[Metric]
) -> list[dict[str, Any]]:
    """Each later variant against the first."""
    names = list(by_variant)
    return [compare(names[0], other, by_variant[names[0]], by_variant[other], metrics) for other in names[1:]]


def compare(
    name_a: str,
    name_b: str,
    a: Mapping[str, Histogram],
    b: Mapping[str, Histogram],
    metrics: Sequence[Metric],
    differences: Mapping[str, Histogram] | None = None,
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """Figures of B - A for every count metric.

    `differences` holds, where both sides are the same boards, the histogram of B - A by board.
    """
    counts = [metric for metric in metrics if metric.kind == "count"]
    return {
        "a": name_a,
        "b": name_b,
        "paired": differences is not None,
        "warnings": list(warnings),
        "metrics": {
            metric.name: {
                "title": metric.title,
                **_compare_metric(a[metric.name], b[metric.name], differences[metric.name] if differences else None),
            }
            for metric in counts
        },
    }


def _compare_metric(a: Histogram, b: Histogram, differences: Histogram | None) -> dict[str, Any]:
    if differences is None:
        difference = statistics.mean_difference(a, b)
        odds = statistics.odds(a, b)
    else:
        difference = statistics.paired_difference(a, b, differences)
        above, tie = differences.at_least(1), differences.equal_to(0)
        n = differences.n
        odds = statistics.Odds(above / n, tie / n, (n - above - tie) / n)
    return {
        "mean_a": statistics.mean(a),
        "mean_b": statistics.mean(b),
        "difference": difference.mean._asdict(),
        "relative": difference.relative,
        "effect": difference.effect,
        "p_value": difference.p_value,
        "ks": statistics.kolmogorov_smirnov(a, b),
        "odds": odds._asdict(),
        "quantiles": {
            name: {"a": statistics.quantile(a, p), "b": statistics.quantile(b, p)}
            for name, p in COMPARED_QUANTILES.items()
        },
    }

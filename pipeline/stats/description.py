"""One sample as plain data: the figures of a count with their intervals, the shares of a category."""

import math
from typing import Any

from pipeline.stats import estimates
from pipeline.stats.controls import Sample, mean_of
from pipeline.stats.histograms import Histogram
from pipeline.stats.metric import Metric

QUANTILES = {"p1": 0.01, "p5": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "p95": 0.95, "p99": 0.99}


def describe(histogram: Histogram, metric: Metric, sample: Sample | None = None) -> dict[str, Any]:
    """Return mean (controlled where a `sample` is given and that pays), spread, quantiles with intervals, minimum and
    maximum of a count; counts of a category.
    """
    if metric.kind == "category":
        return describe_shares(histogram, metric)
    return {
        "title": metric.title,
        "kind": "count",
        "unit": metric.unit,
        "mean": mean_of(metric.name, histogram, sample).as_dict(),
        "sd": estimates.standard_deviation(histogram),
        "skewness": estimates.skewness(histogram),
        "log_normal": estimates.log_normal_fit(histogram)._asdict(),
        "min": int(histogram.values[0]),
        "max": int(histogram.values[-1]),
        **{name: estimates.quantile_estimate(histogram, p)._asdict() for name, p in QUANTILES.items()},
    }


def describe_shares(histogram: Histogram, metric: Metric) -> dict[str, Any]:
    """Return number and share (with Wilson's interval) of each label; values beyond the labels are none of them."""
    counts = {label: histogram.equal_to(value) for value, label in enumerate(metric.labels)}
    return {
        "title": metric.title,
        "kind": "category",
        "counts": counts,
        "shares": {label: estimates.share_estimate(count, histogram.n)._asdict() for label, count in counts.items()},
    }


def without_nan(value: Any) -> Any:
    """Return the same data with None for nan and for what has no end: JSON has neither."""
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_nan(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

"""Columns that hold categories: shares of each with intervals, and how they differ between two sets."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.games.game import Metric
from pipeline.stats.estimates import Estimate, share_estimate
from pipeline.stats.histograms import Histogram
from pipeline.tables import Table, number, percent, percent_interval


def describe_shares(histogram: Histogram, metric: Metric) -> dict[str, Any]:
    """Number and share (with Wilson's interval) of each label; values beyond the labels are none of them."""
    counts = {label: histogram.equal_to(value) for value, label in enumerate(metric.labels)}
    return {
        "title": metric.title,
        "kind": "category",
        "counts": counts,
        "shares": {label: share_estimate(count, histogram.n)._asdict() for label, count in counts.items()},
    }


def compare_shares(a: Histogram, b: Histogram, metric: Metric) -> dict[str, Any]:
    """Share of each label on both sides, and B - A with its interval."""
    return {
        "title": metric.title,
        "labels": {
            label: {
                "a": share_estimate(a.equal_to(value), a.n).value,
                "b": share_estimate(b.equal_to(value), b.n).value,
                "difference": share_difference(a.equal_to(value), a.n, b.equal_to(value), b.n)._asdict(),
            }
            for value, label in enumerate(metric.labels)
        },
    }


def share_difference(hits_a: int, n_a: int, hits_b: int, n_b: int) -> Estimate:
    """B - A of two shares with the hybrid score interval of Newcombe 1998 (his method 10), from Wilson's of each.

    It is made for independent samples; for the same items on both sides it is wider than it need be.
    """
    a, b = share_estimate(hits_a, n_a), share_estimate(hits_b, n_b)
    difference = b.value - a.value
    below = math.hypot(b.value - b.low, a.high - a.value)
    above = math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(difference, difference - below, difference + above)


def _categories(metrics: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (metric for metric in metrics.values() if metric["kind"] == "category")


def share_tables(variant: str, section: Mapping[str, Any], items: str) -> list[Table]:
    """A table of all categories of one variant, or none where it has none; labels that never occur are left out."""
    rows = [
        [metric["title"], label, number(count), percent_interval(metric["shares"][label])]
        for metric in _categories(section["metrics"])
        for label, count in metric["counts"].items()
        if count
    ]
    header = ["of all", "", items, "share [95 % interval]"]
    return [Table(f"{variant}: shares", header, rows, frozenset({"of all", ""}))] if rows else []


def difference_tables(comparison: Mapping[str, Any]) -> list[Table]:
    """A table of all categories of a comparison, or none; labels that occur on neither side are left out."""
    a, b = comparison["a"], comparison["b"]
    rows = [
        [metric["title"], label, percent(one["a"]), percent(one["b"]), percent_interval(one["difference"])]
        for metric in comparison["categories"].values()
        for label, one in metric["labels"].items()
        if one["a"] or one["b"]
    ]
    header = ["of all", "", a, b, f"{b} - {a} [95 % interval]"]
    return [Table(f"{b} against {a}: shares", header, rows, frozenset({"of all", ""}))] if rows else []

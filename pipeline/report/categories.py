"""Tables of columns that hold categories: shares of each with intervals, and how they differ between two sets."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.tables import Table, number, percent, percent_interval


def _categories(metrics: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (metric for metric in metrics.values() if metric["kind"] == "category")


def share_tables(variant: str, section: Mapping[str, Any], items: str) -> list[Table]:
    """Return a table of all categories of one variant, or none where it has none; labels that never occur are left
    out.
    """
    rows = [
        [metric["title"], label, number(count), percent_interval(metric["shares"][label])]
        for metric in _categories(section["metrics"])
        for label, count in metric["counts"].items()
        if count
    ]
    header = ["of all", "", items, "share [95 % interval]"]
    return [Table(f"{variant}: shares", header, rows, frozenset({"of all", ""}))] if rows else []


def difference_tables(comparison: Mapping[str, Any]) -> list[Table]:
    """Return a table of all categories of a comparison, or none; labels that occur on neither side are left out."""
    a, b = comparison["a"], comparison["b"]
    rows = [
        [metric["title"], label, percent(one["a"]), percent(one["b"]), percent_interval(one["difference"])]
        for metric in comparison["categories"].values()
        for label, one in metric["labels"].items()
        if one["a"] or one["b"]
    ]
    header = ["of all", "", a, b, f"{b} - {a} [95 % interval]"]
    return [Table(f"{b} against {a}: shares", header, rows, frozenset({"of all", ""}))] if rows else []

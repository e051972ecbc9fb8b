"""What the page of a comparison shows: the figures of each metric as the page's language writes them."""

from collections.abc import Mapping
from typing import Any

from pipeline.tables import number, p_value, percent, with_interval
from pipeline.web.shown import localized


def rows(comparison: Mapping[str, Any], language: str) -> list[dict[str, str]]:
    """Return a row for each metric: means of both sides, the second minus the first, and how often it is larger."""
    return [
        {"name": name, "title": metric["title"]}
        | {key: localized(text, language) for key, text in _figures(metric).items()}
        for name, metric in comparison["metrics"].items()
    ]


def _figures(metric: Mapping[str, Any]) -> dict[str, str]:
    value, _, ends = with_interval(metric["difference"]).partition(" [")
    low, _, high = ends.rstrip("])").partition(", ")
    odds = metric["odds"]
    return {
        "a": number(metric["mean_a"]),
        "b": number(metric["mean_b"]),
        "difference": f"+{value}" if (metric["difference"]["value"] or 0) > 0 else value,
        "low": low,
        "high": high,
        "relative": percent(metric["relative"]),
        "effect": "-" if metric["effect"] is None else f"{metric['effect']:+.3f}",
        "p": p_value(metric["p_value_holm"]),
        "above": percent(odds["b_above"]),
        "tie": percent(odds["tie"]),
    }

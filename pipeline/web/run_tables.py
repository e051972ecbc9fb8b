"""What the page of a run shows of its report's summary; parts that are not as they should be are left out."""

from typing import Any
from urllib.parse import urlencode


def names(run: dict[str, Any]) -> dict[str, str]:
    """Names of the run's dice sets or specs by id."""
    found = {}
    for variant in run["variants"]:
        for kind in ("dice", "spec"):
            entry = _at(run, "settings", kind, variant)
            name, years = _at(entry, "name"), _at(entry, "years")
            if isinstance(name, str) and name:
                found[variant] = f"{name} {years if isinstance(years, str) else ''}".strip(" ?")
    return found


def summarized(summary: Any) -> int:
    """Rows of each variant that the summary is about."""
    count = _at(summary, "run", "boards")
    return count if isinstance(count, int) else 0


def figures(summary: Any) -> dict[str, list[dict[str, Any]]]:
    """Mean with interval, median and most of each count, by variant."""
    found: dict[str, list[dict[str, Any]]] = {}
    for variant, section in _entries(_at(summary, "variants")):
        for name, metric in _entries(_at(section, "metrics")):
            mean = [_at(metric, "mean", key) for key in ("value", "low", "high")]
            row = [*mean, _at(metric, "median", "value"), _at(metric, "max")]
            if all(isinstance(value, int | float) for value in row):
                keys = ("mean", "low", "high", "median", "max")
                found.setdefault(variant, []).append(
                    {"name": name, "title": str(_at(metric, "title")), **dict(zip(keys, row, strict=True))}
                )
    return found


def best_boards(run: dict[str, Any], summary: Any) -> dict[str, list[dict[str, Any]]]:
    """The best boards by variant, each with the query of the page that solves it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for variant, section in _entries(_at(summary, "variants")):
        boards = _at(section, "top_boards")
        for board in boards if isinstance(boards, list) else ():
            text, score, words = (_at(board, key) for key in ("board", "score", "words"))
            if isinstance(text, str) and isinstance(score, int) and isinstance(words, int):
                query = urlencode({"board": text, "dice": variant, "words": run["words"] or ""})
                found.setdefault(variant, []).append({"board": text, "score": score, "words": words, "query": query})
    return found


def _at(value: Any, *keys: str) -> Any:
    """What lies below the keys; None where something on the way is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _entries(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []

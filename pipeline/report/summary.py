"""The summary of a run: every figure of the report as plain data."""

import math
from dataclasses import dataclass
from typing import Any

from pipeline.games import game
from pipeline.games.boggle.workload import LENGTH_COLUMNS
from pipeline.games.game import Metric
from pipeline.report.categories import describe_shares
from pipeline.runs.ranking import best, best_first
from pipeline.runs.reading import histograms
from pipeline.runs.until import sentence
from pipeline.stats import estimates
from pipeline.stats.comparison import compare_variants
from pipeline.stats.histograms import Histogram
from pipeline.store.kinds import BOARDS, RANKED_BY
from pipeline.store.parts import HISTOGRAMS
from pipeline.store.run_store import RunStore
from solvers.boggle.scoring import points_table

QUANTILES = {"p1": 0.01, "p5": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "p95": 0.95, "p99": 0.99}
TOP_BOARDS = 10


@dataclass(frozen=True)
class Summary:
    """`figures`: plain data for JSON, nan as None; `histograms`: what they were made from, by variant and column."""

    figures: dict[str, Any]
    histograms: dict[str, dict[str, Histogram]]


def summarize(store: RunStore, boards: int | None = None) -> Summary:
    """Figures of the first `boards` rows (default: all planned) of each variant, and comparisons of the variants.

    Raises PipelineError where rows are missing.
    """
    count = store.boards if boards is None else boards
    kind = game(store.run["game"])
    by_variant = {}
    rankings = {}
    for variant in store.variants:
        ranking = rankings[variant] = best_first(TOP_BOARDS)
        by_variant[variant] = histograms(store, variant, count, ranking.add if store.run["game"] == "boggle" else None)
    variants = {}
    for variant, columns in by_variant.items():
        section: dict[str, Any] = {
            "n": count,
            "metrics": {metric.name: describe(columns[metric.name], metric) for metric in kind.metrics},
        }
        if store.run["game"] == "boggle":
            rules = store.run["settings"]["dice"][variant]
            section |= boggle_sections(columns, rules["scoring"], rules["min_length"])
            section["top_boards"] = best(store, variant, count, TOP_BOARDS, rankings[variant])
        variants[variant] = section
    figures = {
        "run": {
            "name": store.name,
            "run_id": store.run["run_id"],
            "game": store.run["game"],
            "item": kind.layout.item,
            "rows": kind.layout.rows,
            "boards": count,
            "settings": store.run["settings"],
            "versions": store.run["versions"],
            "command": store.run["command"],
            "word_lists": word_list_hashes(store),
            "keep": store.keep,
            "notes": notes(store, count),
        },
        "variants": variants,
        "comparisons": compare_variants(by_variant, kind.metrics, kind.layout.item),
    }
    return Summary(without_nan(figures), by_variant)


def notes(store: RunStore, boards: int) -> list[str]:
    """What a reader must know of how the first `boards` rows came to be, in sentences."""
    stop = store.run.get("until")
    why = [sentence(stop, store.rows_folder)] if stop and stop["boards"] == boards else []
    if store.keep == BOARDS:
        return why
    without = "no rows" if store.keep == HISTOGRAMS else "no rows and no word counts"
    best = f" and its best {store.rows_folder}" if RANKED_BY in game(store.run["game"]).schema.names else ""
    return [
        *why,
        f"This run keeps exact histograms{best}, {without} (--keep {store.keep}): the "
        f"figures are the same as with rows; lists of other {store.rows_folder}, SQL over rows and comparisons in "
        "pairs are not to be had.",
    ]


def word_list_hashes(store: RunStore) -> dict[str, str]:
    """SHA-256 of the word list as folded for each variant; empty for a game without words."""
    entries = store.identity[store.run["layout"]["variant_key"]]
    return {
        variant: entry["word list"]
        for variant, entry in zip(store.variants, entries, strict=True)
        if isinstance(entry, dict) and "word list" in entry
    }


def without_nan(value: Any) -> Any:
    """The same data with None for nan: JSON has no nan."""
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_nan(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def describe(histogram: Histogram, metric: Metric) -> dict[str, Any]:
    """n, mean with interval, spread, minimum, quantiles with intervals, maximum of a count; counts of a category."""
    if metric.kind == "category":
        return describe_shares(histogram, metric)
    return {
        "title": metric.title,
        "kind": "count",
        "unit": metric.unit,
        "mean": estimates.mean_estimate(histogram)._asdict(),
        "sd": estimates.standard_deviation(histogram),
        "skewness": estimates.skewness(histogram),
        "log_normal": estimates.log_normal_fit(histogram)._asdict(),
        "min": int(histogram.values[0]),
        "max": int(histogram.values[-1]),
        **{name: estimates.quantile_estimate(histogram, p)._asdict() for name, p in QUANTILES.items()},
    }


def boggle_sections(columns: dict[str, Histogram], scoring: str, min_length: int) -> dict[str, Any]:
    """Shares of boards, and words and points by length."""
    n = columns["words"].n
    points = points_table(scoring)
    totals = [columns[name].total for name in LENGTH_COLUMNS]
    known = [total * int(points[length]) for length, total in enumerate(totals[:-1], 2)]
    by_length = []
    for index, name in enumerate(LENGTH_COLUMNS):
        length = index + 2
        with_exact = n - columns[name].equal_to(0)
        with_longer = columns["longest"].at_least(length)
        if length < min_length or not with_longer:
            continue
        # Words of 16 and more letters may score by length: their points are what the total leaves.
        scored = known[index] if index < len(known) else columns["score"].total - sum(known)
        by_length.append(
            {
                "length": length if name != "words_16plus" else "16+",
                "words_a_board": totals[index] / n,
                "words_a_board_interval": estimates.mean_estimate(columns[name])._asdict(),
                "share_of_words": _ratio(totals[index], columns["words"].total),
                "points_a_board": scored / n,
                "share_of_points": _ratio(scored, columns["score"].total),
                "boards_with_exactly": estimates.share_estimate(with_exact, n)._asdict(),
                "boards_with_at_least": estimates.share_estimate(with_longer, n)._asdict(),
            }
        )
    return {
        "shares": {
            "no_word": estimates.share_estimate(columns["words"].equal_to(0), n)._asdict(),
            "dead_tile": estimates.share_estimate(columns["dead_tiles"].at_least(1), n)._asdict(),
        },
        "by_length": by_length,
    }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan

"""Words and points by number of letters, shares of boards, best boards: figures and tables."""

import math
from collections.abc import Mapping
from typing import Any

from pipeline.games.boggle.columns import LENGTH_COLUMNS
from pipeline.stats import estimates
from pipeline.stats.controls import Sample, mean_of
from pipeline.stats.histograms import Histogram
from pipeline.tables import Table, number, percent, percent_interval
from solvers.boggle.scoring import points_table


def length_figures(
    columns: Mapping[str, Histogram], scoring: str, min_length: int, sample: Sample | None = None
) -> dict[str, Any]:
    """Return the shares of boards, and words and points by length, each share and mean with its interval."""
    n = columns["words"].n
    points = points_table(scoring)
    totals = [columns[name].total for name in LENGTH_COLUMNS]
    known = [total * int(points[length]) for length, total in enumerate(totals[:-1], 1)]
    by_length = []
    for index, name in enumerate(LENGTH_COLUMNS):
        length = index + 1
        with_exact = n - columns[name].equal_to(0)
        with_longer = columns["longest"].at_least(length)
        if length < min_length or not with_longer:
            continue
        # Words of 16 and more letters may score by length: their points are what the total leaves.
        scored = known[index] if index < len(known) else columns["score"].total - sum(known)
        mean = mean_of(name, columns[name], sample)
        points_a_board = mean.value * int(points[length]) if index < len(known) else scored / n
        by_length.append(
            {
                "length": length if name != "words_16plus" else "16+",
                "words_a_board": mean.value,
                "words_a_board_interval": mean.as_dict(),
                "share_of_words": _ratio(totals[index], columns["words"].total),
                "points_a_board": points_a_board,
                "share_of_points": _ratio(scored, columns["score"].total),
                "boards_with_exactly": estimates.share_estimate(with_exact, n)._asdict(),
                "boards_with_at_least": estimates.share_estimate(with_longer, n)._asdict(),
            }
        )
    return {
        "shares": {
            "with no word": estimates.share_estimate(columns["words"].equal_to(0), n)._asdict(),
            "with a dead tile": estimates.share_estimate(columns["dead_tiles"].at_least(1), n)._asdict(),
        },
        "by_length": by_length,
    }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def length_table(variant: str, section: Mapping[str, Any]) -> Table:
    rows = [
        [
            str(row["length"]),
            number(row["words_a_board"]),
            percent(row["share_of_words"]),
            number(row["points_a_board"]),
            percent(row["share_of_points"]),
            percent_interval(row["boards_with_exactly"]),
            percent_interval(row["boards_with_at_least"]),
        ]
        for row in section["by_length"]
    ]
    header = [
        "letters",
        "words/board",
        "of words",
        "points/board",
        "of points",
        "boards with one",
        "with one as long or longer",
    ]
    return Table(f"{variant}: words by length", header, rows)


def top_table(variant: str, section: Mapping[str, Any]) -> Table:
    rows = [
        [row["board"], number(row["score"]), number(row["words"]), number(row["longest"]), str(row["board_id"])]
        for row in section["top_boards"]
    ]
    return Table(f"{variant}: best boards", ["board", "points", "words", "longest", "id"], rows, frozenset({"board"}))

"""Charts of words by their number of letters."""

from collections.abc import Mapping
from typing import Any

import altair as alt

from pipeline.report.charts import data, sample_note, variant_color
from pipeline.report.figures import HEIGHT, INK, WIDTH, Figure
from pipeline.tables import number, percent, percent_interval, with_interval


def words_by_length(sections: Mapping[str, Any]) -> Figure:
    """Return the mean number of words of each length, side by side."""
    rows = [
        {"set": variant, "length": str(row["length"]), **_from_zero(row["words_a_board_interval"])}
        for variant, section in sections.items()
        for row in section["by_length"]
    ]
    base = alt.Chart(data(rows))
    x = alt.X("length:O", title="letters", sort=_lengths(sections), axis=alt.Axis(labelAngle=0))
    offset = alt.XOffset("set:N", sort=list(sections))
    bars = base.mark_bar().encode(
        x=x, xOffset=offset, y=alt.Y("value:Q", title="words a board (mean)"), color=variant_color(list(sections))
    )
    limits = base.mark_rule(strokeWidth=1.5, color=INK).encode(x=x, xOffset=offset, y="low:Q", y2="high:Q")
    table = [
        [
            variant,
            str(row["length"]),
            with_interval(row["words_a_board_interval"]),
            percent(row["share_of_words"]),
            number(row["points_a_board"]),
            percent(row["share_of_points"]),
        ]
        for variant, section in sections.items()
        for row in section["by_length"]
    ]
    return Figure(
        "words-by-length",
        "Words by length",
        [f"mean of {_n(sections)}; bars: 95 % intervals"],
        "Mean words a board by number of letters. "
        + " ".join(f"{row[0]}: {row[2]} of {row[1]} letters." for row in table if row[1] in ("3", "5", "8")),
        (bars + limits).properties(width=WIDTH, height=HEIGHT),
        ["dice set", "letters", "words a board [95 % interval]", "of words", "points a board", "of points"],
        table,
    )


def chance_by_length(sections: Mapping[str, Any]) -> Figure:
    """Return the share of boards with a word of exactly L letters, with intervals, on a logarithmic scale."""
    rows, table = [], []
    for variant, section in sections.items():
        for row in section["by_length"]:
            estimate = row["boards_with_exactly"]
            table.append([variant, str(row["length"]), percent_interval(estimate)])
            if estimate["value"] > 0:
                rows.append({"set": variant, "length": str(row["length"]), **estimate})
    order = _lengths(sections)
    x = alt.X("length:O", title="letters", sort=order, axis=alt.Axis(labelAngle=0))
    y = alt.Y(
        "value:Q",
        title="boards with one (%, log scale)",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(format="~%", values=[10.0**-power for power in range(10)]),
    )
    color = variant_color(list(sections))
    base = alt.Chart(data(rows))
    offset = alt.XOffset("set:N", sort=list(sections))
    chart = base.mark_rule(strokeWidth=1.5).encode(
        x=x, xOffset=offset, y=alt.Y("low:Q"), y2="high:Q", color=color
    ) + base.mark_point(filled=True, size=45, opacity=1).encode(x=x, xOffset=offset, y=y, color=color)
    return Figure(
        "chance-by-length",
        "Chance of a word of so many letters",
        [f"of exactly so many; {_n(sections)}; bars: 95 % intervals"],
        "Share of boards with a word of exactly so many letters. "
        + " ".join(f"{r[0]}, {r[1]} letters: {r[2]}." for r in table if r[1] in ("6", "8")),
        chart.properties(width=WIDTH, height=HEIGHT),
        ["dice set", "letters", "boards with one [95 % interval]"],
        table,
    )


def _from_zero(estimate: Mapping[str, float | None]) -> dict[str, float | None]:
    """Without the part of the interval that a mean of counts cannot have."""
    low = estimate["low"]
    return {**estimate, "low": None if low is None else max(0.0, low)}


def _lengths(sections: Mapping[str, Any]) -> list[str]:
    seen = {str(row["length"]) for section in sections.values() for row in section["by_length"]}
    return sorted(seen, key=lambda text: (len(text), text))


def _n(sections: Mapping[str, Any]) -> str:
    return sample_note({variant: section["n"] for variant, section in sections.items()})

"""Charts of effects: letters, vowels, places, use of cells, dead tiles, score against nodes."""

from collections.abc import Mapping
from typing import Any

import altair as alt

from pipeline.report.charts import data, sample_note, variant_color
from pipeline.report.figures import HEIGHT, MUTED, PALETTE, WIDTH, Figure
from pipeline.tables import number, percent_interval, with_interval
from solvers.grid import PLACES

ROW = 15
"""Height of one letter."""
Effects = Mapping[str, Mapping[str, Any]]


def _boards(effects: Effects) -> str:
    return sample_note({variant: one["boards"] for variant, one in effects.items()})


def letter_effects(effects: Effects) -> Figure:
    """Return the mean score of boards that show a letter, less that of boards without it."""
    rows, table = [], []
    for variant, one in effects.items():
        for letter in one["letters"]:
            if letter["difference"]:
                rows.append({"set": variant, "face": letter["face"], **letter["difference"]})
                table.append([variant, letter["face"], f"{letter['boards']:,}", with_interval(letter["difference"])])
    worth: dict[str, list[float]] = {}
    for row in rows:
        worth.setdefault(row["face"], []).append(row["value"])
    order = sorted(worth, key=lambda face: -sum(worth[face]) / len(worth[face]))
    base = alt.Chart(data(rows))
    y = alt.Y("face:N", title=None, sort=order)
    offset = alt.YOffset("set:N", sort=list(effects))
    color = variant_color(list(effects))
    x = alt.X("value:Q", title="points more (or fewer) on boards that show it")
    zero = alt.Chart(data([{"value": 0}])).mark_rule(color=MUTED).encode(x="value:Q")
    chart = (
        zero
        + base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q", y=y, yOffset=offset, color=color)
        + base.mark_point(filled=True, size=28, opacity=1).encode(x=x, y=y, yOffset=offset, color=color)
    )
    return Figure(
        "letters",
        "What a letter is worth",
        [f"{_boards(effects)}; bars: 95 % intervals"],
        f"Difference in mean score between boards with and without each letter; best {', '.join(order[:3])}, "
        f"worst {', '.join(order[-3:])}.",
        chart.properties(width=WIDTH, height=max(HEIGHT, ROW * len(order))),
        ["dice set", "letter", "boards with it", "points more [95 % interval]"],
        table,
    )


def vowels(effects: Effects) -> Figure:
    """Return the mean score by the number of vowels."""
    rows, table = [], []
    for variant, one in effects.items():
        for row in one["vowels"]:
            rows.append({"set": variant, "vowels": row["vowels"], **row["score"]})
            table.append([variant, str(row["vowels"]), f"{row['boards']:,}", with_interval(row["score"])])
    base = alt.Chart(data(rows))
    color = variant_color(list(effects))
    x = alt.X("vowels:O", title="vowels on the board", axis=alt.Axis(labelAngle=0))
    chart = (
        base.mark_line(strokeWidth=1.5).encode(x=x, y="value:Q", color=color)
        + base.mark_rule(strokeWidth=1.5).encode(x=x, y="low:Q", y2="high:Q", color=color)
        + base.mark_point(filled=True, size=40, opacity=1).encode(
            x=x, y=alt.Y("value:Q", title="mean score (points)"), color=color
        )
    )
    best = {
        variant: max(one["vowels"], key=lambda row: row["score"]["value"])["vowels"]
        for variant, one in effects.items()
        if one["vowels"]
    }
    return Figure(
        "vowels",
        "Vowels and points",
        [f"{_boards(effects)}; bars: 95 % intervals"],
        "Mean score by number of vowels. "
        + " ".join(f"{variant} scores most with {count} vowels." for variant, count in best.items()),
        chart.properties(width=WIDTH, height=HEIGHT),
        ["dice set", "vowels", "boards", "mean score [95 % interval]"],
        table,
    )


def places(variant: str, one: Mapping[str, Any]) -> Figure:
    """Return the mean score of boards that show a letter in a corner, at an edge, in the middle."""
    rows, table, worth = [], [], {}
    for letter in one["letters"]:
        shown = {place: letter[place] for place in PLACES if letter[place]}
        if shown:
            worth[letter["face"]] = max(value["value"] for value in shown.values())
            table.append([letter["face"], *(with_interval(shown[p]) if p in shown else "-" for p in PLACES)])
            rows += [{"face": letter["face"], "place": place, **value} for place, value in shown.items()]
    used = [place for place in PLACES if any(row["place"] == place for row in rows)]
    order = sorted(worth, key=lambda face: -worth[face])
    base = alt.Chart(data(rows))
    y = alt.Y("face:N", title=None, sort=order)
    color = alt.Color("place:N", scale=alt.Scale(domain=used, range=list(PALETTE[2 : 2 + len(used)])), sort=used)
    mean = alt.Chart(data([{"value": one["mean_score"]}])).mark_rule(color=MUTED, strokeDash=[4, 4]).encode(x="value:Q")
    chart = (
        mean
        + base.mark_rule(strokeWidth=1.5).encode(
            x=alt.X("low:Q", scale=alt.Scale(zero=False)), x2="high:Q", y=y, color=color
        )
        + base.mark_point(filled=True, size=32, opacity=1).encode(
            x=alt.X("value:Q", title="mean score of boards with it there (points)", scale=alt.Scale(zero=False)),
            y=y,
            color=color,
        )
    )
    top = order[0] if order else "none"
    return Figure(
        f"places-{variant}",
        f"Where a letter helps: {variant}",
        [f"{one['boards']:,} boards; bars: 95 % intervals; dashed: mean of all"],
        f"Mean score of {variant} boards by letter in a corner, at an edge, in the middle. Highest for {top}.",
        chart.properties(width=WIDTH, height=max(HEIGHT, ROW * len(order))),
        ["letter", *PLACES],
        table,
    )


def heat_map(variant: str, one: Mapping[str, Any]) -> Figure:
    """Return the mean number of words through each cell, with points and the share of boards on which it is dead."""
    cells = one["cells"]
    rows, table = [], []
    for cell, (words, points, dead) in enumerate(zip(cells["words"], cells["points"], cells["dead"], strict=True)):
        row, column = divmod(cell, cells["columns"])
        rows.append(
            {
                "row": row + 1, "column": column + 1, "words": words["value"],
                "label": number(words["value"]) if words["value"] < 10 else f"{words['value']:.1f}",
                "dead": f"{100 * dead['value']:.1f} % dead",
            }
        )  # fmt: skip
        table.append([f"{row + 1}, {column + 1}", with_interval(words), with_interval(points), percent_interval(dead)])
    values = [row["words"] for row in rows]
    middle = (min(values) + max(values)) / 2
    base = alt.Chart(data(rows)).encode(
        x=alt.X("column:O", title="column", axis=alt.Axis(labelAngle=0, orient="top")), y=alt.Y("row:O", title="row")
    )
    text = alt.condition(alt.datum.words > middle, alt.value("#fffffe"), alt.value("#10131a"))
    small = cells["columns"] > 5
    chart = (
        base.mark_rect(stroke="#fffffe", strokeWidth=2).encode(
            color=alt.Color("words:Q", scale=alt.Scale(range=["#e3edf7", "#08457e"], zero=False), legend=None)
        )
        + base.mark_text(fontSize=11 if small else 15, fontWeight="bold", dy=-7).encode(text="label:N", color=text)
        + base.mark_text(fontSize=8 if small else 11, dy=9).encode(text="dead:N", color=text)
    )
    height = max(120, round(WIDTH * cells["rows"] / cells["columns"] * 0.8))
    return Figure(
        f"cells-{variant}",
        f"Words through each cell: {variant}",
        [f"mean of {cells['boards']:,} boards solved again; dead: on no path of any word"],
        f"Heat map of mean words through each cell of {variant}: {number(min(values))} at the least used cell, "
        f"{number(max(values))} at the most used.",
        chart.properties(width=WIDTH, height=height),
        ["row, column", "words [95 % interval]", "points", "dead on so many boards"],
        table,
    )


def dead_tiles(effects: Effects) -> Figure:
    """Return how often the tiles of a letter are on no path of any word."""
    rows, table = [], []
    for variant, one in effects.items():
        for face in one["cells"]["dead_by_face"]:
            rows.append({"set": variant, "face": face["face"], **face["dead"]})
            table.append(
                [variant, face["face"], f"{face['tiles']:,}"]
                + [percent_interval(face[key]) if face[key] else "-" for key in ("dead", *PLACES)]
            )
    worst: dict[str, float] = {}
    for row in rows:
        worst[row["face"]] = max(worst.get(row["face"], 0.0), row["value"])
    order = sorted(worst, key=lambda face: -worst[face])
    base = alt.Chart(data(rows))
    y = alt.Y("face:N", title=None, sort=order)
    offset = alt.YOffset("set:N", sort=list(effects))
    color = variant_color(list(effects))
    x = alt.X("value:Q", title="tiles that are dead (%)", axis=alt.Axis(format="~%"))
    chart = base.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("low:Q"), x2="high:Q", y=y, yOffset=offset, color=color
    ) + base.mark_point(filled=True, size=28, opacity=1).encode(x=x, y=y, yOffset=offset, color=color)
    return Figure(
        "dead-tiles",
        "Letters that stay unused",
        [f"tiles of {sample_note({v: one['cells']['boards'] for v, one in effects.items()})}; bars: 95 % intervals"],
        f"Share of tiles on no path of any word, by letter. Most often {', '.join(order[:3])}.",
        chart.properties(width=WIDTH, height=max(HEIGHT, ROW * len(order))),
        ["dice set", "letter", "tiles", "dead [95 % interval]", *PLACES],
        table,
    )


def score_by_nodes(effects: Effects) -> Figure:
    """Return the score against search nodes: mean and the middle 90 % in bins of equally many boards."""
    rows, table, known = [], [], []
    for variant, one in effects.items():
        if one["nodes"]["correlation"] is not None:
            known.append(f"{variant} {one['nodes']['correlation']:.3f}")
        for each in one["nodes"]["bins"]:
            rows.append({"set": variant, "nodes": each["nodes"], "p5": each["p5"], "p95": each["p95"], **each["score"]})
            table.append(
                [variant, number(round(each["nodes"])), f"{each['boards']:,}", with_interval(each["score"]),
                 f"{each['p5']} to {each['p95']}"]
            )  # fmt: skip
    base = alt.Chart(data(rows))
    color = variant_color(list(effects))
    x = alt.X("nodes:Q", title="nodes of the pruned search (mean of the bin)", scale=alt.Scale(zero=False))
    chart = (
        base.mark_area(opacity=0.18).encode(x=x, y=alt.Y("p5:Q", title="score (points)"), y2="p95:Q", color=color)
        + base.mark_line(strokeWidth=2).encode(x=x, y="value:Q", color=color)
        + base.mark_rule(strokeWidth=1.5).encode(x=x, y="low:Q", y2="high:Q", color=color)
    )
    return Figure(
        "score-by-nodes",
        "Score against search nodes",
        [f"{_boards(effects)}; line: mean with 95 % interval; band: 5 to 95 %", f"correlation {', '.join(known)}"],
        f"Mean score rises with the nodes of the search. Correlation: {', '.join(known)}.",
        chart.properties(width=WIDTH, height=HEIGHT),
        ["dice set", "nodes", "boards", "mean score [95 % interval]", "5 to 95 %"],
        table,
    )

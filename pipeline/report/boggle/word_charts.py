"""Charts of the word atlas: the commonest words, distinct words as boards grow, how concentrated the finds are."""

from typing import Any

import altair as alt
import numpy as np

from pipeline.report.boggle import atlas as atlases
from pipeline.report.boggle.atlas import Atlas
from pipeline.report.charts import data, powers_of_ten, sample_note, variant_color
from pipeline.report.figures import HEIGHT, WIDTH, Figure
from pipeline.stats import estimates, rarefaction
from pipeline.tables import number, percent, percent_interval

TOP = 20
ROW = 19


def top_words(atlas: Atlas) -> Figure:
    """Return the words on most boards, over all sets together, with the share of each set's boards."""
    shares = np.mean([atlas.boards[variant] / atlas.n[variant] for variant in atlas.boards], axis=0)
    ids = np.lexsort((np.arange(len(shares)), -shares))[:TOP]
    rows, table = [], []
    for variant, boards in atlas.boards.items():
        for one in ids.tolist():
            estimate = estimates.share_estimate(int(boards[one]), atlas.n[variant])._asdict()
            rows.append({"set": variant, "word": atlas.spelling[one], **estimate})
            table.append([variant, atlas.spelling[one], f"{int(boards[one]):,}", percent_interval(estimate)])
    order = [atlas.spelling[one] for one in ids.tolist()]
    base = alt.Chart(data(rows))
    y = alt.Y("word:N", title=None, sort=order)
    color = variant_color(list(atlas.boards))
    x = alt.X("value:Q", title="boards that show it (%)", axis=alt.Axis(format="~%"), scale=alt.Scale(zero=False))
    chart = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=color) + base.mark_point(
        filled=True, size=40, opacity=1
    ).encode(x=x, y=y, color=color)
    return Figure(
        "top-words",
        "Words on most boards",
        [f"{sample_note(atlas.n)}; bars: 95 % intervals"],
        f"The {len(order)} commonest words: {', '.join(order)}.",
        chart.properties(width=WIDTH, height=ROW * len(order)),
        ["dice set", "word", "boards", "of boards [95 % interval]"],
        table,
    )


def growth(atlas: Atlas) -> Figure:
    """Return the distinct words expected on so many of the run's boards."""
    rows, table = [], []
    for variant in atlas.boards:
        curve = rarefaction.growth(atlas.boards[variant], atlas.n[variant])
        rows += [{"set": variant, "boards": boards, "words": words} for boards, words in curve]
        table += [[variant, f"{boards:,}", number(round(words))] for boards, words in curve[::4]]
    chart = (
        alt.Chart(data(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X(
                "boards:Q",
                title="boards (log scale)",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(format="~s", values=powers_of_ten(max(atlas.n.values()))),
            ),
            y=alt.Y("words:Q", title="distinct words seen"),
            color=variant_color(list(atlas.boards)),
        )
    )
    seen = {variant: int((boards > 0).sum()) for variant, boards in atlas.boards.items()}
    showable = {variant: int(flags.sum()) for variant, flags in atlas.showable.items()}
    return Figure(
        "distinct-words",
        "Distinct words as the boards grow",
        ["expected on a draw of the run's boards",
         "; ".join(f"{v}: {seen[v]:,} of {showable[v]:,} that can be shown" for v in seen)],
        "Distinct words against boards. "
        + " ".join(f"{v}: {seen[v]:,} of the {showable[v]:,} words that can be shown were seen." for v in seen),
        chart.properties(width=WIDTH, height=HEIGHT),
        ["dice set", "boards", "distinct words"],
        table,
    )  # fmt: skip


def concentration(atlas: Atlas) -> Figure:
    """Return the share of all finds that the commonest words have."""
    rows: list[dict[str, Any]] = []
    table, core = [], []
    for variant in atlas.boards:
        curve = rarefaction.concentration(atlas.boards[variant])
        rows += [{"set": variant, "rank": rank, "share": share} for rank, share in curve]
        table += [[variant, f"{rank:,}", percent(share)] for rank, share in curve[::5]]
        core.append(f"{variant} {percent(atlases.overview(atlas, variant)['core_share'])}")
    chart = (
        alt.Chart(data(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("rank:Q", title="commonest words (log scale)", scale=alt.Scale(type="log"),
                    axis=alt.Axis(format="~s", values=powers_of_ten(max([row["rank"] for row in rows], default=1)))),
            y=alt.Y("share:Q", title="of all finds (%)", axis=alt.Axis(format="~%")),
            color=variant_color(list(atlas.boards)),
        )
    )  # fmt: skip
    return Figure(
        "concentration",
        "How few words make most finds",
        [sample_note(atlas.n), f"the {atlases.CORE:,} commonest: {', '.join(core)}"],
        f"Share of all finds by rank of the word. The {atlases.CORE:,} commonest: {', '.join(core)}.",
        chart.properties(width=WIDTH, height=HEIGHT),
        ["dice set", "commonest words", "of all finds"],
        table,
    )

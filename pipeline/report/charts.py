"""Charts of distributions, quantiles and categories: from histograms and the summary to figures. Data come binned."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import altair as alt

from pipeline.games.game import Layout
from pipeline.report.figures import HEIGHT, MUTED, PALETTE, WIDTH, Figure
from pipeline.stats import estimates
from pipeline.stats.histograms import Histogram
from pipeline.stats.metric import Metric
from pipeline.tables import number, percent, percent_interval, with_interval

By = Mapping[str, Histogram]
MOST_POINTS = 150
PANEL = 125
"""Width and height of the panel of one variant, of which `PANELS_A_LINE` stand beside each other."""
PANELS_A_LINE = 2
SHOWN_TAIL = 0.999
"""Axes end at this quantile: a few boards of a million would press all others together."""


def data(rows: Sequence[Mapping[str, Any]]) -> alt.Data:
    """Return the rows as JSON text: altair copies a chart at every step, and copies a text for nothing."""
    return alt.Data(values=json.dumps(list(rows)), format=alt.DataFormat(type="json"))


def variant_color(variants: Sequence[str], field: str = "set") -> alt.Color:
    """Return one colour a variant, with a legend where there is more than one.

    More variants than colours are not drawn over one another: `panels` does without.
    """
    colors = [PALETTE[place % len(PALETTE)] for place in range(len(variants))]
    legend = alt.Legend() if len(variants) > 1 else None
    return alt.Color(
        f"{field}:N", scale=alt.Scale(domain=list(variants), range=colors), sort=list(variants), legend=legend
    )


def panels(draw: Callable[[Mapping[str, Any]], Figure], by_variant: Mapping[str, Any], also: int = 0) -> Figure:
    """Return the figure of all variants; where there are more than colours, each has a panel under its name.

    draw: makes the figure of some variants, from what `by_variant` holds of them; also: further colours that it takes.
    """
    whole = draw(by_variant)
    if len(by_variant) + also <= len(PALETTE):
        return whole
    found = []
    for variant, one in by_variant.items():
        chart = draw({variant: one}).chart
        by_rows = chart.height > HEIGHT + 30
        title = {"text": variant, "fontSize": 12, "anchor": "start"}
        found.append(chart.properties(width=PANEL, height=chart.height if by_rows else PANEL, title=title))
    subtitle = [*whole.subtitle, "every set has axes of its own"]
    return replace(whole, subtitle=subtitle, chart=alt.concat(*found, columns=PANELS_A_LINE, spacing=14))


def powers_of_ten(largest: float) -> list[int]:
    """Return the ticks of a logarithmic axis from 1."""
    return [10**power for power in range(max(1, math.ceil(math.log10(max(largest, 2)))) + 1)]


def sample_note(sizes: Mapping[str, int], items: str = "boards") -> str:
    """Return how many items a chart rests on, by variant: `60,000 boards of each set` where all have equally many."""
    if len(set(sizes.values())) > 1:
        return f"{items}: " + ", ".join(f"{name} {size:,}" for name, size in sizes.items())
    each = " of each set" if len(sizes) > 1 else ""
    return f"{next(iter(sizes.values())):,} {items}{each}"


def _sizes(by_variant: By) -> dict[str, int]:
    return {variant: histogram.n for variant, histogram in by_variant.items()}


def _end(by_variant: By) -> int:
    return max(estimates.quantile(histogram, SHOWN_TAIL) for histogram in by_variant.values())


def distribution(metric: Metric, layout: Layout, by_variant: By) -> Figure:
    """Return the histogram of each variant with its fitted log-normal."""
    title, unit, items = metric.title, metric.unit, layout.rows
    end = _end(by_variant)
    low = min(int(histogram.values[0]) for histogram in by_variant.values())
    width = max(1, math.ceil((end - low + 1) / 48))
    rows, fits, notes, table = [], [], [], []
    for variant, histogram in by_variant.items():
        for start, count in histogram.binned(width):
            if start <= end:
                rows.append({"set": variant, "start": start, "stop": start + width, "share": count / histogram.n})
                table.append([variant, f"{start} to {start + width - 1}", f"{count:,}", percent(count / histogram.n)])
        fit = estimates.log_normal_fit(histogram)
        if not math.isnan(fit.distance) and fit.sigma > 0:
            notes.append(f"{variant} {fit.distance:.4f}")
            scale = width * fit.positive / histogram.n
            for step in range(1, 161):
                x = end * step / 160
                z = (math.log(x) - fit.mu) / fit.sigma
                density = math.exp(-z * z / 2) / (x * fit.sigma * math.sqrt(2 * math.pi))
                fits.append({"set": variant, "x": x, "share": density * scale})
    color = variant_color(list(by_variant))
    axis = alt.X(
        "start:Q", title=unit, scale=alt.Scale(domain=[min(low, 0), end], nice=False), axis=alt.Axis(grid=False)
    )
    share = alt.Y(
        "share:Q", title=f"{items} (%) in bins of {width}", axis=alt.Axis(format=".1%", tickCount=5), stack=None
    )
    opacity = 0.55 if len(by_variant) == 1 else 0.3
    bars = (
        alt.Chart(data(rows))
        .mark_bar(opacity=opacity, binSpacing=0, clip=True)
        .encode(x=axis, x2="stop:Q", y=share, y2=alt.datum(0), color=color)
    )
    lines = (
        alt.Chart(data(fits))
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(x=alt.X("x:Q"), y=alt.Y("share:Q", stack=None), color=color)
    )
    shown = f"lines: log-normal fits (distance {', '.join(notes)})" if notes else "no log-normal fits these values"
    medians = ", ".join(f"{variant} {estimates.quantile(one, 0.5)}" for variant, one in by_variant.items())
    return Figure(
        f"distribution-{metric.name}",
        f"Spread of {title}",
        [f"{sample_note(_sizes(by_variant), items)}; axis to the {SHOWN_TAIL:.1%} quantile", shown],
        f"Histogram of {unit} with fitted log-normal curves. Medians: {medians}.",
        (bars + lines).properties(width=WIDTH, height=HEIGHT),
        [layout.variant_key, unit, items, "share"],
        table,
    )  # fmt: skip


def cumulative(metric: Metric, layout: Layout, by_variant: By) -> Figure:
    """Return the distribution functions of the variants over one another."""
    title, unit, items = metric.title, metric.unit, layout.rows
    end = _end(by_variant)
    rows, table = [], []
    interpolate: Any = "step-after" if max(len(one.values) for one in by_variant.values()) < 60 else "linear"
    for variant, histogram in by_variant.items():
        shares = (histogram.cumulative / histogram.n).tolist()
        values = histogram.values.tolist()
        every = max(1, len(values) // MOST_POINTS)
        rows.append({"set": variant, "value": min(values[0], 0), "share": 0.0})
        for place, (value, share) in enumerate(zip(values, shares, strict=True)):
            if place % every == 0 and value <= end:
                rows.append({"set": variant, "value": value, "share": share})
        for p in (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99):
            estimate = estimates.quantile_estimate(histogram, p)
            table.append([variant, percent(p), with_interval(estimate._asdict())])
    chart = (
        alt.Chart(data(rows))
        .mark_line(interpolate=interpolate, strokeWidth=2, clip=True)
        .encode(
            x=alt.X("value:Q", title=unit, scale=alt.Scale(domain=[0, end], nice=False)),
            y=alt.Y("share:Q", title=f"{items} with at most so many (%)", axis=alt.Axis(format=".0%")),
            color=variant_color(list(by_variant)),
        )
    )
    band = max(estimates.band(histogram.n) for histogram in by_variant.values())
    return Figure(
        f"cumulative-{metric.name}",
        f"Cumulative curves: {title}",
        [f"{sample_note(_sizes(by_variant), items)}; true curves within {percent(band)} everywhere (95 %)"],
        f"Cumulative curves of {unit}, one for each set. "
        + " ".join(f"{v}: median {estimates.quantile(h, 0.5)}." for v, h in by_variant.items()),
        chart.properties(width=WIDTH, height=HEIGHT),
        [layout.variant_key, "quantile", f"{unit} [95 % interval]"],
        table,
    )


def quantile_quantile(metric: Metric, layout: Layout, by_variant: By) -> Figure:
    """Return quantiles of the later sets against those of the first; equal sets lie on the diagonal."""
    title, unit, items = metric.title, metric.unit, layout.rows
    first, *others = by_variant
    shares = [place / 100 for place in range(1, 100)]
    rows, table = [], []
    pairs = []
    for other in others:
        for share in shares:
            a, b = (estimates.quantile(by_variant[one], share) for one in (first, other))
            pairs.append((a, b))
            rows.append({"set": other, "a": a, "b": b})
            if share in (0.05, 0.25, 0.5, 0.75, 0.95):
                table.append([other, percent(share), number(a), number(b)])
    end = 1.03 * max(max(a, b) for a, b in pairs)
    diagonal = alt.Chart(data([{"a": 0, "b": 0}, {"a": end, "b": end}])).mark_line(
        color=MUTED, strokeDash=[4, 4], strokeWidth=1.2
    )
    dots = alt.Chart(data(rows)).mark_circle(size=22, opacity=0.9)
    x = alt.X("a:Q", title=f"{first}: {unit}", scale=alt.Scale(domain=[0, end], nice=False))
    y = alt.Y(
        "b:Q",
        title=f"{others[0] if len(others) == 1 else 'other sets'}: {unit}",
        scale=alt.Scale(domain=[0, end], nice=False),
    )
    color = variant_color(list(by_variant)) if len(others) > 1 else alt.value(PALETTE[1])
    return Figure(
        f"quantiles-{metric.name}",
        f"Quantile against quantile: {title}",
        [f"1 to 99 % of {sample_note(_sizes(by_variant), items)}; dashed: equal"],
        f"Quantiles of {', '.join(others)} against those of {first}, in {unit}. "
        + " ".join(f"Median: {first} {row[2]}, {row[0]} {row[3]}." for row in table if row[1] == percent(0.5)),
        (diagonal.encode(x=x, y=y) + dots.encode(x=x, y=y, color=color)).properties(width=WIDTH, height=HEIGHT + 30),
        [layout.variant_key, "quantile", first, "the other"],
        table,
    )


def categories(metric: Metric, layout: Layout, by_variant: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Return the share of each value of a category with its interval; `by_variant` holds the described metric of
    each.
    """
    rows = [
        {"set": variant, "label": label, **estimate}
        for variant, one in by_variant.items()
        for label, estimate in one["shares"].items()
    ]
    first = next(iter(by_variant.values()))
    base = alt.Chart(data(rows))
    x = alt.X("label:N", title=first["title"], sort=list(first["shares"]), axis=alt.Axis(labelAngle=0))
    offset = alt.XOffset("set:N", sort=list(by_variant))
    color = variant_color(list(by_variant))
    share = alt.Y("value:Q", title="share (%)", axis=alt.Axis(format="~%"), scale=alt.Scale(zero=True))
    bars = base.mark_bar(opacity=0.55).encode(x=x, xOffset=offset, y=share, color=color)
    limits = base.mark_rule(strokeWidth=1.5).encode(x=x, xOffset=offset, y="low:Q", y2="high:Q", color=color)
    table = [[row["set"], row["label"], percent_interval(row)] for row in rows]
    return Figure(
        f"category-{metric.name}",
        first["title"].capitalize(),
        ["bars: 95 % intervals"],
        f"Shares of each {first['title']}. " + " ".join(f"{row[0]}, {row[1]}: {row[2]}." for row in table),
        (bars + limits).properties(width=WIDTH, height=HEIGHT),
        [layout.variant_key, first["title"], "share [95 % interval]"],
        table,
    )

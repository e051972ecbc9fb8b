"""The page of a run: one file that answers first, then shows the figures behind the answer, then how they were made."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from altair.utils.schemapi import debug_mode

from pipeline.games.game import Layout
from pipeline.report import charts, html, text
from pipeline.report.categories import share_tables
from pipeline.report.figures import PALETTE, Figure, warm_up
from pipeline.report.headline import Headline, headline
from pipeline.report.section import Section, wing_of
from pipeline.report.summary import Summary
from pipeline.runs.reading import Reader
from pipeline.stats.histograms import Histogram
from pipeline.stats.metric import Metric
from pipeline.tables import Table, mean_interval, number, p_value, with_interval

DISTRIBUTIONS = 3
"""Count metrics, from the first, that get charts of their own."""
METHOD = (
    "Every row follows from the seed, its set and its number alone, so any of them can be made again. All figures "
    "come from exact counts of whole numbers. Means have normal 95 % intervals; quantiles have intervals from order "
    "statistics (quantile p is the smallest value that at least a share p of the rows does not pass); shares have "
    "Wilson's. Differences are the later set less the first; the standardised effect divides by the root of the mean "
    "variance; p-values of means are Welch's with the normal law. Where several metrics or sets are tested, p-values "
    "are Holm's. KS is the largest distance of the two cumulative curves; Mann-Whitney compares every pair of rows. "
    "The distance of a log-normal fit is the largest gap between the cumulative curve and the fitted one."
)


@dataclass(frozen=True)
class Page:
    """`charts`: name to SVG as files on their own; `html` holds them all."""

    html: str
    charts: dict[str, str]


def make_page(reader: Reader, summary: Summary) -> Page:
    """Return the page and its charts.

    Raises PipelineError where rows or word counts are missing or broken.
    """
    figures = summary.figures
    sections: list[Section] = []
    drawn: dict[str, Future[str]] = {}
    # Charts are drawn beside the next section's figuring: drawing is native code that lets other threads run.
    # Altair's check of every chart against its schema takes longer than drawing it; the tests do it.
    with ThreadPoolExecutor(1) as pool, debug_mode(False):
        pool.submit(warm_up)
        for section in all_sections(reader, summary):
            # A run of hardly any boards has charts without a row.
            section.figures = [figure for figure in section.figures if figure.rows]
            sections.append(section)
            drawn |= {figure.name: pool.submit(figure.svg) for figure in section.figures}
        svgs = {name: future.result() for name, future in drawn.items()}
    sections += [Section("method", "How this was measured", f"<p>{escape(METHOD)}</p>\n")]
    found = headline(figures, reader.game.verb)
    body = [
        '<a class="skip" href="#main">Skip to the figures</a>',
        opening(figures, found),
        contents(sections),
        '<main id="main">',
        *(render(section, svgs) for section in sections),
        "</main>",
        provenance(figures),
    ]
    return Page(html.document(f"{found.answer} {figures['run']['name']}", "\n".join(body)), svgs)


def all_sections(reader: Reader, summary: Summary) -> Iterator[Section]:
    """Yield the order of many sets, the section of distributions, then those of the game."""
    if summary.figures["standings"]:
        yield standing(summary.figures["standings"])
    yield distributions(reader, summary)
    yield from wing_of(reader.game).sections(reader, summary.figures)


def standing(tables: list[dict[str, Any]]) -> Section:
    """Return many sets in order, those of the same rules in one table."""
    return Section("order", "In order", before="".join(html.table(one) for one in text.standing_tables(tables)))


def render(section: Section, svgs: Mapping[str, str]) -> str:
    drawn = "".join(html.figure(figure, svgs[figure.name]) for figure in section.figures)
    return (
        f'<section aria-labelledby="{section.id}">\n<h2 id="{section.id}">{escape(section.title)}</h2>\n'
        f"{section.before}" + (f'<div class="charts">\n{drawn}</div>\n' if drawn else "") + f"{section.after}</section>"
    )


def contents(sections: list[Section]) -> str:
    links = "".join(f'<li><a href="#{one.id}">{escape(one.title)}</a></li>' for one in sections)
    return (
        f'<div class="contents"><nav aria-label="Sections"><ul>{links}'
        '<li><a href="#provenance">Repeat it</a></li></ul></nav></div>'
    )


def opening(figures: Mapping[str, Any], found: Headline) -> str:
    run = figures["run"]
    words = f", word list {run['words']}" if run["words"] else ""
    about = f"{run['boards']:,} {run['rows']} of each {run['variant']}, seed {run['settings']['seed']}{words}"
    details = "".join(f"<li>{escape(line)}</li>" for line in found.details)
    cards = "".join(
        card(variant, section, run["names"].get(variant, ""), place, len(figures["variants"]) <= len(PALETTE))
        for place, (variant, section) in enumerate(figures["variants"].items())
    )
    more = f'<ul class="sure">{details}</ul>\n<ul class="cards">{cards}</ul>\n'
    if figures["standings"]:
        more = html.folded("each set, and against the first", more)
    cautions = "".join(f'<p class="caution">{escape(one)}</p>\n' for one in run["cautions"])
    return f'<header>\n<p class="about">{escape(about)}</p>\n<h1>{escape(found.answer)}</h1>\n{cautions}{more}</header>'


def card(variant: str, section: Mapping[str, Any], name: str, place: int, colored: bool) -> str:
    counts = [one for one in section["metrics"].values() if one["kind"] == "count"][:3]
    shown = "".join(
        f"<dt>{escape(one['title'])}, mean<small>{escape(mean_interval(one['mean']).partition(' ')[2])}</small></dt>"
        f"<dd>{escape(number(one['mean']['value']))}</dd>"
        for one in counts
    )
    # More sets than colours are told apart by their names.
    color = f"series-{place + 1}" if colored else "grid"
    return (
        f'<li class="card" style="--series: var(--{color})"><h2>{escape(variant)}</h2>'
        f"<p>{escape(name) or '&nbsp;'}</p><dl>{shown}</dl></li>"
    )


def distributions(reader: Reader, summary: Summary) -> Section:
    """Return the tables of every metric, and charts of the first ones."""
    kind = reader.game
    figures = summary.figures
    items = kind.layout.rows
    tables = [table for comparison in figures["comparisons"] for table in text.comparison_tables(comparison)]
    tests = [test_table(comparison) for comparison in figures["comparisons"]]
    tables += [text.metric_table(name, section, figures["run"]) for name, section in figures["variants"].items()]
    for name, one in figures["variants"].items():
        tables += share_tables(name, one, items)
    after = "".join(html.table(one) for one in tables + tests)
    if figures["standings"]:
        after = html.folded(f"{len(tables + tests)} tables: every set, and each against the first", after)
    section = Section("spread", "The whole distribution", after=after)
    counts = [metric for metric in kind.metrics if metric.kind == "count"]
    for metric in counts[:DISTRIBUTIONS]:
        by_variant = {variant: columns[metric.name] for variant, columns in summary.histograms.items()}
        if all(len(one.values) > 12 for one in by_variant.values()):
            section.figures += spread(metric, kind.layout, by_variant)
    for metric in kind.metrics:
        if metric.kind == "category":
            described = {name: one["metrics"][metric.name] for name, one in figures["variants"].items()}
            draw = partial(charts.categories, metric, kind.layout)
            section.figures.append(charts.panels(draw, described))
    return section


def spread(metric: Metric, layout: Layout, by_variant: Mapping[str, Histogram]) -> Iterator[Figure]:
    """Yield the charts of one metric: histogram, cumulative curves, and quantiles against those of the first."""
    yield charts.panels(partial(charts.distribution, metric, layout), by_variant)
    yield charts.panels(partial(charts.cumulative, metric, layout), by_variant)
    first, *others = by_variant
    if others:

        def against_first(some: Mapping[str, Histogram]) -> Figure:
            return charts.quantile_quantile(metric, layout, {first: by_variant[first], **some})

        yield charts.panels(against_first, {other: by_variant[other] for other in others}, also=1)


def test_table(comparison: Mapping[str, Any]) -> Table:
    """Return the tests of one comparison, and quantile differences with intervals."""
    a, b = comparison["a"], comparison["b"]
    rows = []
    for metric in comparison["metrics"].values():
        rank = metric.get("mann_whitney", {})
        rows.append(
            [
                metric["title"],
                p_value(metric["p_value_holm"]),
                p_value(metric.get("ks_p_value_holm")),
                p_value(rank.get("p_value_holm")),
                *(with_interval(metric["quantiles"][name]["difference"]) for name in ("p5", "median", "p95")),
            ]
        )
    return Table(
        f"{b} against {a}: tests and quantiles",
        [
            f"per {comparison['item']}",
            "means, p",
            "KS, p",
            "Mann-Whitney, p",
            "5 % quantile",
            "median",
            "95 % quantile",
        ],
        rows,
        frozenset({f"per {comparison['item']}"}),
        f"p after Holm's correction; quantiles: {b} less {a} [95 % interval]",
    )


def provenance(figures: Mapping[str, Any]) -> str:
    run = figures["run"]
    pairs = {
        "Command": f"<code>{escape(run['command'])}</code>",
        "Run id": f"<code>{escape(run['run_id'])}</code>",
        "Seed": escape(str(run["settings"]["seed"])),
        "Rows": f"{run['boards']:,} of each of {escape(', '.join(figures['variants']))}",
    }
    pairs |= {name[0].upper() + name[1:]: escape(fact) for name, fact in run["facts"].items()}
    if run["notes"]:
        pairs["Note"] = escape(" ".join(run["notes"]))
    pairs["Started"] = escape(run["started"])
    pairs["Versions"] = escape(", ".join(f"{name} {version}" for name, version in run["versions"].items()))
    return (
        '<footer>\n<section aria-labelledby="provenance">\n<h2 id="provenance">Repeat it</h2>\n'
        f"{html.facts(pairs)}</section>\n</footer>"
    )

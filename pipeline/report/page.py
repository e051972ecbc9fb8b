"""The page of a run: one file that answers first, then shows the figures behind the answer, then how they were made."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from html import escape
from typing import Any

from altair.utils.schemapi import debug_mode

from pipeline.games import game
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.report import charts, html, text
from pipeline.report.boggle import atlas as atlases
from pipeline.report.boggle import effect_charts, word_charts
from pipeline.report.boggle import words as word_tables
from pipeline.report.boggle.boards import rolls
from pipeline.report.boggle.effects import effects as find_effects
from pipeline.report.categories import share_tables
from pipeline.report.figures import Figure, warm_up
from pipeline.report.headline import Headline, headline
from pipeline.report.summary import Summary
from pipeline.runs import ranking, rebuild
from pipeline.store.parts import WORDS
from pipeline.store.run_store import RunStore
from pipeline.tables import Table, number, p_value, with_interval

DISTRIBUTIONS = 3
"""Count metrics, from the first, that get charts of their own."""
SHOWN_BOARDS = 3
UNIQUE_WORDS = 15
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


@dataclass
class Section:
    id: str
    title: str
    before: str = ""
    figures: list[Figure] = field(default_factory=list)
    after: str = ""


def make_page(store: RunStore, summary: Summary) -> Page:
    """The page and its charts.

    Raises PipelineError where rows or word counts are missing or broken.
    """
    figures = summary.figures
    sections: list[Section] = []
    drawn: dict[str, Future[str]] = {}
    # Charts are drawn beside the next section's figuring: drawing is native code that lets other threads run.
    # Altair's check of every chart against its schema takes longer than drawing it; the tests do it.
    with ThreadPoolExecutor(1) as pool, debug_mode(False):
        pool.submit(warm_up)
        for section in all_sections(store, summary):
            # A run of hardly any boards has charts without a row.
            section.figures = [figure for figure in section.figures if figure.rows]
            sections.append(section)
            drawn |= {figure.name: pool.submit(figure.svg) for figure in section.figures}
        svgs = {name: future.result() for name, future in drawn.items()}
    sections += [Section("method", "How this was measured", f"<p>{escape(METHOD)}</p>\n")]
    found = headline(figures, game(store.run["game"]).verb)
    body = [
        '<a class="skip" href="#main">Skip to the figures</a>',
        opening(store, figures, found),
        contents(sections),
        '<main id="main">',
        *(render(section, svgs) for section in sections),
        "</main>",
        provenance(store, figures),
    ]
    return Page(html.document(f"{found.answer} {store.name}", "\n".join(body)), svgs)


def all_sections(store: RunStore, summary: Summary) -> Iterator[Section]:
    yield distributions(store, summary)
    if store.run["game"] == "boggle":
        yield from boggle_sections(store, summary)


def render(section: Section, svgs: Mapping[str, str]) -> str:
    drawn = "".join(html.figure(figure, svgs[figure.name]) for figure in section.figures)
    return (
        f'<section aria-labelledby="{section.id}">\n<h2 id="{section.id}">{escape(section.title)}</h2>\n'
        f"{section.before}" + (f'<div class="charts">\n{drawn}</div>\n' if drawn else "") + f"{section.after}</section>"
    )


def contents(sections: list[Section]) -> str:
    links = "".join(f'<li><a href="#{one.id}">{escape(one.title)}</a></li>' for one in sections)
    return (
        f'<header style="padding-top: 0"><nav aria-label="Sections"><ul>{links}'
        '<li><a href="#provenance">Repeat it</a></li></ul></nav></header>'
    )


def opening(store: RunStore, figures: Mapping[str, Any], found: Headline) -> str:
    settings = figures["run"]["settings"]
    items = game(store.run["game"]).layout.rows
    words = f", word list {settings['words']}" if "words" in settings else ""
    about = f"{figures['run']['boards']:,} {items} of each set, seed {settings['seed']}{words}"
    details = "".join(f"<li>{escape(line)}</li>" for line in found.details)
    cards = "".join(
        card(variant, section, settings, place) for place, (variant, section) in enumerate(figures["variants"].items())
    )
    return (
        f'<header>\n<p class="about">{escape(about)}</p>\n<h1>{escape(found.answer)}</h1>\n'
        f'<ul class="sure">{details}</ul>\n<ul class="cards">{cards}</ul>\n</header>'
    )


def card(variant: str, section: Mapping[str, Any], settings: Mapping[str, Any], place: int) -> str:
    described = settings.get("dice", settings.get("spec", {})).get(variant, {})
    name = ", ".join(filter(None, (described.get(key, "") for key in ("name", "years", "notes"))))
    counts = [one for one in section["metrics"].values() if one["kind"] == "count"][:3]
    shown = "".join(
        f"<dt>{escape(one['title'])}, mean<small>{escape(with_interval(one['mean']).partition(' ')[2])}</small></dt>"
        f"<dd>{escape(number(one['mean']['value']))}</dd>"
        for one in counts
    )
    color = place % 8 + 1
    return (
        f'<li class="card" style="--series: var(--series-{color})"><h2>{escape(variant)}</h2>'
        f"<p>{escape(name) or '&nbsp;'}</p><dl>{shown}</dl></li>"
    )


def distributions(store: RunStore, summary: Summary) -> Section:
    """Tables of every metric, and charts of the first ones."""
    kind = game(store.run["game"])
    figures = summary.figures
    items = kind.layout.rows
    tables = [table for comparison in figures["comparisons"] for table in text.comparison_tables(comparison)]
    tests = [test_table(comparison) for comparison in figures["comparisons"]]
    tables += [text.metric_table(name, section, figures) for name, section in figures["variants"].items()]
    for name, one in figures["variants"].items():
        tables += share_tables(name, one, items)
    section = Section("spread", "The whole distribution", after="".join(html.table(one) for one in tables + tests))
    counts = [metric for metric in kind.metrics if metric.kind == "count"]
    for metric in counts[:DISTRIBUTIONS]:
        by_variant = {variant: columns[metric.name] for variant, columns in summary.histograms.items()}
        if all(len(one.values) > 12 for one in by_variant.values()):
            section.figures.append(charts.distribution(metric.name, metric.title, metric.unit, items, by_variant))
            section.figures.append(charts.cumulative(metric.name, metric.title, metric.unit, items, by_variant))
            if len(by_variant) > 1:
                section.figures.append(
                    charts.quantile_quantile(metric.name, metric.title, metric.unit, items, by_variant)
                )
    for metric in kind.metrics:
        if metric.kind == "category":
            described = {name: one["metrics"][metric.name] for name, one in figures["variants"].items()}
            section.figures.append(charts.categories(metric.name, described))
    return section


def test_table(comparison: Mapping[str, Any]) -> Table:
    """Tests of one comparison, and quantile differences with intervals."""
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


def boggle_sections(store: RunStore, summary: Summary) -> Iterator[Section]:
    figures = summary.figures
    variants = figures["variants"]
    count = figures["run"]["boards"]
    yield Section(
        "lengths",
        "Words by length",
        figures=[charts.words_by_length(variants), charts.chance_by_length(variants)],
        after="".join(html.table(text.length_table(name, one)) for name, one in variants.items()),
    )
    workload = rebuild.boggle(store)
    if all(store.parts(variant, WORDS) for variant in store.variants):
        yield words_section(store, workload, count)
    effects = find_effects(store, workload, count)
    yield Section(
        "letters-and-places",
        "Letters and places",
        figures=[
            effect_charts.letter_effects(effects),
            effect_charts.dead_tiles(effects),
            *(effect_charts.places(name, one) for name, one in effects.items()),
            *(effect_charts.heat_map(name, one) for name, one in effects.items()),
            effect_charts.vowels(effects),
            effect_charts.score_by_nodes(effects),
        ],
    )
    yield boards_section(store, workload, variants)


def words_section(store: RunStore, workload: BoggleWorkload, count: int) -> Section:
    atlas = atlases.load(store, count, workload)
    section = Section("words", "Which words")
    if not all(boards.any() for boards in atlas.boards.values()):
        section.before = "<p>No words are counted: none was found, or the boards end inside the first part.</p>\n"
        return section
    section.figures = [word_charts.top_words(atlas), word_charts.growth(atlas), word_charts.concentration(atlas)]
    tables = []
    for variant in atlas.boards:
        overview = word_tables.overview_note(atlases.overview(atlas, variant))
        section.before += f"<p><strong>{escape(variant)}</strong>: {escape(overview)}.</p>\n"
    for variant in atlas.boards:
        for other in atlas.boards:
            if other != variant:
                shown = word_tables.listing(atlas, None, UNIQUE_WORDS, only_in=[variant], not_in=[other])
                tables += [one for one in word_tables.tables(shown) if one.rows]
    section.after = "".join(
        html.table(Table(one.title, one.header, one.rows, one.left)) for one in tables[: 2 * len(atlas.boards)]
    )
    return section


def boards_section(store: RunStore, workload: BoggleWorkload, variants: Mapping[str, Any]) -> Section:
    shown = []
    for variant, section in variants.items():
        dice = workload.dice_set(variant)
        for row in section["top_boards"][:SHOWN_BOARDS]:
            solved = ranking.solved(workload, variant, row)
            best = ", ".join(word["word"] for word in solved["found"][:6])
            faces = [face for line in solved["layout"] for face in line.split()]
            drawn = html.tiles(faces, dice.columns, f"board {row['board']}")
            shown.append(
                f"<li>{drawn}<p><strong>{row['score']:,} points, {row['words']:,} words</strong>"
                f"{escape(variant)}, board {row['board_id']:,}<br>{escape(best)}<br>{escape(rolls(solved))}</p></li>"
            )
    tables = "".join(html.table(text.top_table(name, one)) for name, one in variants.items())
    return Section("boards", "Best boards", f'<ul class="boards">{"".join(shown)}</ul>\n', after=tables)


def provenance(store: RunStore, figures: Mapping[str, Any]) -> str:
    run = figures["run"]
    settings = run["settings"]
    pairs = {
        "Command": f"<code>{escape(run['command'])}</code>",
        "Run id": f"<code>{escape(run['run_id'])}</code>",
        "Seed": escape(str(settings["seed"])),
        "Rows": f"{run['boards']:,} of each of {escape(', '.join(store.variants))}",
    }
    if "words" in settings:
        hashes = ", ".join(f"<code>{escape(one)}</code>" for one in dict.fromkeys(run["word_lists"].values()))
        pairs["Word list"] = f"{escape(settings['words'])}, {settings['word_count']:,} words, SHA-256 {hashes}"
    for variant, one in settings.get("spec", {}).items():
        pairs[f"Spec {variant}"] = escape(text.spec_line(one))
    for variant, rules in settings.get("dice", {}).items():
        pairs[f"Rules of {variant}"] = escape(f"words of {rules['min_length']}+ letters, scoring {rules['scoring']}")
    for note in run["notes"]:
        pairs["Note"] = f"{pairs['Note']} {escape(note)}" if "Note" in pairs else escape(note)
    pairs["Started"] = escape(str(store.run.get("started", "")))
    pairs["Versions"] = escape(", ".join(f"{name} {version}" for name, version in run["versions"].items()))
    return (
        '<footer>\n<section aria-labelledby="provenance">\n<h2 id="provenance">Repeat it</h2>\n'
        f"{html.facts(pairs)}</section>\n</footer>"
    )

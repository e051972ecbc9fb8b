"""The page of a run: whole, safe, readable without eyes, and able to repeat itself."""

import itertools
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from altair.utils.schemapi import debug_mode

from pipeline.games import game
from pipeline.games.boggle.dice import shipped_dice
from pipeline.report import page as pages
from pipeline.report import write
from pipeline.report.figures import PALETTE, Figure, inline
from pipeline.report.headline import headline
from pipeline.report.html import grid
from pipeline.report.page import Page, all_sections, make_page
from pipeline.report.summary import Summary, summarize
from pipeline.runs.opening import reader
from pipeline.store.run_store import RunStore
from tests.stored import make_run

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Outline(HTMLParser):
    """Elements in order, and what does not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def summary(two_sets: RunStore) -> Summary:
    return summarize(reader(two_sets))


@pytest.fixture(scope="module")
def page(two_sets: RunStore, summary: Summary) -> Page:
    return make_page(reader(two_sets), summary)


@pytest.fixture(scope="module")
def outline(page: Page) -> Outline:
    return Outline(page.html)


def test_the_first_words_are_the_answer(page: Page, summary: Summary) -> None:
    answer = headline(summary.figures).answer
    assert f"<h1>{answer}</h1>" in page.html
    assert page.html.index(answer) < page.html.index("<nav")


def test_the_page_loads_nothing(page: Page, outline: Outline) -> None:
    loading = [
        attributes[name]
        for _, attributes in outline.elements
        for name in ("src", "href", "xlink:href", "action", "data")
        if name in attributes
    ]
    assert [address for address in loading if not address.startswith(("#", "data:"))] == []
    assert "script" not in {tag for tag, _ in outline.elements}
    assert "@import" not in page.html
    assert not re.search(r"url\((?!#)", page.html)
    policy = next(meta["content"] for meta in outline.all("meta") if "http-equiv" in meta)
    assert policy.startswith("default-src 'none'")


def test_ids_are_unique_and_every_link_has_its_target(outline: Outline) -> None:
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"][1:] for attributes in outline.all("a")]
    assert links
    assert set(links) <= set(ids)


def test_every_chart_says_what_it_shows_and_folds_out_its_figures(page: Page, outline: Outline) -> None:
    figures = outline.all("figure")
    assert {figure["id"] for figure in figures} == set(page.charts)
    described = [div["aria-label"] for div in outline.all("div") if div.get("role") == "img"]
    assert all(len(label) > 40 for label in described if not label.startswith("board"))
    assert len(outline.all("details")) == len(figures)


def test_the_charts_of_a_comparison_are_all_there(page: Page) -> None:
    wanted = {
        "distribution-words", "cumulative-words", "quantiles-words", "distribution-score", "words-by-length",
        "chance-by-length", "top-words", "distinct-words", "concentration", "letters", "vowels", "dead-tiles",
        "places-classic", "places-new", "cells-classic", "cells-new", "score-by-nodes",
    }  # fmt: skip
    assert wanted <= set(page.charts)


def test_tables_are_headed_and_can_be_scrolled_by_keyboard(outline: Outline) -> None:
    assert all("scope" in attributes for attributes in outline.all("th"))
    regions = [div for div in outline.all("div") if div.get("class") == "scroll"]
    assert len(regions) == len(outline.all("table"))
    assert all(div["tabindex"] == "0" and div["aria-label"] for div in regions)


def test_headings_descend_by_one(outline: Outline) -> None:
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_the_page_tells_how_to_repeat_it(page: Page, two_sets: RunStore) -> None:
    footer = page.html[page.html.index("<footer") :]
    words = two_sets.run.identity["dice set"][0]["word list"]
    for fact in (two_sets.run.run_id, words, "enable1", *two_sets.run.versions.values()):
        assert fact in footer
    assert "<dt>Seed</dt><dd>1</dd>" in footer


def test_charts_are_valid_under_their_schema_and_have_title_and_units(two_sets: RunStore, summary: Summary) -> None:
    with debug_mode(True):
        drawn = [figure for section in all_sections(reader(two_sets), summary) for figure in section.figures]
        specs = [figure.chart.to_dict() for figure in drawn]
    for figure, spec in zip(drawn, specs, strict=True):
        assert figure.title
        assert figure.alt
        assert figure.subtitle
        text = json.dumps(spec)
        assert '"title": "' in text, figure.name
        assert all(len(row) == len(figure.header) for row in figure.rows)


def test_chart_files_are_svg_with_title_and_description(page: Page) -> None:
    for name, svg in page.charts.items():
        root = ElementTree.fromstring(svg)
        assert root.tag.endswith("svg")
        assert [child.tag.rsplit("}", 1)[-1] for child in root][:2] == ["title", "desc"], name


def test_charts_in_the_page_take_its_colours_and_scale(page: Page) -> None:
    for name, svg in page.charts.items():
        shown = inline(name, svg)
        assert PALETTE[0] not in shown
        assert re.match(r'<svg[^>]* viewBox="0 0 [\d.]+ [\d.]+"', shown)
        assert not re.match(r"<svg[^>]* width=", shown)


def test_names_and_words_from_outside_are_escaped(two_sets: RunStore, summary: Summary) -> None:
    evil = '<script>alert("x")</script>'
    figures = json.loads(json.dumps(summary.figures))
    figures["run"]["command"] = figures["run"]["words"] = evil
    figures["run"]["names"]["new"] = evil
    text = pages.opening(figures, headline(figures)) + pages.provenance(figures)
    assert "<script" not in text
    assert text.count("&lt;script&gt;") >= 3
    assert "<script" not in grid(evil, [evil, "b"], [[evil, evil]])
    chart = next(pages.all_sections(reader(two_sets), summary)).figures[0]
    svg = Figure(chart.name, evil, [evil], evil, chart.chart).svg()
    assert "<script" not in svg
    ElementTree.fromstring(svg)


def test_the_report_is_stored_beside_the_rows(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", boards=40, dice=["new"])
    summary = write.report(reader(store))
    place = Path(write.page(reader(store), summary))
    assert place == tmp_path / "run" / "report" / "index.html"
    assert headline(summary.figures).answer in place.read_text()
    stored = json.loads((place.parent / "summary.json").read_text())
    assert stored == json.loads(json.dumps(summary.figures))
    assert {path.stem for path in (place.parent / "charts").glob("*.svg")} >= {"words-by-length", "top-words"}


def test_stored_histograms_hold_every_row_of_every_column(tmp_path: Path) -> None:
    import polars as pl

    store = make_run(tmp_path / "run", boards=40, dice=["classic", "new"])
    write.report(reader(store))
    frame = pl.read_parquet(tmp_path / "run" / "report" / "histograms.parquet")
    totals = frame.group_by("dice", "metric").agg(pl.col("count").sum())
    kind = game("boggle")
    assert totals.height == 2 * (len(kind.metrics) + len(kind.columns))
    assert totals["count"].unique().to_list() == [40]


def test_a_run_of_one_board_has_a_page_too(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", boards=1, dice=["classic", "new"])
    Outline(make_page(reader(store), summarize(reader(store))).html)


def test_a_set_with_blanks_and_digraphs_has_a_page_too(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", boards=60, dice=["super_big_2012", "new"])
    page = make_page(reader(store), summarize(reader(store)))
    Outline(page.html)
    assert {"cells-super_big_2012", "places-super_big_2012"} <= set(page.charts)


@pytest.fixture(scope="module")
def nine_sets(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    dice = sorted(one.id for one in shipped_dice() if one.language == "en")[:9]
    return make_run(tmp_path_factory.mktemp("nine") / "nine", boards=300, dice=dice)


def colors_of(spec: Any) -> Iterator[list[str]]:
    """The colours of every scale that has some, wherever it stands in a chart."""
    if isinstance(spec, list):
        for one in spec:
            yield from colors_of(one)
    elif isinstance(spec, dict):
        if "domain" in (scale := spec.get("scale") or {}) and str(scale.get("range", [""])[0]).startswith("#"):
            yield scale["range"][: len(scale["domain"])]
        for one in spec.values():
            yield from colors_of(one)


def test_more_sets_than_colours_have_panels_under_their_names(nine_sets: RunStore) -> None:
    assert len(nine_sets.variants) == len(PALETTE) + 1
    panelled = 0
    for section in all_sections(reader(nine_sets), summarize(reader(nine_sets))):
        for figure in section.figures:
            spec = figure.titled().to_dict(validate=False)
            assert all(len(set(colors)) == len(colors) for colors in colors_of(spec)), figure.name
            if "concat" in spec:
                names = [panel["title"]["text"] for panel in spec["concat"]]
                assert names == nine_sets.variants[-len(names) :]
                assert len(names) >= len(PALETTE)
                panelled += 1
    assert panelled == 2 * 3 + 2 + 3 + 4


def test_a_page_of_many_sets_begins_with_one_table_and_folds_the_rest(nine_sets: RunStore) -> None:
    found = summarize(reader(nine_sets))
    beginning = pages.opening(found.figures, headline(found.figures))
    folded = beginning[beginning.index("<details") : beginning.index("</details>")]
    assert beginning.count("</li>") == folded.count("</li>") > 9
    assert not re.search(r"var\(--series", beginning)
    first, second, *_ = all_sections(reader(nine_sets), found)
    assert (first.id, second.id) == ("order", "spread")
    assert second.after.startswith("<details")
    assert second.after.count("</details>") == 1

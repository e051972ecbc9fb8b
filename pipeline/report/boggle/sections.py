"""What letter dice add to a report: lengths, words, letters and places, best boards."""

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any

from pipeline.games.boggle.game import board_run
from pipeline.report import html
from pipeline.report.boggle import atlas as atlases
from pipeline.report.boggle import boards, lengths
from pipeline.report.boggle import words as word_tables
from pipeline.report.boggle.atlas import Atlas
from pipeline.report.figures import Figure
from pipeline.report.section import Section, Wing
from pipeline.runs.reading import Reader
from pipeline.stats.controls import Sample
from pipeline.stats.histograms import Histogram
from pipeline.store.parts import WORDS
from pipeline.tables import Table

SHOWN_BOARDS = 3
UNIQUE_WORDS = 15


class BoggleWing(Wing):
    """Charts are imported once a page is made."""

    def figures(
        self, reader: Reader, variant: str, columns: Mapping[str, Histogram], sample: Sample | None
    ) -> dict[str, Any]:
        """Return the shares of boards, and words and points by length."""
        rules = board_run(reader.store).settings.dice[variant]
        return lengths.length_figures(columns, rules.scoring, rules.min_length, sample)

    def tables(self, variant: str, section: Mapping[str, Any]) -> list[Table]:
        """Return the table of lengths and that of the best boards."""
        return [lengths.length_table(variant, section), lengths.top_table(variant, section)]

    def sections(self, reader: Reader, figures: Mapping[str, Any]) -> Iterator[Section]:
        """Yield lengths, words where they are counted, letters and places, best boards."""
        from pipeline.report.boggle import effect_charts, length_charts
        from pipeline.report.boggle.effects import effects as find_effects
        from pipeline.report.charts import panels

        variants, count = figures["variants"], figures["run"]["boards"]
        yield Section(
            "lengths",
            "Words by length",
            figures=[panels(length_charts.words_by_length, variants), panels(length_charts.chance_by_length, variants)],
            after="".join(html.table(lengths.length_table(name, one)) for name, one in variants.items()),
        )
        if WORDS in reader.schemas:
            yield words_section(reader, count)
        effects = find_effects(reader, count)
        yield Section(
            "letters-and-places",
            "Letters and places",
            figures=[
                panels(effect_charts.letter_effects, effects),
                panels(effect_charts.dead_tiles, effects),
                *(effect_charts.places(name, one) for name, one in effects.items()),
                *(effect_charts.heat_map(name, one) for name, one in effects.items()),
                panels(effect_charts.vowels, effects),
                panels(effect_charts.score_by_nodes, effects),
            ],
        )
        yield boards_section(reader, variants)


WING = BoggleWing()


def words_section(reader: Reader, count: int) -> Section:
    atlas = atlases.load(reader, count)
    section = Section("words", "Which words")
    if not all(counts.any() for counts in atlas.boards.values()):
        section.before = "<p>No words are counted: none was found, or the boards end inside the first part.</p>\n"
        return section
    from pipeline.report.boggle import word_charts
    from pipeline.report.charts import panels

    for draw in (word_charts.top_words, word_charts.growth, word_charts.concentration):

        def of_some(some: Mapping[str, Any], draw: Callable[[Atlas], Figure] = draw) -> Figure:
            return draw(atlas.only(some))

        section.figures.append(panels(of_some, atlas.boards))
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


def boards_section(reader: Reader, variants: Mapping[str, Any]) -> Section:
    workload = reader.workload
    shown = []
    for variant, section in variants.items():
        dice = workload.dice_set(variant)
        for row in section["top_boards"][:SHOWN_BOARDS]:
            solved = boards.solved(workload, variant, row)
            best = ", ".join(word["word"] for word in solved["found"][:6])
            faces = [face for line in solved["layout"] for face in line.split()]
            drawn = html.tiles(faces, dice.columns, f"board {row['board']}")
            shown.append(
                f"<li>{drawn}<p><strong>{row['score']:,} points, {row['words']:,} words</strong>"
                f"{escape(variant)}, board {row['board_id']:,}<br>{escape(best)}<br>"
                f"{escape(boards.rolls(solved))}</p></li>"
            )
    tables = "".join(html.table(lengths.top_table(name, one)) for name, one in variants.items())
    return Section("boards", "Best boards", f'<ul class="boards">{"".join(shown)}</ul>\n', after=tables)

"""What a page consists of, and what a game adds of its own to a report."""

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.games.game import Game
from pipeline.runs.reading import Reader
from pipeline.stats.controls import Sample
from pipeline.stats.histograms import Histogram
from pipeline.tables import Table

if TYPE_CHECKING:
    from pipeline.report.figures import Figure


@dataclass
class Section:
    """A part of the page: HTML, then figures, then HTML."""

    id: str
    title: str
    before: str = ""
    figures: "list[Figure]" = field(default_factory=list)
    after: str = ""


class Wing:
    """What one game adds to a report; this one adds nothing."""

    def figures(
        self, reader: Reader, variant: str, columns: Mapping[str, Histogram], sample: Sample | None
    ) -> dict[str, Any]:
        """Return the further figures of a variant, as plain data, from the histograms of its columns; means controlled
        by the `sample` where there is one."""
        return {}

    def tables(self, variant: str, section: Mapping[str, Any]) -> list[Table]:
        """Return the tables of those figures."""
        return []

    def sections(self, reader: Reader, figures: Mapping[str, Any]) -> Iterator[Section]:
        """Yield further sections of the page; `figures` are those of the summary."""
        yield from ()


def wing_of(game: Game) -> Wing:
    """Return what a game adds to a report: the `WING` of the module that it names."""
    if not game.report:
        return Wing()
    found: Wing = importlib.import_module(game.report).WING
    return found

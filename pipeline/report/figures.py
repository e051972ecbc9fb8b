"""A figure of the page: one chart with its words for those who cannot see it, and how it becomes SVG.

Charts are drawn for a width of about 440 units, so that they are read on a phone as they are.
"""

import json
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

WIDTH = 330
HEIGHT = 210
LINE = 48
"""Letters of a subtitle's line."""
INK, MUTED, GRID, PAPER = "#1a1c20", "#5b6068", "#dfe2e7", "#ffffff"
PALETTE = ("#0067a8", "#c8500a", "#00805c", "#a8478a", "#8a6d00", "#3d6fe0", "#a03030", "#566070")
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    PAPER: "--paper",
    **{color: f"--series-{number}" for number, color in enumerate(PALETTE, 1)},
}
"""Colours that the page replaces by its own variables, which differ by light and dark."""
CONFIG: dict[str, Any] = {
    "background": PAPER,
    "font": "sans-serif",
    "padding": 6,
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": INK,
        "gridColor": GRID,
        "domainColor": MUTED,
        "tickColor": MUTED,
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "labelOverlap": "greedy",
        "labelSeparation": 5,
    },
    "axisDiscrete": {"labelOverlap": False},
    "title": {
        "anchor": "start",
        "frame": "group",
        "color": INK,
        "fontSize": 15,
        "fontWeight": "bold",
        "subtitleColor": MUTED,
        "subtitleFontSize": 12,
        "subtitlePadding": 4,
        "offset": 10,
    },
    "legend": {
        "orient": "top",
        "title": None,
        "labelColor": INK,
        "labelFontSize": 12,
        "symbolType": "square",
        "symbolOpacity": 1,
        "symbolSize": 50,
        "symbolStrokeWidth": 7,
        "offset": 4,
        "padding": 0,
        "columns": 3,
        "labelLimit": 200,
    },
}


@dataclass(frozen=True)
class Figure:
    """`chart`: an altair chart; `alt`: what it shows, in a sentence; `header` and `rows`: its figures as a table."""

    name: str
    title: str
    subtitle: Sequence[str]
    alt: str
    chart: Any
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = field(default=())

    def titled(self) -> Any:
        """Return the chart with its title and subtitle, as a notebook shows it."""
        lines = [line for sentence in self.subtitle for line in textwrap.wrap(sentence, LINE)]
        return self.chart.properties(title={"text": self.title, "subtitle": lines})

    def svg(self) -> str:
        """Return the chart as one SVG, on white, with title and description inside."""
        import vl_convert

        spec = self.titled().to_dict(validate=False)
        spec["config"] = CONFIG
        svg = vl_convert.vegalite_to_svg(json.dumps(spec), vl_version=_vega_lite(spec))
        return svg.replace(">", f"><title>{_escape(self.title)}</title><desc>{_escape(self.alt)}</desc>", 1)


def warm_up() -> None:
    """Start the drawing engine, which takes a second or two, before the first chart is there."""
    import vl_convert

    vl_convert.vega_to_svg({"width": 1, "height": 1, "marks": []})


def _vega_lite(spec: dict[str, Any]) -> str:
    """`5.20` of the schema's address `.../vega-lite/v5.20.1.json`."""
    match = re.search(r"/v(\d+\.\d+)", spec["$schema"])
    if match is None:
        raise ValueError(f"no version in {spec['$schema']}")
    return match[1]


def inline(name: str, svg: str) -> str:
    """Return the SVG for a page: colours become variables, ids are made its own, and it scales to its column."""
    for color, variable in VARIABLES.items():
        svg = svg.replace(f'"{color}"', f'"var({variable})"')
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r"<(title|desc)>.*?</\1>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:aria-[a-z]+|role|tabindex|focusable)="[^"]*"', "", svg)
    match = re.match(r'<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"', svg) or re.match(
        r'<svg[^>]*? viewBox="0 0 ([\d.]+) ([\d.]+)"', svg
    )
    if match is None:
        raise ValueError(f"chart {name} has no size")
    head_end = svg.index(">")
    head = re.sub(r' (?:width|height|viewBox)="[^"]*"', "", svg[:head_end])
    return f'{head} viewBox="0 0 {match[1]} {match[2]}" aria-hidden="true" focusable="false"{svg[head_end:]}'


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

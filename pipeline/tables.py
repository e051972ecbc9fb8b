"""Tables of text: one description, written for a terminal, for markdown or as csv."""

import csv
import io
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of cells that are text already. Columns whose name is in `left` are aligned left, others right."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[str] = frozenset()
    note: str = ""

    def text(self) -> str:
        lines = [self.title] if self.title else []
        lines += [self._line(self.header), "  ".join("-" * width for width in self._widths)]
        return "\n".join(lines + self.lines(self.rows) + ([self.note] if self.note else []))

    def lines(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Return rows, of this table or further ones, as lines in its columns."""
        return [self._line(row) for row in rows]

    @cached_property
    def _widths(self) -> list[int]:
        return [max(map(_width, column)) for column in zip(self.header, *self.rows, strict=True)]

    def _line(self, row: Sequence[str]) -> str:
        cells = []
        for name, cell, width in zip(self.header, row, self._widths, strict=True):
            pad = " " * (width - _width(cell))
            cells.append(cell + pad if name in self.left else pad + cell)
        return "  ".join(cells).rstrip()

    def markdown(self) -> str:
        rule = [":--" if name in self.left else "--:" for name in self.header]
        lines = [f"### {self.title}", ""] if self.title else []
        lines += ["| " + " | ".join(row) + " |" for row in (self.header, rule, *self.rows)]
        return "\n".join(lines + (["", self.note] if self.note else []))


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(letter) else 1 for letter in text)


def number(value: float | int | None) -> str:
    """Return a number as text: five significant digits at most, thousands split by commas, no exponent."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    size = abs(value)
    digits = 1 if size >= 1000 else 2 if size >= 10 else 3 if size >= 0.01 else 6
    return f"{value:,.{digits}f}"


def percent(share: float | None) -> str:
    """Return a share as text, in percent to about three digits: 99.98 %, 0.442 %, 0.0023 %."""
    if share is None or math.isnan(share):
        return "-"
    value = 100 * share
    distance = min(abs(value), abs(100 - value)) or abs(value)
    digits = 2 if distance >= 1 or distance == 0 else min(6, 2 - math.floor(math.log10(distance)))
    return f"{value:.{digits}f} %"


def p_value(p: float | None) -> str:
    """Return two digits: 0.034, 2.1e-07; below what a float can hold, `< 1e-300`."""
    if p is None or math.isnan(p):
        return "-"
    return "< 1e-300" if p < 1e-300 else f"{p:.2g}"


def with_interval(estimate: Mapping[str, float | None]) -> str:
    """Return `98.22 [98.13, 98.31]`, with as many decimals as the interval's width asks for; `12 [9, ∞)` without an
    end.
    """
    middle, bottom, top = (estimate[key] for key in ("value", "low", "high"))
    if middle is not None and bottom is not None and math.isfinite(bottom) and (top is None or top == math.inf):
        return f"{number(middle)} [{number(bottom)}, ∞)"
    if middle is None or bottom is None or top is None or not math.isfinite(top - bottom):
        return number(middle)
    width = top - bottom
    digits = max(0, min(6, 1 - math.floor(math.log10(width)))) if width > 0 else 2
    value, low, high = (f"{one:,.{digits}f}" for one in (middle, bottom, top))
    return f"{value} [{low}, {high}]"


def mean_interval(mean: Mapping[str, Any]) -> str:
    """Return a mean with its interval, or with the word that it is exact."""
    return f"{number(mean['value'])} exact" if mean.get("method") == "exact" else with_interval(mean)


def worth(n: int, figure: Mapping[str, Any]) -> str:
    """Return how many plain items would say as much as n do, to three digits; the word, where the figure is exact."""
    if figure.get("method") == "exact":
        return "exact"
    value = figure.get("worth")
    if value is None:
        return "-"
    count = n * value
    digits = max(0, math.floor(math.log10(count)) - 2) if count >= 1 else 0
    return f"{round(count, -digits):,.0f}"


def percent_interval(estimate: Mapping[str, float | None]) -> str:
    """Return a share with its interval, in percent."""
    scaled = {key: None if value is None else 100 * value for key, value in estimate.items()}
    return with_interval(scaled) + " %"


def size(count: float) -> str:
    """Return a number of bytes as text, to three digits: 1.32 MB."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:,.3g} {unit}"
        count /= 1000
    return f"{count:,.3g} PB"


def duration(seconds: float) -> str:
    """Return a time as text, three digits in the unit that a person would take, up to years."""
    if seconds < 120:
        return f"{seconds:,.3g} s"
    if seconds < 7200:
        return f"{seconds / 60:,.3g} minutes"
    if seconds < 172_800:
        return f"{seconds / 3600:,.3g} hours"
    if seconds < 730 * 86400:
        return f"{seconds / 86400:,.3g} days"
    return f"{seconds / (365 * 86400):,.3g} years"


def as_csv(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()

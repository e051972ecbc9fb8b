"""Stop when sure: `--until 'mean(score) +- 0.05'` read, checked against what is known, and when to check.

The checks come at numbers of boards that are the same for every run, each a quarter more than the one before, over
complete prefixes only: where a run stops follows from its boards alone, never from workers or chunks. The first check
waits for so many boards that a spread which happens to look small cannot end a run too early.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.errors import PipelineError, nearest
from pipeline.games import game
from pipeline.runs.reading import Reader
from pipeline.stats import estimates
from pipeline.stats.estimates import Estimate
from pipeline.stats.histograms import Histogram
from pipeline.store.run_file import Interval, Stop

FIRST = 2_000
GROWTH = 1.25
CAP = 10_000_000
"""Boards of each set at which a run ends unless --boards says otherwise."""
_GRAMMAR = re.compile(
    r"\s*(?P<what>mean|median|p(?P<p>\d{1,2})|difference|share)\s*"
    r"\(\s*(?P<column>\w+)\s*(?:(?P<sign><=|>=|=|<|>)\s*(?P<bound>\d+)\s*)?\)\s*"
    r"(?:\+-|\+/-|±)\s*(?P<width>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)\s*"
)
_SIGNS: dict[str, Callable[[Any, int], Any]] = {
    "=": operator.eq, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
EXAMPLES = "write 'mean(score) +- 0.5', 'median(words) +- 1', 'p95(score) +- 2', 'share(words = 0) +- 0.1 %' or, with "
EXAMPLES += "two --dice, 'difference(score) +- 0.5'"


@dataclass(frozen=True)
class Target:
    """Which figure must be known how well: its 95 % interval reaches at most `width` to either side."""

    text: str
    column: str
    width: float
    estimates: Callable[[Mapping[str, Histogram]], dict[str, Estimate]]
    """From the histogram of the column by variant to the figure, by what it is the figure of."""

    def met(self, found: Mapping[str, Estimate]) -> bool:
        return all((one.high - one.low) / 2 <= self.width for one in found.values())


def parse(text: str, game_name: str, variants: Sequence[str]) -> Target:
    """A target as typed.

    Raises PipelineError for what cannot be read, an unknown column, or a difference of fewer than two sets.
    """
    columns = game(game_name).counted_columns
    match = _GRAMMAR.fullmatch(text)
    if match is None:
        raise PipelineError(f"--until {text!r} cannot be read", EXAMPLES)
    what, column = match["what"], match["column"]
    width = float(match["width"]) / (100 if match["percent"] else 1)
    if (what == "share") != bool(match["sign"]) or (match["percent"] and what != "share") or match["p"] == "0":
        raise PipelineError(f"--until {text!r} cannot be read", EXAMPLES)
    if column not in columns:
        raise PipelineError(f"--until {text!r}: no column {column!r}", nearest(column, columns))
    if width == 0:
        raise PipelineError(f"--until {text!r}: an interval of no width is never reached", EXAMPLES)
    if what == "difference":
        if len(variants) < 2:
            raise PipelineError(f"--until {text!r} needs two sets to compare", "give --dice twice")
        return Target(text, column, width, _differences)
    figure: Callable[[Histogram], Estimate]
    if what == "mean":
        figure = estimates.mean_estimate
    elif what == "share":
        compare, bound = _SIGNS[match["sign"]], int(match["bound"])

        def figure(histogram: Histogram) -> Estimate:
            return estimates.share_estimate(int(histogram.counts[compare(histogram.values, bound)].sum()), histogram.n)

    else:
        p = 0.5 if what == "median" else int(match["p"]) / 100

        def figure(histogram: Histogram) -> Estimate:
            return estimates.quantile_estimate(histogram, p)

    return Target(text, column, width, lambda by_variant: {name: figure(one) for name, one in by_variant.items()})


def _differences(by_variant: Mapping[str, Histogram]) -> dict[str, Estimate]:
    first, *others = by_variant
    return {
        f"{other} - {first}": estimates.mean_difference(by_variant[first], by_variant[other]).mean for other in others
    }


def checkpoints(cap: int) -> Iterator[int]:
    """Numbers of boards after which to check, the last one `cap`."""
    boards = FIRST
    while boards < cap:
        yield boards
        boards = int(boards * GROWTH)
    yield cap


class Prefix:
    """Histograms of one column over the first boards of each variant; every part is read once or twice."""

    def __init__(self, variants: Sequence[str], column: str) -> None:
        self.column = column
        self.done = 0
        self.histograms = {variant: Histogram.merged([]) for variant in variants}

    def advance(self, reader: Reader, boards: int) -> dict[str, Histogram]:
        """Go on to the first `boards` rows, which must be there, and return their histograms."""
        for variant, held in self.histograms.items():
            more = reader.histogram_between(variant, self.column, self.done, boards)
            self.histograms[variant] = Histogram.merged([held, more])
        self.done = boards
        return self.histograms


def outcome(target: Target, boards: int, found: Mapping[str, Estimate]) -> Stop:
    """Return what run.json says of it."""
    estimates = {name: Interval(**one._asdict()) for name, one in found.items()}
    return Stop(target=target.text, boards=boards, reached=target.met(found), estimates=estimates)


def sentence(stop: Stop, rows: str) -> str:
    """Return why a run has as many boards as it has."""
    known = ", ".join(
        f"{name} {one.value:,.6g} ± {(one.high - one.low) / 2:.3g}" for name, one in stop.estimates.items()
    )
    if stop.reached:
        return f"Stopped at {stop.boards:,} {rows} of each set, because --until '{stop.target}' was reached ({known})."
    return (
        f"Ended at the cap of {stop.boards:,} {rows} of each set before --until '{stop.target}' was reached "
        f"({known}); more --boards go on."
    )

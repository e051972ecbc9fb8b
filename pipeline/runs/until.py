"""Stop when sure: `--until 'mean(score) +- 0.05'` read, checked against what is known, and when to check.

The checks come at numbers of boards that are the same for every run, each a quarter more than the one before, over
complete prefixes only: where a run stops follows from its boards alone, never from workers or chunks. The first check
waits for so many boards that a spread which happens to look small cannot end a run too early.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pipeline.errors import PipelineError, nearest
from pipeline.games import game
from pipeline.runs.reading import Reader
from pipeline.runs.rolls import Together, most_rolled
from pipeline.stats import estimates
from pipeline.stats.controls import CONTROLLED_FROM, Rolls, Sample, difference_of, mean_of
from pipeline.stats.description import without_nan
from pipeline.stats.estimates import Estimate
from pipeline.stats.histograms import Histogram
from pipeline.stats.moments import Moments
from pipeline.store.run_file import Interval, Stop

FIRST = 2_000
GROWTH = 1.25
LEAST = 30
"""Items that must tell anything of the figure before a run stops."""
CAP = 10_000_000
"""Boards of each set at which a run ends unless --boards says otherwise."""
_GRAMMAR = re.compile(
    r"\s*(?P<what>mean|median|p(?P<p>\d{1,2})|difference|share)\s*"
    r"\(\s*(?P<column>\w+)\s*(?:(?P<sign><=|>=|=|<|>)\s*(?P<bound>\d+)\s*)?\)\s*"
    r"(?:\+-|\+/-|±)\s*(?P<width>\d+/[1-9]\d*|\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)\s*"
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
    estimates: Callable[["Evidence"], dict[str, Estimate]]
    """From what is known of the column to the figure, by what it is the figure of."""
    telling: Callable[[Histogram], int]
    """Items that tell anything of the figure: those unlike the commonest, or on the rarer side of a share."""
    of_means: bool = False
    """Controls make it surer."""

    def met(self, found: Mapping[str, Estimate]) -> bool:
        """Return whether the intervals reach no further than `width` to either side."""
        return all(max(one.value - one.low, one.high - one.value) <= self.width for one in found.values())

    def enough(self, by_variant: Mapping[str, Histogram]) -> bool:
        """Return whether more than a handful of items tell anything: a rare column looks sure until its first hit."""
        return all(self.telling(histogram) >= LEAST for histogram in by_variant.values())


def parse(text: str, game_name: str, variants: Sequence[str]) -> Target:
    """Return a target as typed.

    Raises PipelineError for what cannot be read, an unknown column, or a difference of fewer than two sets.
    """
    columns = game(game_name).counted_columns
    match = _GRAMMAR.fullmatch(text)
    if match is None:
        raise PipelineError(f"--until {text!r} cannot be read", EXAMPLES)
    what, column = match["what"], match["column"]
    width = float(Fraction(match["width"])) / (100 if match["percent"] else 1)
    if (what == "share") != bool(match["sign"]) or (match["percent"] and what != "share"):
        raise PipelineError(f"--until {text!r} cannot be read", EXAMPLES)
    if match["p"] and int(match["p"]) == 0:
        raise PipelineError(f"--until {text!r}: no item lies below quantile p{match['p']}", "give p1 to p99")
    if what == "share" and not match["percent"] and "/" not in match["width"]:
        raise PipelineError(
            f"--until {text!r}: it does not say {match['width']} of what", f"write +- {match['width']} %, or +- 1/1000"
        )
    if column not in columns:
        raise PipelineError(f"--until {text!r}: no column {column!r}", nearest(column, columns))
    if width == 0:
        raise PipelineError(f"--until {text!r}: an interval of no width is never reached", EXAMPLES)
    if what == "difference":
        if len(variants) < 2:
            raise PipelineError(f"--until {text!r} needs two sets to compare", "give --dice twice")
        return Target(text, column, width, lambda known: known.differences(column), _unlike, of_means=True)
    if what == "mean":
        return Target(text, column, width, lambda known: known.means(column), _unlike, of_means=True)
    figure: Callable[[Histogram], Estimate]
    telling: Callable[[Histogram], int] = _unlike
    if what == "share":
        compare, bound = _SIGNS[match["sign"]], int(match["bound"])

        def hits(histogram: Histogram) -> int:
            return int(histogram.counts[compare(histogram.values, bound)].sum())

        def figure(histogram: Histogram) -> Estimate:
            return estimates.share_estimate(hits(histogram), histogram.n)

        def telling(histogram: Histogram) -> int:
            return min(hits(histogram), histogram.n - hits(histogram))

    else:
        p = 0.5 if what == "median" else int(match["p"]) / 100

        def figure(histogram: Histogram) -> Estimate:
            return estimates.quantile_estimate(histogram, p)

    return Target(
        text,
        column,
        width,
        lambda known: {name: figure(histogram) for name, histogram in known.histograms.items()},
        telling,
    )


def _unlike(histogram: Histogram) -> int:
    return histogram.n - int(histogram.counts.max(initial=0))


@dataclass(frozen=True)
class Evidence:
    """What is known of a column over the first boards of each variant. `samples`: what controls its means, where that
    is known; `rolls`: of variants that come from the same rolls as the first."""

    histograms: Mapping[str, Histogram]
    samples: Mapping[str, Sample | None]
    rolls: Mapping[str, Rolls]

    def means(self, column: str) -> dict[str, Estimate]:
        return {
            name: mean_of(column, histogram, self.samples[name]).estimate for name, histogram in self.histograms.items()
        }

    def differences(self, column: str) -> dict[str, Estimate]:
        """Return each later variant less the first."""
        first, *others = self.histograms
        found = {}
        for other in others:
            a, b = self.histograms[first], self.histograms[other]
            samples = self.samples[first], self.samples[other]
            if samples[0] is None or samples[1] is None:
                estimate = estimates.mean_difference(a, b).mean
            else:
                estimate = difference_of(column, a, b, (samples[0], samples[1]), self.rolls.get(other)).difference.mean
            found[f"{other} - {first}"] = estimate
        return found


def checkpoints(cap: int) -> Iterator[int]:
    """Yield the number of boards after which to check, the last one `cap`."""
    boards = FIRST
    while boards < cap:
        yield boards
        boards = int(boards * GROWTH)
    yield cap


class Prefix:
    """What is known of one column over the first boards of each variant; every part is read once or twice."""

    def __init__(self, variants: Sequence[str], target: Target) -> None:
        self.target = target
        self.done = 0
        self.histograms = {variant: Histogram.merged([]) for variant in variants}
        self.sums = {variant: Moments.none(()) for variant in variants}
        self.together = {variant: Together() for variant in variants[1:]}

    def advance(self, reader: Reader, boards: int) -> Evidence:
        """Go on to the first `boards` rows, which must be there."""
        samples: dict[str, Sample | None] = dict.fromkeys(self.histograms)
        for variant, held in self.histograms.items():
            more = reader.histogram_between(variant, self.target.column, self.done, boards)
            self.histograms[variant] = Histogram.merged([held, more])
            if self.target.of_means and reader.game.keeps_sums:
                self.sums[variant] += reader.sums_between(variant, self.done, boards)
                known = reader.known(variant) if boards >= CONTROLLED_FROM else None
                samples[variant] = None if known is None else Sample(self.sums[variant].over(known.columns), known)
        self.done = boards
        return Evidence(self.histograms, samples, self._rolls(reader, boards) if any(samples.values()) else {})

    def _rolls(self, reader: Reader, boards: int) -> dict[str, Rolls]:
        if not self.target.text.lstrip().startswith("difference"):
            return {}
        first = next(iter(self.histograms))
        run, rolls = reader.store.run, reader.game.rolls
        return {
            variant: together.rolls((reader, first), (reader, variant), min(boards, most_rolled(len(self.histograms))))
            for variant, together in self.together.items()
            if rolls(run, variant) == rolls(run, first)
        }


def outcome(target: Target, boards: int, found: Mapping[str, Estimate], reached: bool) -> Stop:
    """Return what run.json says of it."""
    known = {name: Interval(**without_nan(one._asdict())) for name, one in found.items()}
    return Stop(target=target.text, boards=boards, reached=reached, estimates=known)


def sentence(stop: Stop, rows: str) -> str:
    """Say why a run has as many boards as it has."""
    known = ", ".join(
        f"{name} {one.value:,.6g}"
        + ("" if one.low is None or one.high is None else f" ± {max(one.value - one.low, one.high - one.value):.3g}")
        for name, one in stop.estimates.items()
    )
    if stop.reached:
        return f"Stopped at {stop.boards:,} {rows} of each set, because --until '{stop.target}' was reached ({known})."
    return (
        f"Ended at the cap of {stop.boards:,} {rows} of each set before --until '{stop.target}' was reached "
        f"({known}); more --boards go on."
    )

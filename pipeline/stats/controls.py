"""Means of random items made sharper by controls: columns whose means are known exactly.

Words and points of a board go along with its ways, and the mean of the ways is known. With y the metric, x the
controls and mu their means, mean(y) - b (mean(x) - mu) has the same mean as y for any b, and the least variance for the
coefficients of the regression of y on x (S. S. Lavenberg, P. D. Welch, A perspective on the use of control variables to
increase the efficiency of Monte Carlo simulations, Management Science 27, 1981).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats import estimates
from pipeline.stats.estimates import LEVEL, Difference, Estimate
from pipeline.stats.histograms import Histogram
from pipeline.stats.moments import Moments

Floats = npt.NDArray[np.float64]
Method = Literal["plain", "controlled", "exact"]
CONTROLLED_FROM = 2_000
"""Items from which on controls are used."""
TELLING = 1_000
"""Items unlike the commonest value from which on a mean is controlled: coefficients of fewer follow chance."""


@dataclass(frozen=True)
class Controlled:
    """The mean of a metric, estimated with controls and without.

    variance: that of `mean`; `freedom`: degrees of freedom of its estimate. `worth`: so many items would be needed
    without controls for each one with them. `controls`: those used; others are constant or follow from these.
    """

    n: int
    mean: float
    variance: float
    freedom: int
    plain: float
    plain_variance: float
    controls: tuple[str, ...]

    @property
    def worth(self) -> float:
        return self.plain_variance / self.variance if self.variance > 0 else float("inf")


def controlled(
    sums: Moments, metric: Mapping[str, float], known: Mapping[str, float], means: Moments | None = None
) -> Controlled:
    """Return the mean of a sum of columns times factors, with controls whose exact means are `known`.

    The variance is that of the regression's value at mu: residual variance times
    1/n + (mean(x) - mu) (n Sxx)^-1 (mean(x) - mu), the residual variance with n - c - 1 degrees of freedom; so the
    interval holds for small runs too. Without controls it is the plain one. `means`: sums of more items, of which those
    of `sums` are some, without products of all columns: means come from these, coefficients and variances from `sums`.

    Raises ValueError for fewer than three items more than controls.
    """
    m = sums.n
    whole = sums if means is None else means
    n = whole.n
    if m < len(known) + 3:
        raise ValueError(f"{m} items are too few for {len(known)} controls; {len(known) + 3} are needed")
    names = list(metric)
    factors = np.array([metric[name] for name in names])
    plain = float(whole.mean(names) @ factors)
    spread = float(factors @ sums.covariance(names, names) @ factors)
    plain_variance = spread * m / (m - 1) / n
    controls = list(known)
    used, whitening = _independent(sums.covariance(controls, controls))
    chosen = [controls[place] for place in used]
    along = whitening @ (sums.covariance(chosen, names) @ factors)
    off = whitening @ (whole.mean(chosen) - np.array([known[name] for name in chosen]))
    freedom = m - len(chosen) - 1
    residual = max(spread - float(along @ along), 0.0) * m / freedom
    variance = residual * (1 / n + float(off @ off) / m)
    return Controlled(n, plain - float(along @ off), variance, freedom, plain, plain_variance, tuple(chosen))


PAIRS_FROM = (2_000, 20_000, 100_000)
"""Items from which on pairs of words of the shortest, second and third length are controls."""


def advised(n: int, always: Sequence[str], by_and_by: Sequence[str]) -> list[str]:
    """Return the controls that pay for so many items: of those that come by and by one from 2,000 items on, a second
    from 20,000, a third from 100,000; none below 2,000.

    Few boards have very many pairs, the more so the longer the words. While there are few such boards in a run its
    coefficients follow them, which moves the estimate: with all pairs by 0.13 of its standard error for 5,000 boards
    of `new`, and 95 % intervals then hold the mean in 93 to 94.5 %. tests/proofs/coverage_of_controls.py measures it.
    """
    if n < CONTROLLED_FROM:
        return []
    return [*always, *by_and_by[: sum(n >= start for start in PAIRS_FROM)]]


def _independent(covariance: Floats) -> tuple[list[int], Floats]:
    """Columns that are neither constant nor follow from those before, and the inverse of the lower Cholesky factor of
    their covariance: it turns them into uncorrelated columns of variance one."""
    used: list[int] = []
    lower = np.zeros_like(covariance)
    for place in range(len(covariance)):
        size = len(used)
        row = np.linalg.solve(lower[:size, :size], covariance[used, place]) if size else np.empty(0)
        left = covariance[place, place] - float(row @ row)
        if left > 1e-9 * covariance[place, place]:
            lower[size, :size] = row
            lower[size, size] = left**0.5
            used.append(place)
    size = len(used)
    whitening: Floats = np.linalg.inv(lower[:size, :size]).astype(np.float64)
    return used, whitening


@dataclass(frozen=True)
class Known:
    """Exact means of columns of which sums are kept. Of these `always` are controls, and `later` one by one as items
    grow in number. columns: all of which sums are kept."""

    columns: tuple[str, ...]
    means: Mapping[str, float]
    always: tuple[str, ...]
    later: tuple[str, ...]

    def controls(self, n: int) -> dict[str, float]:
        """Return the controls that pay for so many items, with their means."""
        return {name: self.means[name] for name in advised(n, self.always, self.later)}

    def renamed(self, prefix: str) -> "Known":
        """Return the same with a prefix to every name."""
        means = {prefix + name: mean for name, mean in self.means.items()}
        columns, always, later = (
            tuple(prefix + name for name in names) for names in (self.columns, self.always, self.later)
        )
        return Known(columns, means, always, later)


class MeanEstimate(NamedTuple):
    """A mean with its interval, how it was had, and the plain one beside it.

    worth: so many items would give the plain mean as narrow an interval for each one of these.
    """

    value: float
    low: float
    high: float
    method: Method
    worth: float
    plain: Estimate

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.value, self.low, self.high)

    def as_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "plain": self.plain._asdict()}


@dataclass(frozen=True)
class Sample:
    """What is known of all items beside their histograms: exact sums, and exact means of some columns."""

    sums: Moments
    known: Known

    @property
    def controls(self) -> dict[str, float]:
        return self.known.controls(self.sums.n)


def mean_of(name: str, histogram: Histogram, sample: Sample | None = None, level: float = LEVEL) -> MeanEstimate:
    """Return the mean of a column: exact where it is known, controlled where that pays, else plain."""
    plain = estimates.mean_estimate(histogram, level)
    if sample is None:
        return MeanEstimate(*plain, "plain", 1.0, plain)
    if name in sample.known.means:
        exact = sample.known.means[name]
        return MeanEstimate(exact, exact, exact, "exact", math.inf, plain)
    if not _pays(histogram, sample):
        return MeanEstimate(*plain, "plain", 1.0, plain)
    got = controlled(sample.sums, {name: 1.0}, sample.controls)
    half = estimates.student_quantile(got.freedom, level) * math.sqrt(got.variance)
    low = got.mean - half
    floor = 0.0 if int(histogram.values[0]) >= 0 else -math.inf
    return MeanEstimate(max(floor, got.mean), max(floor, low), got.mean + half, "controlled", got.worth, plain)


def _pays(histogram: Histogram, sample: Sample) -> bool:
    """Controls are used where there are enough items, more than a few of them tell anything, and they vary in more
    than one step."""
    unlike = histogram.n - int(histogram.counts.max(initial=0))
    return bool(sample.controls) and unlike >= TELLING and int(histogram.values[-1]) - int(histogram.values[0]) > 1


@dataclass(frozen=True)
class Rolls:
    """Two sets of items that come from the same rolls. `sums`: of the first of them, those of A named `a.`, of B `b.`,
    with the products of one side with the other."""

    sums: Moments

    def difference(self, factors: Mapping[str, float], a: Sample, b: Sample) -> Controlled:
        """Return the mean of a sum of columns of both sides, over all items, with controls of both."""
        known = a.known.renamed("a.").controls(self.sums.n) | b.known.renamed("b.").controls(self.sums.n)
        names = [*factors, *known]
        whole = a.sums.renamed("a.").beside(b.sums.renamed("b.")).over(names)
        return controlled(self.sums.over(names), factors, known, whole)


class MeanDifference(NamedTuple):
    """B - A of two means. worth: so many pairs of independent items would be needed for each one of these."""

    difference: Difference
    mean_a: float
    mean_b: float
    method: Method
    worth: float


def difference_of(
    name: str,
    a: Histogram,
    b: Histogram,
    samples: tuple[Sample, Sample],
    rolls: Rolls | None = None,
    level: float = LEVEL,
) -> MeanDifference:
    """Return the difference of the means of a column on two sides: exact, or controlled where that pays on both sides;
    where both come from the same `rolls`, item by item.
    """
    one, other = samples
    independent = estimates.mean_difference(a, b, level)
    if name in one.known.means and name in other.known.means:
        mean_a, mean_b = one.known.means[name], other.known.means[name]
        shift = Estimate(mean_b - mean_a, mean_b - mean_a, mean_b - mean_a)
        ratio = mean_b / mean_a - 1
        exact = Difference(shift, Estimate(ratio, ratio, ratio), independent.effect, math.nan, rolls is not None)
        return MeanDifference(exact, mean_a, mean_b, "exact", math.inf)
    if not (_pays(a, one) and _pays(b, other)):
        return MeanDifference(independent, estimates.mean(a), estimates.mean(b), "plain", 1.0)
    mean_a, mean_b = mean_of(name, a, one).value, mean_of(name, b, other).value
    per_a, per_b = (1 / mean_a, 1 / mean_b) if mean_a > 0 and mean_b > 0 else (math.nan, math.nan)
    if rolls is None:
        left, right = (controlled(side.sums, {name: 1.0}, side.controls) for side in samples)
        variance, freedom = left.variance + right.variance, min(left.freedom, right.freedom)
        relative_variance = left.variance * per_a**2 + right.variance * per_b**2
    else:
        got = rolls.difference({"b." + name: 1.0, "a." + name: -1.0}, one, other)
        mean_b = mean_a + got.mean
        variance, freedom = got.variance, got.freedom
        relative_variance = (
            math.nan
            if math.isnan(per_a)
            else rolls.difference({"b." + name: per_b, "a." + name: -per_a}, one, other).variance
        )
    factor = estimates.student_quantile(freedom, level)
    difference = estimates.difference_from(
        (a, b), (mean_a, mean_b), factor * math.sqrt(variance), factor * math.sqrt(relative_variance), variance,
        paired=rolls is not None,
    )  # fmt: skip
    of_independent = estimates.variance(a) / a.n + estimates.variance(b) / b.n
    worth = of_independent / variance if variance > 0 else math.inf
    return MeanDifference(difference, mean_a, mean_b, "controlled", worth)

"""How far two distributions are apart: Kolmogorov-Smirnov, Mann-Whitney, chances, quantiles. A is the first named.

p-values are two-sided. scipy gives the same figures from raw rows; its import takes longer than a report.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimates import LEVEL, Estimate, quantile_estimate
from pipeline.stats.histograms import Histogram


def on_common_values(
    a: Histogram, b: Histogram
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the union of their values, ascending, and the counts of both on it: int64[k] each."""
    values = np.union1d(a.values, b.values)
    counts = []
    for one in (a, b):
        row = np.zeros(len(values), np.int64)
        row[np.searchsorted(values, one.values)] = one.counts
        counts.append(row)
    return values, counts[0], counts[1]


def kolmogorov_smirnov(a: Histogram, b: Histogram) -> float:
    """Return the largest distance of the two distribution functions."""
    _, in_a, in_b = on_common_values(a, b)
    return float(np.abs(np.cumsum(in_a) / a.n - np.cumsum(in_b) / b.n).max())


def kolmogorov_smirnov_p(a: Histogram, b: Histogram) -> float:
    """Return the chance of a distance as large between independent samples of one continuous law; too large where
    values tie.

    The one-sample law at the rounded effective size n m / (n + m). Exact to nine decimals from sizes of some
    thousands, to five from a hundred.
    """
    return kolmogorov_survival(kolmogorov_smirnov(a, b), max(1, round(a.n * b.n / (a.n + b.n))))


def kolmogorov_survival(distance: float, n: int) -> float:
    """Return P(D_n > distance) for the one-sample statistic of n items.

    Sources: Pelz and Good, Journal of the Royal Statistical Society B 38 (1976), with terms to n^-1.5; in the far tail
    twice the one-sided exp(-(6 n d + 1)^2 / (18 n)) of Maag and Dicaire, Biometrika 58 (1971).
    """
    z = math.sqrt(n) * distance
    if z < 0.05:
        return 1.0
    if z > 3:
        return min(1.0, 2 * math.exp(-((6 * n * distance + 1) ** 2) / (18 * n)))
    return min(1.0, max(0.0, 1 - _pelz_good(z, n)))


def _pelz_good(z: float, n: int) -> float:
    """P(sqrt(n) D_n <= z) for 0.05 <= z <= 3, where twenty terms are more than enough."""
    pi2 = math.pi**2
    terms = np.arange(20)
    odd2 = pi2 * (terms + 0.5) ** 2
    even2 = pi2 * terms**2
    at_odd = np.exp(-odd2 / (2 * z * z))
    at_even = np.exp(-even2 / (2 * z * z))
    root = math.sqrt(2 * math.pi)
    zeroth = root / z * at_odd.sum()
    first = root / (6 * z**4) * ((odd2 - z**2) * at_odd).sum()
    second = (
        root
        / (72 * z**7)
        * ((6 * z**6 + 2 * z**4 + odd2 * (2 * z**4 - 5 * z**2) + odd2**2 * (1 - 2 * z**2)) * at_odd).sum()
        - root / (36 * z**3) * (even2 * at_even).sum()
    )
    third = (
        root
        / (6480 * z**10)
        * (
            (
                odd2**3 * (5 - 30 * z**2)
                + odd2**2 * (-60 * z**2 + 212 * z**4)
                + odd2 * (135 * z**4 - 96 * z**6)
                - 30 * z**6
                - 90 * z**8
            )
            * at_odd
        ).sum()
        + root / (216 * z**6) * (even2 * (3 * z * z - even2) * at_even).sum()
    )
    return float(zeroth + first / n**0.5 + second / n + third / n**1.5)


class Odds(NamedTuple):
    """One board of each: chances that B is above A, that they tie, that A is above B."""

    b_above: float
    tie: float
    a_above: float


def _pairs(a: Histogram, b: Histogram) -> tuple[int, int]:
    """Pairs of an item of A and an item of B in which B is above, and in which they tie; exact."""
    _, in_a, in_b = on_common_values(a, b)
    below = np.cumsum(in_a) - in_a
    above = sum(x * y for x, y in zip(in_b.tolist(), below.tolist(), strict=True))
    tie = sum(x * y for x, y in zip(in_a.tolist(), in_b.tolist(), strict=True))
    return above, tie


def odds(a: Histogram, b: Histogram) -> Odds:
    """Exact over all pairs of items."""
    above, tie = _pairs(a, b)
    pairs = a.n * b.n
    return Odds(float(Fraction(above, pairs)), float(Fraction(tie, pairs)), float(Fraction(pairs - above - tie, pairs)))


class MannWhitney(NamedTuple):
    """`u`: pairs in which B is above A, ties as half; u / (n m) is the chance that B wins where ties are tossed for."""

    u: float
    p_value: float


def mann_whitney(a: Histogram, b: Histogram) -> MannWhitney:
    """Normal approximation with correction for ties and for continuity; p is nan where all items are equal.

    Source: Conover, Practical Nonparametric Statistics, section 5.1.
    """
    above, tie = _pairs(a, b)
    twice_u = 2 * above + tie
    n = a.n + b.n
    tied = sum(count**3 - count for count in Histogram.merged([a, b]).counts.tolist())
    if n < 2 or tied == n**3 - n:
        return MannWhitney(twice_u / 2, math.nan)
    spread = math.sqrt(Fraction(a.n * b.n, 12) * (n + 1 - Fraction(tied, n * (n - 1))))
    z = (abs(twice_u - a.n * b.n) - 1) / 2 / spread
    return MannWhitney(twice_u / 2, min(1.0, math.erfc(z / math.sqrt(2))))


def quantile_difference(a: Histogram, b: Histogram, p: float, level: float = LEVEL) -> Estimate:
    """Return the quantile of B minus quantile of A, with an interval made from the two order-statistic intervals.

    Source: Zou and Donner, Statistics in Medicine 27 (2008): the distances of the limits are added as squares. For
    samples of the same boards the interval is wider than it need be.
    """
    in_a, in_b = quantile_estimate(a, p, level), quantile_estimate(b, p, level)
    shift = in_b.value - in_a.value
    low = shift - math.hypot(in_b.value - in_b.low, in_a.high - in_a.value)
    high = shift + math.hypot(in_b.high - in_b.value, in_a.value - in_a.low)
    return Estimate(shift, low, high)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for having tested all of them, in the order given; nan is no test and stays.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    tested = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    adjusted = list(p_values)
    reached = 0.0
    for rank, (p, place) in enumerate(tested):
        reached = max(reached, min(1.0, p * (len(tested) - rank)))
        adjusted[place] = reached
    return adjusted

"""Statistics as functions over exact histograms: nothing here sees a row.

Intervals are 95 % unless a level is given.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.gamma import gamma_quantile
from pipeline.stats.histograms import Histogram

LEVEL = 0.95


class Interval(NamedTuple):
    low: float
    high: float


class Estimate(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


def normal_quantile(level: float = LEVEL) -> float:
    """Return the two-sided normal factor: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + level) / 2)


def mean(histogram: Histogram) -> float:
    return float(Fraction(histogram.total, histogram.n)) if histogram.n else math.nan


def variance(histogram: Histogram) -> float:
    """Sample variance (divisor n - 1), from exact integer sums; nan for fewer than two items."""
    n = histogram.n
    if n < 2:
        return math.nan
    return float(Fraction(n * histogram.power_sum(2) - histogram.total**2, n * (n - 1)))


def standard_deviation(histogram: Histogram) -> float:
    return math.sqrt(variance(histogram))


def skewness(histogram: Histogram) -> float:
    """Return the moment coefficient m3 / m2^1.5 (biased, as scipy.stats.skew); nan where all items are equal."""
    n = histogram.n
    if n == 0:
        return math.nan
    first, second, third = (histogram.power_sum(power) for power in (1, 2, 3))
    m2 = Fraction(n * second - first**2, n**2)
    m3 = Fraction(n * n * third - 3 * n * first * second + 2 * first**3, n**3)
    return float(m3) / float(m2) ** 1.5 if m2 else math.nan


FEW = 100
"""Items unlike the commonest value below which a mean that most items agree on gets an interval for rare counts."""


def mean_estimate(histogram: Histogram, level: float = LEVEL) -> Estimate:
    """Return the mean of whole numbers with its interval, which goes below 0 only where items do.

    Where more than half of the items have one value and few another it is that of rare counts (`_rare_mean`); of two
    neighbouring values Wilson's interval of a share; else mean +- t s / sqrt(n), Student's.
    """
    n = histogram.n
    if not n:
        return Estimate(math.nan, math.nan, math.nan)
    centre = mean(histogram)
    first, last = int(histogram.values[0]), int(histogram.values[-1])
    unlike = n - int(histogram.counts.max())
    if n > 1 and 2 * unlike < n and unlike < FEW:
        return _rare_mean(histogram, centre, level)
    if n > 1 and last - first == 1:
        share = share_estimate(int(histogram.counts[-1]), n, level)
        return Estimate(centre, first + share.low, first + share.high)
    half = student_quantile(n - 1, level) * math.sqrt(variance(histogram) / n) if n > 1 else math.nan
    low = centre - half
    return Estimate(centre, max(0.0, low) if first >= 0 else low, centre + half)


def _rare_mean(histogram: Histogram, centre: float, level: float) -> Estimate:
    """The mean as the commonest value plus sums of rare steps up and down, whose intervals are put together.

    Sums of weighted Poisson counts: Fay and Feuer, Statistics in Medicine 16 (1997); their difference by the method of
    variance estimates recovery: Zou and Donner, Statistics in Medicine 27 (2008).
    """
    steps = histogram.values - histogram.values[histogram.counts.argmax()]
    up, down = (
        _rare_sum(sign * steps[sign * steps > 0], histogram.counts[sign * steps > 0], histogram.n, level)
        for sign in (1, -1)
    )
    low = centre - math.hypot(up.value - up.low, down.high - down.value)
    high = centre + math.hypot(up.high - up.value, down.value - down.low)
    return Estimate(centre, max(0.0, low) if histogram.values[0] >= 0 else low, high)


def _rare_sum(steps: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], n: int, level: float) -> Estimate:
    """Sum of steps (positive) times counts, over n, with its gamma interval.

    No step is taken to be larger than those seen; without any, than 1.
    """
    tail = (1 - level) / 2
    weight = (int(steps.max()) if len(steps) else 1) / n
    value = float(steps @ counts) / n
    spread = float((steps * steps) @ counts) / n**2
    low = spread / value * gamma_quantile(value * value / spread, tail) if len(steps) else 0.0
    more, wider = value + weight, spread + weight * weight
    return Estimate(value, low, wider / more * gamma_quantile(more * more / wider, 1 - tail))


def student_quantile(freedom: int, level: float = LEVEL) -> float:
    """Return the two-sided factor of Student's t: 2.26 for 9 degrees of freedom, 1.96 for very many.

    Hill's expansion in 1 / freedom, to four digits from 3 on; exact for 1 and 2. Source: G. Hill, Communications of
    the ACM 13 (1970), algorithm 396.
    """
    p = 1 - level
    if freedom == 1:
        return math.tan(math.pi / 2 * level)
    if freedom == 2:
        return math.sqrt(2 / (p * (2 - p)) - 2)
    z = normal_quantile(level)
    n = float(freedom)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / n**power for power, term in enumerate(terms))


def quantile(histogram: Histogram, p: float) -> int:
    """Return the smallest value v with F(v) >= p."""
    rank = max(1, math.ceil(Fraction(p).limit_denominator(10**6) * histogram.n))
    return _value_of_rank(histogram, rank)


def _value_of_rank(histogram: Histogram, rank: int) -> int:
    """The rank-th smallest item, from 1."""
    return int(histogram.values[np.searchsorted(histogram.cumulative, rank)])


def quantile_estimate(histogram: Histogram, p: float, level: float = LEVEL) -> Estimate:
    """Return the quantile with its order-statistic interval: the items of ranks that hold it with this level.

    Where no item is far enough out, the interval has no end there: it begins at 0 (or at -inf where items are below
    0), and ends at inf. Source: Conover, Practical Nonparametric Statistics, section 3.2.
    """
    n = histogram.n
    low, high = _quantile_ranks(n, p, level)
    below = 0.0 if int(histogram.values[0]) >= 0 else -math.inf
    return Estimate(
        quantile(histogram, p),
        _value_of_rank(histogram, low) if low >= 1 else below,
        _value_of_rank(histogram, high) if high <= n else math.inf,
    )


EXACT_RANKS = 5_000
"""Items up to which ranks come from the binomial law itself; beyond, from its normal approximation."""


@lru_cache(maxsize=4096)
def _quantile_ranks(n: int, p: float, level: float) -> tuple[int, int]:
    """The largest rank, 0 for none, and the smallest, n + 1 for none, outside which the quantile is with less chance
    than half of 1 - level each: as many of n items lie at or below it as successes of chance p.
    """
    tail = (1 - level) / 2
    if n > EXACT_RANKS and min(p, 1 - p) * n > 100:
        half = normal_quantile(level) * math.sqrt(n * p * (1 - p))
        return math.floor(n * p - half), math.ceil(n * p + half) + 1
    low, below = 0, 0.0
    logs = math.lgamma(n + 1), math.log(p), math.log1p(-p)
    up_to = min(n, math.ceil(n * p + 40 * math.sqrt(n * p * (1 - p)) + 40))
    high, found = n + 1, False
    for successes in range(up_to + 1):
        chance = math.exp(
            logs[0] - math.lgamma(successes + 1) - math.lgamma(n - successes + 1)
            + successes * logs[1] + (n - successes) * logs[2]
        )  # fmt: skip
        below += chance
        if below <= tail:
            low = successes + 1
        # P(more than `successes`) <= tail: the item of the next rank is above the quantile.
        if not found and 1 - below <= tail:
            high, found = successes + 1, True
    return low, high


def share_estimate(hits: int, n: int, level: float = LEVEL) -> Estimate:
    """Return a share with Wilson's score interval."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    z = normal_quantile(level)
    share = hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if hits == 0 else centre - half
    high = 1.0 if hits == n else centre + half
    return Estimate(share, max(0.0, low), min(1.0, high))


def share_difference(hits_a: int, n_a: int, hits_b: int, n_b: int) -> Estimate:
    """Return B - A of two shares with the hybrid score interval of Newcombe 1998 (his method 10), from Wilson's of
    each.

    It is made for independent samples; for the same items on both sides it is wider than it need be.
    """
    a, b = share_estimate(hits_a, n_a), share_estimate(hits_b, n_b)
    difference = b.value - a.value
    below = math.hypot(b.value - b.low, a.high - a.value)
    above = math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(difference, difference - below, difference + above)


def share_of_search(hits: int, tried: int, complete: bool, level: float = LEVEL) -> Estimate:
    """Return the share of boards that satisfy a condition, with its exact interval.

    A search that stops at its last hit tries a negative binomial number of boards (unbiased: (k - 1) / (n - 1)); one
    that ends at its limit has binomial hits. Source: Clopper and Pearson 1934; for inverse sampling Lui 1995.
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(hits, tried - hits + 1, tail)) if hits else 0.0
    misses = tried - hits
    if complete:
        share = (hits - 1) / (tried - 1) if hits > 1 else hits / tried
        high = float(betaincinv(hits, misses, 1 - tail)) if misses else 1.0
    else:
        share = hits / tried
        high = float(betaincinv(hits + 1, misses, 1 - tail)) if misses else 1.0
    return Estimate(share, low, high)


def band(n: int, level: float = LEVEL) -> float:
    """Return half the width of the band around a cumulative curve of n items that holds the true one everywhere.

    Source: Dvoretzky, Kiefer and Wolfowitz 1956, with the constant of Massart 1990.
    """
    return math.sqrt(math.log(2 / (1 - level)) / (2 * n))


@dataclass(frozen=True)
class Difference:
    """B - A of two samples. `relative` is to the mean of A; `effect` divides by sqrt((var A + var B) / 2)."""

    mean: Estimate
    relative: Estimate
    effect: float
    p_value: float
    paired: bool


def mean_difference(a: Histogram, b: Histogram, level: float = LEVEL) -> Difference:
    """Return the difference of the means of two independent samples (Welch's variance, normal interval)."""
    return _plain_difference(a, b, variance(a) / a.n + variance(b) / b.n, level, paired=False)


def paired_difference(a: Histogram, b: Histogram, differences: Histogram, level: float = LEVEL) -> Difference:
    """Return the difference of means where both samples come from the same rolls: `differences` is the histogram of
    B - A item by item.
    """
    return _plain_difference(a, b, variance(differences) / differences.n, level, paired=True)


def _plain_difference(a: Histogram, b: Histogram, squared_error: float, level: float, paired: bool) -> Difference:
    """From the squared standard error of the difference, so that pairing counts for the relative one too."""
    factor = normal_quantile(level)
    mean_a, mean_b = mean(a), mean(b)
    relative = math.nan
    if mean_a > 0 and mean_b > 0:
        own_a, own_b = variance(a) / a.n, variance(b) / b.n
        together = (own_a + own_b - squared_error) / 2
        relative = max(0.0, own_a / mean_a**2 + own_b / mean_b**2 - 2 * together / (mean_a * mean_b))
    return difference_from(
        (a, b), (mean_a, mean_b), factor * math.sqrt(squared_error), factor * math.sqrt(relative), squared_error, paired
    )


def difference_from(
    sides: tuple[Histogram, Histogram],
    means: tuple[float, float],
    half: float,
    relative_half: float,
    squared_error: float,
    paired: bool,
) -> Difference:
    """Return the difference of two means: `half` the width of its interval and its squared standard error.

    The relative difference, mean B / mean A - 1, has its interval from the logarithm of the ratio (delta method), half
    as wide as `relative_half`; nan without positive means.
    """
    (a, b), (mean_a, mean_b) = sides, means
    shift = mean_b - mean_a
    spread = math.sqrt((variance(a) + variance(b)) / 2)
    error = math.sqrt(squared_error)
    if math.isnan(error):
        p_value = math.nan
    elif error > 0:
        p_value = math.erfc(abs(shift) / error / math.sqrt(2))
    else:
        p_value = 1.0 if shift == 0 else 0.0
    relative = Estimate(mean_b / mean_a - 1 if mean_a else math.nan, math.nan, math.nan)
    if mean_a > 0 and mean_b > 0 and not math.isnan(error):
        ratio, factor = mean_b / mean_a, math.exp(relative_half)
        relative = Estimate(ratio - 1, ratio / factor - 1, ratio * factor - 1)
    return Difference(
        mean=Estimate(shift, shift - half, shift + half),
        relative=relative,
        effect=shift / spread if spread else math.nan,
        p_value=p_value,
        paired=paired,
    )


class LogNormal(NamedTuple):
    """Log-normal fitted to the positive items: `mu` and `sigma` of the logarithms (divisor n), `positive` items used.

    `distance` is the largest gap between the distribution function of the items and the fitted one.
    """

    mu: float
    sigma: float
    positive: int
    distance: float


def log_normal_fit(histogram: Histogram) -> LogNormal:
    """Return the maximum likelihood; the distance is the one-sample Kolmogorov-Smirnov statistic. nan without two
    unequal
    items.

    Whole numbers tie, so half the share of the commonest value is in the distance even of a perfect fit.
    """
    positive = histogram.values > 0
    counts = histogram.counts[positive]
    n = int(counts.sum())
    if len(counts) < 2:
        return LogNormal(math.nan, math.nan, n, math.nan)
    logs = np.log(histogram.values[positive])
    mu = float(counts @ logs) / n
    sigma = math.sqrt(float(counts @ (logs - mu) ** 2) / n)
    fitted = np.array([normal_cdf((log - mu) / sigma) for log in logs.tolist()])
    reached = np.cumsum(counts)
    above = (reached / n - fitted).max()
    below = (fitted - (reached - counts) / n).max()
    return LogNormal(mu, sigma, n, float(max(above, below)))


def normal_cdf(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2

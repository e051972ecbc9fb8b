"""Statistics as functions over exact histograms: nothing here sees a row.

Intervals are 95 % unless a level is given.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

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
    """The two-sided normal factor: 1.96 for 0.95."""
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
    """Moment coefficient m3 / m2^1.5 (biased, as scipy.stats.skew); nan where all items are equal."""
    n = histogram.n
    if n == 0:
        return math.nan
    first, second, third = (histogram.power_sum(power) for power in (1, 2, 3))
    m2 = Fraction(n * second - first**2, n**2)
    m3 = Fraction(n * n * third - 3 * n * first * second + 2 * first**3, n**3)
    return float(m3) / float(m2) ** 1.5 if m2 else math.nan


def mean_estimate(histogram: Histogram, level: float = LEVEL) -> Estimate:
    """Mean with its normal interval: mean +- z s / sqrt(n)."""
    centre = mean(histogram)
    half = normal_quantile(level) * math.sqrt(variance(histogram) / histogram.n) if histogram.n > 1 else math.nan
    return Estimate(centre, centre - half, centre + half)


def quantile(histogram: Histogram, p: float) -> int:
    """The smallest value v with F(v) >= p."""
    rank = max(1, math.ceil(Fraction(p).limit_denominator(10**6) * histogram.n))
    return _value_of_rank(histogram, rank)


def _value_of_rank(histogram: Histogram, rank: int) -> int:
    """The rank-th smallest item, from 1."""
    return int(histogram.values[np.searchsorted(histogram.cumulative, rank)])


def quantile_estimate(histogram: Histogram, p: float, level: float = LEVEL) -> Estimate:
    """Quantile with its order-statistic interval: the items of ranks n p -+ z sqrt(n p (1 - p)), rounded outwards.

    Source: Conover, Practical Nonparametric Statistics, section 3.2.
    """
    n = histogram.n
    half = normal_quantile(level) * math.sqrt(n * p * (1 - p))
    low = min(n, max(1, math.floor(n * p - half)))
    high = max(1, min(n, math.ceil(n * p + half) + 1))
    return Estimate(quantile(histogram, p), _value_of_rank(histogram, low), _value_of_rank(histogram, high))


def share_estimate(hits: int, n: int, level: float = LEVEL) -> Estimate:
    """A share with Wilson's score interval."""
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
    """B - A of two shares with the hybrid score interval of Newcombe 1998 (his method 10), from Wilson's of each.

    It is made for independent samples; for the same items on both sides it is wider than it need be.
    """
    a, b = share_estimate(hits_a, n_a), share_estimate(hits_b, n_b)
    difference = b.value - a.value
    below = math.hypot(b.value - b.low, a.high - a.value)
    above = math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(difference, difference - below, difference + above)


def share_of_search(hits: int, tried: int, complete: bool, level: float = LEVEL) -> Estimate:
    """The share of boards that satisfy a condition, with its exact interval.

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
    """Half the width of the band around a cumulative curve of n items that holds the true one everywhere.

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
    """Difference of the means of two independent samples (Welch's variance, normal interval)."""
    error = math.sqrt(variance(a) / a.n + variance(b) / b.n)
    return _difference(a, b, mean(b) - mean(a), error, level, paired=False)


def paired_difference(a: Histogram, b: Histogram, differences: Histogram, level: float = LEVEL) -> Difference:
    """Difference of means where both samples hold the same boards: `differences` is the histogram of B - A by board."""
    error = math.sqrt(variance(differences) / differences.n)
    return _difference(a, b, mean(differences), error, level, paired=True)


def _difference(a: Histogram, b: Histogram, shift: float, error: float, level: float, paired: bool) -> Difference:
    half = normal_quantile(level) * error
    spread = math.sqrt((variance(a) + variance(b)) / 2)
    if math.isnan(error):
        p_value = math.nan
    elif error > 0:
        p_value = math.erfc(abs(shift) / error / math.sqrt(2))
    else:
        p_value = 1.0 if shift == 0 else 0.0
    return Difference(
        mean=Estimate(shift, shift - half, shift + half),
        relative=_relative(a, b, error, level),
        effect=shift / spread if spread else math.nan,
        p_value=p_value,
        paired=paired,
    )


def _relative(a: Histogram, b: Histogram, error: float, level: float) -> Estimate:
    """mean B / mean A - 1 with an interval from the logarithm of the ratio (delta method); nan without positive means.

    `error` is the standard error of the difference, so that pairing counts here too.
    """
    mean_a, mean_b = mean(a), mean(b)
    if not (mean_a > 0 and mean_b > 0) or math.isnan(error):
        return Estimate(mean_b / mean_a - 1 if mean_a else math.nan, math.nan, math.nan)
    own_a, own_b = variance(a) / a.n, variance(b) / b.n
    together = (own_a + own_b - error**2) / 2
    spread = math.sqrt(max(0.0, own_a / mean_a**2 + own_b / mean_b**2 - 2 * together / (mean_a * mean_b)))
    ratio, factor = mean_b / mean_a, math.exp(normal_quantile(level) * spread)
    return Estimate(ratio - 1, ratio / factor - 1, ratio * factor - 1)


class LogNormal(NamedTuple):
    """Log-normal fitted to the positive items: `mu` and `sigma` of the logarithms (divisor n), `positive` items used.

    `distance` is the largest gap between the distribution function of the items and the fitted one.
    """

    mu: float
    sigma: float
    positive: int
    distance: float


def log_normal_fit(histogram: Histogram) -> LogNormal:
    """Maximum likelihood; the distance is the one-sample Kolmogorov-Smirnov statistic. nan without two unequal items.

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

"""How many distinct words so many boards show, and how few words make most of the finds: from counts by word."""

import math

import numpy as np
import numpy.typing as npt

from pipeline.stats.histograms import Histogram


def growth(boards: npt.NDArray[np.int64], n: int, points: int = 40) -> list[tuple[int, float]]:
    """Return (m, distinct words expected on m of the n boards, drawn without replacement) for up to `points` m.

    `boards` is on how many of the n boards each word was, int64[words]. Exact: a word on f of n boards is missed by m
    of them with chance C(n - f, m) / C(n, m). Source: Hurlbert, Ecology 52 (1971), as rarefaction.
    """
    spread = Histogram.of(boards[boards > 0])
    sizes = sorted({max(1, round(n ** (place / points))) for place in range(1, points + 1)}) if n else []
    left = n - spread.values
    log_left = log_factorial(left)
    curve = []
    for m in sizes:
        can_miss = left >= m
        chance = np.exp(
            log_left[can_miss] - log_factorial(left[can_miss] - m) + (math.lgamma(n - m + 1) - math.lgamma(n + 1))
        )
        curve.append((m, float(spread.n - spread.counts[can_miss] @ chance)))
    return curve


def log_factorial(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """ln(n!) of each value, by Stirling's series from 16 on: exact to fourteen digits."""
    small = np.array([math.lgamma(value + 1) for value in range(16)])
    x = np.maximum(values, 16) + 1.0
    series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5) - 1 / (1680 * x**7)
    large = (x - 0.5) * np.log(x) - x + math.log(2 * math.pi) / 2 + series
    return np.where(values < 16, small[np.minimum(values, 15)], large)


def concentration(boards: npt.NDArray[np.int64], points: int = 60) -> list[tuple[int, float]]:
    """Return (k, share of all finds that the k commonest words have) for up to `points` k; empty without finds."""
    ordered = np.sort(boards[boards > 0])[::-1]
    if not len(ordered):
        return []
    cumulative = np.cumsum(ordered)
    ranks = sorted({max(1, round(len(ordered) ** (place / points))) for place in range(points + 1)})
    return [(rank, float(cumulative[rank - 1] / cumulative[-1])) for rank in ranks]

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
    return [(m, float(spread.n - spread.counts @ chance_to_miss(spread.values, m, n))) for m in sizes]


EXACT = 64
"""Factors up to which a chance is multiplied out."""


def chance_to_miss(on: npt.NDArray[np.int64], m: int, n: int) -> npt.NDArray[np.float64]:
    """Return C(n - f, m) / C(n, m) for each f of `on`, float64: the chance that m of n boards are none of f.

    A product of the smaller of f and m factors where there are few. Else by Stirling's series, written so that its
    large terms cancel before they are added: with u = f / n, v = m / n and p(x) = (1 - x) ln(1 - x) + x its logarithm
    is n (p(u) + p(v) - p(u + v)) and small terms.
    """
    on = np.asarray(on)
    chance = np.zeros(len(on))
    few = (np.minimum(on, m) <= EXACT) & (on + m <= n)
    for place in np.flatnonzero(few).tolist():
        f = int(on[place])
        factors = np.arange(min(f, m))
        chance[place] = math.exp(float(np.log1p(-max(f, m) / (n - factors)).sum()))
    many = ~few & (on + m + EXACT <= n)
    if not many.any():
        return chance
    u, v = on[many] / n, m / n
    logs = n * (_entropy(u) + _entropy(np.array([v])) - _entropy(u + v))
    logs += (np.log1p(-u) + math.log1p(-v) - np.log1p(-u - v)) / 2
    logs += (1 / (1 - u) + 1 / (1 - v) - 1 / (1 - u - v) - 1) / (12 * n)
    chance[many] = np.exp(logs)
    return chance


def _entropy(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(1 - x) ln(1 - x) + x for 0 <= x < 1, by its series x^k / (k (k - 1)) where it is small."""
    powers = np.arange(2, 24)
    near = np.polynomial.polynomial.polyval(x, np.concatenate([[0.0, 0.0], 1.0 / (powers * (powers - 1))]))
    return np.where(x < 0.1, near, (1 - x) * np.log1p(-x) + x)


def concentration(boards: npt.NDArray[np.int64], points: int = 60) -> list[tuple[int, float]]:
    """Return (k, share of all finds that the k commonest words have) for up to `points` k; empty without finds."""
    ordered = np.sort(boards[boards > 0])[::-1]
    if not len(ordered):
        return []
    cumulative = np.cumsum(ordered)
    ranks = sorted({max(1, round(len(ordered) ** (place / points))) for place in range(points + 1)})
    return [(rank, float(cumulative[rank - 1] / cumulative[-1])) for rank in ranks]

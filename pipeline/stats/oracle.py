"""Simulated means against their exact values: a test of shakes and solver together.

A shuffle that is not fair, a word that is missing from a trie, or a way that is counted twice moves some of these means
by many standard errors where the mean of words shows nothing.
"""

import math
from dataclasses import dataclass

from pipeline.stats.controls import CONTROLLED_FROM, Known, advised
from pipeline.stats.moments import Moments

MOST_ERRORS = 5.0
"""Standard errors between simulation and exact value from which on one of them is at fault."""
LEAST_EXPECTED = 1_000
"""Expected sum below which chance alone can be many standard errors away: such columns are not looked at."""


@dataclass(frozen=True)
class Check:
    """A column's simulated mean, its exact one, and their difference in standard errors."""

    column: str
    found: float
    expected: float
    errors: float

    @property
    def fault(self) -> bool:
        return abs(self.errors) > MOST_ERRORS


def check(sums: Moments, known: Known) -> list[Check]:
    """Return a check of every column that occurs often enough; none below 2,000 items."""
    n = sums.n
    if n < CONTROLLED_FROM:
        return []
    # Few boards have most of the pairs: as for controls, their mean is normal only with many boards.
    pairs = set(known.later) - set(advised(n, (), known.later))
    found = []
    for name, mean in known.means.items():
        if name in pairs or n * mean < LEAST_EXPECTED:
            continue
        simulated = float(sums.mean([name])[0])
        variance = float(sums.covariance([name], [name])[0, 0])
        error = math.sqrt(variance / n)
        away = simulated - mean
        errors = away / error if error > 0 else 0.0 if math.isclose(simulated, mean) else math.copysign(math.inf, away)
        found.append(Check(name, simulated, mean, errors))
    return found

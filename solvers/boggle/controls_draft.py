"""Means of random boards made sharper by controls: columns whose means are known exactly.

Words and points of a board go along with its ways, and the mean of the ways is known. With y the metric, x the
controls and mu their means, mean(y) - b (mean(x) - mu) has the same mean as y for any b, and the least variance for the
coefficients of the regression of y on x (S. S. Lavenberg, P. D. Welch, A perspective on the use of control variables to
increase the efficiency of Monte Carlo simulations, Management Science 27, 1981).

All that is needed of the boards are exact integer sums of columns and of products of two columns, which are merged by
addition.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.jit import kernel

Floats = npt.NDArray[np.float64]
_EXACT = 2**53
_LIMB = 2**64


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over boards of the products of any two columns, column 0 being all ones: so sums[0, 0] is the number of
    boards, sums[0, j] the sum of column j.

    sums: object[k + 1, k + 1], symmetric, Python integers of any size.
    """

    sums: npt.NDArray[np.object_]

    @classmethod
    def none(cls, columns: int) -> "Moments":
        """Of no board."""
        sums = np.empty((columns + 1, columns + 1), object)
        sums[:] = 0
        return cls(sums)

    @property
    def boards(self) -> int:
        return int(self.sums[0, 0])

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(self.sums + other.sums)

    def stored(self) -> npt.NDArray[np.uint64]:
        """Return the upper triangle row by row as 128-bit integers, low and high half: uint64[(k + 1)(k + 2) / 2, 2].

        Raises InputError where a sum is beyond 2**128.
        """
        numbers = self.sums[np.triu_indices(len(self.sums))].tolist()
        if max(numbers) >= _LIMB**2:
            raise InputError(f"a sum of products is {max(numbers):.3g}, more than 128 bits hold")
        return np.array([(number % _LIMB, number // _LIMB) for number in numbers], np.uint64)

    @classmethod
    def read(cls, stored: npt.NDArray[np.uint64]) -> "Moments":
        """Return what `stored` has given."""
        size = (int((8 * len(stored) + 1) ** 0.5) - 1) // 2
        sums = np.empty((size, size), object)
        rows, columns = np.triu_indices(size)
        low, high = stored.astype(object).T
        sums[rows, columns] = low + high * _LIMB
        sums[columns, rows] = sums[rows, columns]
        return cls(sums)

    def covariance(self, rows: Sequence[int], columns: Sequence[int]) -> Floats:
        """Return the mean product less product of means, rounded once: float64[rows, columns]; columns are numbered
        from 0.
        """
        boards = self.boards
        one, other = _places(rows), _places(columns)
        products = self.sums[np.ix_(one, other)] * boards
        means = np.outer(self.sums[0, one], self.sums[0, other])
        return np.array((products - means) / boards**2, np.float64).reshape(len(rows), len(columns))

    def mean(self, columns: Sequence[int]) -> Floats:
        """Return the mean of each column: float64[columns]."""
        return np.array(self.sums[0, _places(columns)] / self.boards, np.float64)


def _places(columns: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.asarray(columns, np.int64) + 1


def moments(columns: Sequence[npt.NDArray[np.integer]]) -> Moments:
    """Return the sums of a chunk of boards; columns: integers of 0 and more, one array[n] each. Exact whatever the
    numbers.

    Blocks whose products cannot pass 2**53 are summed in floating point, which is exact there; where single products
    do, in Python's integers.
    """
    table = Moments.none(len(columns))
    boards = len(columns[0]) if columns else 0
    if not boards:
        return table
    tops = [1, *(int(column.max()) for column in columns)]
    block = _EXACT // max(tops) ** 2
    if block == 0:
        ones = np.ones(boards, object)
        whole = np.stack([ones, *(column.astype(object) for column in columns)])
        return Moments(whole @ whole.T)
    values = np.empty((boards, len(columns) + 1), np.float64)
    values[:, 0] = 1
    for place, column in enumerate(columns):
        values[:, place + 1] = column
    sums = table.sums
    for start in range(0, boards, block):
        part = _products(values[start : start + block])
        sums = sums + np.array([[int(number) for number in row] for row in part.tolist()], object)
    return Moments(sums)


@kernel
def _products(values):  # type: ignore[no-untyped-def]
    """values.T @ values without the threads of a library for matrices."""
    size = values.shape[1]
    sums = np.zeros((size, size), np.float64)
    for row in range(len(values)):
        for one in range(size):
            factor = values[row, one]
            for other in range(size):
                sums[one, other] += factor * values[row, other]
    return sums


@dataclass(frozen=True)
class Controlled:
    """The mean of a metric, estimated with controls and without.

    variance: that of `mean`; `freedom`: degrees of freedom of its estimate. `worth`: so many boards would be needed
    without controls for each one with them. `controls`: those used; others are constant or follow from these.
    """

    boards: int
    mean: float
    variance: float
    freedom: int
    plain: float
    plain_variance: float
    controls: tuple[int, ...]

    @property
    def worth(self) -> float:
        return self.plain_variance / self.variance if self.variance > 0 else float("inf")


def controlled(moments: Moments, metric: int, controls: Sequence[int], means: Sequence[float]) -> Controlled:
    """Return the mean of column `metric` with the columns `controls`, whose exact means are given.

    The variance is that of the regression's value at mu: residual variance times
    1/n + (mean(x) - mu) (n Sxx)^-1 (mean(x) - mu), the residual variance with n - c - 1 degrees of freedom; so the
    interval holds for small runs too. Without controls it is the plain one.

    Raises InputError for fewer than two boards more than controls, or a mean for each control missing.
    """
    boards = moments.boards
    if len(controls) != len(means):
        raise InputError(f"{len(controls)} controls, but {len(means)} means")
    if boards < len(controls) + 3:
        raise InputError(f"{boards} boards are too few for {len(controls)} controls; {len(controls) + 3} are needed")
    plain = float(moments.mean([metric])[0])
    spread = float(moments.covariance([metric], [metric])[0, 0])
    plain_variance = spread / (boards - 1)
    inside = moments.covariance(controls, controls)
    used, whitening = _independent(inside)
    chosen = [controls[place] for place in used]
    along = whitening @ moments.covariance(chosen, [metric])[:, 0]
    off = whitening @ (moments.mean(chosen) - np.array([means[place] for place in used]))
    freedom = boards - len(chosen) - 1
    residual = max(spread - float(along @ along), 0.0) * boards / freedom
    variance = residual * (1 + float(off @ off)) / boards
    return Controlled(boards, plain - float(along @ off), variance, freedom, plain, plain_variance, tuple(chosen))


PAIRS_FROM = (2_000, 20_000, 100_000)
"""Boards from which on pairs of words of the shortest, second and third length are controls."""


def advised(boards: int, ways: Sequence[int], pairs: Sequence[int]) -> list[int]:
    """Return the controls that pay for so many boards, out of the columns of ways and of pairs, shortest words first;
    none below 2,000 boards.

    Few boards have very many pairs, the more so the longer the words. While there are few such boards in a run its
    coefficients follow them, which moves the estimate: with all pairs by 0.13 of its standard error for 5,000 boards
    of `new`, and 95 % intervals then hold the mean in 93 to 94.5 %. tests/proofs/coverage_of_controls.py measures it.
    """
    number = sum(boards >= start for start in PAIRS_FROM)
    return [*ways, *pairs[:number]] if number else []


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

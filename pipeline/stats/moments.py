"""Exact sums of columns and of products of two columns, merged by addition: means, covariances, regressions.

Of any number of rows they take the same room, and parts of a run can be added up to the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.jit import kernel

Floats = npt.NDArray[np.float64]
_USUAL = 2**22
"""Rows with all numbers below this are summed in floating point, _BLOCK at a time: no sum passes 2**53."""
_BLOCK = 512
_CALL = 2**18
"""Rows whose sums of products of usual numbers stay below 2**63."""


@dataclass(frozen=True)
class Moments:
    """Sums over rows of the products of any two columns, column 0 being all ones: so sums[0, 0] is the number of
    rows, sums[0, j] the sum of column j.

    names: of the columns from 1 on. sums: object[k + 1, k + 1], symmetric, Python integers of any size.
    """

    names: tuple[str, ...]
    sums: npt.NDArray[np.object_]

    @classmethod
    def none(cls, names: Sequence[str]) -> "Moments":
        """Of no row."""
        sums = np.empty((len(names) + 1, len(names) + 1), object)
        sums[:] = 0
        return cls(tuple(names), sums)

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.sums[0, 0])

    def __add__(self, other: "Moments") -> "Moments":
        names = tuple(dict.fromkeys((*self.names, *other.names)))
        return Moments(names, self.over(names).sums + other.over(names).sums)

    def over(self, names: Sequence[str]) -> "Moments":
        """Return the sums of these columns; one that is not there is all zeros."""
        if tuple(names) == self.names:
            return self
        found = Moments.none(names)
        known = [0, *(place for place, name in enumerate(names, 1) if name in self.names)]
        here = [0, *(self._place(name) for name in names if name in self.names)]
        found.sums[np.ix_(known, known)] = self.sums[np.ix_(here, here)]
        return found

    def renamed(self, prefix: str) -> "Moments":
        """Return the same sums with a prefix to every name."""
        return Moments(tuple(prefix + name for name in self.names), self.sums)

    def beside(self, other: "Moments") -> "Moments":
        """Return the columns of both, of the same rows or as many, without the products of one side with the other."""
        assert self.n == other.n
        both = Moments.none((*self.names, *other.names))
        here = len(self.names) + 1
        both.sums[:here, :here] = self.sums
        both.sums[here:, here:] = other.sums[1:, 1:]
        both.sums[0, here:] = both.sums[here:, 0] = other.sums[0, 1:]
        return both

    def total(self, name: str) -> int:
        """Return the sum of a column."""
        return int(self.sums[0, self._place(name)])

    def product(self, first: str, second: str) -> int:
        """Return the sum of the products of two columns."""
        return int(self.sums[self._place(first), self._place(second)])

    def mean(self, names: Sequence[str]) -> Floats:
        """Return the mean of each column: float64[columns]."""
        return np.array(self.sums[0, self._places(names)] / self.n, np.float64)

    def covariance(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        """Return the mean product less product of means, rounded once: float64[rows, columns]."""
        n = self.n
        one, other = self._places(rows), self._places(columns)
        products = self.sums[np.ix_(one, other)] * n
        means = np.outer(self.sums[0, one], self.sums[0, other])
        return np.array((products - means) / n**2, np.float64).reshape(len(rows), len(columns))

    def _place(self, name: str) -> int:
        return self.names.index(name) + 1

    def _places(self, names: Sequence[str]) -> npt.NDArray[np.int64]:
        return np.array([self._place(name) for name in names], np.int64)


def moments(columns: dict[str, npt.NDArray[np.integer]]) -> Moments:
    """Return the sums of columns of whole numbers of 0 and more, of one length each; exact whatever the numbers."""
    names = tuple(columns)
    found = Moments.none(names)
    arrays = list(columns.values())
    rows = len(arrays[0]) if arrays else 0
    if not rows:
        return found
    tops = [int(array.max()) for array in arrays]
    used = [place for place, top in enumerate(tops) if top > 0]
    places = [0, *(place + 1 for place in used)]
    unusual = np.zeros(rows, bool)
    for place in used:
        if tops[place] >= _USUAL:
            unusual |= arrays[place] >= _USUAL
    values = np.ones((rows, len(places)), np.float64)
    for at, place in enumerate(used, 1):
        values[:, at] = arrays[place]
    sums = np.zeros((len(places), len(places)), object)
    some = unusual.any()
    plain = values[~unusual] if some else values
    for start in range(0, len(plain), _CALL):
        sums = sums + _products(plain[start : start + _CALL], _BLOCK).astype(object)
    sums = np.triu(sums) + np.triu(sums, 1).T
    if some:
        rest = np.stack(
            [np.ones(int(unusual.sum()), object), *(arrays[place][unusual].astype(object) for place in used)]
        )
        sums = sums + rest @ rest.T
    found.sums[np.ix_(places, places)] = sums
    return found


@kernel
def _products(values, block):  # type: ignore[no-untyped-def]
    """Upper triangle of values.T @ values, uint64, without the threads of a library for matrices."""
    size = values.shape[1]
    totals = np.zeros((size, size), np.uint64)
    sums = np.zeros((size, size), np.float64)
    for start in range(0, len(values), block):
        sums[:] = 0
        end = min(start + block, len(values))
        fours = start + (end - start) // 4 * 4
        # Four rows at a time: each sum is read and written once for them.
        for row in range(start, fours, 4):
            for one in range(size):
                factor_0, factor_1 = values[row, one], values[row + 1, one]
                factor_2, factor_3 = values[row + 2, one], values[row + 3, one]
                for other in range(one, size):
                    sums[one, other] += (factor_0 * values[row, other] + factor_1 * values[row + 1, other]) + (
                        factor_2 * values[row + 2, other] + factor_3 * values[row + 3, other]
                    )
        for row in range(fours, end):
            for one in range(size):
                for other in range(one, size):
                    sums[one, other] += values[row, one] * values[row, other]
        for one in range(size):
            for other in range(one, size):
                totals[one, other] += np.uint64(sums[one, other])
    return totals

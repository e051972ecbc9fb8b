"""Exact integer histograms: the one thing every statistic is made from. They merge by addition."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

DENSE = 1 << 20
"""Values from 0 up to here are counted by index; any other value by sorting."""


@dataclass(frozen=True)
class Histogram:
    """How often each whole number was seen: values int64[k] ascending, counts int64[k], all counts positive."""

    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, values: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> "Histogram":
        """Return the histogram of raw values, or of values with counts in any order (equal values add up)."""
        raw = np.asarray(values, np.int64)
        if counts is None and len(raw) and raw.min() >= 0 and raw.max() < DENSE:
            dense = np.bincount(raw)
            seen = np.flatnonzero(dense)
            return cls(seen, dense[seen])
        weights = np.ones(len(raw), np.int64) if counts is None else np.asarray(counts, np.int64)
        distinct, place = np.unique(raw, return_inverse=True)
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, place, weights)
        return cls(distinct[totals > 0], totals[totals > 0])

    @classmethod
    def merged(cls, histograms: Iterable["Histogram"]) -> "Histogram":
        several = list(histograms)
        if not several:
            return cls(np.empty(0, np.int64), np.empty(0, np.int64))
        return cls.of(np.concatenate([one.values for one in several]), np.concatenate([one.counts for one in several]))

    @cached_property
    def n(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def cumulative(self) -> npt.NDArray[np.int64]:
        """Items at or below each value: int64[k]."""
        return np.cumsum(self.counts)

    def at_least(self, value: int) -> int:
        """Return the items of this value or more."""
        return int(self.counts[self.values >= value].sum())

    def equal_to(self, value: int) -> int:
        return int(self.counts[self.values == value].sum())

    @cached_property
    def total(self) -> int:
        """Sum over all items, exact."""
        return self.power_sum(1)

    def power_sum(self, power: int) -> int:
        """Sum of value ** power over all items, exact."""
        return sum(v**power * c for v, c in zip(self.values.tolist(), self.counts.tolist(), strict=True))

    def binned(self, width: int) -> Iterator[tuple[int, int]]:
        """Yield (first value, items) of every bin in ascending order; bins start at multiples of `width`."""
        if not self.n:
            return
        bins = self.values // width
        totals = np.zeros(int(bins[-1] - bins[0]) + 1, np.int64)
        np.add.at(totals, bins - bins[0], self.counts)
        for place, count in enumerate(totals.tolist(), int(bins[0])):
            yield place * width, count


class Tally:
    """Counts whole numbers as they come, part by part; `histogram` is what came so far.

    Memory grows with the largest value up to a million, beyond that with the number of distinct values.
    """

    def __init__(self) -> None:
        self._dense = np.zeros(0, np.int64)
        self._other = Histogram.merged([])

    def add(self, values: npt.NDArray[np.integer]) -> None:
        """Count an integer array of any dtype up to int64, or uint64 below 2^63."""
        if not len(values):
            return
        if int(values.min()) >= 0 and int(values.max()) < DENSE:
            counts = np.bincount(values.astype(np.int64, copy=False))
            if len(counts) > len(self._dense):
                self._dense, counts = counts, self._dense
            self._dense[: len(counts)] += counts
        else:
            distinct, counts = np.unique(values, return_counts=True)
            self._other = Histogram.merged([self._other, Histogram.of(distinct, counts)])

    def add_counted(self, histogram: Histogram) -> None:
        self._other = Histogram.merged([self._other, histogram])

    @property
    def histogram(self) -> Histogram:
        seen = np.flatnonzero(self._dense)
        return Histogram.merged([Histogram(seen, self._dense[seen]), self._other])

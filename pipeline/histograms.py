"""Exact integer histograms: the one thing every statistic is made from. They merge by addition."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Histogram:
    """How often each whole number was seen: values int64[k] ascending, counts int64[k], all counts positive."""

    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, values: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> "Histogram":
        """From raw values, or from values with counts in any order (equal values are added up)."""
        raw = np.asarray(values, np.int64)
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
        """Items of this value or more."""
        return int(self.counts[self.values >= value].sum())

    def equal_to(self, value: int) -> int:
        return int(self.counts[self.values == value].sum())

    @cached_property
    def total(self) -> int:
        """Sum over all items, exact."""
        return sum(value * count for value, count in zip(self.values.tolist(), self.counts.tolist(), strict=True))


def of_columns(rows: "pl.LazyFrame", columns: Sequence[str]) -> dict[str, Histogram]:
    """The histogram of each integer column of the rows, by polars, a column at a time so that memory stays level."""
    import polars as pl

    histograms = {}
    for column in columns:
        counted = rows.select(pl.col(column).cast(pl.Int64)).group_by(column).len().collect(engine="streaming")
        histograms[column] = Histogram.of(counted[column].to_numpy(), counted["len"].to_numpy())
    return histograms

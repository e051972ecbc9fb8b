"""Two sets whose items come from the same rolls: how one side goes along with the other, from the first items.

Means are those of all items; that they are known better in pairs follows from sums over some of them, made again side
by side.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from pipeline.config import available_cores
from pipeline.runs.reading import Reader
from pipeline.stats.controls import Rolls
from pipeline.stats.histograms import Histogram
from pipeline.stats.moments import Moments, moments
from pipeline.store.parts import Part

MOST = 100_000
"""Items of all sides together that are made again, but LEAST of each side at least."""
LEAST = 10_000
PIECE = 5_000
Of = tuple[Reader, str]
"""A variant of a run."""


def most_rolled(sides: int) -> int:
    """Return how many items of each side are made again where there are so many sides."""
    return max(LEAST, MOST // sides)


class FirstItems:
    """The first items of several variants, each made again once, for sums of any two of them."""

    def __init__(self, items: int) -> None:
        self.items = items
        self._columns: dict[tuple[int, str], dict[str, npt.NDArray[np.integer]]] = {}

    def rolls(self, a: Of, b: Of) -> Rolls:
        """Return the sums of both sides; they must come from the same rolls."""
        columns: dict[str, npt.NDArray[np.integer]] = {}
        for prefix, of in (("a.", a), ("b.", b)):
            columns |= {prefix + name: values for name, values in self._of(of).items()}
        return Rolls(moments(columns))

    def differences(self, a: Of, b: Of, names: Sequence[str]) -> dict[str, Histogram]:
        """Return the histogram of B - A item by item for each column."""
        left, right = self._of(a), self._of(b)
        return {name: Histogram.of(right[name].astype(np.int64) - left[name].astype(np.int64)) for name in names}

    def _of(self, of: Of) -> dict[str, npt.NDArray[np.integer]]:
        reader, variant = of
        key = (id(reader), variant)
        if key not in self._columns:
            reader.workload.build()
            parts = [Part(start, min(start + PIECE, self.items)) for start in range(0, self.items, PIECE)]
            with ThreadPoolExecutor(available_cores()) as pool:
                pieces = list(pool.map(lambda part: reader.workload.counted(variant, part), parts))
            self._columns[key] = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
        return self._columns[key]


class Together:
    """Sums over the first items of two variants, side by side; grows by what is asked for."""

    def __init__(self) -> None:
        self.sums = Moments.none(())

    def rolls(self, a: Of, b: Of, items: int) -> Rolls:
        """Return the sums of the first `items` items."""
        for reader, _ in (a, b):
            reader.workload.build()

        def piece(start: int) -> Moments:
            part = Part(start, min(start + PIECE, items))
            return moments(
                {
                    prefix + name: values
                    for prefix, (reader, variant) in (("a.", a), ("b.", b))
                    for name, values in reader.workload.counted(variant, part).items()
                }
            )

        with ThreadPoolExecutor(available_cores()) as pool:
            self.sums = sum(pool.map(piece, range(self.sums.n, items, PIECE)), self.sums)
        return Rolls(self.sums)

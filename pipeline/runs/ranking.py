"""The first rows by some key, in whatever order parts come: of equal ones the smaller ids."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Integers = npt.NDArray[np.integer]
Key = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]


def first_of(keys: npt.NDArray[np.int64], ids: Integers, count: int) -> npt.NDArray[np.int64]:
    """Return the places of the `count` smallest keys, smallest first, of equal ones the smaller ids: int64."""
    few = np.arange(len(keys))
    if len(few) > count:
        # Everything up to the count-th smallest key; ties are cut after sorting by id.
        few = np.flatnonzero(keys <= np.partition(keys, count - 1)[count - 1])
    return few[np.lexsort((ids[few], keys[few]))][:count]


class Ranking:
    """The `count` rows whose values of `column` have the smallest keys."""

    def __init__(self, count: int, column: str, key: Key) -> None:
        self.count = count
        self.column = column
        self.key = key
        self._keys = np.empty(0, np.int64)
        self.ids = np.empty(0, np.int64)
        """Ids of the rows that lead so far, in order."""

    def add(self, start: int, arrays: Mapping[str, Integers]) -> None:
        """Rank the rows of a part, of which `start` is the first id, among those before."""
        keys = self.key(arrays[self.column].astype(np.int64))
        ids = np.arange(start, start + len(keys))
        lead = first_of(keys, ids, self.count)
        keys, ids = np.concatenate([self._keys, keys[lead]]), np.concatenate([self.ids, ids[lead]])
        lead = first_of(keys, ids, self.count)
        self._keys, self.ids = keys[lead], ids[lead]


def best_first(count: int, column: str) -> Ranking:
    """Rank the highest values first."""
    return Ranking(count, column, np.negative)


def worst_first(count: int, column: str) -> Ranking:
    """Rank the lowest values first."""
    return Ranking(count, column, lambda values: values)


def nearest_to(value: int, count: int, column: str) -> Ranking:
    """Rank the values nearest to one first."""
    return Ranking(count, column, lambda values: np.abs(values - value))


def best_rows(tables: Iterable[pa.Table], id_column: str, ranked_by: str, count: int) -> pa.Table:
    """Return the rows of the highest `ranked_by` of some tables, best first."""

    def best(table: pa.Table) -> pa.Table:
        keys = -table.column(ranked_by).to_numpy().astype(np.int64)
        return table.take(pa.array(first_of(keys, table.column(id_column).to_numpy(), count)))

    return best(pa.concat_tables([best(table) for table in tables]).combine_chunks())

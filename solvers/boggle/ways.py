"""Counters of ways: paths of tiles that spell a usable word, each cut of a word into tiles counting on its own.

Their means are known exactly (expectations.py), which makes them controls of simulated means, and a test of shakes and
solver together.
"""

import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

WAYS_LENGTHS = 16
"""Columns of ways: words of 1, 2, ... 15 letters, and of 16 and more."""
PAIR_LENGTHS = 3
"""Columns of pairs: words of the three shortest lengths, from the minimum length of the list on."""
MOST_FINDS = np.uint16(2**16 - 1)
"""Finds of one word on one board above which the fast solver stops counting; such boards are counted again."""
NOT_COUNTED = np.uint64(2**64 - 1)


class Ways(NamedTuple):
    """Ways of each board.

    ways: uint64[n, 16], by letters of the word, from 1; the last column is 16 and more.
    pairs: uint64[n, 3], sum over words and their cuts of ways * (ways - 1) / 2, by letters from `shortest` on. Exact up
    to 2**63: more needs a word with over 4,000,000,000 paths on one board, which takes minutes to search.
    """

    ways: npt.NDArray[np.uint64]
    pairs: npt.NDArray[np.uint64]
    shortest: int

    @classmethod
    def empty(cls, boards: int, shortest: int) -> "Ways":
        return cls(np.zeros((boards, WAYS_LENGTHS), np.uint64), np.zeros((boards, PAIR_LENGTHS), np.uint64), shortest)


NO_WAYS = Ways.empty(0, 0)


_kept = threading.local()


def finds_of(nodes: int) -> npt.NDArray[np.uint16]:
    """Return this thread's counters of finds by trie node, zero between boards: two bytes each, so that those in use
    stay in the cache."""
    array: npt.NDArray[np.uint16] | None = getattr(_kept, "array", None)
    if array is None or len(array) < nodes:
        array = _kept.array = np.zeros(nodes, np.uint16)
    return array

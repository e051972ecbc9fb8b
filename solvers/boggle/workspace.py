"""Memory of the fast solver: one array of uint64 at constant offsets, kept by each thread from call to call.

One array, because each further one costs the kernel's inner loops a register.
"""

import threading

import numpy as np
import numpy.typing as npt

from solvers.boggle.alphabet import MAX_SYMBOLS
from solvers.boggle.lexicon import MAX_NODES
from solvers.grid import MAX_CELLS

SLICE = np.uint64(512)
"""Most items that one step of the search takes."""
STACK_PLACES = np.uint64(8192)
"""Items on the stack above which a step takes one item only."""
MOST_CHILDREN = np.uint64(7)
"""A path of two or more cells has at most 7 free neighbours: the cell before the last is one of 8."""
_LINE = 8

_end = 0


def _part(words: int) -> np.uint64:
    """Offset of a part of so many words, whole cache lines; a gap of five lines keeps parts off each other's sets."""
    global _end
    start = _end
    _end += -(-words // _LINE) * _LINE + 5 * _LINE
    return np.uint64(start)


SYMBOLS = _part(MAX_CELLS + 1)
"""Symbol by place; places are the cells in order of their symbols, blanks last."""
PLACES = _part(MAX_CELLS)
"""Place by cell."""
ENDS = _part(MAX_SYMBOLS + 2)
"""First place after the tiles of each symbol."""
NEIGHBOURS = _part(64)
"""Mask of free neighbours by place; masks of places start at bit PLACES_AT of an item."""
STEPS = _part(64)
"""What a step to a place adds to an item, by bit of that place in a mask."""
SMALLER = _part(64)
"""Mask of the symbols before the symbol of a place, by bit of that place in a mask."""
TABLES = _part(5 * 128)
"""Masks of places by seven bits of a child mask, five times: what pext and pdep would compute."""
COUNTS = _part(int(MOST_CHILDREN) + 1)
"""Next free entry of each bucket."""
HISTOGRAM = _part(512)
"""Words by letters, those that are not everyday ones before those that are; zero between boards."""
STACK = _part(int(STACK_PLACES) + int(MOST_CHILDREN) * (MAX_CELLS + 1))
BUCKET = np.uint64(int(SLICE) + 5 * _LINE)
"""Entries of a bucket: bucket n, of the items with n children, starts at n * BUCKET."""
CANDIDATES = _part((int(MOST_CHILDREN) + 1) * int(BUCKET))
PATHS = _part((int(MOST_CHILDREN) + 1) * int(BUCKET))
SEEN = _part(MAX_NODES // 64)
"""Bit set of the words seen on the board; zero between boards."""
WAYS = _part(256)
"""Ways by letters; zero between boards."""
PAIRS = _part(256 + 2)
"""Twice the pairs of ways by letters; zero between boards."""
FOUND = np.uint64(_end)
"""The last part, as long as the word list asks: the words found on the board."""

_kept = threading.local()


def workspace(words: int) -> npt.NDArray[np.uint64]:
    """Return this thread's work array for a list of so many words."""
    need = int(FOUND) + words + int(SLICE) + MAX_CELLS + 1
    array: npt.NDArray[np.uint64] | None = getattr(_kept, "array", None)
    if array is None or len(array) < need:
        array = _kept.array = np.zeros(need, np.uint64)
    return array

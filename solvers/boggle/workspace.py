"""Memory of the fast solver: one array of uint64 at constant offsets, kept by each thread from call to call."""

import threading

import numpy as np
import numpy.typing as npt

from solvers.boggle.lexicon import MAX_NODES
from solvers.grid import MAX_CELLS

SLICE = np.uint64(512)
"""Most items that one step takes."""
STACK_PLACES = 8192
_LINE = 8

_offset = 0


def _place(words: int) -> np.uint64:
    """Offset of the next `words` words, on a new cache line plus some lines so that parts do not alias by 4096 bytes."""
    global _offset
    at = _offset
    _offset += -(-words // _LINE) * _LINE + 5 * _LINE
    return np.uint64(at)


ROW = np.uint64(int(SLICE) + 5 * _LINE)
"""Entries of one bucket; bucket p, of the items with p children, starts at p * ROW."""
CELL = _place(64)
FIELDS = _place(64)
MASKS = _place(64)
SYMBOLS = _place(64)
PLACES = _place(64)
STARTS = _place(40)
COUNTS = _place(16)
HISTOGRAM = _place(256)
TABLES = _place(5 * 128)
STACK = _place(STACK_PLACES + 8 * (MAX_CELLS + 1))
ITEMS = _place(9 * int(ROW))
PATHS = _place(9 * int(ROW))
SEEN = _place(MAX_NODES // 64)
"""Bit set of the words seen on the board, zero between boards."""
FOUND = np.uint64(_offset)
"""The last part, as long as the word list asks: the words found on the board."""

_kept = threading.local()


def workspace(words: int) -> npt.NDArray[np.uint64]:
    """This thread's work array for a list of so many words."""
    need = int(FOUND) + words + int(SLICE) + MAX_CELLS + _LINE
    array = getattr(_kept, "array", None)
    if array is None or len(array) < need:
        array = _kept.array = np.zeros(need, np.uint64)
    return array

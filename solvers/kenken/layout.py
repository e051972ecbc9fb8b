"""The workspace of the solver: one int64 array with named regions.

Kernels pass it from one to the other as a single argument; a tuple of twenty arrays would be copied at every call,
which cost more than the work done. Regions that hold one entry a cell or cage are REGION long.
"""

import threading

import numpy as np
import numpy.typing as npt

from solvers.kenken.codes import MAX_SIZE

CELLS_MAX = MAX_SIZE * MAX_SIZE
REGION = 264
"""More than 256 cells and the end mark, and no power of two, so that regions do not share cache sets."""
LEVELS = CELLS_MAX + 2

SIZE, BASE, CAGES, LINES, QUEUED, USED, STEPS, RUNG = range(8)
RUNG_STEPS = 8
"""Single numbers: rows, lowest digit, cages, changed lines (bits: rows, then columns), waiting cages, used room in the
fills, applications of a rule that removed something, and the strongest rung in use. RUNG_STEPS + rung: how many of
the applications there were while it was that one."""

_regions = iter(range(16, 10**9, REGION))
CAGE_OF = next(_regions)
"""[cell] its cage."""
CROSSING = next(_regions)
"""[cell] bits of its row and its column among the changed lines."""
FIRST = next(_regions)
"""[cage + 1] where the cage's cells start in MEMBERS."""
MEMBERS = next(_regions)
"""Cells by cage."""
OPERATORS = next(_regions)
"""[cage] the operators that may reach the target, as bits."""
TARGET = next(_regions)
"""[cage]"""
START = next(_regions)
"""[cage] where its fills start, or UNLISTED."""
QUEUE = next(_regions)
"""Waiting cages."""
WAITING = next(_regions)
"""[cage] 1 while in the queue."""
THINNED = next(_regions)
"""[cage] 1 after its fills became fewer, until the forced-line rule has looked."""
SPANS = next(_regions)
"""[cage + 1] where its lines with two or more of its cells start in the next two."""
SPAN_LINE = next(_regions)
SPAN_INSIDE = next(_regions)
"""The bits of a packed fill that lie in that line."""
CHOICE = next(_regions)
"""[level] the cell that is branched on."""
UNTRIED = next(_regions)
"""[level] its digits not tried yet."""
SCRATCH = next(_regions)
"""Eleven rows of 64 for listing fills, SCRATCH + 64 * row, and one of REGION."""
LIVE = SCRATCH + 11 * 64 + REGION
"""[level][cage] how many of the cage's fills still fit; those come first. Level l starts at LIVE + l * REGION."""
DOMAINS = LIVE + LEVELS * REGION
"""[level][cell] candidate sets. Level l starts at DOMAINS + l * REGION."""
FILLS = DOMAINS + LEVELS * REGION
"""Packed fills."""
FILL_ROOM = 1 << 18

UNLISTED = -1

assert CELLS_MAX + 1 <= REGION
assert LEVELS <= REGION
assert 2 * MAX_SIZE < 62, "changed lines are kept in one int64"


_own = threading.local()


def new_work(size: int) -> npt.NDArray[np.int64]:
    """Return a workspace for puzzles of size x size cells."""
    work = np.zeros(FILLS + FILL_ROOM, np.int64)
    _set_size(work, size)
    return work


def thread_work(size: int) -> npt.NDArray[np.int64]:
    """Return the workspace of this thread, for puzzles of size x size cells: its own until it asks again.

    Three megabytes that would otherwise be fetched and cleared for every puzzle. `load` sets all that a puzzle needs.
    """
    work: npt.NDArray[np.int64] | None = getattr(_own, "work", None)
    if work is None:
        work = _own.work = new_work(size)
    elif work[SIZE] != size:
        _set_size(work, size)
    return work


def _set_size(work: npt.NDArray[np.int64], size: int) -> None:
    work[SIZE] = size
    cells = np.arange(size * size)
    work[CROSSING : CROSSING + len(cells)] = (1 << (cells // size)) | (1 << (size + cells % size))

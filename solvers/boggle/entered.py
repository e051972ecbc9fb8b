"""How many positions a search enters: open paths that are a prefix of a word. What every solver has to walk."""

import numpy as np
import numpy.typing as npt

from solvers.boggle.lexicon import Lexicon
from solvers.boggle.walk import begin, enter, new_walk
from solvers.grid import neighbour_masks
from solvers.jit import kernel


def count_entered(boards: npt.NDArray[np.uint8], rows: int, cols: int, lexicon: Lexicon) -> npt.NDArray[np.uint64]:
    """Return the positions entered on each of boards, uint8[n, rows * cols] symbol ids: uint64[n].

    Of the search's calls (the column nodes) these are the ones that find a prefix.
    """
    entered = np.zeros(len(boards), np.uint64)
    _count(np.ascontiguousarray(boards), neighbour_masks(rows, cols), lexicon.tree, entered)
    return entered


@kernel
def _count(boards, neighbours, trie, entered):  # type: ignore[no-untyped-def]
    walk = new_walk(boards.shape[1])
    for board in range(len(boards)):
        tiles = begin(boards[board], walk)
        node, _, depth, path = enter(boards[board], trie, neighbours, tiles, walk, 0, np.uint64(0))
        while node != 0:
            entered[board] += np.uint64(1)
            node, _, depth, path = enter(boards[board], trie, neighbours, tiles, walk, depth, path)

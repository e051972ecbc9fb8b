"""How many positions a search enters: open paths that are a prefix of a word. What every solver has to walk."""

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import CHILD_MASK, Lexicon, child_of
from solvers.grid import neighbour_masks
from solvers.jit import kernel


def count_entered(boards: npt.NDArray[np.uint8], rows: int, cols: int, lexicon: Lexicon) -> npt.NDArray[np.uint64]:
    """Positions entered on each of boards, uint8[n, rows * cols] symbol ids: uint64[n].

    Of the search's calls (the column nodes) these are the ones that find a prefix.
    """
    entered = np.zeros(len(boards), np.uint64)
    _count(np.ascontiguousarray(boards), neighbour_masks(rows, cols), lexicon.tree, entered)
    return entered


@kernel
def _count(boards, neighbours, trie, entered):  # type: ignore[no-untyped-def]
    one = np.uint64(1)
    count = boards.shape[1]
    record_stack = np.empty(count + 1, np.uint64)
    cell_stack = np.empty(count + 1, np.uint64)
    open_stack = np.empty(count + 1, np.uint64)
    for board in range(len(boards)):
        cells = boards[board]
        letter_tiles = np.uint64(0)
        for cell in range(count):
            if cells[cell] != BLANK:
                letter_tiles |= one << np.uint64(cell)
        path = np.uint64(0)
        depth = np.uint64(0)
        record_stack[0] = trie.records[0]
        open_stack[0] = letter_tiles
        while True:
            candidates = open_stack[depth]
            if candidates == 0:
                if depth == 0:
                    break
                path ^= one << cell_stack[depth]
                depth -= one
                continue
            cell = lowest_bit(candidates)
            open_stack[depth] = candidates & (candidates - one)
            parent = record_stack[depth]
            child = child_of(trie, parent, cells[cell])
            if child == 0:
                continue
            entered[board] += one
            record = trie.records[child]
            if record & CHILD_MASK:
                path |= one << cell
                depth += one
                record_stack[depth] = record
                cell_stack[depth] = cell
                open_stack[depth] = neighbours[cell] & ~path & letter_tiles

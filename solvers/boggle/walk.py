"""The step of a plain depth-first search over board and trie, which the searches that count other things share."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import CHILD_MASK, child_of
from solvers.jit import kernel


class Walk(NamedTuple):
    """Stacks of an open path, one place a depth: node, cell, and the cells that are still to be tried.

    nodes: int64[cells + 1]; places: int64[cells + 1]; open: uint64[cells + 1], masks of cells.
    """

    nodes: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    open: npt.NDArray[np.uint64]


@kernel
def new_walk(cells):  # type: ignore[no-untyped-def]
    """Return the stacks for boards of so many cells."""
    return Walk(np.zeros(cells + 1, np.int64), np.zeros(cells + 1, np.int64), np.zeros(cells + 1, np.uint64))


@kernel
def begin(cells, walk):  # type: ignore[no-untyped-def]
    """Let a search begin at every cell of a board, uint8[cells], that is not blank; returns them as a mask."""
    tiles = np.uint64(0)
    for cell in range(len(cells)):
        if cells[cell] != BLANK:
            tiles |= np.uint64(1) << np.uint64(cell)
    walk.open[0] = tiles
    return tiles


@kernel
def enter(cells, trie, neighbours, tiles, walk, depth, path):  # type: ignore[no-untyped-def]
    """Enter the next cell whose tile goes on with a prefix: (node, cell, depth, path), the node 0 where none is left.

    neighbours: uint64[cells]; tiles: mask of the cells that may be entered. `depth` is that of the cell entered, 1 for
    a first one, and `path` the mask of the cells on the way to it, with it; both are to be given back for the next.
    """
    one = np.uint64(1)
    while True:
        waiting = walk.open[depth]
        if waiting == 0:
            if depth == 0:
                return 0, 0, 0, path
            path ^= one << np.uint64(walk.places[depth])
            depth -= 1
            continue
        cell = np.int64(lowest_bit(waiting))
        walk.open[depth] = waiting & (waiting - one)
        child = child_of(trie, trie.records[walk.nodes[depth]], cells[cell])
        if child != 0:
            depth += 1
            walk.nodes[depth] = child
            walk.places[depth] = cell
            path |= one << np.uint64(cell)
            goes_on = trie.records[child] & CHILD_MASK != 0
            walk.open[depth] = neighbours[cell] & tiles & ~path if goes_on else np.uint64(0)
            return np.int64(child), cell, depth, path

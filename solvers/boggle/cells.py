"""Which cells the words of a board use: a search that keeps, for every word found, the cells of all its paths."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import WORD_FLAG, Lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.walk import begin, enter, new_walk
from solvers.errors import InputError
from solvers.grid import neighbour_masks
from solvers.jit import kernel


class CellUse(NamedTuple):
    """For each board and cell, how many distinct words have a path through it, and their points: uint32[n, cells]."""

    words: npt.NDArray[np.uint32]
    points: npt.NDArray[np.uint32]


def use_of_cells(
    boards: npt.NDArray[np.uint8], rows: int, cols: int, lexicon: Lexicon, scoring: str = "standard"
) -> CellUse:
    """Solve boards of symbol ids, uint8[n, rows * cols] with BLANK (255) for a blank tile.

    Raises InputError for a wrong shape, a symbol outside the alphabet or an unknown scoring.
    """
    if boards.ndim != 2 or boards.shape[1] != rows * cols or rows * cols != lexicon.cells:
        raise InputError(
            f"boards of shape {boards.shape}, but {rows} x {cols} cells and a lexicon for {lexicon.cells} cells"
        )
    if ((boards != BLANK) & (boards >= len(lexicon.alphabet.symbols))).any():
        raise InputError("a board has a symbol outside the alphabet")
    use = CellUse(np.zeros(boards.shape, np.uint32), np.zeros(boards.shape, np.uint32))
    _use_boards(
        boards, neighbour_masks(rows, cols), lexicon.tree, lexicon.letters, points_table(scoring), use.words, use.points
    )
    return use


@kernel
def _use_boards(boards, neighbours, trie, letters, points, use_words, use_points):  # type: ignore[no-untyped-def]
    one = np.uint64(1)
    count = boards.shape[1]
    cells_of_word = np.zeros(len(letters), np.uint64)
    found = np.empty(len(letters), np.int64)
    walk = new_walk(count)
    for board in range(len(boards)):
        tiles = begin(boards[board], walk)
        size = 0
        node, _, depth, path = enter(boards[board], trie, neighbours, tiles, walk, 0, np.uint64(0))
        while node != 0:
            if trie.records[node] >> np.uint64(WORD_FLAG) & one:
                word = trie.word_ids[node]
                if cells_of_word[word] == 0:
                    found[size] = word
                    size += 1
                cells_of_word[word] |= path
            node, _, depth, path = enter(boards[board], trie, neighbours, tiles, walk, depth, path)
        for place in range(size):
            word = found[place]
            used = cells_of_word[word]
            cells_of_word[word] = 0
            while used != 0:
                cell = np.int64(lowest_bit(used))
                used &= used - one
                use_words[board, cell] += np.uint32(1)
                use_points[board, cell] += np.uint32(points[letters[word]])

"""Every path of a small grid, looked up in a set: the check that shares no search, trie or pruning with the others.

It has the signature of the solvers in `solve` but is not registered there: those take boards of every size.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from solvers.boggle.alphabet import BLANK
from solvers.boggle.reference import cuts
from solvers.errors import InputError
from solvers.grid import neighbour_masks

if TYPE_CHECKING:
    from solvers.boggle.lexicon import Lexicon
    from solvers.boggle.solve import Columns

MAX_BRUTE_CELLS = 12
"""A 3 x 4 grid has 193,924 paths, a 4 x 4 grid sixty times as many."""


def solve_boards(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: "Lexicon",
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: "Columns",
    frequency: npt.NDArray[np.uint32],
    ways: Any = None,
) -> None:
    """Solve boards by walking every path without pruning; the arguments are those of every solver in `solve`.

    `nodes` is counted by its definition: one for each start cell, and for each path whose symbols begin a usable
    word, one for each unvisited neighbour of its last cell.

    Raises InputError above 12 cells.
    """
    if rows * cols > MAX_BRUTE_CELLS:
        raise InputError(
            f"solver 'brute' walks every path and takes at most {MAX_BRUTE_CELLS} cells, the board has {rows * cols}",
            "use another solver",
        )
    words, prefixes = _tables(lexicon)
    masks = [int(mask) for mask in neighbour_masks(rows, cols)]
    for board, cells in enumerate(boards.tolist()):
        found: set[int] = set()
        used = 0
        nodes = len(cells)
        finds: Counter[tuple[int, ...]] = Counter()
        for path, visited in _paths(masks):
            symbols = tuple(cells[cell] for cell in path)
            if symbols in prefixes:
                nodes += (masks[path[-1]] & ~visited).bit_count()
            if symbols in words:
                found.add(words[symbols])
                finds[symbols] += 1
                used |= visited
        if ways is not None:
            _count_ways(ways, board, {cut: (len(lexicon.words[words[cut]]), times) for cut, times in finds.items()})
        lengths = [len(lexicon.words[word]) for word in found]
        columns.words[board] = len(found)
        columns.score[board] = sum(int(points[length]) for length in lengths)
        known = [len(lexicon.words[word]) for word in found if lexicon.everyday[word]]
        columns.everyday_words[board] = len(known)
        columns.everyday_score[board] = sum(int(points[length]) for length in known)
        columns.nodes[board] = nodes
        columns.longest[board] = max(lengths, default=0)
        columns.dead_tiles[board] = sum(cell != BLANK for cell in cells) - used.bit_count()
        for length in lengths:
            columns.by_length[board, min(length, 16) - 1] += 1
        if len(frequency):
            frequency[list(found)] += np.uint32(1)


def _count_ways(ways: Any, board: int, finds: dict[tuple[int, ...], tuple[int, int]]) -> None:
    """Ways by letters, and pairs of ways by cut, of the three shortest lengths."""
    for letters, times in finds.values():
        ways.ways[board, min(letters, ways.ways.shape[1]) - 1] += times
        if 0 <= letters - ways.shortest < ways.pairs.shape[1]:
            ways.pairs[board, letters - ways.shortest] += times * (times - 1) // 2


def _tables(lexicon: "Lexicon") -> tuple[dict[tuple[int, ...], int], set[tuple[int, ...]]]:
    """Word ids by cut, and every beginning of every cut of a usable word."""
    words: dict[tuple[int, ...], int] = {}
    prefixes: set[tuple[int, ...]] = set()
    for number in np.flatnonzero(lexicon.usable).tolist():
        for cut in cuts(lexicon.words[number], lexicon.alphabet):
            words[cut] = number
            prefixes.update(cut[:length] for length in range(1, min(len(cut), lexicon.cells) + 1))
    return words, prefixes


def _paths(masks: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every simple path of one cell or more, and its cells as a mask."""
    stack: list[tuple[tuple[int, ...], int]] = [((cell,), 1 << cell) for cell in range(len(masks))]
    while stack:
        path, visited = stack.pop()
        yield path, visited
        free = masks[path[-1]] & ~visited
        while free:
            lowest = free & -free
            free ^= lowest
            stack.append(((*path, lowest.bit_length() - 1), visited | lowest))

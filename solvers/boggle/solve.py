"""The one door to every solver: checks what it is given, picks the solver by name."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.boggle import brute, depth_first, reference
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import Lexicon
from solvers.boggle.scoring import points_table
from solvers.errors import InputError
from solvers.grid import neighbour_masks

LENGTHS = 15
"""Columns of `by_length`: words of 2, 3, ... 15 letters, and of 16 and more."""


class Columns(NamedTuple):
    """One row a board.

    words, score: uint32[n]; nodes: uint64[n], calls of the plain prefix-pruned search; longest: uint8[n], letters;
    dead_tiles: uint8[n], letter tiles on no path of any found word; by_length: uint16[n, 15].
    """

    words: npt.NDArray[np.uint32]
    score: npt.NDArray[np.uint32]
    nodes: npt.NDArray[np.uint64]
    longest: npt.NDArray[np.uint8]
    dead_tiles: npt.NDArray[np.uint8]
    by_length: npt.NDArray[np.uint16]

    @classmethod
    def empty(cls, boards: int) -> "Columns":
        return cls(
            np.zeros(boards, np.uint32),
            np.zeros(boards, np.uint32),
            np.zeros(boards, np.uint64),
            np.zeros(boards, np.uint8),
            np.zeros(boards, np.uint8),
            np.zeros((boards, LENGTHS), np.uint16),
        )


def solve(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    scoring: str = "standard",
    solver: str = "numba",
    frequency: npt.NDArray[np.uint32] | None = None,
) -> Columns:
    """Solve boards of symbol ids, uint8[n, rows * cols] with BLANK (255) for a blank tile.

    `frequency`, uint32[words], is increased by one for each board that shows a word. Solvers: `numba` (the fastest),
    `dfs` (plain compiled search), `reference` (plain Python), `brute` (every path, up to 12 cells). All give the same
    numbers.

    Raises InputError for an unknown solver or scoring, a wrong shape, or a symbol outside the alphabet.
    """
    if solver not in SOLVERS:
        raise InputError(f"solver {solver!r} is not known", f"known are {', '.join(SOLVERS)}")
    if boards.ndim != 2 or boards.shape[1] != rows * cols:
        raise InputError(f"boards of shape {boards.shape}, but {rows} x {cols} cells")
    if rows * cols != lexicon.cells:
        raise InputError(f"the lexicon was built for {lexicon.cells} cells, the board has {rows * cols}")
    wrong = (boards != BLANK) & (boards >= len(lexicon.alphabet.symbols))
    if wrong.any():
        board, cell = np.argwhere(wrong)[0]
        raise InputError(f"board {board}, cell {cell}: symbol {boards[board, cell]} is outside the alphabet")
    columns = Columns.empty(len(boards))
    counts = np.empty(0, np.uint32) if frequency is None else frequency
    SOLVERS[solver](boards, rows, cols, lexicon, points_table(scoring), columns, counts)
    return columns


def find_words(
    cells: Sequence[int], rows: int, cols: int, lexicon: Lexicon, solver: str = "numba"
) -> tuple[list[int], Columns]:
    """Word ids found on one board, ascending (alphabetical), and its row of columns."""
    frequency = np.zeros(len(lexicon.words), np.uint32)
    board = np.array([cells], np.uint8)
    columns = solve(board, rows, cols, lexicon, solver=solver, frequency=frequency)
    return np.flatnonzero(frequency).tolist(), columns


def _numba_dfs(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    columns: Columns,
    frequency: npt.NDArray[np.uint32],
) -> None:
    depth_first.solve_boards(
        boards, neighbour_masks(rows, cols), lexicon.trie, lexicon.letters, points, columns, frequency
    )


@lru_cache(maxsize=1)
def _reference_trie(lexicon: Lexicon) -> reference.TrieNode:
    words = (word for word, usable in zip(lexicon.words, lexicon.usable, strict=True) if usable)
    return reference.build_trie(words, lexicon.alphabet, lexicon.min_length)


def _reference(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    columns: Columns,
    frequency: npt.NDArray[np.uint32],
) -> None:
    trie = _reference_trie(lexicon)
    ids = {word: number for number, word in enumerate(lexicon.words)} if len(frequency) else {}
    for board, cells in enumerate(boards.tolist()):
        solution = reference.solve(cells, rows, cols, trie)
        lengths = [len(word) for word in solution.words]
        columns.words[board] = len(lengths)
        columns.score[board] = sum(int(points[length]) for length in lengths)
        columns.nodes[board] = solution.nodes
        columns.longest[board] = max(lengths, default=0)
        columns.dead_tiles[board] = sum(cell != BLANK for cell in cells) - len(solution.used)
        for length in lengths:
            if length >= 2:
                columns.by_length[board, min(length, 16) - 2] += 1
        for word in solution.words if len(frequency) else ():
            frequency[ids[word]] += 1


SOLVERS: dict[str, Callable[..., Any]] = {"numba": _numba_dfs, "dfs": _numba_dfs, "reference": _reference}
SOLVERS["brute"] = brute.solve_boards

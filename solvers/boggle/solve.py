"""The one door to every solver: checks what it is given, picks the solver by name."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.boggle import breadth_first, depth_first, reference
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import Lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.ways import PAIR_LENGTHS, WAYS_LENGTHS, Ways
from solvers.errors import InputError
from solvers.grid import neighbour_masks

LENGTHS = 16
"""Columns of `by_length`: words of 1, 2, ... 15 letters, and of 16 and more."""
NO_LIMIT = 2**63
"""Nodes that no search reaches."""


class Columns(NamedTuple):
    """One row a board.

    words, score: uint32[n]; nodes: uint64[n], calls of the plain prefix-pruned search; longest: uint8[n], letters;
    dead_tiles: uint8[n], letter tiles on no path of any found word; by_length: uint32[n, 16]; everyday_words,
    everyday_score: uint32[n], of the words that the lexicon calls everyday ones.
    """

    words: npt.NDArray[np.uint32]
    score: npt.NDArray[np.uint32]
    nodes: npt.NDArray[np.uint64]
    longest: npt.NDArray[np.uint8]
    dead_tiles: npt.NDArray[np.uint8]
    by_length: npt.NDArray[np.uint32]
    everyday_words: npt.NDArray[np.uint32]
    everyday_score: npt.NDArray[np.uint32]

    @classmethod
    def empty(cls, boards: int) -> "Columns":
        return cls(
            np.zeros(boards, np.uint32),
            np.zeros(boards, np.uint32),
            np.zeros(boards, np.uint64),
            np.zeros(boards, np.uint8),
            np.zeros(boards, np.uint8),
            np.zeros((boards, LENGTHS), np.uint32),
            np.zeros(boards, np.uint32),
            np.zeros(boards, np.uint32),
        )


def solve(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    scoring: str = "standard",
    solver: str = "numba",
    frequency: npt.NDArray[np.uint32] | None = None,
    node_limit: int | None = None,
    ways: Ways | None = None,
) -> Columns:
    """Solve boards of symbol ids, uint8[n, rows * cols] with BLANK (255) for a blank tile.

    `frequency`, uint32[words], is increased by one for each board that shows a word. `ways`, as `empty_ways` makes it,
    is filled with the ways of each board. Solvers: `numba` (the fastest), `dfs` (plain compiled search, which takes the
    place of `numba` for an alphabet of more than 32 tiles), `reference` (plain Python). All give the same numbers.

    With a `node_limit`, `numba` and `dfs` stop searching a board soon after its nodes pass the limit: its row then
    holds what was found so far, and `unfinished` tells which rows do.

    Raises InputError for an unknown solver or scoring, a wrong shape, or a symbol outside the alphabet.
    """
    _check(boards, rows, cols, lexicon, solver)
    if frequency is not None and (frequency.dtype != np.uint32 or frequency.shape != (len(lexicon.words),)):
        raise InputError(
            f"frequency of {frequency.dtype} and shape {frequency.shape}, but {len(lexicon.words)} words",
            "give a uint32 array with one entry a word",
        )
    if ways is not None and (len(ways.ways) != len(boards) or ways.shortest != lexicon.min_length):
        raise InputError(
            f"ways of {len(ways.ways)} boards and words from {ways.shortest} letters, but {len(boards)} boards and "
            f"words from {lexicon.min_length} letters",
            "give what empty_ways makes",
        )
    columns = Columns.empty(len(boards))
    counts = breadth_first.NO_FREQUENCY if frequency is None else frequency
    limit = NO_LIMIT if node_limit is None else node_limit
    boards = np.require(boards, np.uint8, ["C", "W"])
    SOLVERS[solver](boards, rows, cols, lexicon, _points(scoring), limit, columns, counts, ways)
    return columns


def empty_ways(boards: int, lexicon: Lexicon) -> Ways:
    """Return the ways of so many boards for `solve` to fill; pairs are those of the list's minimum length and the
    next two.
    """
    return Ways.empty(boards, lexicon.min_length)


def unfinished(columns: Columns, node_limit: int) -> npt.NDArray[np.int64]:
    """Return the boards, ascending, whose search passed the limit that `solve` was given; `columns.nodes` says how
    far it
    went.
    """
    return np.flatnonzero(columns.nodes > np.uint64(node_limit))


def find_words(
    cells: Sequence[int], rows: int, cols: int, lexicon: Lexicon, solver: str = "numba", node_limit: int | None = None
) -> tuple[list[int], Columns]:
    """Return the word ids found on one board, ascending (alphabetical), and its row of columns."""
    ids, columns = find_word_ids(cells, rows, cols, lexicon, "standard", solver, node_limit)
    return ids.tolist(), columns


def find_word_ids(
    cells: Sequence[int],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    scoring: str,
    solver: str = "numba",
    node_limit: int | None = None,
) -> tuple[npt.NDArray[np.int32], Columns]:
    """As find_words, with the ids as int32[words]."""
    board = np.array([cells], np.uint8)
    if solver == "numba" and not lexicon.alphabet.wide:
        _check(board, rows, cols, lexicon, solver)
        columns = Columns.empty(1)
        limit = NO_LIMIT if node_limit is None else node_limit
        words = breadth_first.solve_boards(board, _neighbours(rows, cols), lexicon, _points(scoring), limit, columns)
        return words, columns
    frequency = np.zeros(len(lexicon.words), np.uint32)
    columns = solve(board, rows, cols, lexicon, scoring, solver, frequency, node_limit)
    return np.flatnonzero(frequency).astype(np.int32), columns


def _check(boards: npt.NDArray[np.uint8], rows: int, cols: int, lexicon: Lexicon, solver: str) -> None:
    if solver not in SOLVERS:
        raise InputError(f"solver {solver!r} is not known", f"known are {', '.join(SOLVERS)}")
    if boards.ndim != 2 or boards.shape[1] != rows * cols:
        raise InputError(f"boards of shape {boards.shape}, but {rows} x {cols} cells")
    if rows * cols != lexicon.cells:
        raise InputError(f"the lexicon was built for {lexicon.cells} cells, the board has {rows * cols}")
    # BLANK, the largest number, wraps to 0 and passes
    wrong = boards + np.uint8(1) > np.uint8(len(lexicon.alphabet.symbols))
    if np.count_nonzero(wrong):
        board, cell = np.argwhere(wrong)[0]
        raise InputError(f"board {board}, cell {cell}: symbol {boards[board, cell]} is outside the alphabet")


_points = lru_cache(points_table)
_neighbours = lru_cache(neighbour_masks)


def _breadth_first(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: Columns,
    frequency: npt.NDArray[np.uint32],
    ways: Ways | None,
) -> None:
    search = _depth_first if lexicon.alphabet.wide else _fastest
    search(boards, rows, cols, lexicon, points, node_limit, columns, frequency, ways)


def _fastest(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: Columns,
    frequency: npt.NDArray[np.uint32],
    ways: Ways | None,
) -> None:
    breadth_first.solve_boards(boards, _neighbours(rows, cols), lexicon, points, node_limit, columns, frequency, ways)


def _depth_first(
    boards: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: Columns,
    frequency: npt.NDArray[np.uint32],
    ways: Ways | None,
) -> None:
    depth_first.solve_boards(boards, _neighbours(rows, cols), lexicon, points, node_limit, columns, frequency, ways)


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
    node_limit: int,
    columns: Columns,
    frequency: npt.NDArray[np.uint32],
    ways: Ways | None,
) -> None:
    trie = _reference_trie(lexicon)
    ids = {word: number for number, word in enumerate(lexicon.words)} if len(frequency) else {}
    everyday = {lexicon.words[number] for number in np.flatnonzero(lexicon.everyday).tolist()}
    for board, cells in enumerate(boards.tolist()):
        solution = reference.solve(cells, rows, cols, trie)
        lengths = [len(word) for word in solution.words]
        columns.words[board] = len(lengths)
        columns.score[board] = sum(int(points[length]) for length in lengths)
        known = [len(word) for word in solution.words & everyday]
        columns.everyday_words[board] = len(known)
        columns.everyday_score[board] = sum(int(points[length]) for length in known)
        columns.nodes[board] = solution.nodes
        columns.longest[board] = max(lengths, default=0)
        columns.dead_tiles[board] = sum(cell != BLANK for cell in cells) - len(solution.used)
        for length in lengths:
            columns.by_length[board, min(length, LENGTHS) - 1] += 1
        for word in solution.words if len(frequency) else ():
            frequency[ids[word]] += 1
        if ways is not None:
            ways.ways[board] = ways.pairs[board] = 0
            for (word, _), times in solution.ways.items():
                ways.ways[board, min(len(word), WAYS_LENGTHS) - 1] += np.uint64(times)
                if len(word) - ways.shortest < PAIR_LENGTHS:
                    ways.pairs[board, len(word) - ways.shortest] += np.uint64(times * (times - 1) // 2)


SOLVERS: dict[str, Callable[..., Any]] = {"numba": _breadth_first, "dfs": _depth_first, "reference": _reference}

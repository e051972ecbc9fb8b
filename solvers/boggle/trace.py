"""Can a word be traced on a grid: by which cells, and in how many distinct ways.

Any rectangular grid up to 64 x 64; one character is one cell, whatever it is. Cells are numbered row by row from 0.
A tracing is a path of neighbouring cells, none used twice, whose characters spell the word.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.boggle.budget import Budget
from solvers.boggle.paths import frontier_counts
from solvers.boggle.trace_kernels import FOUND, GAVE_UP, count_tracings, find_tracing, mark_places, walk_trie
from solvers.errors import InputError

MAX_SIDE = 64
WORK_LIMIT = 5_000_000
"""Search steps, about a second of work."""
MAX_LISTED_CELLS = 8_000_000
"""Cells of all listed paths together: a million paths of eight letters."""
_PATIENCE = 200
"""Cells to enter for each letter of the word before another start cell is tried."""
_FRONTIER_WIDTH, _FRONTIER_CELLS = 5, 36
"""Grids this narrow, or this small, are swept where a word repeats one letter."""


@dataclass(frozen=True)
class Trace:
    """Answer to one word.

    `path`: cells of one tracing, empty if there is none. `ways`: distinct tracings, exact, or None where counting was
    not asked for or passed the work limit; `ways_at_least` is what had been counted by then. `paths`: the tracings
    asked for, ascending; all of them if there are `ways` of them.
    """

    found: bool
    path: tuple[int, ...] = ()
    ways: int | None = 0
    ways_at_least: int = 0
    paths: tuple[tuple[int, ...], ...] = ()


class _Grid(NamedTuple):
    """codes: int32[cells], the character of each cell; have: cells by character; near: int16[cells, 9], neighbours, -1
    ends a row.
    """

    rows: int
    cols: int
    codes: npt.NDArray[np.int32]
    have: Counter[int]
    near: npt.NDArray[np.int16]


def trace(
    grid: str | Sequence[str],
    word: str,
    neighbours: int = 8,
    case_sensitive: bool = False,
    count: bool = True,
    paths: int = 0,
    limit: int = WORK_LIMIT,
    budget: Budget | None = None,
) -> Trace:
    """Trace a word on a grid given as rows (strings of equal length) or as text with a row a line.

    `count`: count the tracings too; `paths`: list up to so many of them (and at most 8,000,000 cells of paths);
    `limit`: search steps for answer, count and list together; `budget` instead, where several searches share them or
    somebody may end them.

    Raises InputError for an empty or ragged grid, a side above 64, an empty word, other than 4 or 8 neighbours, and
    where the steps do not decide whether the word can be traced.
    """
    budget = budget or Budget(limit)
    board = _read_grid(grid, neighbours, case_sensitive)
    if paths < 0:
        raise InputError(f"{paths} paths asked for", "give 0 or more")
    codes = _read_word(word, case_sensitive)
    if not _enough_letters(board, codes):
        return Trace(False)
    reverse = _rarer_end_last(board, codes)
    search = _places(board, codes[::-1] if reverse else codes)
    if search is None:
        return Trace(False)
    path = _find(search, neighbours, word, budget)
    if path is None:
        return Trace(False)
    ways: int | None = None
    at_least, listed = 1, np.empty((0, len(codes)), np.int16)
    if count or paths:
        ways, at_least, listed = _count(board, search, neighbours, paths, budget, count)
    turn = -1 if reverse else 1
    listing = sorted(tuple(row[::turn]) for row in search.cells[listed].tolist())
    return Trace(True, tuple(search.cells[path].tolist()[::turn]), ways, at_least, tuple(listing))


def trace_many(
    grid: str | Sequence[str],
    words: Sequence[str],
    neighbours: int = 8,
    case_sensitive: bool = False,
    limit: int = WORK_LIMIT,
) -> npt.NDArray[np.bool_]:
    """Return which of the words can be traced: bool[words], by one search over the trie of all words.

    A pass that takes more than `limit` steps is left, and each word still open is searched alone with that limit.

    Raises InputError as `trace` does.
    """
    board = _read_grid(grid, neighbours, case_sensitive)
    found = np.zeros(len(words), np.bool_)
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, word in enumerate(words):
        codes = _read_word(word, case_sensitive)
        if _enough_letters(board, codes):
            groups.setdefault(tuple(codes), []).append(number)
    if not groups:
        return found
    ordered = sorted(groups)
    finished, seen = _walk(board, ordered, Budget(limit))
    for entry, is_found in zip(ordered, seen.tolist(), strict=True):
        if not is_found and not finished:
            is_found = trace(grid, words[groups[entry][0]], neighbours, case_sensitive, False, 0, limit).found
        found[groups[entry]] = is_found
    return found


def fold_character(character: str) -> str:
    """Return the character without case, always one character: sharp s and the dotted capital I keep to themselves."""
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return folded
    return character


def _characters(text: str, case_sensitive: bool) -> list[int]:
    plain = unicodedata.normalize("NFC", text)
    return [ord(character if case_sensitive else fold_character(character)) for character in plain]


def _read_word(word: str, case_sensitive: bool) -> list[int]:
    if not word:
        raise InputError("the word is empty", "give at least one character")
    return _characters(word, case_sensitive)


def _read_grid(grid: str | Sequence[str], neighbours: int, case_sensitive: bool) -> _Grid:
    if neighbours not in (4, 8):
        raise InputError(f"{neighbours} neighbours: a cell has 8 (with corners) or 4 (sides only)")
    lines = grid.removesuffix("\n").replace("\r\n", "\n").split("\n") if isinstance(grid, str) else list(grid)
    table = [_characters(line, case_sensitive) for line in lines]
    if not table or not any(table):
        raise InputError("the grid is empty", "give at least one row of at least one character")
    rows, cols = len(table), len(table[0])
    for number, line in enumerate(table):
        if len(line) != cols:
            raise InputError(
                f"row {number + 1} has {len(line)} cells, row 1 has {cols}", "every row needs the same number"
            )
    if rows > MAX_SIDE or cols > MAX_SIDE:
        raise InputError(f"a grid of {rows} x {cols} cells; at most {MAX_SIDE} x {MAX_SIDE} can be searched")
    codes = np.array(table, np.int32).ravel()
    return _Grid(rows, cols, codes, Counter(codes.tolist()), _near(rows, cols, neighbours))


def _near(rows: int, cols: int, neighbours: int) -> npt.NDArray[np.int16]:
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    if neighbours == 4:
        steps = [(down, right) for down, right in steps if down == 0 or right == 0]
    row, col = np.divmod(np.arange(rows * cols), cols)
    columns = []
    for down, right in steps:
        inside = (row + down >= 0) & (row + down < rows) & (col + right >= 0) & (col + right < cols)
        columns.append(np.where(inside, (row + down) * cols + col + right, -1))
    return _packed(np.stack(columns, axis=1).astype(np.int16))


def _packed(near: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Rows with their -1 entries moved to the end, and one more column of -1."""
    order = np.argsort(near < 0, axis=1, kind="stable")
    packed = np.full((near.shape[0], 9), -1, np.int16)
    packed[:, : near.shape[1]] = np.take_along_axis(near, order, axis=1)
    return packed


def _enough_letters(board: _Grid, codes: Sequence[int]) -> bool:
    if len(codes) > len(board.codes):
        return False
    return all(board.have.get(code, 0) >= need for code, need in Counter(codes).items())


def _rarer_end_last(board: _Grid, codes: Sequence[int]) -> bool:
    return board.have[codes[-1]] < board.have[codes[0]]


class _Search(NamedTuple):
    """The cells that can be some letter of the word, renumbered.

    cells: int64[n], number on the grid; near: int16[n, 9]; letters: int16[n]; word: int16[length], letter ids;
    places: uint8[length, n], 1 where the cell can be that letter of the word on some walk; colour: uint8[n], as on a
    chessboard.
    """

    cells: npt.NDArray[np.int64]
    near: npt.NDArray[np.int16]
    letters: npt.NDArray[np.int16]
    word: npt.NDArray[np.int16]
    places: npt.NDArray[np.uint8]
    colour: npt.NDArray[np.uint8]


def _places(board: _Grid, codes: Sequence[int]) -> _Search | None:
    """None where not even a walk that may use cells twice spells the word."""
    ids = {code: number for number, code in enumerate(dict.fromkeys(codes))}
    letters = np.array([ids.get(code, -1) for code in board.codes.tolist()], np.int16)
    word = np.array([ids[code] for code in codes], np.int16)
    places = np.zeros((len(word), len(letters)), np.uint8)
    mark_places(word, letters, board.near, places)
    if not places.any(axis=1).all():
        return None
    cells = np.flatnonzero(places.any(axis=0))
    renumbered = np.full(len(letters) + 1, -1, np.int16)
    renumbered[cells] = np.arange(len(cells))
    near = _packed(renumbered[board.near[cells, :8]])
    colour = (cells // board.cols + cells % board.cols) % 2
    packed = np.ascontiguousarray(places[:, cells])
    return _Search(cells, near, letters[cells], word, packed, colour.astype(np.uint8))


def _find(search: _Search, neighbours: int, word: str, budget: Budget) -> npt.NDArray[np.int16] | None:
    path = np.empty(len(search.word), np.int16)
    allowed = budget.left
    status, steps = find_tracing(
        search.word,
        search.letters,
        search.near,
        search.places,
        search.colour,
        neighbours == 4,
        allowed,
        budget.stopped,
        _PATIENCE * len(search.word),
        path,
    )
    budget.spend(steps)
    if status == GAVE_UP:
        raise InputError(
            f"word {word[:40]!r}: {allowed:,} search steps do not decide whether it can be traced",
            "ask for a shorter word or a smaller grid, or raise the limit",
        )
    return path if status == FOUND else None


def _count(
    board: _Grid, search: _Search, neighbours: int, most: int, budget: Budget, count: bool
) -> tuple[int | None, int, npt.NDArray[np.int16]]:
    """Ways (None where not known), a lower bound, and the first paths."""
    most = min(most, MAX_LISTED_CELLS // len(search.word))
    listed = np.empty((most, len(search.word)), np.int16)
    repeats = len(set(search.word.tolist())) < len(search.word)
    small = min(board.rows, board.cols) <= _FRONTIER_WIDTH or len(board.codes) <= _FRONTIER_CELLS
    swept = not repeats or (small and len(search.word) > _FRONTIER_WIDTH and search.word.max() == 0)
    if most or not swept:
        enough = most if swept or not count else -1
        status, ways, filled, steps = count_tracings(
            search.word, search.near, search.places, budget.left, budget.stopped, listed, enough
        )
        budget.spend(steps)
        listed = listed[:filled]
        if not swept or status == FOUND:
            return (int(ways) if status == FOUND else None), max(1, int(ways)), listed
    if not count:
        return None, max(1, len(listed)), listed
    if repeats:
        allowed = np.isin(np.arange(board.rows * board.cols), search.cells).tolist()
        total = frontier_counts(allowed, board.rows, board.cols, neighbours, len(search.word))[len(search.word) - 1]
    else:
        total = _count_walks(search)
    return total, total, listed


def _count_walks(search: _Search) -> int:
    """Tracings of a word without a repeated letter: its walks cannot meet themselves, however many there are."""
    ways = search.places[-1].astype(object)
    padded = np.append(ways, 0)
    for place in range(len(search.word) - 2, -1, -1):
        padded[:-1] = np.where(search.places[place] == 1, padded[search.near].sum(axis=1), 0)
    return int(padded.sum())


def _walk(board: _Grid, ordered: list[tuple[int, ...]], budget: Budget) -> tuple[bool, npt.NDArray[np.bool_]]:
    """One search over the trie of sorted words: whether it came to its end, and bool[words], found."""
    ids = {code: number for number, code in enumerate(sorted({code for entry in ordered for code in entry}))}
    letters = np.array([ids.get(code, -1) for code in board.codes.tolist()], np.int32)
    symbol, word_at, first_child, next_child, parent = [-1], [-1], [-1], [-1], [-1]
    nodes, shared_word = [0], tuple[int, ...]()
    for number, entry in enumerate(ordered):
        shared = 0
        while shared < min(len(entry), len(shared_word)) and entry[shared] == shared_word[shared]:
            shared += 1
        del nodes[shared + 1 :]
        for code in entry[shared:]:
            symbol.append(ids[code])
            word_at.append(-1)
            first_child.append(-1)
            next_child.append(first_child[nodes[-1]])
            parent.append(nodes[-1])
            first_child[nodes[-1]] = len(symbol) - 1
            nodes.append(len(symbol) - 1)
        word_at[nodes[-1]] = number
        shared_word = entry
    seen = np.zeros(len(ordered), np.bool_)
    finished, steps = walk_trie(
        letters,
        board.near,
        np.array(symbol, np.int32),
        np.array(word_at, np.int32),
        np.array(first_child, np.int32),
        np.array(next_child, np.int32),
        np.array(parent, np.int32),
        budget.left,
        budget.stopped,
        max(map(len, ordered)),
        seen,
    )
    budget.spend(steps)
    return bool(finished), seen

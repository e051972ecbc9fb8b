"""Boggle for one request: read the board, solve it, trace a word on it, shake one."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic_core import to_json

from pipeline.games.boggle.dice import DiceSet
from pipeline.games.boggle.shakes import shake
from pipeline.web.books import Books, Key, Prepared
from pipeline.web.models import BoardRequest, SolveRequest, TraceRequest
from pipeline.web.problems import LIMIT, RefusalError, about
from pipeline.web.settings import DEFAULT_WORDS, Limits
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.budget import Budget
from solvers.boggle.scoring import SCORINGS, points_table
from solvers.boggle.solve import find_word_ids
from solvers.boggle.trace import trace
from solvers.boggle.word_paths import tile_paths
from solvers.errors import InputError
from solvers.grid import format_board, parse_board
from solvers.languages import Language

_POINTS = {name: points_table(name) for name in SCORINGS}
_FIRST_PRIVATE = 0xE000
"""One character of the private use area stands for each tile, so that a tile of several letters is one cell."""


@dataclass(frozen=True)
class Board:
    rows: int
    columns: int
    faces: list[str]
    dice: DiceSet | None
    alphabet: Alphabet
    language: Language

    @property
    def symbols(self) -> list[str]:
        """What the tiles show, in small letters."""
        return [self.alphabet.symbol(face) for face in self.faces]

    @property
    def shown(self) -> dict[str, Any]:
        return {
            "board": format_board(self.faces), "tiles": self.faces, "rows": self.rows, "columns": self.columns,
        }  # fmt: skip


def read_board(request: BoardRequest, books: Books) -> Board:
    """Raises RefusalError 422 that names the field."""
    dice = None
    with about("words"):
        language = books.source(getattr(request, "words", None) or DEFAULT_WORDS).rules
    if request.dice is not None:
        with about("dice"):
            dice = books.dice_set(request.dice)
        for name, given, own in (("rows", request.rows, dice.rows), ("columns", request.columns, dice.columns)):
            if given is not None and given != own:
                raise RefusalError(422, f"dice set {dice.id} has {own} {name}, not {given}", "invalid-input", name)
        rows, columns = dice.rows, dice.columns
    else:
        rows, columns = request.rows or 4, request.columns or 4
    with about("board"):
        if dice:
            faces = parse_board(request.board, rows, columns, dice.faces, dice.rules)
            return Board(rows, columns, faces, dice, dice.alphabet_for(language), language)
        faces = parse_board(request.board, rows, columns, None, language)
        return Board(rows, columns, faces, None, _free_alphabet(faces, language, books), language)


def _free_alphabet(faces: Sequence[str], language: Language, books: Books) -> Alphabet:
    """The plainest alphabet with every tile: letters of the language, and the tiles of any one dice set."""
    for alphabet in books.alphabets(language):
        if all(alphabet.symbol(face) in alphabet.index for face in faces if face):
            return alphabet
    plain = books.alphabets(language)[0]
    strange = sorted({face for face in faces if face and plain.symbol(face) not in plain.index})
    raise InputError(
        f"no dice set shows all of {', '.join(strange[:6])}",
        f"free letters are those of the word list's language ({language.id}), and the tiles of one dice set",
    )


def lexicon_key(request: SolveRequest, board: Board, books: Books) -> Key:
    with about("words"):
        books.source(request.words)
    shortest = request.min_length
    if shortest is None:
        shortest = board.dice.min_length if board.dice else 3
    return Key(request.words, board.alphabet, shortest)


def solve_board(request: SolveRequest, board: Board, prepared: Prepared, limits: Limits) -> bytes:
    """Return a models.SolveAnswer as JSON. Raises RefusalError 422 where the search passes the node limit."""
    lexicon, spelled = prepared.lexicon, prepared.spelled
    scoring = board.dice.scoring if board.dice else "standard"
    cells = lexicon.alphabet.ids(board.faces)
    started = time.perf_counter()
    ids, columns = find_word_ids(cells, board.rows, board.columns, lexicon, scoring, node_limit=limits.solve_nodes)
    seconds = time.perf_counter() - started
    nodes = int(columns.nodes[0])
    if nodes > limits.solve_nodes:
        detail = f"this board needs more than {limits.solve_nodes:,} nodes with this word list"
        raise RefusalError(422, detail, LIMIT, "board")
    letters = lexicon.letters[ids].astype(np.int64)
    paths: dict[int, tuple[int, ...]] = {}
    if request.paths:
        paths = {number: _paths(board, lexicon.words[number])[0] for number in ids.tolist()}
    words = [lexicon.words[number] for number in paths]
    answer = {
        **board.shown,
        "dice": board.dice.id if board.dice else None,
        "words": request.words,
        "min_length": lexicon.min_length,
        "count": len(ids),
        "score": int(columns.score[0]),
        "longest": spelled[ids[letters.argmax()]] if len(ids) else None,
        "dead_tiles": int(columns.dead_tiles[0]),
        "nodes": nodes,
        "milliseconds": round(1e3 * seconds, 4),
        "dead": dead_cells(board, words, paths.values(), int(columns.dead_tiles[0])) if paths else [],
    }
    if request.order != "alphabet":
        rank = letters if request.order == "length" else _POINTS[scoring][letters].astype(np.int64)
        order = np.argsort(-rank, kind="stable")
        ids, letters = ids[order], letters[order]
    points = _POINTS[scoring][letters]
    answer["found"] = [
        {"word": spelled[number], "letters": count, "points": value, "path": paths.get(number, ())}
        for number, count, value in zip(ids.tolist(), letters.tolist(), points.tolist(), strict=True)
    ]
    return to_json(answer)


def _paths(board: Board, word: str, symbols: Sequence[str] | None = None) -> list[tuple[int, ...]]:
    """One path of the word, if there is one; `symbols` may stand for the board's own."""
    return tile_paths(symbols or board.symbols, board.rows, board.columns, word)


def dead_cells(board: Board, words: Sequence[str], paths: Iterable[tuple[int, ...]], dead: int) -> list[int]:
    """Return the cells of the letter tiles on no path of any word; `paths` holds one path of each word, `dead` is their
    number.

    Where the paths at hand leave more tiles unused, each such tile is made another letter, which stands in for it in
    one place of a word after another.
    """
    used = {cell for path in paths for cell in path}
    unused = [cell for cell, symbol in enumerate(board.symbols) if symbol and cell not in used]
    if len(unused) == dead:
        return unused
    alone = chr(_FIRST_PRIVATE)
    alive = set()
    for cell in unused:
        symbol = board.symbols[cell]
        symbols = [*board.symbols[:cell], alone, *board.symbols[cell + 1 :]]
        with_tile = (
            word[:place] + alone + word[place + len(symbol) :]
            for word in words
            for place in range(len(word))
            if word.startswith(symbol, place)
        )
        if any(_paths(board, word, symbols) for word in with_tile):
            alive.add(cell)
            if len(unused) - len(alive) == dead:
                break
    return [cell for cell in unused if cell not in alive]


def trace_word(request: TraceRequest, board: Board, books: Books, limits: Limits) -> dict[str, Any]:
    """Return every way to cut the word into tiles of the board, each traced on its own: a path spells one cut."""
    symbols = board.symbols
    tiles = sorted({tile for tile in symbols if tile})
    stands = {tile: chr(_FIRST_PRIVATE + number) for number, tile in enumerate(tiles)}
    blank = chr(_FIRST_PRIVATE + len(tiles))
    drawn = "".join(stands.get(tile, blank) for tile in symbols)
    grid = [drawn[start : start + board.columns] for start in range(0, len(drawn), board.columns)]
    most = limits.trace_ways + 1
    budget = Budget(limits.trace_steps)
    paths: list[list[int]] = []
    ways = 0
    for cut in _cuts(board.language.fold(request.word), Counter(symbols), budget):
        if ways >= most:
            break
        with about("word"):
            text = "".join(stands[tile] for tile in cut)
            try:
                found = trace(grid, text, request.neighbours, True, False, most, budget=budget)
            except InputError:
                if not paths:
                    raise
                break
        if found.found:
            paths += [list(path) for path in (found.paths or (found.path,))]
            ways += max(1, len(found.paths))
    if not (paths or budget.left):
        detail = f"{limits.trace_steps:,} steps do not decide whether the word can be traced"
        raise RefusalError(422, detail, LIMIT, "word")
    known = budget.left > 0 and ways < most
    in_list = None
    if request.words is not None:
        with about("words"):
            in_list = books.holds(request.words, request.word)
    return {
        **board.shown,
        "word": request.word,
        "found": bool(paths),
        "path": paths[0] if paths else [],
        "ways": ways if known else None,
        "ways_at_least": min(ways, most),
        "paths": sorted(paths)[: request.paths],
        "in_list": in_list,
    }


def _cuts(word: str, tiles: Counter[str], budget: Budget) -> Iterator[list[str]]:
    """Ways to write the word with the tiles of a board, each used no more often than it is there; ends with the budget.

    A word such as `inininin` has as many cuts as there are sets of its places, most of which need tiles that are gone.
    """
    usable = [False] * len(word) + [True]
    for place in range(len(word) - 1, -1, -1):
        usable[place] = any(tile and word.startswith(tile, place) and usable[place + len(tile)] for tile in tiles)
    left = tiles.copy()

    def go_on(place: int, cut: list[str]) -> Iterator[list[str]]:
        # A step of Python takes as long as some fifty of a compiled search.
        budget.spend(50)
        if place == len(word):
            yield cut
            return
        for tile in tiles:
            if tile and left[tile] and word.startswith(tile, place) and usable[place + len(tile)] and budget.left:
                left[tile] -= 1
                yield from go_on(place + len(tile), [*cut, tile])
                left[tile] += 1

    if usable[0]:
        yield from go_on(0, [])


def shake_boards(
    dice: DiceSet, seed: int, index: int, count: int, rows: int | None, columns: int | None
) -> dict[str, Any]:
    """Return `count` seeded shakes from `index` on, as the API sends them.

    A smaller grid takes the first tiles of a shake: as random as the whole, since the dice are shuffled.

    Raises RefusalError 422 for a grid that needs more dice.
    """
    rows, columns = rows or dice.rows, columns or dice.columns
    if rows * columns > dice.cells:
        detail = f"a grid of {rows} x {columns} needs more than the {dice.cells} dice of {dice.id}"
        raise RefusalError(422, detail, "invalid-input", "rows")
    with about("seed"):
        shaken = shake(dice, seed, index, count)[:, : rows * columns].tolist()
    boards = []
    for place, board in enumerate(shaken):
        faces = [dice.faces[face] for face in board]
        boards.append({"index": index + place, "board": format_board(faces), "tiles": faces})
    return {"dice": dice.id, "seed": seed, "rows": rows, "columns": columns, "boards": boards}

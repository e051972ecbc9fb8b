"""One board in front of a person: read it, solve it, say which words it holds and where."""

import math
import string
import time
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet, load_dice
from pipeline.games.boggle.languages import DEFAULT
from pipeline.games.boggle.words import find_words as find_list
from pipeline.games.boggle.words import load_words, say_mismatch
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.boards import board_texts
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import find_words, solve
from solvers.boggle.word_paths import tile_paths
from solvers.boggle.words import WordList
from solvers.grid import MAX_CELLS, format_board, parse_board

BATCH = 20_000
SORTS = {
    "alphabetical": lambda word: word.word,
    "length": lambda word: (-word.letters, word.word),
    "points": lambda word: (-word.points, -word.letters, word.word),
}


@dataclass(frozen=True)
class Rules:
    """How a board is read and solved: grid, faces, words. `dice` is None for free letters."""

    rows: int
    columns: int
    dice: DiceSet | None
    words: WordList
    words_id: str
    min_length: int
    scoring: str
    bare_q: bool = False

    def read(self, text: str) -> list[str]:
        """Faces of a board: of dice as their language reads them, of free letters as that of the list does."""
        if self.dice:
            return parse_board(text, self.rows, self.columns, self.dice.faces, self.dice.rules)
        return parse_board(text, self.rows, self.columns, None, self.words.language, self.bare_q)

    def lexicon(self, faces: Iterable[str]) -> Lexicon:
        """The words that boards of these faces can be asked for; with dice, those of the whole set."""
        language = self.words.language
        alphabet = self.dice.alphabet_for(language) if self.dice else Alphabet.at_hand(faces, language)
        return build_lexicon(self.words, alphabet, self.min_length, self.rows * self.columns)


@dataclass(frozen=True)
class FoundWord:
    """`path`: cells of one tracing, numbered row by row from 0; None if not asked for."""

    word: str
    letters: int
    points: int
    path: tuple[int, ...] | None = None


@dataclass(frozen=True)
class SolvedBoard:
    board: str
    rows: int
    columns: int
    faces: tuple[str, ...]
    found: tuple[FoundWord, ...]
    score: int
    longest: str
    nodes: int
    dead_tiles: int
    seconds: float
    """Time of the search alone."""

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "words": len(self.found)}


def make_rules(
    text: str | None,
    dice: str | None,
    rows: int | None,
    columns: int | None,
    words: str,
    language: str | None,
    min_length: int | None,
    scoring: str | None,
    column: str | None = None,
    bare_q: bool = False,
) -> Rules:
    """Rules from what a person gave; without dice or size the board's text says its size.

    Raises PipelineError where they contradict each other or leave the size open.
    """
    dice_set = load_dice(dice) if dice else None
    text = unicodedata.normalize("NFC", text) if text else text
    if dice_set and (rows or columns) and (rows, columns) != (dice_set.rows, dice_set.columns):
        raise PipelineError(
            f"{rows} x {columns} cells, but {dice_set.id} fill {dice_set.rows} x {dice_set.columns}",
            "leave out --rows and --cols, or --dice",
        )
    if dice_set:
        rows, columns = dice_set.rows, dice_set.columns
    elif rows is None or columns is None:
        rows, columns = _size_of(text, rows, columns)
    if not (rows >= 1 and columns >= 1 and rows * columns <= MAX_CELLS):
        raise PipelineError(f"a grid of {rows} x {columns}", f"a board has 1 to {MAX_CELLS} cells")
    if bare_q and dice_set:
        raise PipelineError("--bare-q has no meaning with --dice", "the dice say whether they show Q or Qu")
    source = find_list(words, language, column, dice_set.rules if dice_set else DEFAULT)
    if dice_set:
        say_mismatch(source, [dice_set])
    points_table(scoring or "standard")
    return Rules(
        rows,
        columns,
        dice_set,
        load_words(source),
        source.id,
        min_length if min_length is not None else dice_set.min_length if dice_set else 3,
        scoring or (dice_set.scoring if dice_set else "standard"),
        bare_q,
    )


def _size_of(text: str | None, rows: int | None, columns: int | None) -> tuple[int, int]:
    """Rows and columns that a board's text implies: its lines, else the nearest square."""
    if text is None:
        return rows or 4, columns or 4
    lines = [line for line in text.replace("/", "\n").split("\n") if line.strip()]
    counts = {len(_tiles(line)) for line in lines}
    if len(lines) > 1 and len(counts) == 1:
        return len(lines), counts.pop()
    tokens = text.replace("/", " ").split()
    letters = sum(map(len, tokens))
    for cells in (letters, len(_tiles(text)), len(tokens) if len(tokens) > 1 else 0):
        if rows or columns:
            known = rows or columns or 1
            if cells % known == 0:
                return (rows, cells // rows) if rows else (cells // known, known)
        elif cells and math.isqrt(cells) ** 2 == cells and cells <= MAX_CELLS:
            return math.isqrt(cells), math.isqrt(cells)
    raise PipelineError(
        f"board {text[:60]!r}: {letters} letters make no square",
        "give --rows and --cols, or --dice, or split rows by /",
    )


def _tiles(line: str) -> list[str]:
    """Tiles of a line: its tokens if there are several, else letters, where lower case continues a tile."""
    tokens = line.split()
    if len(tokens) > 1 and all(len(token) <= 2 for token in tokens):
        return tokens
    plain = "".join(tokens)
    if plain.isupper() or plain.islower():
        return list(plain)
    tiles: list[str] = []
    for letter in plain:
        if letter.islower() and tiles:
            tiles[-1] += letter
        else:
            tiles.append(letter)
    return tiles


def solve_board(rules: Rules, text: str, paths: bool = False, solver: str = "numba") -> SolvedBoard:
    """Every word of one board, alphabetically.

    Raises InputError for a board that cannot be read.
    """
    faces = rules.read(text)
    lexicon = rules.lexicon(faces)
    cells = lexicon.alphabet.ids(faces)
    find_words(cells, rules.rows, rules.columns, lexicon, solver)
    started = time.perf_counter()
    ids, columns = find_words(cells, rules.rows, rules.columns, lexicon, solver)
    seconds = time.perf_counter() - started
    points = points_table(rules.scoring)
    found = []
    symbols = [lexicon.alphabet.symbol(face) for face in faces]
    for number in ids:
        word = lexicon.words[number]
        path = tile_paths(symbols, rules.rows, rules.columns, word)[0] if paths else None
        found.append(FoundWord(rules.words.spelled(word), len(word), int(points[min(len(word), 255)]), path))
    return SolvedBoard(
        format_board(faces),
        rules.rows,
        rules.columns,
        tuple(faces),
        tuple(found),
        sum(word.points for word in found),
        max(found, key=lambda word: word.letters).word if found else "",
        int(columns.nodes[0]),
        int(columns.dead_tiles[0]),
        seconds,
    )


FIGURES = ("words", "score", "longest", "dead_tiles", "nodes")


def solve_lines(rules: Rules, lines: Iterable[str], solver: str = "numba") -> Iterator[tuple[str, tuple[int, ...]]]:
    """(canonical board, figures in the order of FIGURES) for each line, in order; empty lines are passed over.

    Raises PipelineError that names the line of a board that cannot be read.
    """
    filled = ((number, line) for number, line in _numbered(lines) if line)
    lexicon: Lexicon | None = None
    seen: set[str] = set()
    while batch := list(islice(filled, BATCH)):
        boards, texts, faces = _read_batch(rules, batch)
        if lexicon is None or not seen.issuperset(faces):
            seen.update(faces)
            lexicon = rules.lexicon(seen)
        symbols = np.array(lexicon.alphabet.ids(faces), np.uint8)[boards]
        columns = solve(symbols, rules.rows, rules.columns, lexicon, rules.scoring, solver)
        figures = zip(*(getattr(columns, name).tolist() for name in FIGURES), strict=True)
        yield from zip(texts, figures, strict=True)


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            yield number, line.strip()
    except UnicodeDecodeError as error:
        raise PipelineError(f"after line {number}: not {error.encoding} text", "give letters") from error


def _read_batch(rules: Rules, batch: list[tuple[int, str]]) -> tuple[npt.NDArray[np.uint8], list[str], list[str]]:
    """Face ids of each board, its canonical text, and the faces that the ids stand for."""
    return _read_plain(rules, [line for _, line in batch]) or _read_any(rules, batch)


def _read_plain(rules: Rules, lines: list[str]) -> tuple[npt.NDArray[np.uint8], list[str], list[str]] | None:
    """Boards of one plain letter a cell, all at once; None where any line is written otherwise or is wrong."""
    cells = rules.rows * rules.columns
    joined = "".join(lines)
    reading = rules.dice.rules if rules.dice else rules.words.language
    if not (joined.isascii() and joined.isalpha() and all(len(line) == cells for line in lines)):
        return None
    if not reading.plain_capitals:
        return None
    known = rules.dice.faces if rules.dice else None
    bare_q = "Q" in known if known is not None else rules.bare_q
    faces = ["Qu" if letter == "Q" and not bare_q else letter for letter in string.ascii_uppercase]
    boards = (np.frombuffer(joined.upper().encode(), np.uint8) - ord("A")).reshape(-1, cells)
    if known is not None and not set(map(faces.__getitem__, np.unique(boards).tolist())) <= set(known):
        return None
    text, offsets = board_texts(boards, faces)
    whole, places = text.tobytes().decode(), offsets.tolist()
    shown = sorted(set(boards.ravel().tolist()))
    place = np.zeros(26, np.uint8)
    place[shown] = np.arange(len(shown))
    texts = [whole[start:end] for start, end in pairwise(places)]
    return place[boards], texts, [faces[number] for number in shown]


def _read_any(rules: Rules, batch: list[tuple[int, str]]) -> tuple[npt.NDArray[np.uint8], list[str], list[str]]:
    ids: dict[str, int] = {}
    rows: list[list[int]] = []
    texts: list[str] = []
    for number, line in batch:
        try:
            board = rules.read(line)
        except ValueError as error:
            raise PipelineError(f"line {number}: {error}") from error
        rows.append([ids.setdefault(face, len(ids)) for face in board])
        texts.append(format_board(board))
    return np.array(rows, np.uint8), texts, list(ids)

"""One board in front of a person: read it, solve it, say which words it holds and where."""

import math
import string
import time
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet, load_dice
from pipeline.games.boggle.languages import DEFAULT
from pipeline.games.boggle.words import find_words as find_list
from pipeline.games.boggle.words import load_words, say_mismatch
from solvers.boggle.alphabet import MAX_SYMBOLS, MAX_WRITTEN, Alphabet
from solvers.boggle.boards import board_texts
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import find_words, solve
from solvers.boggle.word_paths import tile_paths
from solvers.boggle.words import WordList
from solvers.errors import InputError
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
        """Return the faces of a board: of dice as their language reads them, of free letters as that of the list
        does.
        """
        if self.dice:
            return parse_board(text, self.rows, self.columns, self.dice.faces, self.dice.rules)
        return parse_board(text, self.rows, self.columns, None, self.words.language, self.bare_q)

    def lexicon(self, faces: Iterable[str]) -> Lexicon:
        """Return the words that boards of these faces can be asked for; with dice, those of the whole set."""
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
    """Return the rules from what a person gave; without dice or size the board's text says its size.

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
    if not letters:
        raise PipelineError(f"board {text[:60]!r} is empty", "give its letters, row by row")
    for cells in (letters, len(_tiles(text)), len(tokens) if len(tokens) > 1 else 0):
        if rows or columns:
            known = rows or columns or 1
            if cells and cells % known == 0:
                return (rows, cells // rows) if rows else (cells // known, known)
        elif cells and math.isqrt(cells) ** 2 == cells and cells <= MAX_CELLS:
            return math.isqrt(cells), math.isqrt(cells)
    if rows or columns:
        raise PipelineError(
            f"board {text[:60]!r}: {letters} letters do not fill {rows or columns} {'rows' if rows else 'columns'}",
            "give another --rows or --cols, or split rows by /",
        )
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
    """Return every word of one board, alphabetically.

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


class Answer(NamedTuple):
    """What one line of many gives: its board in canonical form and figures in the order of FIGURES, or an error."""

    line: int
    board: str = ""
    figures: tuple[int, ...] = ()
    error: str = ""


class ManyBoards:
    """Solves boards that come line by line, in batches of any size. Numbers of lines go on from batch to batch.

    A trie serves the tiles of many boards: one for up to 32 tiles, which the fast solver needs, and one for the boards
    that do not fit beside the others, which begins anew where it is full. Both grow with what the boards show.
    """

    LARGEST = 2 * MAX_CELLS
    """Tiles of the second trie: it grows faster than they do, as words can be cut in more ways."""

    def __init__(self, rules: Rules, solver: str = "numba") -> None:
        self.rules = rules
        self.solver = solver
        self.lines = 0
        """Lines taken so far, empty ones too."""
        self._known: set[str] = set()
        """Faces that a tile can show."""
        self._tries = [_Trie(rules, MAX_SYMBOLS), _Trie(rules, self.LARGEST)]

    def answers(self, lines: Iterable[str]) -> Iterator[Answer]:
        """Yield an answer for each line that is not empty, in order."""
        lines = iter(lines)
        while some := list(islice(lines, BATCH)):
            filled = [(number, text) for number, line in enumerate(some, self.lines + 1) if (text := line.strip())]
            self.lines += len(some)
            yield from self._batch(filled)

    def _batch(self, batch: list[tuple[int, str]]) -> list[Answer]:
        plain = _read_plain(self.rules, [line for _, line in batch]) if batch else None
        if plain is not None:
            boards, texts, faces = plain
            trie = next((trie for trie in self._tries if trie.takes(faces)), None)
            if trie is not None:
                named = [(number, text) for (number, _), text in zip(batch, texts, strict=True)]
                return self._solved(trie, boards, faces, named)
        return self._mixed(batch)

    def _mixed(self, batch: list[tuple[int, str]]) -> list[Answer]:
        """Lines of any kind: each is read by itself, and boards that share a trie are solved together."""
        answers: list[Answer] = []
        waiting: dict[int, list[tuple[int, list[str]]]] = {0: [], 1: []}
        for number, line in batch:
            try:
                board = self._read(line)
            except ValueError as error:
                answers.append(Answer(number, error=str(error)))
                continue
            place = next((place for place, trie in enumerate(self._tries) if trie.takes(board)), None)
            if place is None:
                # Tiles of the larger trie are too many by now: it begins anew, after those that wait for it.
                answers += self._together(self._tries[1], waiting[1])
                waiting[1].clear()
                self._tries[1] = _Trie(self.rules, self.LARGEST)
                place = 1
                assert self._tries[1].takes(board)
            waiting[place].append((number, board))
        for place, boards in waiting.items():
            answers += self._together(self._tries[place], boards)
        return sorted(answers, key=lambda answer: answer.line)

    def _read(self, line: str) -> list[str]:
        """Faces of a board; raises ValueError where it cannot be read or has tiles that no trie takes."""
        if any("\ud800" <= letter <= "\udfff" for letter in line):
            shown = str(line.encode("utf-8", "surrogateescape")[:40])
            raise InputError(f"board {shown} holds bytes that are no text", "give letters")
        board = self.rules.read(line)
        if not (self.rules.dice or self._known.issuperset(board)):
            Alphabet.at_hand(board, self.rules.words.language)
            self._known.update(board)
        return board

    def _together(self, trie: "_Trie", boards: list[tuple[int, list[str]]]) -> list[Answer]:
        """Where all their tiles make too large a trie, those of half of the boards may not."""
        if not boards:
            return []
        try:
            _ = trie.lexicon
        except InputError as error:
            alone = trie.faces == set(boards[0][1])
            if len(boards) == 1 and alone:
                return [Answer(boards[0][0], error=str(error))]
            if trie in self._tries:
                self._tries[self._tries.index(trie)] = _Trie(self.rules, trie.most)
            middle = len(boards) // 2
            return [
                answer
                for half in (boards[:middle], boards[middle:])
                for answer in self._together(_Trie.of_boards(self.rules, [board for _, board in half]), half)
            ]
        faces = list(dict.fromkeys(face for _, board in boards for face in board))
        ids = {face: number for number, face in enumerate(faces)}
        cells = np.array([[ids[face] for face in board] for _, board in boards], np.intp)
        return self._solved(trie, cells, faces, [(line, format_board(board)) for line, board in boards])

    def _solved(
        self, trie: "_Trie", boards: npt.NDArray[Any], faces: list[str], named: list[tuple[int, str]]
    ) -> list[Answer]:
        """`boards`: indices into `faces`; `named`: number of the line and canonical text of each."""
        lexicon, rules = trie.lexicon, self.rules
        symbols = np.array(lexicon.alphabet.ids(faces), np.uint8)[boards]
        columns = solve(symbols, rules.rows, rules.columns, lexicon, rules.scoring, self.solver)
        figures = zip(*(getattr(columns, name).tolist() for name in FIGURES), strict=True)
        return [Answer(line, text, shown) for (line, text), shown in zip(named, figures, strict=True)]


class _Trie:
    """A lexicon for the tiles that were taken so far, at most so many."""

    def __init__(self, rules: Rules, most: int) -> None:
        self.rules = rules
        self.faces: set[str] = set()
        self.most = most
        self._built: Lexicon | None = None
        if rules.dice is None:
            # Letters of the language come sooner or later; where they are too many, only those that do come.
            self.takes(map(rules.words.language.upper, rules.words.language.cut_letters))

    @classmethod
    def of_boards(cls, rules: Rules, boards: Iterable[list[str]]) -> "_Trie":
        """For these boards and no others."""
        trie = cls(rules, MAX_WRITTEN)
        trie.faces = set().union(*boards)
        return trie

    def takes(self, faces: Iterable[str]) -> bool:
        """Return whether these faces find room beside the others, and take them in if they do."""
        faces = set(faces)
        if not self.faces.issuperset(faces):
            wanted = self.faces | faces
            if self.rules.dice is None and not self._fits(wanted):
                return False
            self.faces, self._built = wanted, None
        return True

    def _fits(self, faces: set[str]) -> bool:
        try:
            alphabet = Alphabet.at_hand(faces, self.rules.words.language)
        except InputError:
            return False
        return len(alphabet.symbols) <= self.most

    @property
    def lexicon(self) -> Lexicon:
        if self._built is None:
            self._built = self.rules.lexicon(self.faces)
        return self._built


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

"""Game ids of Keen in Simon Tatham's Portable Puzzle Collection: `n[dX][m]:BLOCK,CLUES`.

BLOCK tells where lines run between cells: the n(n-1) edges between neighbours in a row, row by row, then those
between neighbours in a column, column by column, then one dummy edge that has a line. `_` is a line at once, `a`..`y`
1..25 edges without one and then a line, `z` 25 edges without one. A letter followed by a number stands for so many
copies. CLUES has a letter (a + m * s - d /) and a target for each cage in order of first cells; a single cell is `a`.
An id carries no rules: it is read under the rules given beside it. For puzzles that hide operators, which Keen does
not know, the letter is `h`: such an id is read under rules with `hidden` alone. Nor does Keen know the operators
r % (remainder), p ^ (power), g gcd, l lcm and o | (or).
"""

import re
from itertools import groupby

from solvers.errors import InputError
from solvers.kenken.codes import MAX_SIZE, OPERATOR_CODES, SYMBOLS
from solvers.kenken.model import STANDARD, Puzzle, Rules, puzzle_from_cage_of

_HEADER = re.compile(r"(\d{1,4})(d[enhxu])?(m)?:", re.ASCII)
_CLUE = re.compile(r"([amsdhrpglo])(\d{1,20})", re.ASCII)
CLUE_LETTERS = "aasmdhrpglo"
"""The letter of a clue by operator code."""
_OPERATORS = {letter: symbol for letter, symbol in zip(CLUE_LETTERS, SYMBOLS, strict=True) if symbol != "="}


def read_keen_slowly(text: str, rules: Rules = STANDARD) -> Puzzle:
    """Return the puzzle of a Keen id, in plain Python; raises InputError naming the position (from 1) where it
    breaks.
    """
    text = text.strip()
    header = _HEADER.match(text)
    if header is None:
        raise _broken(text, 0, "a size and a colon, such as 6: or 6dn:")
    size = int(header[1])
    if not 1 <= size <= MAX_SIZE:
        raise _broken(text, 0, f"a size from 1 to {MAX_SIZE}")
    lines, position = _read_block(text, header.end(), size)
    cage_of = _cages(lines, size)
    if text[position : position + 1] != ",":
        raise _broken(text, position, "a comma before the clues")
    position += 1
    clues = []
    for cage in range(max(cage_of) + 1):
        clue = _CLUE.match(text, position)
        if clue is None or (clue[1] == "h" and not rules.hidden):
            raise _broken(
                text, position, f"a clue for cage {cage + 1} of {max(cage_of) + 1}: a, m, s or d and a number"
            )
        single = cage_of.count(cage) == 1
        if single and clue[1] != "a":
            raise _broken(text, position, f"a for the single cell of cage {cage + 1}")
        clues.append(("=" if single else _OPERATORS[clue[1]], int(clue[2])))
        position = clue.end()
    if position != len(text):
        raise _broken(text, position, "the end: every cage has its clue")
    return puzzle_from_cage_of(cage_of, clues, size, rules)


def write_keen(puzzle: Puzzle) -> str:
    """Return the Keen id of a puzzle."""
    size, cage_of = puzzle.size, puzzle.cage_of
    letters: list[str] = []
    gaps = 0
    for first, second in _edges(size):
        if cage_of[first] == cage_of[second]:
            gaps += 1
        else:
            letters += _gap_letters(gaps)
            gaps = 0
    letters += _gap_letters(gaps)
    return f"{size}:{_shorten(letters)}," + "".join(
        f"{CLUE_LETTERS[OPERATOR_CODES[cage.operator]]}{cage.target}" for cage in puzzle.cages
    )


def _gap_letters(gaps: int) -> list[str]:
    """Letters for so many edges without a line and then one with."""
    full, rest = divmod(max(gaps - 1, 0), 25)
    return ["z"] * full + ["_" if gaps == 0 else chr(ord("a") + rest)]


def _shorten(letters: list[str]) -> str:
    runs = ((letter, len(list(copies))) for letter, copies in groupby(letters))
    return "".join(letter * copies if copies <= 2 else f"{letter}{copies}" for letter, copies in runs)


def _edges(size: int) -> list[tuple[int, int]]:
    across = [(row * size + column, row * size + column + 1) for row in range(size) for column in range(size - 1)]
    down = [(row * size + column, (row + 1) * size + column) for column in range(size) for row in range(size - 1)]
    return across + down


def _read_block(text: str, position: int, size: int) -> tuple[list[bool], int]:
    """Whether each edge has a line, and where the block ends."""
    edges = 2 * size * (size - 1)
    lines: list[bool] = []
    while len(lines) <= edges:
        letter = text[position : position + 1]
        if letter != "_" and not (letter.isascii() and letter.islower()):
            raise _broken(text, position, f"_ or a letter a..z: {len(lines)} of {edges + 1} edges are told")
        count = re.compile(r"\d{0,6}", re.ASCII).match(text, position + 1)
        copies = int(count[0]) if count and count[0] else 1
        gaps = 0 if letter == "_" else ord(letter) - ord("a") + 1
        told = [False] * 25 if letter == "z" else [False] * gaps + [True]
        if copies == 0 or len(lines) + copies * len(told) > edges + 1:
            raise _broken(
                text,
                position,
                f"lines for {edges + 1} edges: {letter}{copies if copies != 1 else ''} tells too many or none",
            )
        lines += told * copies
        position += 1 + (len(count[0]) if count else 0)
    if not lines[-1]:
        raise _broken(text, position - 1, "a line after the last edge")
    return lines[:-1], position


def _cages(lines: list[bool], size: int) -> list[int]:
    """Cage numbers by cell, in order of first cells: cells are together where edges without a line join them."""
    parent = list(range(size * size))

    def root(cell: int) -> int:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for line, (first, second) in zip(lines, _edges(size), strict=True):
        if not line:
            a, b = sorted((root(first), root(second)))
            parent[b] = a
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(cell), len(numbers)) for cell in range(size * size)]


def _broken(text: str, position: int, wanted: str) -> InputError:
    found = f"{text[position : position + 12]!r}" if position < len(text) else "the end of the text"
    return InputError(f"Keen id breaks at position {position + 1}: {found}", f"expected {wanted}")

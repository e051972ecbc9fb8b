"""Cage maps: a picture of the cages in letters, a blank line, and a clue for each letter.

    aab
    c2b
    ccb

    a: 3+
    b: 6*
    c: 1-

A digit in the map is a given. A clue is a target and an operator (`?` hides it, none for a single cell; `12lcm`, `1mod`
or `1%`). A last line such as `rules: wide from_zero hides=+,gcd` tells rules; they are standard without it, and a `?`
allows hidden operators.
"""

import re
import string
from itertools import chain

from solvers.errors import InputError
from solvers.kenken.codes import MAX_SIZE, OPERATORS
from solvers.kenken.model import Cage, Puzzle, Rules, cell_name
from solvers.kenken.spec import read_rules

_RANGES = ((0x3B1, 0x3CA), (0x410, 0x450), (0xC0, 0xD7), (0xD8, 0xF7), (0xF8, 0x17F))
_LETTERS = string.ascii_letters + "".join(map(chr, chain.from_iterable(range(*bounds) for bounds in _RANGES)))
_CLUE = re.compile(r"(\d{1,20})\s*([-+*/?x×÷−%^|]|mod|gcd|lcm|or)?", re.ASCII)
_SIGNS = {"x": "*", "×": "*", "÷": "/", "−": "-", "mod": "%", "or": "|", None: "="}


def read_map(text: str, rules: Rules | None = None) -> Puzzle:
    """Return the puzzle of a cage map; raises InputError naming the line and column (from 1) where the text breaks.

    `rules` hold where the map has no line of rules.
    """
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip()), 0)
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    cells, givens, size = _read_grid(lines, start, end)
    clues, told = _read_clues(lines, end, cells)
    if told is not None:
        rules = told
    elif rules is None:
        rules = Rules(hidden=any(operator == "?" for operator, _ in clues.values()))
    for letter, own in cells.items():
        if letter not in clues:
            raise InputError(
                f"cage {letter} at {cell_name(own[0], size)} has no clue", f"add a line such as {letter}: 5+"
            )
    cages = [Cage("=", digit, (cell,)) for cell, digit in givens.items()]
    cages += [Cage(*clues[letter], tuple(own)) for letter, own in cells.items()]
    return Puzzle(size, tuple(sorted(cages, key=lambda cage: cage.cells[0])), rules)


def write_map(puzzle: Puzzle) -> str:
    """Return the cage map of a puzzle, with a newline at its end."""
    letters = iter(_LETTERS)
    shown, clues = [], []
    for cage in puzzle.cages:
        if cage.operator == "=" and cage.target <= 9:
            shown.append(str(cage.target))
            continue
        shown.append(next(letters))
        clues.append(f"{shown[-1]}: {cage.target}{'' if cage.operator == '=' else cage.operator}")
    owner, size = puzzle.cage_of, puzzle.size
    rows = ["".join(shown[owner[row * size + column]] for column in range(size)) for row in range(size)]
    rules = puzzle.rules.flags
    if "hides" in (told := puzzle.rules.told()):
        rules.append(f"hides={','.join(told['hides'])}")
    if rules:
        clues.append(f"rules: {' '.join(rules)}")
    return "\n".join([*rows, "", *clues]).rstrip("\n") + "\n"


def _read_grid(lines: list[str], start: int, end: int) -> tuple[dict[str, list[int]], dict[int, int], int]:
    """Cells by cage letter, given digits by cell, and the size."""
    size = end - start
    if not 1 <= size <= MAX_SIZE:
        raise _broken(start, 0, f"a map of {size} rows", f"1 to {MAX_SIZE} rows, then a blank line")
    cells: dict[str, list[int]] = {}
    givens: dict[int, int] = {}
    for row in range(size):
        line = lines[start + row].strip()
        indent = len(lines[start + row]) - len(lines[start + row].lstrip())
        for column, letter in enumerate(line):
            if column >= size:
                raise _broken(start + row, indent + column, repr(letter), f"{size} letters in each of {size} rows")
            cell = row * size + column
            if letter.isascii() and letter.isdigit():
                givens[cell] = int(letter)
            elif letter.isalpha():
                cells.setdefault(letter, []).append(cell)
            else:
                raise _broken(start + row, indent + column, repr(letter), "a letter for the cage, or a given digit")
        if len(line) < size:
            raise _broken(
                start + row, indent + len(line), "the end of the line", f"{size} letters in each of {size} rows"
            )
    return cells, givens, size


def _read_clues(
    lines: list[str], start: int, cells: dict[str, list[int]]
) -> tuple[dict[str, tuple[str, int]], Rules | None]:
    """(operator, target) by letter, and the rules if a line tells them."""
    clues: dict[str, tuple[str, int]] = {}
    rules = None
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        name, colon, rest = line.strip().partition(":")
        if not colon:
            raise _broken(
                number, indent + len(name), "the end of the line", "a letter, a colon, a target and an operator"
            )
        name = name.strip()
        if name == "rules":
            rules = read_rules(_read_words(rest), f"line {number + 1}")
            continue
        if name not in cells:
            raise _broken(number, indent, repr(name), "a letter of the map")
        if name in clues:
            raise _broken(number, indent, repr(name), f"one clue for cage {name}")
        clue = _CLUE.fullmatch(rest.strip())
        if clue is None:
            at = len(line) - len(line[line.index(":") + 1 :].lstrip())
            raise _broken(number, at, repr(rest.strip()), f"a target and one of {' '.join(OPERATORS)} ?, such as 12*")
        clues[name] = (_SIGNS.get(clue[2], clue[2]), int(clue[1]))
    return clues, rules


def _read_words(text: str) -> dict[str, bool | list[str]]:
    """Names of rules that are true, and `hides=` with operators split by commas."""
    found: dict[str, bool | list[str]] = {}
    for word in text.split():
        name, sign, value = word.partition("=")
        if name == "hides" and sign:
            found[name] = value.split(",")
        else:
            found |= dict.fromkeys(filter(None, word.split(",")), True)
    return found


def _broken(line: int, column: int, found: str, wanted: str) -> InputError:
    return InputError(f"cage map breaks at line {line + 1}, column {column + 1}: {found}", f"expected {wanted}")

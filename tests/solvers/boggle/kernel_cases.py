"""What the kernel tests share: word lists, boards of many kinds, and one way to call every solver."""

import csv
import gzip
import tomllib
from functools import cache
from pathlib import Path

import numpy as np

from solvers.bits import has_bmi2
from solvers.boggle import breadth_first
from solvers.boggle.alphabet import BLANK, Alphabet
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import NO_LIMIT, Columns, solve
from solvers.boggle.words import WordList, read_words
from solvers.grid import neighbour_masks

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"
DICE_SETS = sorted(path.stem for path in (ROOT / "configs" / "dice").glob("*.toml"))
FAST = ("numba with tables", *(["numba with BMI2"] if has_bmi2() else []))
SOLVERS = ("dfs", *FAST)


@cache
def enable2k() -> WordList:
    with gzip.open(ROOT / "configs" / "words" / "enable2k.txt.gz", "rt") as file:
        return read_words(file.read())


@cache
def lexicon_of(faces: frozenset[str], min_length: int, cells: int) -> Lexicon:
    return build_lexicon(enable2k(), Alphabet.of_faces(faces), min_length, cells)


def lexicon_of_words(words, faces, min_length, cells) -> Lexicon:
    return build_lexicon(read_words("\n".join(words)), Alphabet.of_faces(faces), min_length, cells)


def solve_by(
    name, boards, rows, cols, lexicon, scoring="standard", frequency=None, node_limit=NO_LIMIT, ways=None, **options
) -> Columns:
    """Solve by `dfs`, `reference`, or the fast kernel in one of its two forms; `options` go to the fast kernel."""
    if not name.startswith("numba with"):
        return solve(boards, rows, cols, lexicon, scoring, name, frequency, node_limit, ways)
    columns = Columns.empty(len(boards))
    counts = breadth_first.NO_FREQUENCY if frequency is None else frequency
    breadth_first.solve_boards(
        np.ascontiguousarray(boards),
        neighbour_masks(rows, cols),
        lexicon,
        points_table(scoring),
        node_limit,
        columns,
        counts,
        ways,
        bmi2=name == "numba with BMI2",
        **options,
    )
    return columns


def assert_same(got: Columns, expected: Columns, boards) -> None:
    for name, column, truth in zip(Columns._fields, got, expected, strict=True):
        differ = np.flatnonzero((column != truth).reshape(len(boards), -1).any(axis=1))
        assert not len(differ), (
            f"{name} of {len(differ)} boards differs, first board {differ[0]} {boards[differ[0]].tolist()}: "
            f"{column[differ[0]]}, expected {truth[differ[0]]}"
        )


@cache
def dice_set(name: str) -> dict:
    """A shipped dice set: rows, cols, min_length, scoring, lexicon (enable2k), dice as symbol ids uint8[dice, 6]."""
    table = tomllib.loads((ROOT / "configs" / "dice" / f"{name}.toml").read_text())
    dice = [["" if face == "." else face for face in die.split()] for die in table["dice"]]
    rows, cols, min_length = table["rows"], table["columns"], table.get("min_length", 3)
    lexicon = lexicon_of(frozenset(face for die in dice for face in die), min_length, rows * cols)
    return {
        "rows": rows,
        "cols": cols,
        "scoring": table.get("scoring", "standard"),
        "lexicon": lexicon,
        "dice": np.array([lexicon.alphabet.ids(die) for die in dice], np.uint8),
    }


def shaken(dice: np.ndarray, count: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    order = random.permuted(np.tile(np.arange(len(dice)), (count, 1)), axis=1)
    return dice[order, random.integers(0, dice.shape[1], order.shape)]


def adversarial(lexicon: Lexicon, cells: int, count: int, seed: int) -> np.ndarray:
    """Boards that no dice show: few symbols, vowels, multi-letter faces, many blanks, every symbol at once."""
    random = np.random.default_rng(seed)
    symbols = lexicon.alphabet.symbols
    every = np.arange(len(symbols))
    vowels = np.array([number for number, symbol in enumerate(symbols) if symbol in "aeiou"])
    long_faces = np.array([number for number, symbol in enumerate(symbols) if len(symbol) > 1])
    boards = np.empty((count, cells), np.uint8)
    for row in range(count):
        few = random.choice(every, random.integers(1, 5), replace=False)
        pools = (few, vowels, np.append(long_faces, random.choice(every, 3)), np.append(few, [BLANK] * 3), every)
        boards[row] = random.choice(pools[row % len(pools)], cells)
    return boards


@cache
def golden_boards() -> dict:
    """tests/golden/boards.csv.gz by (dice, rows, cols, min_length, scoring)."""
    groups: dict = {}
    with gzip.open(GOLDEN / "boards.csv.gz", "rt", newline="") as file:
        for row in csv.DictReader(file):
            key = (row["dice"], int(row["rows"]), int(row["cols"]), int(row["min_length"]), row["scoring"])
            groups.setdefault(key, []).append(row)
    return groups

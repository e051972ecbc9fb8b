"""Independent boards by the reference, and published boards by every compiled solver (see test_kernels.py too)."""

import numpy as np
import pytest

from solvers.boggle.solve import SOLVERS, Columns, find_words, solve
from solvers.grid import parse_board
from tests.golden_data import GoldenBoards, golden_boards, lexicon

COMPILED = sorted(set(SOLVERS) - {"reference"})


def assert_equal_columns(golden: GoldenBoards, columns: Columns, chosen: slice) -> None:
    for name in ("words", "score", "nodes", "longest", "dead_tiles"):
        np.testing.assert_array_equal(getattr(columns, name), golden.columns[name][chosen], name)
    by_length = columns.by_length
    for index, name in enumerate(("n3", "n4", "n5", "n6", "n7"), 2):
        np.testing.assert_array_equal(by_length[:, index], golden.columns[name][chosen], name)
    np.testing.assert_array_equal(by_length[:, 7:].sum(axis=1), golden.columns["n8plus"][chosen])


@pytest.mark.parametrize("dice", golden_boards())
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.long), 25])
def test_the_reference_agrees_with_the_independent_solver(dice: str, step: int) -> None:
    golden = golden_boards()[dice]
    chosen = slice(None, None, step)
    columns = solve(golden.cells[chosen], golden.rows, golden.cols, golden.lexicon, golden.scoring, "reference")
    assert_equal_columns(golden, columns, chosen)


NAMED_BOARDS = [
    ("perslatgsineters", 4, 4, 3625, 1045),
    ("streaedlp", 3, 3, 545, None),
    ("perslatesind", 3, 4, 1651, None),
    ("ligdrmanesietildsracsepes", 5, 5, 10406, None),
    ("hclbaiaertnssese", 4, 4, 2149, None),
    ("qaicdrneetasnnil", 4, 4, 1391, None),
    ("catdlinemaropets", 4, 4, 2338, None),
    ("abcderghisklmnop", 4, 4, 201, None),
    ("bqphumsroteilstq", 4, 4, 445, None),
    ("plessiagrtnrseed", 4, 4, 2960, None),
    ("abcdefghijklmnop", 4, 4, 18, None),
    ("gesorntreaieslps", 4, 4, None, 1158),
    ("dlpmeseasicrtndoaiegsplsr", 5, 5, None, 2552),
    ("ititinstietbulseutiarsaba", 5, 5, 810, 326),
]


@pytest.mark.parametrize(("text", "rows", "cols", "score", "words"), NAMED_BOARDS)
@pytest.mark.parametrize("solver", COMPILED)
def test_published_boards_have_their_published_score(
    text: str, rows: int, cols: int, score: int | None, words: int | None, solver: str
) -> None:
    alphabet = golden_boards()["new"].dice.alphabet
    book = lexicon("enable2k", alphabet, 3, rows * cols)
    cells = np.array([alphabet.ids(parse_board(text, rows, cols))], np.uint8)
    columns = solve(cells, rows, cols, book, solver=solver)
    assert score is None or columns.score[0] == score
    assert words is None or columns.words[0] == words


def test_found_words_are_the_words_of_the_board() -> None:
    alphabet = golden_boards()["new"].dice.alphabet
    book = lexicon("enable2k", alphabet, 3, 16)
    cells = alphabet.ids(parse_board("ADQPNLEMOSRTVKJH", 4, 4))
    ids, columns = find_words(cells, 4, 4, book)
    found = {book.words[number] for number in ids}
    assert (len(found), columns.score[0]) == (125, 233)
    assert {"daleth", "landers", "merlons"} <= found

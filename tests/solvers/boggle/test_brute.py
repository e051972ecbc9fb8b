import random

import numpy as np
import pytest

from solvers.boggle.alphabet import BLANK, Alphabet
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.solve import SOLVERS, solve
from solvers.boggle.words import WordList
from solvers.errors import InputError
from tests.solvers.boggle.brute import MAX_BRUTE_CELLS, solve_boards


@pytest.fixture(autouse=True)
def _brute_is_a_solver(monkeypatch):
    monkeypatch.setitem(SOLVERS, "brute", solve_boards)


def random_lexicon(source, alphabet, letters, cells):
    words = {"".join(source.choices(letters, k=source.randint(1, 7))) for _ in range(source.randint(5, 120))}
    words.add("an" * 4)
    return build_lexicon(WordList(sorted(words)), alphabet, source.randint(1, 3), cells)


def assert_same(left, right):
    for name, values in left._asdict().items():
        np.testing.assert_array_equal(values, getattr(right, name), err_msg=name)


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (2, 4), (3, 2), (1, 5)])
def test_brute_force_equals_reference_and_numba_on_random_boards_and_lexicons(rows, cols):
    source = random.Random(rows * 10 + cols)
    alphabet = Alphabet.of_faces(["An", "Th"])
    symbols = alphabet.ids(["A", "N", "T", "H", "An", "Th", "Qu", ""])
    for _ in range(8):
        lexicon = random_lexicon(source, alphabet, "antheq", rows * cols)
        boards = np.array([source.choices(symbols, k=rows * cols) for _ in range(3)], np.uint8)
        answers, frequencies = [], []
        for solver in ("brute", "reference", "numba"):
            frequency = np.zeros(len(lexicon.words), np.uint32)
            answers.append(solve(boards, rows, cols, lexicon, "super", solver, frequency))
            frequencies.append(frequency)
        assert_same(answers[0], answers[1])
        assert_same(answers[0], answers[2])
        np.testing.assert_array_equal(frequencies[0], frequencies[1])
        np.testing.assert_array_equal(frequencies[0], frequencies[2])


def test_a_board_of_blanks_has_only_its_start_cells_as_nodes():
    lexicon = build_lexicon(WordList(["a"]), Alphabet.of_faces([]), 1, 6)
    columns = solve(np.full((1, 6), BLANK, np.uint8), 2, 3, lexicon, solver="brute")
    assert columns.nodes.tolist() == [6]
    assert columns.words.tolist() == columns.dead_tiles.tolist() == [0]


def test_twelve_cells_are_the_most():
    lexicon = build_lexicon(WordList(["a"]), Alphabet.of_faces([]), 1, MAX_BRUTE_CELLS + 1)
    with pytest.raises(InputError, match="at most 12 cells, the board has 13"):
        solve(np.zeros((1, 13), np.uint8), 1, 13, lexicon, solver="brute")

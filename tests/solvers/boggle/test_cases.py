"""Public bug reports of programs of this kind (cases.json), each with the right answer."""

import numpy as np
import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import dice_from_dict, load_dice
from pipeline.games.boggle.languages import find_language
from pipeline.games.boggle.shakes import shake
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.solve import SOLVERS, find_words, solve
from solvers.boggle.words import read_words
from solvers.grid import format_board, parse_board
from tests.golden_data import small_lexicon

solvers = pytest.mark.parametrize("solver", sorted(SOLVERS))


def found(board: list[str], rows: int, cols: int, words: list[str], solver: str, min_length: int = 1) -> set[str]:
    faces = tuple(board)
    book = small_lexicon(words, rows * cols, faces, min_length)
    ids, _ = find_words(Alphabet.of_faces(faces).ids(board), rows, cols, book, solver)
    return {book.words[number] for number in ids}


def test_case_1_every_face_of_a_large_board_moves_and_may_stay() -> None:
    """25 distinct faces, 20,000 shuffles: each is in its own cell 4 % of the time."""
    letters = [chr(ord("A") + index) for index in range(26) if chr(ord("A") + index) != "Q"]
    dice = dice_from_dict(
        {"rows": 5, "columns": 5, "dice": [" ".join([letter] * 6) for letter in letters]}, "d", "test"
    )
    boards = shake(dice, 1, 0, 20_000)
    stays = (boards == np.arange(25)).mean(axis=0)
    assert np.all(np.abs(stays - 0.04) < 5 * np.sqrt(0.04 * 0.96 / 20_000))


@solvers
def test_case_2_a_word_of_the_minimum_length_scores_and_counts(solver: str) -> None:
    book = small_lexicon(["tea"], 4, min_length=3)
    cells = np.array([book.alphabet.ids(["T", "E", "A", "X"])], np.uint8)
    columns = solve(cells, 2, 2, book, solver=solver)
    assert (columns.words[0], columns.score[0], columns.by_length[0, 2]) == (1, 1, 1)


def test_case_3_a_board_with_a_qu_tile_is_written_and_read_back_as_sixteen_cells() -> None:
    faces = ["Qu", *"ABCDEFGHIJKLMNO"]
    text = format_board(faces)
    assert len(text) == 17
    assert parse_board(text, 4, 4) == faces
    assert parse_board("q" + "abcdefghijklmno", 4, 4) == faces


@solvers
def test_case_4_a_qu_tile_is_qu_and_a_bare_q_is_q(solver: str) -> None:
    assert found(["Qu", "A", "T"], 1, 3, ["qat", "quat"], solver) == {"quat"}
    assert found(["Q", "A", "T"], 1, 3, ["qat", "quat"], solver) == {"qat"}


@solvers
def test_case_5_accents_fold_and_the_spelling_is_kept(solver: str) -> None:
    words = read_words("mère\nMe\u0300re\n", find_language("fr"))
    assert list(words.words) == ["mere"]
    assert words.spelling == {"mere": "mère"}
    assert find_language("de").fold("Mütze") == "muetze"
    assert find_language("de").fold("Straße") == "strasse"
    assert found(["M", "E", "R", "E"], 1, 4, ["mere"], solver) == {"mere"}


def test_case_9_a_die_without_six_letters_is_refused() -> None:
    with pytest.raises(PipelineError, match="5 faces"):
        dice_from_dict({"rows": 1, "columns": 1, "dice": ["E F H I Y"]}, "d", "test")
    with pytest.raises(PipelineError, match="'e,f' is not a letter"):
        dice_from_dict({"rows": 1, "columns": 1, "dice": ["e e,f h i y x"]}, "d", "test")
    assert tuple("EEFHIY") in load_dice("classic").dice


@solvers
def test_case_11_words_are_found_in_both_directions(solver: str) -> None:
    assert found(["T", "A", "C"], 1, 3, ["cat", "tac"], solver) == {"cat", "tac"}


@solvers
def test_case_15_a_die_is_used_once_and_qu_is_two_letters(solver: str) -> None:
    assert found(["T", "E", "P", "X", "X", "E"], 2, 3, ["tepee"], solver) == set()
    book = small_lexicon(["queue"], 4, min_length=3)
    cells = np.array([book.alphabet.ids(["Qu", "E", "E", "U"])], np.uint8)
    columns = solve(cells, 2, 2, book, solver=solver)
    assert (columns.words[0], columns.score[0], columns.longest[0]) == (1, 2, 5)


@solvers
def test_case_18_a_word_longer_than_the_board_is_not_found(solver: str) -> None:
    cells = 9 if solver == "reference" else 16
    side = int(cells**0.5)
    assert found(["A"] * cells, side, side, ["a" * (cells + 1)], solver) == set()


def test_case_18_all_equal_letters_and_a_word_of_every_tile() -> None:
    cells = 3 * 3
    for solver in SOLVERS:
        assert found(["A"] * cells, 3, 3, ["a" * cells, "a" * (cells + 1)], solver) == {"a" * cells}

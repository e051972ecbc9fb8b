"""Everyday words are counted beside all words, by every solver alike."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.games.boggle.words import find_words, load_words
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import SOLVERS, solve
from solvers.boggle.solve import find_words as words_on
from solvers.boggle.words import make_words
from solvers.errors import InputError
from solvers.languages import PLAIN
from tests.golden_data import golden_boards
from tests.solvers.boggle.kernel_cases import FAST, solve_by


def test_a_plain_program_counts_the_same_on_golden_boards() -> None:
    """SCOWL up to 35 on boards of the `new` dice: words found one by one, their levels looked up."""
    words = load_words(find_words("scowl"))
    level = dict(zip(words.words, words.levels.tolist(), strict=True))
    golden = golden_boards()["new"]
    boards = golden.cells[:300]
    book = build_lexicon(words, golden.dice.alphabet, 3, 16, words.everyday(35))
    points = points_table("standard")
    columns = {name: solve_by(name, boards, 4, 4, book) for name in ("numba", "dfs", *FAST)}
    for row, board in enumerate(boards.tolist()):
        found = [book.words[number] for number in words_on(board, 4, 4, book)[0]]
        known = [word for word in found if level[word] <= 35]
        expected = (len(known), sum(int(points[len(word)]) for word in known), len(found))
        for one in columns.values():
            assert (one.everyday_words[row], one.everyday_score[row], one.words[row]) == expected
    assert 0.3 < columns["numba"].everyday_words.sum() / columns["numba"].words.sum() < 0.7


@settings(max_examples=60, deadline=None)
@given(
    words=st.dictionaries(st.text("aeinth", min_size=1, max_size=6), st.booleans(), min_size=1, max_size=25),
    tiles=st.lists(st.sampled_from(["A", "E", "I", "N", "T", "H", "Th", "He", "In", ""]), min_size=6, max_size=6),
    wide=st.booleans(),
)
def test_all_solvers_agree(words: dict[str, bool], tiles: list[str], wide: bool) -> None:
    listed = make_words(list(words))
    everyday = np.array([words[word] for word in listed.words])
    alphabet = Alphabet.of_language(PLAIN, [*"ÄÖÜÅ", "Th", "He", "In", "Ch"]) if wide else Alphabet.at_hand(tiles)
    book = build_lexicon(listed, alphabet, 1, 6, everyday)
    rows = []
    for solver in SOLVERS:
        found, columns = words_on(alphabet.ids(tiles), 2, 3, book, solver)
        assert columns.everyday_words[0] == sum(words[book.words[number]] for number in found)
        rows.append([column.tolist() for column in columns])
    assert rows[0] == rows[1] == rows[2]


def test_without_a_choice_no_word_is_an_everyday_one() -> None:
    book = build_lexicon(make_words(["cat"]), Alphabet.at_hand("CATX"), 3, 4)
    for solver in SOLVERS:
        columns = solve(np.array([book.alphabet.ids("CATX")], np.uint8), 2, 2, book, solver=solver)
        assert (columns.words[0], columns.everyday_words[0], columns.everyday_score[0]) == (1, 0, 0)


def test_levels_and_counts() -> None:
    words = make_words(["cat", "dog"], levels=np.array([10, 70], np.uint32))
    assert words.everyday(35).tolist() == [True, False]
    assert words.everyday(35, counts=True).tolist() == [False, True]
    with pytest.raises(InputError, match="no level beside its words"):
        make_words(["cat"]).everyday(35)

"""Word lists of every kind of file become the same sorted, folded, unique words."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.games.boggle.languages import find_language
from solvers.boggle.words import make_words, read_words
from solvers.errors import InputError


@pytest.mark.parametrize(
    "text",
    [
        "cat\ndog\n",
        "dog\ncat",
        "\ufeffcat\r\ndog\r\n",
        "CAT\nDog\ncat\n\n",
        "  cat \n\tdog\n",
        "cat\ndog\r\n",
        "cat\rdog\r",
    ],
)
def test_order_case_line_ends_and_bom_do_not_matter(text: str) -> None:
    words = read_words(text)
    assert list(words.words) == ["cat", "dog"]
    assert words.sha256 == hashlib.sha256(b"cat\ndog").hexdigest()
    assert words.skipped == 0


def test_entries_with_anything_but_letters_are_skipped_and_counted() -> None:
    words = read_words("don't\nre-do\ncat\n3d\nice cream\n")
    assert (list(words.words), words.skipped) == (["cat"], 4)
    assert {one.reason: (one.entries, one.examples) for one in words.left_out} == {
        "an apostrophe": (1, ("don't",)),
        "a hyphen": (1, ("re-do",)),
        "a digit": (1, ("3d",)),
        "a space": (1, ("ice cream",)),
    }


def test_an_entry_of_a_megabyte_is_skipped() -> None:
    words = read_words("a" * 1_000_000 + "\ncat\n")
    assert (list(words.words), words.skipped) == (["cat"], 1)


@pytest.mark.parametrize("text", ["", "\n\n", "12\n34\n", "\ufeff"])
def test_a_list_without_a_word_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no word"):
        read_words(text)


@given(st.lists(st.text(alphabet="abcXYZé'1 ", max_size=6), min_size=1))
def test_the_fast_path_gives_what_the_careful_path_gives(entries: list[str]) -> None:
    text = "\n".join(["zzz", *entries])
    words = read_words(text, find_language("fr"))
    again = read_words("\n".join(words.words), find_language("fr"))
    assert list(again.words) == list(words.words) == sorted(set(words.words))
    assert again.skipped == 0


def test_the_spelling_does_not_hang_on_the_order_of_the_entries() -> None:
    """The plainest of several spellings of one word is shown; what is all capitals tells nothing of its capitals."""
    french = find_language("fr")
    for entries in (["Été", "été", "ÉTÉ"], ["ÉTÉ", "été", "Été"], ["été", "ÉTÉ", "Été"]):
        words = make_words(entries, french)
        assert (list(words.words), words.spelled("ete"), words.merged) == (["ete"], "été", 2)
    assert make_words(["cote", "côté"], french).spelled("cote") == "cote"
    assert make_words(["ÉTÉS"], french).spelled("etes") == "étés"
    assert make_words(["Haus"], find_language("de")).spelled("haus") == "Haus"


def test_levels_of_one_word_are_the_lowest_and_counts_add_up() -> None:
    entries = ["été", "ete", "and", "it's"]
    numbers = np.array([40, 20, 10, 5], np.uint32)
    assert make_words(entries, find_language("fr"), numbers).levels.tolist() == [10, 20]
    assert make_words(entries, find_language("fr"), numbers, counts=True).levels.tolist() == [10, 60]

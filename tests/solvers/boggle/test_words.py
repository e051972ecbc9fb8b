"""Word lists of every kind of file become the same sorted, folded, unique words."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.boggle.words import LANGUAGES, fold, read_words
from solvers.errors import InputError


@pytest.mark.parametrize(
    "text", ["cat\ndog\n", "dog\ncat", "\ufeffcat\r\ndog\r\n", "CAT\nDog\ncat\n\n", "  cat \n\tdog\n", "cat\ndog\r\n"]
)
def test_order_case_line_ends_and_bom_do_not_matter(text: str) -> None:
    words = read_words(text)
    assert list(words.words) == ["cat", "dog"]
    assert words.sha256 == hashlib.sha256(b"cat\ndog").hexdigest()
    assert words.skipped == 0


def test_entries_with_anything_but_letters_are_skipped_and_counted() -> None:
    words = read_words("don't\nre-do\ncat\n3d\nice cream\n")
    assert (list(words.words), words.skipped) == (["cat"], 4)


def test_an_entry_of_a_megabyte_is_skipped() -> None:
    words = read_words("a" * 1_000_000 + "\ncat\n")
    assert (list(words.words), words.skipped) == (["cat"], 1)


@pytest.mark.parametrize("text", ["", "\n\n", "12\n34\n", "\ufeff"])
def test_a_list_without_a_word_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no word"):
        read_words(text)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InputError, match="'tlh'"):
        read_words("cat", "tlh")


def test_folding_keeps_the_letters_that_dice_show() -> None:
    assert fold("AÑO", "es", kept="ñ") == "año"
    assert fold("AÑO", "es") == "ano"
    assert fold("cañón", "es", kept="ñ") == "cañon"
    assert fold("ano\u0303", "es", kept="õ") == "anõ"


@pytest.mark.parametrize("language", LANGUAGES)
@given(word=st.text(min_size=1, max_size=12))
def test_folding_twice_is_folding_once(language: str, word: str) -> None:
    once = fold(word, language)
    assert fold(once, language) == once


@given(st.lists(st.text(alphabet="abcXYZé'1 ", max_size=6), min_size=1))
def test_the_fast_path_gives_what_the_careful_path_gives(entries: list[str]) -> None:
    text = "\n".join(["zzz", *entries])
    words = read_words(text, "fr")
    again = read_words("\n".join(words.words), "fr")
    assert list(again.words) == list(words.words) == sorted(set(words.words))
    assert again.skipped == 0

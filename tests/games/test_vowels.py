"""Vowels of languages."""

import pytest

from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.vowels import is_vowel, vowels_of


@pytest.mark.parametrize(
    ("language", "vowels", "others"),
    [
        ("en", "aeiou", "bqyz"),
        ("fr", "aàâeéèêëiîïoôuùûœæ", "bçy"),
        ("cs", "aáeéěiíoóuúůyý", "bčďňřšťž"),
        ("sv", "aeiouyåäö", "bz"),
        ("tr", "aeıioöuü", "bçğşy"),
        ("el", "αεηιουω", "βγς"),
        ("ru", "аеёиоуыэюя", "бйьъщ"),
        ("uk", "аеєиіїоуюя", "бйґ"),
    ],
)
def test_vowels_of_a_language(language: str, vowels: str, others: str) -> None:
    assert [letter for letter in vowels + others if is_vowel(letter, language)] == list(vowels)


def test_tiles_with_a_vowel() -> None:
    assert vowels_of(load_dice("super_big_2012")) == ("A", "An", "E", "Er", "He", "I", "In", "O", "Qu", "U")

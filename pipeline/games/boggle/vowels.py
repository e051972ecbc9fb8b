"""Which tiles show a vowel, in whatever language."""

import unicodedata

from pipeline.games.boggle.dice import DiceSet

_VOWELS = frozenset("aeiouæœøıαεηιουωаеёиоуыэюяіїє")
"""Without their accents, but for those that are letters of their own."""
_CONSONANTS = frozenset("йў")
"""Written as a vowel with an accent."""
_WITH_Y = frozenset({"cs", "cs_plain", "da", "fi", "is", "nb", "pl", "sk", "sv"})
"""Languages that have y as a vowel alone."""


def vowels_of(dice: DiceSet) -> tuple[str, ...]:
    """Return the faces that show a vowel, such as `A` and `Qu`; y is one in languages that have it as a vowel alone."""
    rules = dice.rules
    return tuple(face for face in dice.faces if any(is_vowel(letter, rules.id) for letter in rules.lower(face)))


def is_vowel(letter: str, language: str) -> bool:
    """Return whether a small letter is a vowel in a language, given by its id."""
    if letter in _VOWELS:
        return True
    plain = unicodedata.normalize("NFD", letter)[:1]
    return letter not in _CONSONANTS and (plain in _VOWELS or (plain == "y" and language in _WITH_Y))

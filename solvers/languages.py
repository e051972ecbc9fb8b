"""Languages: which letters are letters of their own, what the rest is played as, and the order of words.

One folding serves words, typed boards, typed words and printed faces, so that they meet.
"""

import string
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solvers.errors import InputError

_WITHOUT_DECOMPOSITION = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ß": "ss", "ı": "i", "ħ": "h", "ŋ": "ng",
    "ŧ": "t", "ĸ": "k", "ς": "σ",
}  # fmt: skip
"""Letters that Unicode does not take apart, as languages without them write them."""
_ELEMENT = 0xF0000
"""Code points of private use that stand for the letters of several characters (ch, dž) while words are sorted."""
MAX_LETTERS = 1_000
_KEPT_FACES = 1_000
_KEPT_FACE = 8
"""Faces that are remembered, and the longest text of one."""
_ROUNDS = 8
"""Foldings after which no text of Unicode changes any more; one or two are the rule."""


@dataclass(frozen=True)
class Language:
    """Rules of one language; all text in small letters and in Unicode's form NFC.

    `letters`: letters of their own in the order of the alphabet; one of several characters (`ch`) is sorted as one and
    played as its parts, unless a tile shows it. `units`: what else one tile may show; with `qu` a typed Q means Qu.
    `folds`: text that is played as other text, before accents come off. `cases`: capitals whose small letter is not
    the one of Unicode's default.

    Raises InputError where the rules contradict themselves.
    """

    id: str
    letters: tuple[str, ...] = tuple(string.ascii_lowercase)
    units: tuple[str, ...] = ("qu",)
    folds: tuple[tuple[str, str], ...] = ()
    cases: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.letters) <= MAX_LETTERS:
            raise InputError(f"language {self.id}: {len(self.letters)} letters", f"give 1 to {MAX_LETTERS:,}")
        if len(set(self.letters)) < len(self.letters):
            twice = next(one for one in self.letters if self.letters.count(one) > 1)
            raise InputError(f"language {self.id}: letter {twice!r} is given twice")
        for kind, texts in (("letter", self.letters), ("unit", self.units)):
            for text in texts:
                if not text.isalpha() or self.fold(text) != text:
                    raise InputError(
                        f"language {self.id}: {kind} {text!r} is not a small letter that stays as it is",
                        "give letters in lower case, without those that fold to others",
                    )
        for written, played in self.folds:
            again = any(other and other in played for other, _ in self.folds)
            if not written or again or (played and not played.isalpha()) or self.fold(played) != played:
                raise InputError(
                    f"language {self.id}: {written!r} folds to {played!r}, which is not made of letters that stay"
                )
        for capital, small in self.cases:
            if len(capital) != 1 or len(small) != 1:
                raise InputError(f"language {self.id}: case {capital!r} to {small!r} is not from one letter to one")

    def fold(self, text: str) -> str:
        """Return a text of any length as it is played: small letters, folds, accents off what is no letter of its own.

        Lines stay lines. Folding twice is folding once.
        """
        for _ in range(_ROUNDS):
            text, settled = self._fold_once(text)
            if settled:
                break
        return text

    def lower(self, text: str) -> str:
        """Return the small letters as the language has them; accents stay."""
        for capital, small in self.cases:
            text = text.replace(capital, small)
        return text.lower()

    def upper(self, text: str) -> str:
        """Return the capitals as the language has them; a letter whose capital is two letters stays."""
        back = {small: capital for capital, small in self.cases}
        return "".join(back.get(one, one.upper() if len(one.upper()) == 1 else one) for one in text)

    def face(self, text: str) -> str:
        """Return what a tile shows, as it is written everywhere: folded, the first letter a capital; empty for no
        letter.
        """
        known = self._faces.get(text)
        if known is None:
            played = self.fold(text)
            known = self.upper(played[:1]) + played[1:]
            if len(self._faces) < _KEPT_FACES and len(text) <= _KEPT_FACE:
                self._faces[text] = known
        return known

    def sort(self, words: Sequence[str]) -> list[str]:
        """Return the folded words in the order of the language; characters that it does not know come last."""
        words = list(words)
        if self._in_order_of_unicode or not words:
            return sorted(words)
        keys = self.sort_keys(words)
        return [words[number] for number in sorted(range(len(words)), key=keys.__getitem__)]

    def sort_keys(self, words: Sequence[str]) -> Sequence[str]:
        """Return the texts whose plain order is the order of the folded words in the language."""
        if self._in_order_of_unicode:
            return words
        text = "\n".join(words)
        for number, element in self._elements:
            text = text.replace(element, chr(_ELEMENT + number))
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        known = {_ELEMENT + number if len(one) > 1 else ord(one): number for number, one in enumerate(self.letters)}
        last = len(self.letters)
        seen = np.flatnonzero(np.bincount(codes)).tolist()
        ranks = np.zeros(max(seen) + 1, np.uint32)
        for rank, code in enumerate(sorted(seen, key=lambda one: (one != 10, known.get(one, last), one))):
            ranks[code] = rank + 1 if code != 10 else 0
        keys: list[str] = ranks[codes].tobytes().decode("utf-32-le").split("\0")
        return keys

    @cached_property
    def cut_letters(self) -> tuple[str, ...]:
        """What words are cut into: the letters of one character, and Qu instead of q where the language has it."""
        single = [one for one in self.letters if len(one) == 1]
        return tuple("qu" if one == "q" and "qu" in self.units else one for one in single)

    @cached_property
    def plain_capitals(self) -> bool:
        """A-Z are the capitals of a-z, and these are played as they stand."""
        return not self.cases and not self._ascii_folds

    @cached_property
    def keeps_ascii(self) -> bool:
        """Words of a-z alone stay as they are, and their order is that of their characters."""
        plain = [one for one in self.letters if one.isascii()]
        return not self._ascii_folds and plain == sorted(plain) and all(len(one) == 1 for one in plain)

    @cached_property
    def _in_order_of_unicode(self) -> bool:
        return list(self.letters) == sorted(self.letters) and all(len(one) == 1 for one in self.letters)

    @cached_property
    def _elements(self) -> list[tuple[int, str]]:
        """Letters of several characters with their place, long ones first."""
        found = [(number, one) for number, one in enumerate(self.letters) if len(one) > 1]
        return sorted(found, key=lambda pair: -len(pair[1]))

    @cached_property
    def _faces(self) -> dict[str, str]:
        return {}

    @cached_property
    def _single(self) -> dict[str, str]:
        """Characters that are known to stay, or to be played as another text."""
        return {**{one: one for one in self.letters if len(one) == 1}, **{a: b for a, b in self.folds if len(a) == 1}}

    @cached_property
    def _ascii_folds(self) -> bool:
        return any(written.isascii() for written, _ in self.folds)

    def _fold_once(self, text: str) -> tuple[str, bool]:
        """The text folded, and whether it is known that folding it again changes nothing."""
        if text.isascii() and not self._ascii_folds:
            return self.lower(text), True
        text = self.lower(unicodedata.normalize("NFC", text))
        for written, played in self.folds:
            if len(written) > 1:
                text = text.replace(written, played)
        left: set[str] = set()
        for character in _distinct(text):
            played = self._fold_character(character)
            left.update(played)
            if played != character:
                text = text.replace(character, played)
        settled = (
            all(self.lower(one) == one == self._fold_character(one) for one in left)
            and not any(written in text for written, _ in self.folds if len(written) > 1)
            and unicodedata.is_normalized("NFC", text)
        )
        return text, settled

    def _fold_character(self, character: str) -> str:
        known = self._single.get(character)
        if known is not None:
            return known
        if character.isascii():
            return character
        if unicodedata.combining(character):
            return ""
        plain = self.lower(unicodedata.normalize("NFKC", character))
        if plain != character:
            return "".join(map(self._fold_character, plain))
        parts = unicodedata.normalize("NFD", character)
        if any(map(unicodedata.combining, parts)):
            return "".join(map(self._fold_character, parts))
        return _WITHOUT_DECOMPOSITION.get(character, character)


def _distinct(text: str) -> set[str]:
    if len(text) < 10_000:
        return set(text)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return set(map(chr, np.flatnonzero(np.bincount(codes)).tolist()))


PLAIN = Language("plain")
"""The 26 letters and Qu: English, and whatever is written so once its accents are off."""


def language_of(fields: dict[str, Any], language_id: str) -> Language:
    """Return a language from the fields of its file: letters and units as texts with spaces, folds and cases as tables.

    Raises InputError for fields of another kind, and where the rules contradict themselves.
    """
    letters, units = fields.get("letters"), fields.get("units", "")
    folds, cases = fields.get("folds", {}), fields.get("cases", {})
    if not isinstance(letters, str) or not isinstance(units, str):
        raise InputError(f"language {language_id}: letters and units are texts", 'such as letters = "a b c"')
    for name, table in (("folds", folds), ("cases", cases)):
        if not isinstance(table, dict) or not all(isinstance(played, str) for played in table.values()):
            raise InputError(f"language {language_id}: {name} is a table from text to text", f'[{name}], "é" = "e"')
    return Language(language_id, _texts(letters), _texts(units), _pairs(folds), _pairs(cases))


def _texts(text: str) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFC", text).split())


def _pairs(table: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Long texts first, as a short one may be part of them."""
    pairs: Iterable[tuple[str, str]] = (
        (unicodedata.normalize("NFC", written), unicodedata.normalize("NFC", played))
        for written, played in table.items()
    )
    return tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair)))

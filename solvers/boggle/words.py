"""Word lists: text in any case, with accents and line ends of any kind, becomes sorted, folded, unique words."""

import hashlib
import operator
import string
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError

MAX_WORDS = 10_000_000
MAX_WORD_LETTERS = 1_000
_ASCII = string.ascii_lowercase
_DIGRAPHS = {"de": str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})}
LANGUAGES = ("en", "nl", "de", "fr", "es", "it", "cs", "da", "fi", "no", "pl", "pt", "sv")


@dataclass(frozen=True)
class WordList:
    """Sorted, folded, unique words; the index of a word is its word id everywhere.

    `skipped` counts entries with anything but letters (or of absurd length). `spelling` maps a folded word to its
    first original spelling where the two differ.
    """

    words: Sequence[str]
    language: str
    skipped: int = 0
    spelling: dict[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def sha256(self) -> str:
        """Hash of the words, one a line: the identity of the list."""
        return hashlib.sha256("\n".join(self.words).encode()).hexdigest()

    @cached_property
    def letters(self) -> npt.NDArray[np.uint8]:
        """Letters of each word, at most 255: uint8[words]."""
        return np.minimum(np.fromiter(map(len, self.words), np.uint16, len(self.words)), 255).astype(np.uint8)


def fold(word: str, language: str = "en", kept: Iterable[str] = ()) -> str:
    """Lower case, letters of `kept` as they are, German umlauts as two letters, accents off otherwise."""
    lower = unicodedata.normalize("NFC", word).lower()
    if lower.isascii():
        return lower
    kept = frozenset(kept)
    folded = []
    for letter in lower:
        if letter in kept or letter.isascii():
            folded.append(letter)
        else:
            pair = letter.translate(_DIGRAPHS.get(language, {}))
            base = unicodedata.normalize("NFKD", pair).lower()
            folded.append("".join(part for part in base if not unicodedata.combining(part)))
    return "".join(folded)


def read_words(text: str, language: str = "en", kept: Iterable[str] = ()) -> WordList:
    """Words of a text with one entry a line: UTF-8 already decoded, with or without BOM, LF or CRLF.

    Raises InputError for an unknown language, no word at all, or more than ten million entries.
    """
    if language not in LANGUAGES:
        raise InputError(f"language {language!r} is not known", f"known are {', '.join(LANGUAGES)}")
    lines = text.removeprefix("\ufeff").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) > MAX_WORDS:
        raise InputError(f"{len(lines):,} entries; a word list holds at most {MAX_WORDS:,}")
    if _is_clean(text, lines):
        return WordList(lines, language)
    words: dict[str, str] = {}
    skipped = 0
    kept = frozenset(kept)
    for line in lines:
        entry = line.strip()
        if not entry:
            continue
        word = fold(entry, language, kept) if len(entry) <= MAX_WORD_LETTERS else ""
        if not word.isalpha():
            skipped += 1
        elif word not in words:
            words[word] = entry
    if not words:
        raise InputError("no word in the list: each line holds one word, letters only")
    spelling = {word: entry for word, entry in words.items() if entry.lower() != word}
    return WordList(sorted(words), language, skipped, spelling)


def _is_clean(text: str, lines: Sequence[str]) -> bool:
    """True for a list that is stored as it is used: the shipped lists, read in a tenth of the time."""
    return (
        bool(lines)
        and text.isascii()
        and not text.encode().translate(None, (_ASCII + "\n").encode())
        and all(map(operator.lt, lines, lines[1:]))
        and bool(lines[0])
        and max(map(len, lines)) <= MAX_WORD_LETTERS
    )

"""Word lists: entries in any case, with accents, in any order, become sorted, folded, unique words."""

import hashlib
import operator
import re
import string
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.languages import PLAIN, Language

MAX_WORDS = 10_000_000
MAX_WORD_LETTERS = 1_000
MAX_EXAMPLES = 3
_ASCII = string.ascii_lowercase
_REASONS = (
    ("a comment", re.compile("^#")),
    ("a space", re.compile(r"\s")),
    ("an apostrophe", re.compile("['’ʼ]")),
    ("a hyphen", re.compile("[-‐‑–—]")),
    ("a digit", re.compile(r"\d")),
    ("a full stop", re.compile(r"\.")),
)
_OTHER = "another character that is no letter"
_LONG = f"more than {MAX_WORD_LETTERS:,} letters"


@dataclass(frozen=True)
class Skipped:
    """Entries that are no words, for one reason."""

    reason: str
    entries: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class WordList:
    """Folded, unique words in the order of their language; the index of a word is its word id everywhere.

    `spelling` maps a folded word to its spelling where the two differ. `left_out`: entries that are no words, by
    reason. `merged`: entries that are played as a word that another entry gave already; of them `folded_pairs` are
    spelled otherwise than that entry (côte and cote), with some examples. `levels`, uint32[words]: what
    the list says of each word besides, its level (1: in every list of words) or its count; the lowest level, or the
    sum of the counts, where several entries are one word.
    """

    words: Sequence[str]
    language: Language = PLAIN
    spelling: Mapping[str, str] = field(default_factory=dict, repr=False)
    left_out: tuple[Skipped, ...] = ()
    merged: int = 0
    folded_pairs: int = 0
    pair_examples: tuple[tuple[str, str], ...] = ()
    levels: npt.NDArray[np.uint32] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def sha256(self) -> str:
        """Hash of the words, one a line: the identity of the list."""
        return hashlib.sha256("\n".join(self.words).encode()).hexdigest()

    @cached_property
    def letters(self) -> npt.NDArray[np.uint8]:
        """Letters of each word, at most 255: uint8[words]."""
        return np.minimum(np.fromiter(map(len, self.words), np.uint16, len(self.words)), 255).astype(np.uint8)

    @property
    def skipped(self) -> int:
        """Entries that are no words."""
        return sum(one.entries for one in self.left_out)

    def everyday(self, bound: int, counts: bool = False) -> npt.NDArray[np.bool_]:
        """Return the words of a level up to `bound`, or, of a list with counts, of at least so many: bool[words].

        Raises InputError for a list that has neither.
        """
        if self.levels is None:
            raise InputError(
                "the word list has no level beside its words, so none can be told to be an everyday one",
                "use the shipped list scowl, or a list with a level or a count beside each word",
            )
        return self.levels >= bound if counts else self.levels <= bound

    def spelled(self, word: str) -> str:
        """Return a folded word as the list spells it."""
        return self.spelling.get(word, word)


def read_words(text: str, language: Language = PLAIN) -> WordList:
    """Return the words of a text with one entry a line: already decoded, with or without BOM, lines ended by LF, CR or
    both.

    Raises InputError for no word at all, or more than ten million entries.
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) <= MAX_WORDS and _is_clean(text, lines, language):
        return WordList(lines, language)
    return make_words(lines, language)


def make_words(
    entries: Sequence[str],
    language: Language = PLAIN,
    levels: npt.NDArray[np.uint32] | None = None,
    counts: bool = False,
) -> WordList:
    """Fold, check, merge and sort entries; empty ones do not count. `levels`, uint32[entries], see `WordList`;
    `counts` says that they are counts, which add up.

    Raises InputError for no word at all, or more than ten million entries.
    """
    if len(entries) > MAX_WORDS:
        raise InputError(f"{len(entries):,} entries; a word list holds at most {MAX_WORDS:,}")
    entries = list(map(str.strip, entries))
    folded = language.fold("\n".join(entries)).split("\n") if entries else []
    good = [word.isalpha() and len(word) <= MAX_WORD_LETTERS for word in folded]
    left_out = () if all(good) else _left_out(entries, folded, good)
    numbers = range(len(entries)) if all(good) else list(compress(range(len(entries)), good))
    place: dict[str, int] = {}
    again: list[tuple[str, int]] = []
    for number in numbers:
        word = folded[number]
        if place.setdefault(word, number) != number:
            again.append((word, number))
    if not place:
        raise InputError("no word in the list: each line holds one word, letters only")
    pairs = [
        (entries[place[word]], entries[number])
        for word, number in again
        if entries[number].lower() != entries[place[word]].lower()
    ]
    for word, number in again:
        place[word] = min(place[word], number, key=lambda one: _plainness(entries[one], word))
    words = language.sort(list(place))
    spelling = {}
    for word in words:
        entry = entries[place[word]]
        if entry != word:
            shown = _as_spelled(entry, language)
            if shown != word:
                spelling[word] = shown
    found = _levels(words, folded, numbers, levels, counts) if levels is not None else None
    examples = tuple(pairs[:MAX_EXAMPLES])
    return WordList(words, language, spelling, left_out, len(again), len(pairs), examples, found)


def _as_spelled(entry: str, language: Language) -> str:
    """The entry as it stands, composed; one in capitals alone tells nothing of its capitals."""
    entry = unicodedata.normalize("NFC", entry)
    return language.lower(entry) if entry.isupper() else entry


def _plainness(entry: str, word: str) -> tuple[bool, bool, str]:
    """Order of the spellings of one word: as it is played, in small letters, any other; then by text."""
    return (entry != word, entry != entry.lower(), entry)


def _levels(
    words: Sequence[str],
    folded: Sequence[str],
    numbers: Iterable[int],
    levels: npt.NDArray[np.uint32],
    counts: bool,
) -> npt.NDArray[np.uint32]:
    index = {word: number for number, word in enumerate(words)}
    kept = np.fromiter(numbers, np.int64)
    of_entry = np.fromiter((index[folded[number]] for number in kept.tolist()), np.int64, len(kept))
    if counts:
        total = np.bincount(of_entry, levels[kept].astype(np.float64), len(words))
        return np.minimum(total, np.iinfo(np.uint32).max).astype(np.uint32)
    lowest = np.full(len(words), np.iinfo(np.uint32).max, np.uint32)
    np.minimum.at(lowest, of_entry, levels[kept])
    return lowest


def _left_out(entries: Sequence[str], folded: Sequence[str], good: Sequence[bool]) -> tuple[Skipped, ...]:
    found: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for entry, word, fine in zip(entries, folded, good, strict=True):
        if not fine and entry:
            reason = _LONG if len(word) > MAX_WORD_LETTERS else _reason(entry)
            counts[reason] = counts.get(reason, 0) + 1
            examples = found.setdefault(reason, [])
            if len(examples) < MAX_EXAMPLES:
                examples.append(entry if len(entry) <= 40 else entry[:37] + "...")
    order = sorted(counts, key=lambda reason: -counts[reason])
    return tuple(Skipped(reason, counts[reason], tuple(found[reason])) for reason in order)


def _reason(entry: str) -> str:
    return next((reason for reason, pattern in _REASONS if pattern.search(entry)), _OTHER)


def _is_clean(text: str, lines: Sequence[str], language: Language) -> bool:
    """True for a list that is stored as it is used: the shipped lists, read in a tenth of the time."""
    return (
        bool(lines)
        and text.isascii()
        and language.keeps_ascii
        and not text.encode().translate(None, (_ASCII + "\n").encode())
        and all(map(operator.lt, lines, lines[1:]))
        and bool(lines[0])
        and max(map(len, lines)) <= MAX_WORD_LETTERS
    )

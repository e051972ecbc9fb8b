"""Word lists and dice sets of the server: read once, tries prepared once and kept."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from pipeline.errors import PipelineError, nearest
from pipeline.games.boggle.dice import DiceSet, shipped_dice
from pipeline.games.boggle.words import WordSource, find_words, load_words, shipped_words
from pipeline.web.settings import DEFAULT_WORDS
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.words import WordList
from solvers.errors import InputError
from solvers.grid import MAX_CELLS
from solvers.languages import PLAIN, Language

FREE = Alphabet.of_language(PLAIN)
"""Alphabet of free letters in English: a-z without q, and Qu."""


class Key(NamedTuple):
    """What a trie depends on: board size is no part of it, deeper levels are never reached on a smaller board."""

    words: str
    alphabet: Alphabet
    min_length: int


@dataclass(frozen=True, eq=False)
class Prepared:
    """A trie for boards of some size, and its words as people spell them."""

    lexicon: Lexicon
    spelled: Sequence[str]


class Books:
    """`extra`: ids or paths of lists beside the shipped ones. Raises PipelineError where one cannot be read."""

    def __init__(self, extra: Sequence[str], kept: int) -> None:
        sources = {source.id: source for source in shipped_words()}
        for reference in extra:
            source = find_words(reference)
            if source.id in sources and sources[source.id].path != source.path:
                raise PipelineError(f"word list {source.id!r} is there twice", "rename the file")
            sources[source.id] = source
        order = sorted(sources, key=lambda name: (name != DEFAULT_WORDS, name))
        self.sources: dict[str, WordSource] = {name: sources[name] for name in order}
        self.dice: dict[str, DiceSet] = {one.id: one for one in shipped_dice()}
        self._kept = kept
        self._lists: dict[str, WordList] = {}
        self._shown: dict[str, list[str]] = {}
        self._free: dict[Language, list[Alphabet]] = {}
        self._tries: OrderedDict[Key, Prepared] = OrderedDict()
        self._sized: dict[tuple[Key, int], Prepared] = {}
        self._lock = threading.Lock()

    def alphabets(self, language: Language) -> list[Alphabet]:
        """Return the alphabets that free letters may use with words of a language, plainest first."""
        if language not in self._free:
            sets = {Alphabet.of_language(language, one.faces) for one in self.dice.values()}
            self._free[language] = sorted({Alphabet.of_language(language)} | sets, key=lambda one: len(one.symbols))
        return self._free[language]

    def source(self, name: str) -> WordSource:
        if name not in self.sources:
            raise InputError(f"unknown word list {name!r}", nearest(name, self.sources))
        return self.sources[name]

    def dice_set(self, name: str) -> DiceSet:
        if name not in self.dice:
            raise InputError(f"unknown dice set {name!r}", nearest(name, self.dice))
        return self.dice[name]

    def word_list(self, name: str) -> WordList:
        if name not in self._lists:
            self._lists[name] = load_words(self.source(name))
        return self._lists[name]

    def count(self, name: str) -> int:
        """Return the words of a list, without reading a shipped one."""
        return self.source(name).count or len(self.word_list(name).words)

    def _spelled(self, name: str) -> list[str]:
        if name not in self._shown:
            words = self.word_list(name)
            self._shown[name] = list(map(words.spelled, words.words))
        return self._shown[name]

    def holds(self, name: str, word: str) -> bool:
        words = self.word_list(name)
        return words.language.fold(word) in self._word_sets(name)

    def _word_sets(self, name: str) -> frozenset[str]:
        with self._lock:
            if name not in self._sets:
                self._sets[name] = frozenset(self.word_list(name).words)
            return self._sets[name]

    @cached_property
    def _sets(self) -> dict[str, frozenset[str]]:
        return {}

    def ready(self, key: Key, cells: int) -> Prepared | None:
        """Return the trie if it is prepared."""
        with self._lock:
            sized = self._sized.get((key, cells))
            if sized is not None:
                self._tries.move_to_end(key)
                return sized
            whole = self._tries.get(key)
            if whole is None:
                return None
            sized = Prepared(replace(whole.lexicon, cells=cells), whole.spelled)
            return self._sized.setdefault((key, cells), sized)

    def prepare(self, key: Key, cells: int) -> Prepared:
        """Build the trie (about a second), forgetting the one that was used longest ago. Run on one thread only.

        Raises InputError where no word is usable.
        """
        prepared = self.ready(key, cells)
        if prepared is not None:
            return prepared
        words, spelled = self.word_list(key.words), self._spelled(key.words)
        whole = Prepared(build_lexicon(words, key.alphabet, key.min_length, MAX_CELLS), spelled)
        with self._lock:
            self._tries[key] = whole
            while len(self._tries) > self._kept:
                dropped, _ = self._tries.popitem(last=False)
                self._sized = {one: trie for one, trie in self._sized.items() if one[0] != dropped}
        prepared = self.ready(key, cells)
        assert prepared is not None
        return prepared

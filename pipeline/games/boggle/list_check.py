"""What a word list would give: usable words, what folds together, what is skipped, and which dice show how much."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet
from pipeline.games.boggle.list_files import read_entries, read_text
from pipeline.games.boggle.words import WordSource, words_of
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.cuts import cut_words
from solvers.boggle.lexicon import MAX_NODES, build_lexicon
from solvers.boggle.matching import showable_words
from solvers.boggle.words import WordList
from solvers.errors import InputError
from solvers.grid import MAX_CELLS


@dataclass(frozen=True)
class ListCheck:
    """`too_short`, `not_written`: words that are not usable, and examples of the latter; `letters`: how often each
    letter stands in a word; `shown`: words that some arrangement of a dice set shows, or why it cannot be told."""

    entries: int
    form: str
    packing: str
    encoding: str
    words: WordList
    usable: int
    too_short: int
    not_written: int
    not_written_examples: tuple[str, ...]
    letters: dict[str, int]
    shown: dict[str, int | str]

    def as_dict(self) -> dict[str, Any]:
        words = self.words
        return {
            "language": words.language.id,
            "form": self.form, "packing": self.packing, "encoding": self.encoding,
            "entries": self.entries, "words": len(words.words), "usable": self.usable, "too_short": self.too_short,
            "not_written": {"words": self.not_written, "examples": list(self.not_written_examples)},
            "repeated": words.merged - words.folded_pairs,
            "folded_pairs": {"pairs": words.folded_pairs, "examples": [list(pair) for pair in words.pair_examples]},
            "skipped": [
                {"reason": one.reason, "entries": one.entries, "examples": list(one.examples)} for one in words.left_out
            ],
            "numbers": None if words.levels is None else [int(words.levels.min()), int(words.levels.max())],
            "letters": self.letters,
            "dice": self.shown,
        }  # fmt: skip


def check_list(source: WordSource, min_length: int, dice: list[DiceSet]) -> ListCheck:
    """Read a list and try it with the letters of its language and with each dice set.

    Raises PipelineError where it cannot be read, or holds no word.
    """
    text, packing, encoding = read_text(source.path)
    entries = read_entries(text, source.path, source.column)
    try:
        words = words_of(entries, source)
        cuts, lengths = cut_words(words.words, Alphabet.of_language(words.language), min_length, MAX_CELLS, MAX_NODES)
    except InputError as error:
        raise PipelineError(f"word list {source.path}: {error.message}", error.hint) from error
    usable = cuts.rows_of_word > 0
    strange = np.flatnonzero(~usable & (lengths >= min_length))
    return ListCheck(
        entries=sum(1 for entry in entries.texts if entry.strip()),
        form=entries.form,
        packing=packing,
        encoding=encoding,
        words=words,
        usable=int(usable.sum()),
        too_short=int((lengths < min_length).sum()),
        not_written=len(strange),
        not_written_examples=tuple(words.spelled(words.words[number]) for number in strange[:3].tolist()),
        letters=_letters(words),
        shown={one.id: _shown(words, one, min_length) for one in dice},
    )


def _letters(words: WordList) -> dict[str, int]:
    """Letters of all words, in the order of the alphabet; what the language does not know comes last."""
    counts = Counter("".join(words.words))
    return {letter: counts[letter] for letter in words.language.sort(list(counts))}


def _shown(words: WordList, dice: DiceSet, min_length: int) -> int | str:
    try:
        lexicon = build_lexicon(words, dice.alphabet_for(words.language), min_length, dice.cells)
    except InputError as error:
        return error.message
    return int(showable_words(lexicon, dice.dice).sum())

"""Exact means of the boards of a dice set under a word list: worked out once and kept, no simulation, no interval."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.config import available_cores
from pipeline.errors import PipelineError
from pipeline.games.boggle import expectation_cache as cache
from pipeline.games.boggle.dice import FACES_PER_DIE, DiceSet
from pipeline.games.boggle.languages import rules
from pipeline.games.boggle.vowels import vowels_of
from solvers.boggle.alphabet import MAX_SYMBOLS, Alphabet
from solvers.boggle.coefficients import face_chances
from solvers.boggle.expectations import SHORT, expected, longest_path, make_plan
from solvers.boggle.letter_counts import chances_of_number, mean_counts, mean_equal_pairs
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.multisets import Prefixes, prefixes_of
from solvers.boggle.pair_weights import countable
from solvers.boggle.paths import frontier_counts
from solvers.boggle.ways import PAIR_LENGTHS, WAYS_LENGTHS
from solvers.boggle.words import WordList
from solvers.errors import InputError
from solvers.grid import neighbour_masks
from solvers.jit import fingerprint

Floats = npt.NDArray[np.float64]
MOST_LETTERS = 255
FORM = 1
"""Version of what is kept, besides the solvers' sources."""


@dataclass(frozen=True)
class Expectations:
    """Exact means a board of a dice set under a word list.

    ways, pairs: by letters of the word, pairs for the three shortest lengths, as far as their words have few tiles.
    nodes: calls of the search. letters: cells that show each face, by face as printed, `.` for a blank; equal_pairs:
    pairs of cells that both show it. vowels: the chance that 0, 1, .. cells show a vowel.
    """

    min_length: int
    ways: Mapping[int, float]
    pairs: Mapping[int, float]
    nodes: float
    letters: Mapping[str, float]
    equal_pairs: Mapping[str, float]
    vowels: tuple[float, ...]

    @property
    def all_ways(self) -> float:
        """Ways of words of any length."""
        return sum(self.ways.values())

    @property
    def no_vowel(self) -> float:
        """The chance that no tile of a board shows a vowel."""
        return self.vowels[0]

    @property
    def pair_lengths(self) -> range:
        """Letters of the words whose pairs the solvers count."""
        return pair_lengths(self.min_length)

    def ways_columns(self) -> list[float]:
        """Return the means of the columns that solvers count ways in: words of 1, 2, .. 15 letters, 16 and more."""
        columns = [0.0] * WAYS_LENGTHS
        for letters, mean in self.ways.items():
            columns[min(letters, WAYS_LENGTHS) - 1] += mean
        return columns

    def pairs_columns(self) -> list[float | None]:
        """Return the means of the columns that solvers count pairs in; None where it is not worked out."""
        return [self.pairs.get(letters) for letters in self.pair_lengths]

    def as_dict(self) -> dict[str, Any]:
        """Return the means as JSON holds them: objects by number of letters as text, and by face."""
        return {
            "min_length": self.min_length,
            "ways": {str(letters): mean for letters, mean in self.ways.items()},
            "pairs": {str(letters): mean for letters, mean in self.pairs.items()},
            "nodes": self.nodes,
            "no_vowel": self.no_vowel,
            "letters": dict(self.letters),
            "equal_pairs": dict(self.equal_pairs),
            "vowels": list(self.vowels),
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "Expectations":
        """Return what `as_dict` wrote; raises KeyError, TypeError or ValueError where it is something else."""

        def numbers(name: str) -> dict[int, float]:
            return {int(letters): _mean(mean) for letters, mean in fields[name].items()}

        def by_face(name: str) -> dict[str, float]:
            return {str(face): _mean(mean) for face, mean in fields[name].items()}

        return cls(
            int(fields["min_length"]),
            numbers("ways"),
            numbers("pairs"),
            _mean(fields["nodes"]),
            by_face("letters"),
            by_face("equal_pairs"),
            tuple(map(_mean, fields["vowels"])),
        )


def _mean(value: Any) -> float:
    number = float(value)
    if not 0 <= number < float("inf"):
        raise ValueError(f"{value!r} is no mean")
    return number


def pair_lengths(min_length: int) -> range:
    """Return the letters of the words whose pairs are counted."""
    return range(min_length, min_length + PAIR_LENGTHS)


def expectations(
    dice: DiceSet, words: WordList, min_length: int, words_id: str = "", lexicon: Lexicon | None = None
) -> Expectations:
    """Return the exact means of a dice set; from the user's cache where they were worked out before.

    `words_id` names the list in errors. `lexicon`: that of these tiles, if it is built already.

    Raises PipelineError where there is no closed form, and where no word of the list is usable.
    """
    key = _key(dice, words, min_length)
    kept = cache.read(key, Expectations.from_dict)
    if kept is not None:
        return kept
    made = _work_out(dice, lexicon or lexicon_of(dice, words, min_length, words_id))
    cache.write(key, made.as_dict())
    return made


def _key(dice: DiceSet, words: WordList, min_length: int) -> str:
    """A digest of all that the means depend on."""
    identity = {
        "form": FORM,
        "solvers": fingerprint(),
        "dice": dice.identity(),
        "language of the dice": [dice.rules.id, rules(dice.rules)],
        "words": words.sha256,
        "language of the words": rules(words.language),
        "min_length": min_length,
    }
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def need_closed_form(dice: DiceSet) -> None:
    """Raises PipelineError where a set has more different tiles than exact means know."""
    if dice.alphabet.wide:
        raise PipelineError(
            f"dice set {dice.id} has {len(dice.alphabet.symbols)} different tiles; exact means are "
            f"worked out for up to {MAX_SYMBOLS}",
            "`pipeline run` simulates it",
        )


def lexicon_of(
    dice: DiceSet, words: WordList, min_length: int, words_id: str = "", alphabet: Alphabet | None = None
) -> Lexicon:
    """Return the trie of a list for the tiles of a set, or for an alphabet that holds them.

    Raises PipelineError where there are more different tiles than exact means know, and where no word is usable.
    """
    if not 1 <= min_length <= MOST_LETTERS:
        raise PipelineError(f"minimum length {min_length} is out of range", f"give 1 to {MOST_LETTERS} letters")
    need_closed_form(dice)
    alphabet = alphabet or dice.alphabet_for(words.language)
    try:
        return build_lexicon(words, alphabet, min_length, dice.cells)
    except InputError as error:
        place = f"word list {words_id}" if words_id else "word list"
        raise PipelineError(f"{place}: {error.message}", error.hint) from error


def pairs_worked_out(prefixes: Prefixes, min_length: int) -> list[int]:
    """Return the letters of the words, of the three shortest lengths, whose pairs are worked out."""
    return [letters for letters in pair_lengths(min_length) if countable(prefixes, letters)]


def chances_of_faces(dice: DiceSet, alphabet: Alphabet) -> Floats:
    """Return the chance of each die to show each symbol: float64[dice, symbols]."""
    return face_chances([alphabet.ids(die) for die in dice.dice])


def _work_out(dice: DiceSet, lexicon: Lexicon) -> Expectations:
    prefixes = prefixes_of(lexicon)
    lengths = pairs_worked_out(prefixes, lexicon.min_length)
    every_cell = [True] * dice.cells
    paths = [0, *frontier_counts(every_cell, dice.rows, dice.columns, longest=longest_path(lexicon, prefixes))]
    plan = make_plan(lexicon, neighbour_masks(dice.rows, dice.columns), paths, lengths)
    means = expected(plan, chances_of_faces(dice, lexicon.alphabet), threads=available_cores())
    longest = max([SHORT, *(letters for kind, letters in means if kind == "ways")])
    counts = _counts(dice)
    return Expectations(
        lexicon.min_length,
        {letters: means.get(("ways", letters), 0.0) for letters in range(lexicon.min_length, longest + 1)},
        {letters: means.get(("pairs", letters), 0.0) for letters in lengths},
        means["nodes", 0],
        _by_face(dice, mean_counts(counts, dice.cells) / FACES_PER_DIE),
        _by_face(dice, mean_equal_pairs(counts, dice.cells) / FACES_PER_DIE**2),
        vowel_chances(dice),
    )


def vowel_chances(dice: DiceSet) -> tuple[float, ...]:
    """Return the chance that 0, 1, .. cells of a board show a vowel."""
    vowels = [dice.faces.index(face) for face in vowels_of(dice)]
    return tuple(chances_of_number(_counts(dice) / FACES_PER_DIE, dice.cells, vowels).tolist())


def _counts(dice: DiceSet) -> Floats:
    """How many faces of each die show each face of the set."""
    return np.array([[die.count(face) for face in dice.faces] for die in dice.dice], np.float64)


def _by_face(dice: DiceSet, values: Floats) -> dict[str, float]:
    return dict(zip((face or "." for face in dice.faces), values.tolist(), strict=True))

"""Letter-dice boards as a workload: shake, solve, one row a board."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.games.boggle.columns import LAYOUT, SCHEMA
from pipeline.games.boggle.dice import DiceSet, check_distinct
from pipeline.games.boggle.languages import identity as language_identity
from pipeline.games.boggle.languages import rules
from pipeline.games.boggle.run_file import BoardSettings, DiceSettings
from pipeline.games.boggle.shakes import shake, shake_key
from pipeline.games.game import ChunkTables
from pipeline.store.parts import WORDS_SCHEMA, Part
from pipeline.store.run_file import SEMANTICS
from solvers.boggle.boards import board_texts, symbols_of_faces
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import SOLVERS, solve, unfinished
from solvers.boggle.words import WordList
from solvers.errors import InputError

log = logging.getLogger("shakedown")
LOUD_NODES = 100_000_000
"""A board whose search passes this is named in the log before it is finished."""


@dataclass(frozen=True)
class Rules:
    """Overrides of what the dice sets say; None keeps a set's own."""

    min_length: int | None = None
    scoring: str | None = None


@dataclass(frozen=True)
class BoggleWorkload:
    """Boards of one or more dice sets under one word list."""

    dice: tuple[DiceSet, ...]
    words: WordList
    words_id: str
    seed: int = 1
    rules: Rules = Rules()
    solver: str = "numba"
    counts_words: bool = True
    layout = LAYOUT
    smallest_chunk = 25_000

    def __post_init__(self) -> None:
        check_distinct(list(self.dice))
        if self.rules.scoring is not None:
            points_table(self.rules.scoring)
        if self.rules.min_length is not None and not 1 <= self.rules.min_length <= 255:
            raise PipelineError(f"minimum length {self.rules.min_length} is out of range", "give 1 to 255 letters")
        if self.solver not in SOLVERS:
            raise PipelineError(f"solver {self.solver!r} is not known", f"known are {', '.join(SOLVERS)}")

    @property
    def variants(self) -> Sequence[str]:
        return [one.id for one in self.dice]

    def min_length(self, dice: DiceSet) -> int:
        return self.rules.min_length if self.rules.min_length is not None else dice.min_length

    def scoring(self, dice: DiceSet) -> str:
        return self.rules.scoring if self.rules.scoring is not None else dice.scoring

    def identity(self) -> dict[str, Any]:
        return {
            "game": LAYOUT.game,
            "semantics": SEMANTICS,
            "seed": self.seed,
            "word list language": language_identity(self.words.language),
            "dice set": [
                {
                    **dice.identity(),
                    "minimum length": self.min_length(dice),
                    "scoring": self.scoring(dice),
                    "word list": self.words.sha256,
                }
                for dice in self.dice
            ],
        }

    def settings(self) -> BoardSettings:
        return BoardSettings(
            words=self.words_id,
            word_count=len(self.words.words),
            language=self.words.language.id,
            seed=self.seed,
            dice={
                dice.id: DiceSettings(
                    name=dice.name,
                    years=dice.years,
                    language=dice.rules.id,
                    min_length=self.min_length(dice),
                    scoring=self.scoring(dice),
                )
                for dice in self.dice
            },
            languages={one.id: rules(one) for one in (self.words.language, *(dice.rules for dice in self.dice))},
        )

    def items(self) -> dict[str, str]:
        """For each variant what its boards depend on: equal keys mean equal boards."""
        return {dice.id: "{:08x}{:08x}".format(*map(int, shake_key(dice, self.seed))) for dice in self.dice}

    def build(self) -> None:
        _ = self._lexicons

    def prepare(self) -> None:
        for variant in self.variants:
            self.solve_chunk(variant, Part(0, 2))

    @cached_property
    def _lexicons(self) -> dict[str, Lexicon]:
        built: dict[Any, Lexicon] = {}
        lexicons = {}
        for dice in self.dice:
            key = (dice.alphabet_for(self.words.language), self.min_length(dice), dice.cells)
            if key not in built:
                try:
                    built[key] = build_lexicon(self.words, *key)
                except InputError as error:
                    raise PipelineError(f"word list {self.words_id}: {error.message}", error.hint) from error
            lexicons[dice.id] = built[key]
        return lexicons

    def lexicon(self, variant: str) -> Lexicon:
        return self._lexicons[variant]

    def dice_set(self, variant: str) -> DiceSet:
        return next(dice for dice in self.dice if dice.id == variant)

    def lexicon_table(self) -> pa.Table | None:
        """Return the columns word_id, word, spelling, length, and points (points_<dice> where the sets score
        differently).
        """
        words, spelling = self.words.words, self.words.spelling
        lengths = np.fromiter(map(len, words), np.uint16, len(words))
        columns: dict[str, Any] = {
            "word_id": np.arange(len(words), dtype=np.uint32),
            "word": pa.array(words, pa.string()),
            "spelling": pa.array([spelling.get(word, word) for word in words] if spelling else words, pa.string()),
            "length": lengths,
        }
        scorings = {self.scoring(dice) for dice in self.dice}
        for dice in self.dice:
            name = "points" if len(scorings) == 1 else f"points_{dice.id}"
            columns[name] = points_table(self.scoring(dice))[np.minimum(lengths, 255)]
        return pa.table(columns)

    def solve_chunk(self, variant: str, part: Part) -> ChunkTables:
        dice, lexicon = self.dice_set(variant), self.lexicon(variant)
        boards = shake(dice, self.seed, part.start, part.rows)
        frequency = np.zeros(len(lexicon.words), np.uint32) if self.counts_words else None
        symbols = symbols_of_faces(boards, dice.faces, lexicon.alphabet)
        arguments = (symbols, dice.rows, dice.columns, lexicon, self.scoring(dice), self.solver, frequency)
        columns = solve(*arguments, LOUD_NODES)
        loud = unfinished(columns, LOUD_NODES)
        if len(loud):
            for board in loud.tolist():
                log.warning(
                    "board %s of %s: more than %s nodes, still searching", part.start + board, variant, LOUD_NODES
                )
            if frequency is not None:
                frequency[:] = 0
            columns = solve(*arguments)
            for board in loud.tolist():
                log.warning("board %s of %s: took %s nodes", part.start + board, variant, columns.nodes[board])
        text, offsets = board_texts(boards, dice.faces)
        arrays = [
            pa.array(np.arange(part.start, part.end, dtype=np.uint64)),
            pa.StringArray.from_buffers(len(boards), pa.py_buffer(offsets), pa.py_buffer(text)),
            *(pa.array(getattr(columns, metric)) for metric in ("words", "score", "nodes", "longest", "dead_tiles")),
            *(pa.array(np.ascontiguousarray(counts)) for counts in columns.by_length.T),
        ]
        return ChunkTables(pa.Table.from_arrays(arrays, schema=SCHEMA), _words_table(frequency))

    def short_name(self) -> str:
        """Return what the folder of a run is called, before the digits of its id."""
        ids = [dice.id for dice in self.dice]
        shown = "-".join(ids) if len(ids) <= 3 else f"{ids[0]}-and-{len(ids) - 1}-more"
        return f"boggle-{shown}-{self.words_id}-s{self.seed}"


def _words_table(frequency: npt.NDArray[np.uint32] | None) -> pa.Table | None:
    if frequency is None:
        return None
    seen = np.flatnonzero(frequency)
    arrays = [pa.array(seen.astype(np.uint32)), pa.array(frequency[seen].astype(np.uint64))]
    return pa.Table.from_arrays(arrays, schema=WORDS_SCHEMA)

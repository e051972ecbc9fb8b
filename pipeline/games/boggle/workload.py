"""Letter-dice boards as a workload: shake, solve, one row a board."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.errors import PipelineError, nearest
from pipeline.games.boggle.columns import LAYOUT, METRICS, SCHEMA, WAYS_COLUMNS, summed
from pipeline.games.boggle.dice import DiceSet, check_distinct
from pipeline.games.boggle.languages import identity as language_identity
from pipeline.games.boggle.languages import rules
from pipeline.games.boggle.run_file import BoardSettings, DiceSettings, Skipped
from pipeline.games.boggle.shakes import shake
from pipeline.games.game import ChunkTables
from pipeline.stats.controls import Known
from pipeline.stats.moments import moments
from pipeline.store.parts import WORDS_SCHEMA, Part
from pipeline.store.run_file import SEMANTICS, run_id
from solvers.boggle.boards import board_texts, symbols_of_faces
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import SOLVERS, empty_ways, solve, unfinished
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
            raise PipelineError(f"solver {self.solver!r} is not known", nearest(self.solver, SOLVERS))

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
            skipped=[
                Skipped(entries=one.entries, reason=one.reason, example=one.examples[0]) for one in self.words.left_out
            ],
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
        """Return for each set what its boards hang on: equal keys mean equal boards."""
        return {dice.id: f"{self.seed}-{run_id(dice.identity())[:16]}" for dice in self.dice}

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
        frequency = np.zeros(len(self.lexicon(variant).words), np.uint32) if self.counts_words else None
        boards, counted = self._solve(variant, part, frequency)
        text, offsets = board_texts(boards, self.dice_set(variant).faces)
        columns = {
            "board_id": pa.array(np.arange(part.start, part.end, dtype=np.uint64)),
            "board": pa.StringArray.from_buffers(len(boards), pa.py_buffer(offsets), pa.py_buffer(text)),
            "ways": pa.array(np.sum([counted[name] for name in WAYS_COLUMNS], axis=0, dtype=np.uint64)),
            **{name: pa.array(counted[name]) for name in SCHEMA.names if name in counted},
        }
        rows = pa.Table.from_arrays([columns[name] for name in SCHEMA.names], schema=SCHEMA)
        return ChunkTables(rows, _words_table(frequency), moments(counted))

    def counted(self, variant: str, part: Part) -> dict[str, npt.NDArray[np.integer]]:
        """Return words, score and all else of which sums are kept, board by board."""
        return self._solve(variant, part, None)[1]

    def known(self, variant: str) -> Known | None:
        """Return the exact means of nodes, ways and pairs of ways, worked out at the first time; None for a set of too
        many different tiles."""
        if variant not in self._known:
            self._known[variant] = self._exact(variant)
        return self._known[variant]

    @cached_property
    def _known(self) -> dict[str, Known | None]:
        return {}

    def _exact(self, variant: str) -> Known | None:
        from pipeline.games.boggle.expectations import expectations
        from solvers.boggle.expectations import SHORT

        dice = self.dice_set(variant)
        if dice.alphabet_for(self.words.language).wide:
            return None
        built = self._lexicons[variant] if "_lexicons" in vars(self) else None
        means = expectations(dice, self.words, self.min_length(dice), self.words_id, built)
        ways = dict(zip(WAYS_COLUMNS, means.ways_columns(), strict=True))
        pairs = {f"pairs_{letters}": mean for letters, mean in means.pairs.items()}
        always = tuple(name for name, mean in list(ways.items())[:SHORT] if mean > 0)
        known = {"nodes": means.nodes, **{name: mean for name, mean in ways.items() if mean > 0}, **pairs}
        return Known(summed(means.min_length), known, always, tuple(pairs))

    def _solve(
        self, variant: str, part: Part, frequency: npt.NDArray[np.uint32] | None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, npt.NDArray[np.integer]]]:
        """Boards as face ids, and their columns."""
        dice, lexicon = self.dice_set(variant), self.lexicon(variant)
        boards = shake(dice, self.seed, part.start, part.rows)
        symbols = symbols_of_faces(boards, dice.faces, lexicon.alphabet)
        arguments = (symbols, dice.rows, dice.columns, lexicon, self.scoring(dice), self.solver, frequency)
        ways = empty_ways(part.rows, lexicon)
        columns = solve(*arguments, LOUD_NODES, ways)
        loud = unfinished(columns, LOUD_NODES)
        if len(loud):
            for board in loud.tolist():
                log.warning(
                    "board %s of %s: more than %s nodes, still searching", part.start + board, variant, LOUD_NODES
                )
            if frequency is not None:
                frequency[:] = 0
            columns = solve(*arguments, ways=ways)
            for board in loud.tolist():
                log.warning("board %s of %s: took %s nodes", part.start + board, variant, columns.nodes[board])
        of_metrics = (getattr(columns, metric.name) for metric in METRICS)
        by_length = (np.ascontiguousarray(counts) for counts in (*columns.by_length.T, *ways.ways.T, *ways.pairs.T))
        return boards, dict(zip(summed(lexicon.min_length), (*of_metrics, *by_length), strict=True))

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

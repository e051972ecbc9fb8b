"""What every die, face, letter, pair of letters and cell does to the ways of a board, exactly.

For words of up to eight letters: longer ones are a thousandth of all ways. Tiles that a face could be changed to are
those of the dice and the letters of their language, where exact means know so many.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import FACES_PER_DIE, DiceSet
from pipeline.games.boggle.expectations import chances_of_faces, lexicon_of, pairs_worked_out, vowel_chances
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.coefficients import dice_chances
from solvers.boggle.expectations import SHORT, Effects, Plan, effects, make_plan
from solvers.boggle.lexicon import Lexicon
from solvers.boggle.multisets import Prefixes, prefixes_of
from solvers.boggle.path_patterns import directed_paths
from solvers.boggle.scoring import points_table
from solvers.boggle.way_places import paths_through, steps, through_cells, with_tile, word_ways
from solvers.boggle.words import WordList
from solvers.grid import PLACES, neighbour_masks, place_of_cells

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """One face changed: `die` from 0, `old` and `new` faces as printed, empty for a blank; by how much the mean number
    of ways rises, of all words and by letters, that of pairs, and the points of the ways."""

    die: int
    old: str
    new: str
    rise: float
    points: float
    ways: dict[int, float]
    pairs: dict[int, float]


@dataclass(frozen=True, eq=False)
class ExactEffects:
    """Effects of one dice set under one list. Quantities: ways by letters, and pairs.

    tiles: faces that a die may show, those of the set among them, empty for a blank. scoring: how words give points;
    the points of the ways are those of a game in which every way counts.
    """

    dice: DiceSet
    lexicon: Lexicon
    prefixes: Prefixes
    plan: Plan
    effects: Effects
    tiles: tuple[str, ...]
    scoring: str

    @cached_property
    def lengths(self) -> list[int]:
        """Letters of the words whose ways are counted."""
        return [letters for kind, letters in self.effects.names if kind == "ways"]

    @cached_property
    def _ways(self) -> list[int]:
        """Rows of the quantities that are ways."""
        return [place for place, (kind, _) in enumerate(self.effects.names) if kind == "ways"]

    @cached_property
    def _points(self) -> Floats:
        """Points of a way of each quantity, 0 for pairs: float64[q]."""
        table = points_table(self.scoring)
        return np.array([table[letters] if kind == "ways" else 0 for kind, letters in self.effects.names], np.float64)

    @property
    def points(self) -> float:
        """The mean points of the ways, each counting."""
        return float(self.effects.means @ self._points)

    @property
    def ways(self) -> float:
        """The mean number of ways of all these words."""
        return float(self.effects.means[self._ways].sum())

    def by_letters(self, values: Floats, kind: str) -> dict[int, float]:
        """Return a value for each quantity of a kind, `ways` or `pairs`, by letters. values: float64[q]."""
        named = zip(self.effects.names, values.tolist(), strict=True)
        return {letters: value for (one, letters), value in named if one == kind}

    def through_dice(self) -> Floats:
        """Return the mean number of ways through each die: float64[dice]."""
        through: Floats = self.effects.through_dice[self._ways].sum(axis=0)
        return through

    def through_face(self, die: int, face: str) -> float:
        """Return the mean number of ways through a die while it shows a face, all its faces alike together."""
        return float(self.effects.through_faces[self._ways, die, self._symbol(face)].sum()) if face else 0.0

    def given(self, die: int, face: str) -> float:
        """Return by how much more ways boards have on which a die shows a face than all boards, on average."""
        showing = self.effects.showing[self._ways, die, self._symbol(face)]
        return float(showing.sum()) - self.ways

    def uses(self) -> dict[str, float]:
        """Return how often ways use each face of the set, each use counting."""
        used = self.effects.through_tiles[self._ways].sum(axis=0)
        return {face: float(used[self._symbol(face)]) for face in self.dice.faces if face}

    def change(self, die: int, old: str, new: str) -> Change:
        """Return the effect of one face of a die changed from `old` to `new`, faces as printed."""
        rise = self.effects.change(die, self._symbol(old), self._symbol(new), FACES_PER_DIE)
        return Change(
            die,
            old,
            new,
            float(rise[self._ways].sum()),
            float(rise @ self._points),
            self.by_letters(rise, "ways"),
            self.by_letters(rise, "pairs"),
        )

    @cached_property
    def changes(self) -> list[Change]:
        """Every change of one face to another tile, equal faces of a die once; the one that adds most first."""
        found = [
            self.change(die, old, new)
            for die, faces in enumerate(self.dice.dice)
            for old in dict.fromkeys(faces)
            for new in self.tiles
            if new != old
        ]
        return sorted(found, key=lambda one: -one.rise)

    @property
    def to_tiles(self) -> list[Change]:
        """Changes to another tile, leaving out those to a blank."""
        return [one for one in self.changes if one.new]

    def letters(self) -> list[dict[str, Any]]:
        """Return for each face of the set: mean number of cells with it, ways that use it, uses, and uses a cell."""
        used = with_tile(self.plan, self._words)
        rows = []
        for face, uses in self.uses().items():
            symbol = self._symbol(face)
            mean = sum(die.count(face) for die in self.dice.dice) / FACES_PER_DIE
            rows.append(
                {
                    "tile": face,
                    "mean": mean,
                    "ways": float(used[symbol]),
                    "share": self.share(float(used[symbol])),
                    "uses": uses,
                    "uses_a_tile": uses / mean,
                }
            )
        return rows

    def neighbours(self) -> list[dict[str, Any]]:
        """Return for each pair of faces, in the order of most steps: the steps of ways between them either way, the
        pairs of cells side by side that show them, and steps for each of those.
        """
        walked = steps(self._words, self.prefixes)
        walked = walked + walked.T - np.diag(np.diag(walked))
        chances = self.effects.chances
        both = chances.sum(axis=0)[:, None] * chances.sum(axis=0)[None, :] - chances.T @ chances
        edges = sum(int(mask).bit_count() for mask in self._masks.tolist()) / 2
        dice = len(chances)
        rows = []
        shown = [(face, self._symbol(face)) for face in self.dice.faces if face]
        for place, (face, one) in enumerate(shown):
            for other_face, other in shown[place:]:
                together = both[one, other] * (2 if one != other else 1) / max(dice * (dice - 1), 1)
                adjacent = float(together) * edges
                if adjacent > 0:
                    uses = float(walked[one, other])
                    rows.append(
                        {
                            "tiles": [face, other_face],
                            "steps": uses,
                            "adjacent": adjacent,
                            "steps_a_pair": uses / adjacent,
                        }
                    )
        return sorted(rows, key=lambda row: -row["steps"])

    def cells(self) -> Floats:
        """Return the mean number of ways through each cell: float64[cells]."""
        through = paths_through(self._masks, min(SHORT, self.dice.cells))
        return through_cells(self._words, self.prefixes, through)

    def places(self) -> dict[str, dict[str, float]]:
        """Return for corners, edges and the middle: number of cells, ways through one of them, and their share."""
        used, places = self.cells(), place_of_cells(self.dice.rows, self.dice.columns)
        found = {}
        for place, name in enumerate(PLACES):
            here = used[places == place]
            if len(here):
                mean = float(here.mean())
                found[name] = {"cells": len(here), "ways": mean, "share": self.share(mean)}
        return found

    def vowels(self) -> tuple[float, ...]:
        """Return the chance that 0, 1, .. cells show a vowel."""
        return vowel_chances(self.dice)

    def share(self, ways: float) -> float:
        """Return ways as a share of all."""
        return ways / self.ways if self.ways else 0.0

    def faces(self) -> list[dict[str, Any]]:
        """Return for each die and face: how many of its six show it, ways through the die while they do, by how much
        more ways boards have on which they do (`given`), what a blank instead of one of them adds, and its best and
        worst change to another tile.
        """
        by_face: dict[tuple[int, str], list[Change]] = {}
        for one in self.to_tiles:
            by_face.setdefault((one.die, one.old), []).append(one)
        rows = []
        for (die, face), changes in sorted(by_face.items()):
            through = self.through_face(die, face)
            rows.append(
                {
                    "die": die + 1,
                    "face": face or ".",
                    "faces": self.dice.dice[die].count(face),
                    "ways": through,
                    "share": self.share(through),
                    "given": self.given(die, face),
                    "without": self.change(die, face, "").rise,
                    "best": {"tile": changes[0].new, "ways": changes[0].rise},
                    "worst": {"tile": changes[-1].new, "ways": changes[-1].rise},
                }
            )
        return rows

    def dice_rows(self) -> list[dict[str, Any]]:
        """Return for each die: its faces, ways through it and their share, and its best change."""
        rows = []
        for die, through in enumerate(self.through_dice().tolist()):
            best = next(one for one in self.to_tiles if one.die == die)
            rows.append(
                {
                    "die": die + 1,
                    "faces": [face or "." for face in self.dice.dice[die]],
                    "ways": through,
                    "share": self.share(through),
                    "best": {"face": best.old or ".", "tile": best.new, "ways": best.rise},
                }
            )
        return rows

    def changes_by_face(self) -> list[dict[str, Any]]:
        """Return every change: for each die and face what each tile instead adds, by letters."""
        found: dict[tuple[int, str], dict[str, Any]] = {}
        for one in self.changes:
            found.setdefault((one.die, one.old), {})[one.new or "."] = {
                "ways": {str(letters): rise for letters, rise in one.ways.items()},
                "pairs": {str(letters): rise for letters, rise in one.pairs.items()},
                "all_ways": one.rise,
                "points": one.points,
            }
        return [{"die": die + 1, "face": face or ".", "to": to} for (die, face), to in sorted(found.items())]

    def as_dict(self) -> dict[str, Any]:
        """Return all effects as JSON holds them; dice are numbered from 1, a blank is a dot."""
        return {
            "lengths": self.lengths,
            "ways": self.ways,
            "points": self.points,
            "dice": self.dice_rows(),
            "faces": self.faces(),
            "letters": self.letters(),
            "neighbours": self.neighbours(),
            "cells": self.cells().tolist(),
            "places": self.places(),
            "vowels": list(self.vowels()),
            "changes": [
                {
                    "die": one.die + 1,
                    "face": one.old or ".",
                    "tile": one.new or ".",
                    "ways": one.rise,
                    "points": one.points,
                }
                for one in self.changes
            ],
        }

    def _symbol(self, face: str) -> int:
        return self.lexicon.alphabet.index[self.lexicon.alphabet.symbol(face)] if face else -1

    @cached_property
    def _masks(self) -> npt.NDArray[np.uint64]:
        return neighbour_masks(self.dice.rows, self.dice.columns)

    @cached_property
    def _words(self):  # type: ignore[no-untyped-def]
        paths = directed_paths(self._masks, min(SHORT, self.dice.cells))
        short = dice_chances(self.plan.multisets, self.effects.chances)
        return word_ways(self.plan, self.prefixes, paths, short)


def exact_effects(
    dice: DiceSet, words: WordList, min_length: int, words_id: str = "", scoring: str | None = None
) -> ExactEffects:
    """Return the exact effects of a dice set; `scoring`: other than the set's own.

    Raises PipelineError where there is no closed form, no usable word, or none of up to eight letters.
    """
    alphabet = _every_tile(dice, words)
    lexicon = lexicon_of(dice, words, min_length, words_id, alphabet)
    if not (lexicon.usable & (lexicon.letters <= SHORT)).any():
        raise _nothing_short(dice)
    prefixes = prefixes_of(lexicon)
    masks = neighbour_masks(dice.rows, dice.columns)
    paths = directed_paths(masks, min(SHORT, dice.cells)).tolist()
    plan = make_plan(lexicon, masks, paths, pairs_worked_out(prefixes, min_length), nodes=False)
    if not any(kind == "ways" for kind, _ in plan.complete):
        raise _nothing_short(dice)
    found = effects(plan, chances_of_faces(dice, alphabet))
    return ExactEffects(dice, lexicon, prefixes, plan, found, _faces(dice, alphabet), scoring or dice.scoring)


def _nothing_short(dice: DiceSet) -> PipelineError:
    return PipelineError(
        f"no word of up to {SHORT} letters can be shown with the tiles of {dice.id}; effects are worked out for those",
        "give a list with such words, or a smaller --min-length",
    )


def _every_tile(dice: DiceSet, words: WordList) -> Alphabet:
    """The tiles of a set and the letters of its language; the tiles alone where these are too many."""
    language = words.language
    rules = dice.rules
    more = [*dice.faces, *map(rules.upper, rules.cut_letters)]
    alphabet = Alphabet.at_hand(more, language, rules.cases)
    return dice.alphabet_for(language) if alphabet.wide else alphabet


def _faces(dice: DiceSet, alphabet: Alphabet) -> tuple[str, ...]:
    """The faces that show the symbols of an alphabet, as printed, and a blank."""
    printed = {alphabet.symbol(face): face for face in dice.faces if face}
    return (*(printed.get(symbol, dice.rules.face(symbol)) for symbol in alphabet.symbols), "")

"""Boards of a run by rank or id: stored figures, letters laid out, words, and the ways the dice can roll them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError
from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs import condensed
from pipeline.runs.condense import TOP_ROWS
from pipeline.runs.condensed import need_rows
from pipeline.runs.reading import Arrays, iter_parts, read_part, require
from pipeline.runs.rebuild import workload
from pipeline.store.kinds import BOARDS
from pipeline.store.parts import Part
from pipeline.store.run_store import RunStore
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.matching import count_rolls, roll_probability
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import find_words
from solvers.errors import InputError
from solvers.grid import layout

COLUMNS = ("board_id", "board", "words", "score", "nodes", "longest", "dead_tiles")
Key = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]


def best(
    store: RunStore, variant: str, boards: int, count: int, ranking: "Ranking | None" = None
) -> list[dict[str, Any]]:
    """The boards of the highest score among the first `boards`; of equal ones the smaller ids.

    `ranking` is one of `best_first` that has been shown all rows, where somebody read them anyway. Raises PipelineError
    where a run keeps fewer of its best boards than are asked for.
    """
    if store.keep != BOARDS:
        if count > TOP_ROWS:
            need_rows(store, f"a list of more than {TOP_ROWS} best boards")
        return [{name: row[name] for name in COLUMNS} for row in condensed.best(store, variant, boards, count)]
    if ranking is not None:
        return by_id(store, variant, boards, ranking.ids)
    return _ranked(store, variant, boards, best_first(count))


def worst(store: RunStore, variant: str, boards: int, count: int) -> list[dict[str, Any]]:
    """The boards of the lowest score; of equal ones the smaller ids."""
    return _ranked(store, variant, boards, Ranking(count, lambda score: score))


def near(store: RunStore, variant: str, boards: int, score: int, count: int) -> list[dict[str, Any]]:
    """The boards whose score is nearest to `score`; of equally near ones the smaller ids."""
    return _ranked(store, variant, boards, Ranking(count, lambda scores: np.abs(scores - score)))


def by_id(store: RunStore, variant: str, boards: int, ids: Sequence[int]) -> list[dict[str, Any]]:
    """The boards of these ids, in their order; solved again where the run keeps no rows.

    Raises PipelineError for an id that is not among the first `boards`.
    """
    for one in ids:
        if not 0 <= one < boards:
            raise PipelineError(
                f"board {one} is not in run {store.location}", f"its {variant} boards are 0 to {boards - 1:,}"
            )
    if store.keep != BOARDS:
        maker = workload(store)
        again = [maker.solve_chunk(variant, Part(one, one + 1)).rows.to_pylist()[0] for one in ids]
        return [{name: row[name] for name in COLUMNS} for row in again]
    require(store, variant, boards)
    found: dict[int, dict[str, Any]] = {}
    for part in store.parts(variant):
        here = sorted(one - part.start for one in set(ids) if part.start <= one < part.end)
        if here:
            table = read_part(store, variant, part, COLUMNS)
            # Slices, as Table.take would import pyarrow.compute: a tenth of a second of every report.
            found |= {part.start + place: table.slice(place, 1).to_pylist()[0] for place in here}
    return [found[one] for one in ids]


class Ranking:
    """The `count` boards whose scores have the smallest keys, of equal ones the smaller ids; parts in any order."""

    def __init__(self, count: int, key: Key) -> None:
        self.count = count
        self.key = key
        self.kept: list[tuple[int, int]] = []
        """(key, id), in order."""

    def add(self, start: int, arrays: Arrays) -> None:
        """Rank the boards of a part, of which `start` is the first id, among those before."""
        keys = self.key(arrays["score"].astype(np.int64))
        few = np.arange(len(keys))
        if len(few) > self.count:
            # Everything up to the count-th smallest key; ties are cut after sorting by id.
            few = np.flatnonzero(keys <= np.partition(keys, self.count - 1)[self.count - 1])
        order = few[np.lexsort((few, keys[few]))][: self.count]
        more = zip(keys[order].tolist(), (start + order).tolist(), strict=True)
        self.kept = sorted([*self.kept, *more])[: self.count]

    @property
    def ids(self) -> list[int]:
        return [one for _, one in self.kept]


def best_first(count: int) -> Ranking:
    """The boards of the highest score."""
    return Ranking(count, lambda score: -score)


def _ranked(store: RunStore, variant: str, boards: int, ranking: Ranking) -> list[dict[str, Any]]:
    for start, arrays in iter_parts(store, variant, boards, ("score",)):
        ranking.add(start, arrays)
    return by_id(store, variant, boards, ranking.ids)


def solved(maker: BoggleWorkload, variant: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row with its board laid out, its words (best first), and in how many of all rolls the dice show it.

    `rolls` is None where counting them would take too long. Raises PipelineError where solving the board again does
    not give the stored figures.
    """
    dice, lexicon = maker.dice_set(variant), maker.lexicon(variant)
    points = points_table(maker.scoring(dice))
    shaken = shake(dice, maker.seed, row["board_id"], 1)
    faces = [dice.faces[face] for face in shaken[0].tolist()]
    cells = symbols_of_faces(shaken, dice.faces, dice.alphabet)[0]
    ids, _ = find_words(cells.tolist(), dice.rows, dice.columns, lexicon)
    words = [lexicon.words[number] for number in ids]
    score = sum(int(points[min(len(word), 255)]) for word in words)
    if (len(words), score) != (row["words"], row["score"]):
        raise PipelineError(
            f"board {row['board_id']} of {variant} has {row['words']} words and {row['score']} points in the run, "
            f"solved again {len(words)} and {score}",
            "`pipeline verify` checks the run",
        )
    words.sort(key=lambda word: (-int(points[min(len(word), 255)]), -len(word), word))
    try:
        rolls: int | None = count_rolls(dice.dice, faces)
        chance: float | None = float(roll_probability(dice.dice, faces))
    except InputError:
        rolls = chance = None
    return {
        **row,
        "dice": variant,
        "layout": layout(faces, dice.columns).splitlines(),
        "found": [{"word": word, "points": int(points[min(len(word), 255)])} for word in words],
        "rolls": rolls,
        "roll_probability": chance,
    }

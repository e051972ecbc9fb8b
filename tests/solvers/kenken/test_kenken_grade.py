"""Grades follow the ladder, and lie close to Keen's own labels."""

import numpy as np
import pytest

from solvers.errors import InputError
from solvers.kenken import (
    GRADES,
    MEANINGS,
    RUNGS,
    Puzzle,
    confusion,
    confusion_markdown,
    pack,
    solve,
    solve_batch,
)
from solvers.kenken.grade import KEEN_LABELS
from tests.solvers.kenken.plain_ladder import plain_rung


def test_each_rung_has_a_meaning_and_a_grade() -> None:
    assert tuple(MEANINGS) == RUNGS
    assert len(GRADES) == len(RUNGS)


def test_grades_are_those_of_a_plain_ladder(keen_puzzles: list[Puzzle]) -> None:
    for puzzle in [puzzle for puzzle in keen_puzzles if puzzle.size <= 6][::12] + keen_puzzles[-1:]:
        assert solve(puzzle).rung == plain_rung(puzzle)


def test_propagation_places_every_cell_below_the_search_rung_and_not_on_it(keen_puzzles: list[Puzzle]) -> None:
    for size in (5, 8):
        results = solve_batch(pack([puzzle for puzzle in keen_puzzles if puzzle.size == size]))
        searched = results.grade == RUNGS.index("search")
        assert searched.any()
        assert not searched.all()
        assert (results.placed[~searched] == size * size).all()
        assert (results.nodes[~searched] == 0).all()
        assert (results.placed[searched] < size * size).all()
        assert (results.nodes[searched] > 0).all()


def test_grades_agree_with_keens_labels_on_their_order(
    keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]
) -> None:
    grades = np.array([GRADES.index(solve(puzzle).grade or "") for puzzle in keen_puzzles], np.uint8)
    table = confusion([row["difficulty"] for row in keen_rows], grades)
    assert table.sum() == 1081
    assert table.sum(axis=1).tolist() == [217, 219, 240, 182, 223]
    mean = table @ np.arange(5) / table.sum(axis=1)
    assert mean[0] < mean[1] < mean[2] < mean[3]
    # Keen reaches extreme and unreasonable only beyond cage and line reasoning, which is where our ladder ends too.
    assert table[3:, 4].sum() == table[3:].sum()
    assert confusion_markdown(table).count("\n") == 2 + len(KEEN_LABELS)


def test_labels_and_grades_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="label 'tricky' of puzzle 0"):
        confusion(["tricky"], np.zeros(1, np.uint8))
    with pytest.raises(InputError, match="puzzle 0 has no grade"):
        confusion(["easy"], np.full(1, 255, np.uint8))
    with pytest.raises(InputError, match="1 labels for 0 grades"):
        confusion(["easy"], np.zeros(0, np.uint8))

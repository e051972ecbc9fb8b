"""Single rules remove what they should and fail where they must."""

import numpy as np
import pytest

from solvers.kenken import Cage, Puzzle, pack, solve
from solvers.kenken.arithmetic import filter_by_arithmetic
from solvers.kenken.layout import DOMAINS, LINES, QUEUED, RUNG, new_work
from solvers.kenken.notes import forget_changes
from solvers.kenken.propagate import HIDDEN_SINGLES, filter_line, load


def loaded(size: int, first: Cage) -> np.ndarray:
    """A workspace with one cage and givens elsewhere (whatever they are: no line is looked at)."""
    others = [Cage("=", 1, (cell,)) for cell in range(size * size) if cell not in first.cells]
    batch = pack([Puzzle(size, (first, *others))])
    work = new_work(size)
    load(work, 1, False, 15, int(batch.cages[0]), batch.cage_of[0], batch.operator[0], batch.target[0])
    return work


def candidates(work: np.ndarray, cell: int) -> set[int]:
    return {digit + 1 for digit in range(15) if int(work[DOMAINS + cell]) >> digit & 1}


@pytest.mark.parametrize(
    ("cage", "left"),
    [
        (Cage("+", 6, (0, 1, 2)), {1, 2, 3, 4}),
        (Cage("+", 15, (0, 1, 2)), {3, 4, 5, 6}),
        (Cage("*", 20, (0, 1, 7)), {1, 2, 4, 5}),
        (Cage("*", 150, (0, 1, 7)), {5, 6}),
        (Cage("-", 4, (0, 1)), {1, 2, 5, 6}),
        (Cage("/", 3, (0, 1)), {1, 2, 3, 6}),
        (Cage("/", 2, (0, 1)), {1, 2, 3, 4, 6}),
        (Cage("*", 12, (0, 1)), {2, 3, 4, 6}),
    ],
)
def test_a_cage_bounds_its_cells(cage: Cage, left: set[int]) -> None:
    """Sums by the remaining minimum and maximum, products by divisibility and bounds, pairs by their partner."""
    work = loaded(6, cage)
    assert filter_by_arithmetic(work, DOMAINS, 0)
    for cell in cage.cells:
        assert candidates(work, cell) == left


def test_two_equal_singles_in_a_line_fail_at_once() -> None:
    work = loaded(4, Cage("+", 3, (0, 1)))
    work[DOMAINS : DOMAINS + 4] = [0b0001, 0b0001, 0b1111, 0b1111]
    assert not filter_line(work, DOMAINS, 0)


def test_a_digit_without_a_place_in_a_line_fails_at_once() -> None:
    work = loaded(4, Cage("+", 3, (0, 1)))
    work[DOMAINS : DOMAINS + 4] = [0b0111, 0b0111, 0b0111, 0b0111]
    assert not filter_line(work, DOMAINS, 0)


def test_a_cell_left_empty_fails_at_once() -> None:
    work = loaded(4, Cage("+", 3, (0, 1)))
    work[DOMAINS : DOMAINS + 4] = [0b0001, 0b0010, 0b0011, 0b1111]
    assert not filter_line(work, DOMAINS, 0)


def test_two_digits_with_the_same_last_place_fail_at_once() -> None:
    work = loaded(4, Cage("+", 3, (0, 1)))
    work[RUNG] = HIDDEN_SINGLES
    work[DOMAINS : DOMAINS + 4] = [0b0011, 0b0011, 0b0011, 0b1111]
    assert not filter_line(work, DOMAINS, 0)


def test_nothing_stays_noted_after_a_failure() -> None:
    work = loaded(4, Cage("+", 3, (0, 1)))
    work[DOMAINS : DOMAINS + 4] = [0b0001, 0b1101, 0b0011, 0b0010]
    assert not filter_line(work, DOMAINS, 0)
    assert work[LINES]
    assert work[QUEUED]
    forget_changes(work)
    assert not work[LINES]
    assert not work[QUEUED]


def test_a_failed_branch_leaves_nothing_behind(keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]) -> None:
    """Puzzles that propagation leaves open have wrong digits tried; the right ones are still found after them."""
    searched = 0
    for row, puzzle in zip(keen_rows, keen_puzzles, strict=True):
        if (row["size"], row["difficulty"]) == ("9", "unreasonable"):
            answer = solve(puzzle)
            searched += answer.nodes > 1
            assert answer.solution == tuple(map(int, row["solution"]))
    assert searched == 23

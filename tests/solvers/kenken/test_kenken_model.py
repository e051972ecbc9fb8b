"""Wrong puzzles are refused before solving, with the cage and the cell named."""

import pytest

from solvers.errors import InputError
from solvers.kenken import Cage, Puzzle, Rules


def rows_of(size: int) -> list[Cage]:
    total = size * (size + 1) // 2
    return [Cage("+", total, tuple(range(row * size, (row + 1) * size))) for row in range(size)]


def refused(size: int, cages: list[Cage], rules: Rules = Rules()) -> str:  # noqa: B008
    with pytest.raises(InputError) as caught:
        Puzzle(size, tuple(cages), rules)
    assert caught.value.hint
    return caught.value.message


def test_two_cages_that_share_the_last_cell_are_refused() -> None:
    cages = [*rows_of(6)[:5], Cage("+", 20, (30, 31, 32, 33, 34, 35)), Cage("=", 1, (35,))]
    assert refused(6, cages) == "row 6, column 6 is in cage 6 and in cage 7"


def test_a_cell_listed_twice_is_refused() -> None:
    assert refused(3, [Cage("+", 5, (0, 1, 0)), *rows_of(3)]) == "cage 1 lists row 1, column 1 twice"


def test_a_cell_in_no_cage_is_refused() -> None:
    assert refused(3, [*rows_of(3)[:2], Cage("+", 4, (6, 8))]) == "row 3, column 2 is in no cage of 3"


@pytest.mark.parametrize("cell", [9, -1, 100])
def test_a_cell_outside_the_grid_is_refused(cell: int) -> None:
    assert refused(3, [*rows_of(3), Cage("=", 1, (cell,))]) == f"cage 4 has cell {cell}, outside the 3x3 grid"


def test_a_cage_in_two_pieces_is_refused() -> None:
    cages = [Cage("+", 4, (0, 2)), Cage("+", 6, (1, 3, 4, 5)), rows_of(3)[2]]
    assert "cage 1 is not connected: row 1, column 3 does not touch" in refused(3, cages)


def test_cells_that_touch_by_a_corner_alone_are_not_connected() -> None:
    cages = [Cage("+", 4, (0, 4)), Cage("+", 4, (1, 2)), Cage("=", 1, (3,)), Cage("=", 1, (5,)), rows_of(3)[2]]
    assert "cage 1 is not connected: row 2, column 2" in refused(3, cages)


@pytest.mark.parametrize(
    ("operator", "target", "cells", "said"),
    [
        ("-", 1, (0, 1, 2), "cage 1 at row 1, column 1 has 3 cells and operator -"),
        ("/", 2, (0, 1, 2), "cage 1 at row 1, column 1 has 3 cells and operator /"),
        ("=", 3, (0, 1, 2), "cage 1 at row 1, column 1 has 3 cells and no operator"),
        ("?", 6, (0, 1, 2), "cage 1 at row 1, column 1 hides its operator"),
        ("^", 8, (0, 1, 2), "cage 1 at row 1, column 1 has 3 cells and operator ^"),
        ("%", 1, (0, 1, 2), "cage 1 at row 1, column 1 has 3 cells and operator %"),
        ("&", 6, (0, 1, 2), "cage 1 at row 1, column 1 has operator '&'"),
        ("+", 5, (0, 1, 2), "cage 1 at row 1, column 1 cannot reach 5+ with 3 cells"),
        ("*", 7, (0, 1, 2), "cage 1 at row 1, column 1 cannot reach 7* with 3 cells"),
        ("*", 0, (0, 1, 2), "cage 1 at row 1, column 1 cannot reach 0* with 3 cells"),
        ("*", 2**63 - 1, (0, 1, 2), "cage 1 at row 1, column 1 cannot reach 9223372036854775807* with 3 cells"),
        ("*", 2**63, (0, 1, 2), "cage 1 at row 1, column 1 has target 9223372036854775808"),
        ("+", -6, (0, 1, 2), "cage 1 at row 1, column 1 has target -6"),
        ("+", 6.0, (0, 1, 2), "cage 1 at row 1, column 1 has target 6.0"),
        ("+", True, (0, 1, 2), "cage 1 at row 1, column 1 has target True"),
    ],
)
def test_an_operator_or_target_that_does_not_fit_is_refused(
    operator: str, target: int, cells: tuple[int, ...], said: str
) -> None:
    assert refused(3, [Cage(operator, target, cells), *rows_of(3)[1:]]) == said


def test_a_quotient_must_be_whole() -> None:
    pair = [Cage("/", 2, (0, 1)), Cage("=", 3, (2,)), *rows_of(3)[1:]]
    assert Puzzle(3, tuple(pair)).cages[0].target == 2
    pair[0] = Cage("/", 0, (0, 1))
    assert "cannot reach 0/" in refused(3, pair)


@pytest.mark.parametrize(
    ("digit", "rules", "shown"), [(4, Rules(), "1..3"), (0, Rules(), "1..3"), (3, Rules(from_zero=True), "0..2")]
)
def test_a_given_digit_beyond_the_digits_is_refused(digit: int, rules: Rules, shown: str) -> None:
    cages = [Cage("=", digit, (0,)), Cage("+", 3, (1, 2)), *rows_of(3)[1:]]
    with pytest.raises(InputError) as caught:
        Puzzle(3, tuple(cages), rules)
    assert caught.value.message == f"cage 1 at row 1, column 1 holds the digit {digit}"
    assert caught.value.hint == f"digits are {shown}"


def test_a_single_cell_takes_no_operator() -> None:
    assert "has one cell and operator +" in refused(3, [Cage("+", 1, (0,)), Cage("+", 5, (1, 2)), *rows_of(3)[1:]])


@pytest.mark.parametrize("size", [0, 17, -1, "3", True])
def test_sizes_beyond_1_to_16_are_refused(size: int) -> None:
    assert refused(size, []).startswith(f"size {size!r}")


def test_targets_of_large_cages_are_bounded_too() -> None:
    """Eight cells of a 9x9 row: sums 36..44 and products of its digits."""
    rest = [Cage("+", 45, tuple(range(row * 9, row * 9 + 9))) for row in range(1, 9)]
    for operator, good, bad in (("+", 36, 35), ("+", 44, 45), ("*", 40320, 11)):
        Puzzle(9, (Cage(operator, good, tuple(range(8))), Cage("=", 9, (8,)), *rest))
        assert f"cannot reach {bad}{operator}" in refused(
            9, [Cage(operator, bad, tuple(range(8))), Cage("=", 9, (8,)), *rest]
        )


def test_cages_are_kept_in_the_order_of_their_first_cells() -> None:
    puzzle = Puzzle(3, tuple(reversed([Cage(c.operator, c.target, c.cells[::-1]) for c in rows_of(3)])))
    assert puzzle.cages == tuple(rows_of(3))
    assert puzzle.cage_of == (0, 0, 0, 1, 1, 1, 2, 2, 2)
    assert puzzle.operators_by_count() == {"+": 3}

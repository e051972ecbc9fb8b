import itertools
import math

import pytest

from solvers.boggle.paths import count_paths, estimate_paths_cost, frontier_counts, start_classes
from solvers.errors import InputError

LONG = [pytest.param("5x5", marks=pytest.mark.long)]
SMALL = ["1x1", "1x2", "1x3", "2x2", "2x3", "2x4", "3x3", "3x4", "3x5", "4x4"]


def published(path_counts, name):
    by_cells = path_counts[name]["by_cells"]
    return [by_cells[str(cells)] for cells in range(1, len(by_cells) + 1)]


@pytest.mark.parametrize("name", [*SMALL, *LONG])
def test_brute_force_counts_the_published_numbers(path_counts, name):
    rows, cols = map(int, name.split("x"))
    assert count_paths(rows, cols, method="brute") == published(path_counts, name)


@pytest.mark.parametrize("name", [*SMALL, "4x5", "5x5", "6x6"])
def test_the_frontier_counts_the_published_numbers(path_counts, name):
    rows, cols = map(int, name.split("x"))
    counts = count_paths(rows, cols, method="frontier")
    assert counts == published(path_counts, name)
    assert sum(counts) == path_counts[name]["total"]
    assert count_paths(cols, rows, method="frontier") == counts


@pytest.mark.parametrize("side", [1, 2, 3, 4, 5, pytest.param(7, marks=pytest.mark.long)])
def test_totals_are_those_of_the_encyclopedia_of_integer_sequences(path_totals, side):
    assert sum(count_paths(side, side)) == path_totals[side - 1]


def test_both_methods_agree_with_four_neighbours():
    for rows, cols in itertools.product(range(1, 6), repeat=2):
        assert count_paths(rows, cols, 4, "brute") == count_paths(rows, cols, 4, "frontier")


def test_auto_gives_plain_integers_for_small_and_large_grids(path_counts):
    for name in ("3x3", "5x5"):
        rows, cols = map(int, name.split("x"))
        counts = count_paths(rows, cols)
        assert counts == published(path_counts, name)
        assert {type(count) for count in counts} == {int}


def test_cells_may_be_left_out(path_counts):
    ring = [True, True, True, True, False, True, True, True, True]
    assert frontier_counts(ring, 3, 3, 4) == [8] + [16] * 7 + [0]
    left = [True, True, True, False] * 3
    assert frontier_counts(left, 3, 4)[:9] == published(path_counts, "3x3")
    assert frontier_counts([True] * 16, 4, 4, longest=5) == published(path_counts, "4x4")[:5]


def test_start_classes_cover_the_grid():
    assert start_classes(5, 5) == {0: 4, 1: 8, 2: 4, 6: 4, 7: 4, 12: 1}
    for rows, cols in itertools.product(range(1, 7), repeat=2):
        assert sum(start_classes(rows, cols).values()) == rows * cols


@pytest.mark.parametrize("name", ["3x3", "4x4", "4x5", "5x5"])
def test_the_estimate_is_near_the_number_of_paths(path_counts, name):
    rows, cols = map(int, name.split("x"))
    cost = estimate_paths_cost(rows, cols)
    assert math.isclose(cost.paths, path_counts[name]["total"], rel_tol=0.2)
    assert cost == estimate_paths_cost(rows, cols)


def test_the_estimate_says_what_larger_grids_cost():
    costs = [estimate_paths_cost(side, side) for side in range(4, 9)]
    for smaller, larger in itertools.pairwise(costs):
        assert smaller.brute_seconds < larger.brute_seconds
        assert smaller.frontier_seconds < larger.frontier_seconds
    assert [cost.method for cost in costs] == ["brute"] + ["frontier"] * 4
    assert costs[0].seconds == costs[0].brute_seconds
    assert costs[1].seconds == costs[1].frontier_seconds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 4), "at least one row"),
        ((4, -1), "at least one row"),
        ((9, 8), "at most 64 cells"),
        ((3, 3, 5), "5 neighbours"),
        ((3, 3, 8, "magic"), "'magic' is not known.*brute"),
    ],
)
def test_wrong_input_is_named(arguments, message):
    with pytest.raises(InputError, match=message):
        count_paths(*arguments)

"""Ways and pairs of ways of every solver against the reference, which lists each path."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.boggle.alphabet import BLANK
from solvers.boggle.solve import empty_ways, solve
from solvers.boggle.ways import MOST_FINDS
from solvers.errors import InputError
from tests.solvers.boggle.kernel_cases import (
    FAST,
    GOLDEN,
    SOLVERS,
    adversarial,
    assert_same,
    dice_set,
    lexicon_of_words,
    shaken,
    solve_by,
)


def ways_by(name, boards, rows, cols, lexicon, **options):
    ways = empty_ways(len(boards), lexicon)
    columns = solve_by(name, boards, rows, cols, lexicon, ways=ways, **options)
    return columns, ways


def assert_same_ways(got, expected, boards):
    for name in ("ways", "pairs"):
        column, truth = getattr(got, name), getattr(expected, name)
        differ = np.flatnonzero((column != truth).any(axis=1))
        assert not len(differ), (
            f"{name} of {len(differ)} boards, first {boards[differ[0]].tolist()}: {column[differ[0]].tolist()}, "
            f"expected {truth[differ[0]].tolist()}"
        )


def assert_as_reference(boards, rows, cols, lexicon):
    truth_columns, truth = ways_by("reference", boards, rows, cols, lexicon)
    for name in SOLVERS:
        columns, ways = ways_by(name, boards, rows, cols, lexicon)
        assert_same(columns, truth_columns, boards)
        assert_same_ways(ways, truth, boards)


@pytest.mark.parametrize("name", ["new", "it_5x5", "super_big_2012"])
def test_ways_of_shaken_and_adversarial_boards_equal_the_reference(name):
    dice = dice_set(name)
    cells = dice["rows"] * dice["cols"]
    boards = np.concatenate([shaken(dice["dice"], 12, seed=41), adversarial(dice["lexicon"], cells, 5, seed=42)])
    assert_as_reference(boards, dice["rows"], dice["cols"], dice["lexicon"])


@st.composite
def boards_and_lists(draw):
    """Small grids; words over three letters and a two-letter tile, so that words have many cuts and many paths."""
    rows, cols = draw(st.sampled_from([(1, 1), (1, 5), (2, 2), (2, 3), (3, 3)]))
    words = draw(st.lists(st.text("abn", min_size=1, max_size=9), min_size=1, max_size=15, unique=True))
    faces = draw(st.sampled_from([[], ["An"], ["Ab", "Aba"]]))
    lexicon = lexicon_of_words([*words, "abnaab"], faces, draw(st.integers(1, 4)), rows * cols)
    index = lexicon.alphabet.index
    tiles = [index[tile] for tile in ("a", "b", "n", *(face.lower() for face in faces))]
    few = draw(st.sampled_from([tiles, [tiles[0]], [tiles[0], BLANK], [*tiles, BLANK]]))
    count = draw(st.integers(1, 3))
    boards = draw(st.lists(st.sampled_from(few), min_size=count * rows * cols, max_size=count * rows * cols))
    return np.array(boards, np.uint8).reshape(count, rows * cols), rows, cols, lexicon


@given(boards_and_lists())
@settings(max_examples=60)
def test_ways_of_random_boards_and_lists_equal_the_reference(case):
    assert_as_reference(*case)


@pytest.mark.parametrize("solver", SOLVERS)
def test_boards_of_one_letter_have_as_many_ways_as_the_grid_has_paths(solver):
    """4 x 4 has 68,272 paths of seven cells: more than two bytes count. Boards before and after are not disturbed."""
    paths = json.loads((GOLDEN / "path_counts.json").read_text())["boards"]["4x4"]["by_cells"]
    assert paths["7"] > int(MOST_FINDS)
    lexicon = lexicon_of_words(["a" * letters for letters in range(1, 17)], [], 6, 16)
    boards = np.zeros((4, 16), np.uint8)
    boards[[0, 2]] = 1
    boards[:, :6] = 0
    boards[3, 12:] = BLANK
    _, ways = ways_by(solver, boards, 4, 4, lexicon)
    by_letters = [0] * 5 + [paths[str(cells)] for cells in range(6, 17)]
    assert ways.ways[1].tolist() == by_letters
    assert ways.pairs[1].tolist() == [count * (count - 1) // 2 for count in by_letters[5:8]]
    alone = empty_ways(1, lexicon)
    for board in range(4):
        solve(boards[board : board + 1], 4, 4, lexicon, solver="dfs", ways=alone)
        assert ways.ways[board].tolist() == alone.ways[0].tolist()
        assert ways.pairs[board].tolist() == alone.pairs[0].tolist()


@pytest.mark.parametrize("solver", FAST)
def test_a_6x6_board_of_one_letter_is_counted_like_the_grids_paths(solver):
    paths = json.loads((GOLDEN / "path_counts.json").read_text())["boards"]["6x6"]["by_cells"]
    lexicon = lexicon_of_words(["a" * letters for letters in (4, 5, 6, 7)], [], 4, 36)
    _, ways = ways_by(solver, np.zeros((2, 36), np.uint8), 6, 6, lexicon)
    for board in range(2):
        assert ways.ways[board].tolist() == [0, 0, 0, *(paths[str(cells)] for cells in (4, 5, 6, 7)), *[0] * 9]
        assert ways.pairs[board].tolist() == [paths[str(cells)] * (paths[str(cells)] - 1) // 2 for cells in (4, 5, 6)]


@pytest.mark.parametrize("solver", FAST)
def test_counting_ways_changes_no_other_number(solver):
    for name, count in (("new", 300), ("super_big_2012", 60)):
        dice = dice_set(name)
        boards = shaken(dice["dice"], count, seed=43)
        shape = dice["rows"], dice["cols"], dice["lexicon"]
        frequency, counted = (np.zeros(len(dice["lexicon"].words), np.uint32) for _ in range(2))
        plain = solve_by(solver, boards, *shape, frequency=frequency)
        columns, ways = ways_by(solver, boards, *shape, frequency=counted)
        assert_same(columns, plain, boards)
        assert (frequency == counted).all()
        assert_same_ways(ways, ways_by("dfs", boards, *shape)[1], boards)


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("places", [0, 8, 300])
def test_a_full_stack_changes_no_way(solver, places):
    dice = dice_set("deluxe_master")
    boards = shaken(dice["dice"], 30, seed=44)
    shape = dice["rows"], dice["cols"], dice["lexicon"]
    assert_same_ways(ways_by(solver, boards, *shape, stack_places=places)[1], ways_by("dfs", boards, *shape)[1], boards)


def test_ways_of_another_list_or_number_of_boards_are_refused():
    lexicon = lexicon_of_words(["abc"], [], 3, 4)
    boards = np.zeros((2, 4), np.uint8)
    with pytest.raises(InputError, match="ways of 3 boards"):
        solve(boards, 2, 2, lexicon, ways=empty_ways(3, lexicon))
    with pytest.raises(InputError, match="words from 2 letters, but 2 boards and words from 3 letters"):
        solve(boards, 2, 2, lexicon, ways=empty_ways(2, lexicon_of_words(["abc"], [], 2, 4)))

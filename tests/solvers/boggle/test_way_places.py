"""Paths through cells, and the number of cells that show certain tiles, against counting all of them."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.boggle.letter_counts import chances_of_number
from solvers.boggle.long_prefixes import Chains, chain_chances
from solvers.boggle.path_patterns import all_paths, directed_paths
from solvers.boggle.way_places import paths_through
from solvers.grid import neighbour_masks, place_of_cells


@pytest.mark.parametrize(("rows", "cols", "neighbours"), [(1, 1, 8), (1, 4, 8), (2, 3, 8), (3, 3, 4), (3, 3, 8)])
def test_paths_through_each_cell_are_those_of_all_paths(rows, cols, neighbours):
    masks = neighbour_masks(rows, cols, neighbours)
    longest = min(rows * cols, 6)
    through = paths_through(masks, longest)
    for cells in range(longest + 1):
        truth = np.bincount(all_paths(masks, cells).reshape(-1), minlength=rows * cols)
        assert through[cells].tolist() == truth.tolist()


def test_paths_through_cells_of_a_large_grid_add_up():
    masks = neighbour_masks(6, 6)
    through, paths = paths_through(masks, 7), directed_paths(masks, 7)
    assert (through.sum(axis=1) == paths * np.arange(8)).all()
    assert (through[:, 0] == through[:, 35]).all()


def test_cells_by_place():
    assert place_of_cells(3, 4).tolist() == [0, 1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 0]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=6), st.integers(1, 6))
def test_the_number_of_cells_with_certain_tiles(dice, cells):
    cells = min(cells, len(dice))
    chances = np.array([(one / 12, other / 12, 0.0) for one, other in dice])
    truth = np.zeros(cells + 1)
    chosen = list(itertools.combinations(range(len(dice)), cells))
    for some in chosen:
        for shows in itertools.product((0, 1), repeat=cells):
            p = [sum(dice[die]) / 12 for die in some]
            truth[sum(shows)] += np.prod([q if yes else 1 - q for q, yes in zip(p, shows, strict=True)])
    assert chances_of_number(chances, cells, [0, 1]) == pytest.approx(truth / len(chosen))


@given(st.data())
def test_chances_of_chains_are_those_of_every_choice_of_dice(data):
    """Each chain by going through all ordered choices of dice; tiles on one die, on all, and on none."""
    symbols, dice = 6, data.draw(st.integers(1, 5))
    faces = [data.draw(st.lists(st.integers(0, symbols - 1), min_size=0, max_size=4)) for _ in range(dice)]
    chances = np.zeros((dice, symbols))
    for die, shown in enumerate(faces):
        for tile, number in Counter(shown).items():
            chances[die, tile] = number / 5
    chains = data.draw(st.lists(st.lists(st.integers(0, symbols - 1), min_size=1, max_size=6), min_size=1, max_size=5))
    tiles = np.array([tile for chain in chains for tile in chain], np.uint8)
    starts = np.cumsum([0, *map(len, chains)]).astype(np.int64)
    found = chain_chances(Chains(starts, tiles, np.zeros(len(tiles), np.int32)), chances)
    for chain, start in zip(chains, starts.tolist(), strict=False):
        for length in range(1, len(chain) + 1):
            orders = list(itertools.permutations(range(dice), length))
            products = [
                np.prod([chances[die, tile] for die, tile in zip(order, chain, strict=False)]) for order in orders
            ]
            assert found[start + length - 1] == pytest.approx(sum(products) / max(len(orders), 1), rel=1e-12, abs=1e-15)

"""Shakes are what real dice give: every die anywhere, every face equally often, nothing depends on anything else."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet, dice_from_dict, load_dice, shipped_dice
from pipeline.games.boggle.shakes import shake

BOARDS = 200_000
SEED = 20_240_601


def marked_dice(cells: int, columns: int) -> DiceSet:
    """Dice whose faces tell the die and the face: no letter twice."""
    letters = [chr(0x4E00 + number) for number in range(cells * 6)]
    dice = [" ".join(letters[6 * die : 6 * die + 6]) for die in range(cells)]
    return DiceSet.model_construct(
        id="marked", rows=cells // columns, columns=columns, dice=tuple(tuple(die.split()) for die in dice)
    )


@pytest.fixture(scope="module")
def dice_and_faces() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    boards = shake(marked_dice(16, 4), SEED, 0, BOARDS).astype(np.int64)
    return boards // 6, boards % 6


def chi_square_of_places(dice: npt.NDArray[np.int64]) -> float:
    """p-value of "each die is in each cell equally often"."""
    counts = np.array([[np.sum(dice[:, cell] == die) for cell in range(16)] for die in range(16)])
    expected = len(dice) / 16
    # A doubly stochastic table: 15 x 15 degrees of freedom, each cell's variance is expected * 15/16.
    statistic = ((counts - expected) ** 2 / expected).sum() * 15 / 16
    return float(stats.chi2.sf(statistic, 15 * 15))


def chi_square_of_pairs(dice: npt.NDArray[np.int64], first: int, second: int) -> float:
    """p-value of "the dice in two cells are any two dice equally often"."""
    pairs = np.bincount(dice[:, first] * 16 + dice[:, second], minlength=256).reshape(16, 16)
    off_diagonal = pairs[~np.eye(16, dtype=bool)]
    assert pairs.trace() == 0
    return float(stats.chisquare(off_diagonal).pvalue)


def test_every_face_of_every_die_comes_equally_often(dice_and_faces) -> None:  # type: ignore[no-untyped-def]
    dice, faces = dice_and_faces
    p_values = [stats.chisquare(np.bincount(faces[dice == die], minlength=6)).pvalue for die in range(16)]
    assert min(p_values) > 0.01 / 16


def test_every_die_comes_to_every_cell_equally_often(dice_and_faces) -> None:  # type: ignore[no-untyped-def]
    assert chi_square_of_places(dice_and_faces[0]) > 0.01


def test_every_pair_of_cells_holds_every_pair_of_dice_equally_often(dice_and_faces) -> None:  # type: ignore[no-untyped-def]
    pairs = [(first, second) for first in range(16) for second in range(first)]
    p_values = [chi_square_of_pairs(dice_and_faces[0], *pair) for pair in pairs]
    assert min(p_values) > 0.01 / len(pairs)
    assert stats.kstest(p_values, "uniform").pvalue > 0.001


def test_the_naive_swap_shuffle_fails_these_tests() -> None:
    """The common error: swap every cell with any cell. No mean of words can tell it; the places can."""
    random = np.random.default_rng(SEED)
    dice = np.tile(np.arange(16), (BOARDS, 1))
    rows = np.arange(BOARDS)
    for cell in range(16):
        other = random.integers(0, 16, BOARDS)
        dice[rows, cell], dice[rows, other] = dice[rows, other], dice[rows, cell].copy()
    assert chi_square_of_places(dice) < 1e-6


def test_unshuffled_dice_fail_these_tests() -> None:
    assert chi_square_of_places(np.tile(np.arange(16), (BOARDS, 1))) < 1e-6


@given(
    dice=st.sampled_from(shipped_dice()),
    seed=st.integers(0, 2**63 - 1),
    start=st.integers(0, 2**60),
    count=st.integers(1, 40),
    offset=st.integers(0, 39),
)
def test_a_board_depends_on_its_seed_and_id_alone(
    dice: DiceSet, seed: int, start: int, count: int, offset: int
) -> None:
    boards = shake(dice, seed, start, count)
    index = offset % count
    np.testing.assert_array_equal(shake(dice, seed, start + index, 1)[0], boards[index])


def test_every_board_uses_every_die_once() -> None:
    for dice in shipped_dice():
        marked = marked_dice(dice.cells, dice.columns)
        boards = shake(marked, 3, 0, 500) // 6
        assert np.all(np.sort(boards, axis=1) == np.arange(dice.cells))


def test_seeds_and_dice_sets_have_streams_of_their_own() -> None:
    marked = marked_dice(16, 4)
    one, other = shake(marked, 1, 0, 1000) // 6, shake(marked, 2, 0, 1000) // 6
    assert 0.03 < (one == other).mean() < 0.1
    renamed = load_dice("new").model_copy(update={"id": "other", "notes": "x"})
    np.testing.assert_array_equal(shake(renamed, 1, 0, 10), shake(load_dice("new"), 1, 0, 10))
    turned = dice_from_dict(
        {"rows": 4, "columns": 4, "dice": [" ".join(die) for die in reversed(load_dice("new").dice)]}, "t", "test"
    )
    assert not np.array_equal(shake(turned, 1, 0, 10), shake(load_dice("new"), 1, 0, 10))


@pytest.mark.parametrize(("seed", "start"), [(-1, 0), (2**63, 0), (1, -1), (1, 2**63)])
def test_ids_and_seeds_out_of_range_are_refused(seed: int, start: int) -> None:
    with pytest.raises(PipelineError, match="out of range"):
        shake(load_dice("new"), seed, start, 1)

"""Exact sums of columns, and means with controls, against numpy, plain integers and a least-squares fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.boggle.controls_draft import Moments, advised, controlled, moments
from solvers.errors import InputError

numbers = st.one_of(st.integers(0, 50), st.integers(0, 2**31), st.integers(0, 2**63 - 1))


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=1)))
@settings(max_examples=60)
def test_sums_are_exact_and_merge_by_addition(rows):
    columns = [np.array(column, np.uint64) for column in zip(*rows, strict=True)]
    truth = [[1, *row] for row in rows]
    expected = [[sum(row[i] * row[j] for row in truth) for j in range(len(truth[0]))] for i in range(len(truth[0]))]
    whole = moments(columns)
    assert whole.sums.tolist() == expected
    cut = len(rows) // 3
    parts = moments([column[:cut] for column in columns]) + moments([column[cut:] for column in columns])
    assert parts.sums.tolist() == expected
    assert Moments.read(whole.stored()).sums.tolist() == expected
    assert whole.boards == len(rows)


def test_large_numbers_leave_floating_point():
    column = np.full(1000, 2**40 + 1, np.uint64)
    assert moments([column]).sums[1, 1] == 1000 * (2**40 + 1) ** 2
    column = np.full(70_000, 2**20 - 1, np.uint32)
    assert moments([column]).sums[1, 1] == 70_000 * (2**20 - 1) ** 2


def sample(boards, seed):
    random = np.random.default_rng(seed)
    hidden = random.poisson(20, (boards, 3))
    controls = hidden @ np.array([[1, 0, 2], [0, 1, 1], [0, 0, 1]])
    metric = 2 * controls[:, 0] + controls[:, 1] + random.poisson(4, boards)
    return metric, controls, np.array([20, 20, 80])


def test_the_estimate_is_the_intercept_of_a_regression():
    metric, controls, means = sample(500, seed=1)
    sums = moments([metric, *controls.T])
    got = controlled(sums, 0, [1, 2, 3], means)
    design = np.column_stack([np.ones(500), controls - means])
    fit, residuals, *_ = np.linalg.lstsq(design, metric, rcond=None)
    assert got.mean == pytest.approx(fit[0], rel=1e-10)
    variance = residuals[0] / (500 - 4) * np.linalg.inv(design.T @ design)[0, 0]
    assert got.variance == pytest.approx(variance, rel=1e-9)
    assert got.freedom == 496
    assert got.plain == metric.mean()
    assert got.plain_variance == pytest.approx(metric.var(ddof=1) / 500)
    assert got.worth == pytest.approx(got.plain_variance / got.variance)


def test_controls_that_say_nothing_new_are_left_out():
    metric, controls, means = sample(300, seed=2)
    doubled = [metric, *controls.T, controls[:, 0] + controls[:, 2], np.full(300, 7)]
    sums = moments(doubled)
    got = controlled(sums, 0, [1, 2, 3, 4, 5], [*means, means[0] + means[2], 7])
    alone = controlled(sums, 0, [1, 2, 3], means)
    assert got.controls == (1, 2, 3)
    assert got == alone


def test_without_controls_it_is_the_plain_mean():
    metric, _, _ = sample(50, seed=3)
    got = controlled(moments([metric]), 0, [], [])
    assert (got.mean, got.freedom) == (got.plain, 49)
    assert got.worth == pytest.approx(1)


def test_a_metric_that_follows_from_its_controls_is_known():
    _, controls, means = sample(100, seed=4)
    got = controlled(moments([3 * controls[:, 0] + controls[:, 1], *controls.T]), 0, [1, 2, 3], means)
    assert got.mean == pytest.approx(80, abs=1e-6)
    assert got.variance < 1e-12


def test_too_few_boards_or_means_are_refused():
    metric, controls, means = sample(5, seed=5)
    sums = moments([metric, *controls.T])
    with pytest.raises(InputError, match="5 boards are too few for 3 controls; 6 are needed"):
        controlled(sums, 0, [1, 2, 3], means)
    with pytest.raises(InputError, match="2 controls, but 3 means"):
        controlled(sums, 0, [1, 2], means)


def test_small_runs_take_fewer_controls():
    assert [advised(boards, [1, 2], [5, 6, 7]) for boards in (1_999, 2_000, 20_000, 99_999, 100_000)] == [
        [],
        [1, 2, 5],
        [1, 2, 5, 6],
        [1, 2, 5, 6],
        [1, 2, 5, 6, 7],
    ]

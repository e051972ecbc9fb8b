"""Exact sums of columns, and means with controls, against numpy, plain integers and a least-squares fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.runs.condense import sums_of as sums_of_table
from pipeline.runs.condense import sums_table
from pipeline.stats.controls import advised, controlled
from pipeline.stats.moments import moments

numbers = st.one_of(st.integers(0, 50), st.integers(2**22 - 2, 2**22 + 2), st.integers(0, 2**31), st.integers(0, 2**50))


def named(columns):
    return {f"c{place}": column for place, column in enumerate(columns)}


def sums_of(columns):
    return moments(named(columns))


def with_controls(sums, metric, controls, means):
    return controlled(sums, {f"c{metric}": 1.0}, {f"c{one}": mean for one, mean in zip(controls, means, strict=True)})


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=1)))
@settings(max_examples=60)
def test_sums_are_exact_and_merge_by_addition(rows):
    columns = [np.array(column, np.uint64) for column in zip(*rows, strict=True)]
    truth = [[1, *row] for row in rows]
    expected = [[sum(row[i] * row[j] for row in truth) for j in range(len(truth[0]))] for i in range(len(truth[0]))]
    whole = sums_of(columns)
    assert whole.sums.tolist() == expected
    cut = len(rows) // 3
    parts = sums_of([column[:cut] for column in columns]) + sums_of([column[cut:] for column in columns])
    assert parts.sums.tolist() == expected
    assert sums_of_table(sums_table(whole)).over(whole.names).sums.tolist() == expected
    assert whole.n == len(rows)


def test_many_rows_are_summed_in_blocks():
    random = np.random.default_rng(7)
    columns = [random.integers(0, 2**22, 300_000, dtype=np.uint64) for _ in range(2)]
    got = sums_of(columns)
    assert got.product("c0", "c1") == int((columns[0] * columns[1]).sum(dtype=np.uint64))
    assert got.total("c1") == int(columns[1].sum())
    column = np.full(1000, 2**40 + 1, np.uint64)
    assert sums_of([column]).product("c0", "c0") == 1000 * (2**40 + 1) ** 2


def test_sums_of_other_columns_merge_too():
    random = np.random.default_rng(11)
    one, other = random.integers(0, 9, (2, 40)), random.integers(0, 9, (2, 30))
    both = moments({"x": one[0], "y": one[1]}) + moments({"y": other[0], "z": other[1]})
    assert both.names == ("x", "y", "z")
    whole = moments(
        {
            "x": np.concatenate([one[0], np.zeros(30, int)]),
            "y": np.concatenate([one[1], other[0]]),
            "z": np.concatenate([np.zeros(40, int), other[1]]),
        }
    )
    assert both.sums.tolist() == whole.sums.tolist()
    assert both.over(["z", "none", "x"]).mean(["none", "x"]).tolist() == [0, one[0].sum() / 70]


def sample(boards, seed):
    random = np.random.default_rng(seed)
    hidden = random.poisson(20, (boards, 3))
    controls = hidden @ np.array([[1, 0, 2], [0, 1, 1], [0, 0, 1]])
    metric = 2 * controls[:, 0] + controls[:, 1] + random.poisson(4, boards)
    return metric, controls, np.array([20, 20, 80])


def test_the_estimate_is_the_intercept_of_a_regression():
    metric, controls, means = sample(500, seed=1)
    sums = sums_of([metric, *controls.T])
    got = with_controls(sums, 0, [1, 2, 3], means)
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
    sums = sums_of(doubled)
    got = with_controls(sums, 0, [1, 2, 3, 4, 5], [*means, means[0] + means[2], 7])
    alone = with_controls(sums, 0, [1, 2, 3], means)
    assert got.controls == ("c1", "c2", "c3")
    assert got == alone


def test_without_controls_it_is_the_plain_mean():
    metric, _, _ = sample(50, seed=3)
    got = with_controls(sums_of([metric]), 0, [], [])
    assert (got.mean, got.freedom) == (got.plain, 49)
    assert got.worth == pytest.approx(1)


def test_a_metric_that_follows_from_its_controls_is_known():
    _, controls, means = sample(100, seed=4)
    got = with_controls(sums_of([3 * controls[:, 0] + controls[:, 1], *controls.T]), 0, [1, 2, 3], means)
    assert got.mean == pytest.approx(80, abs=1e-6)
    assert got.variance < 1e-12


def test_too_few_items_are_refused():
    metric, controls, means = sample(5, seed=5)
    with pytest.raises(ValueError, match="5 items are too few for 3 controls; 6 are needed"):
        with_controls(sums_of([metric, *controls.T]), 0, [1, 2, 3], means)


def test_means_of_more_items_than_coefficients():
    """Coefficients of the first 2,000 of 50,000 items: as good as those of all, with means of all."""
    metric, controls, means = sample(50_000, seed=6)
    first = sums_of([metric[:2_000], *controls[:2_000].T])
    whole = sums_of([metric, *controls.T])
    known = {f"c{place + 1}": float(mean) for place, mean in enumerate(means)}
    got, best = controlled(first, {"c0": 1.0}, known, whole), controlled(whole, {"c0": 1.0}, known)
    assert got.n == 50_000
    assert got.mean == pytest.approx(best.mean, abs=0.3 * best.variance**0.5)
    assert got.variance == pytest.approx(best.variance, rel=0.15)
    assert got.plain == best.plain


def test_a_difference_is_a_sum_of_two_sides():
    one, controls, means = sample(3_000, seed=8)
    other = one + controls[:, 2] % 3
    joint = moments({"a.y": one, "b.y": other, **{f"a.x{k}": controls[:, k] for k in range(3)}})
    got = controlled(joint, {"b.y": 1.0, "a.y": -1.0}, {f"a.x{k}": float(means[k]) for k in range(3)})
    direct = sums_of([other - one, *controls.T])
    assert got.plain == pytest.approx(direct.mean(["c0"])[0])
    assert got.variance == pytest.approx(with_controls(direct, 0, [1, 2, 3], means).variance, rel=1e-9)


def test_sides_stand_beside_each_other():
    one, controls, _ = sample(100, seed=9)
    whole = moments({"a.y": one}).beside(moments({"y": controls[:, 0]}).renamed("b."))
    assert whole.names == ("a.y", "b.y")
    assert whole.mean(["a.y", "b.y"]).tolist() == [one.mean(), controls[:, 0].mean()]


def test_small_runs_take_fewer_controls():
    assert [advised(boards, "ab", "xyz") for boards in (1_999, 2_000, 20_000, 99_999, 100_000)] == [
        [],
        ["a", "b", "x"],
        ["a", "b", "x", "y"],
        ["a", "b", "x", "y"],
        ["a", "b", "x", "y", "z"],
    ]

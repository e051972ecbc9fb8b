"""Distances and tests over histograms equal scipy's on the raw values."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipeline.stats import distances
from pipeline.stats.estimates import quantile_estimate
from pipeline.stats.histograms import Histogram

CLOSE = 1e-9
samples = st.lists(st.integers(0, 30), min_size=2, max_size=80)


def words(seed: int, n: int, shift: float = 0.0) -> np.ndarray:
    return np.random.default_rng(seed).lognormal(4.4 + shift, 0.55, n).astype(np.int64)


@given(samples, samples)
def test_kolmogorov_smirnov_equals_scipys(a: list[int], b: list[int]) -> None:
    found = distances.kolmogorov_smirnov(Histogram.of(a), Histogram.of(b))
    assert found == pytest.approx(stats.ks_2samp(a, b, method="asymp").statistic, abs=CLOSE)


@pytest.mark.parametrize("shift", [0.0, 0.008, 0.02, 0.1])
def test_its_p_value_equals_scipys(shift: float) -> None:
    a, b = words(1, 50_000), words(2, 60_000, shift)
    wanted = stats.ks_2samp(a, b, method="asymp").pvalue
    assert distances.kolmogorov_smirnov_p(Histogram.of(a), Histogram.of(b)) == pytest.approx(wanted, abs=CLOSE)


@pytest.mark.parametrize(("n", "close"), [(100, 2e-5), (1_000, 1e-6), (5_000, 1e-8), (100_000, 1e-9)])
@pytest.mark.parametrize("z", [0.1, 0.4, 0.7, 1.0, 1.4, 2.0, 2.9])
def test_its_law_is_scipys_from_a_hundred_items(n: int, close: float, z: float) -> None:
    distance = z / math.sqrt(n)
    assert distances.kolmogorov_survival(distance, n) == pytest.approx(stats.kstwo.sf(distance, n), abs=close)


@pytest.mark.parametrize("z", [3.1, 5.0])
def test_its_far_tail_is_scipys_to_two_digits(z: float) -> None:
    distance = z / math.sqrt(200_000)
    found = distances.kolmogorov_survival(distance, 200_000)
    assert found == pytest.approx(stats.kstwo.sf(distance, 200_000), rel=0.01, abs=1e-300)


@given(samples, samples)
def test_mann_whitney_equals_scipys(a: list[int], b: list[int]) -> None:
    found = distances.mann_whitney(Histogram.of(a), Histogram.of(b))
    wanted = stats.mannwhitneyu(b, a, method="asymptotic")
    assert found.u == wanted.statistic
    if len({*a, *b}) > 1:
        assert found.p_value == pytest.approx(wanted.pvalue, abs=CLOSE)
    else:
        assert math.isnan(found.p_value)


def test_mann_whitney_of_many_values_equals_scipys() -> None:
    a, b = words(3, 200_000), words(4, 150_000, 0.004)
    found = distances.mann_whitney(Histogram.of(a), Histogram.of(b))
    wanted = stats.mannwhitneyu(b, a)
    assert found.u == wanted.statistic
    assert found.p_value == pytest.approx(wanted.pvalue, rel=CLOSE)


@given(samples, samples)
def test_odds_count_every_pair(a: list[int], b: list[int]) -> None:
    found = distances.odds(Histogram.of(a), Histogram.of(b))
    pairs = list(itertools.product(a, b))
    assert found.b_above == pytest.approx(sum(y > x for x, y in pairs) / len(pairs), abs=CLOSE)
    assert found.tie == pytest.approx(sum(y == x for x, y in pairs) / len(pairs), abs=CLOSE)
    assert sum(found) == pytest.approx(1)


@given(samples, samples, st.sampled_from([0.05, 0.5, 0.95]))
def test_a_quantile_difference_lies_within_its_interval(a: list[int], b: list[int], p: float) -> None:
    in_a, in_b = Histogram.of(a), Histogram.of(b)
    found = distances.quantile_difference(in_a, in_b, p)
    assert found.value == quantile_estimate(in_b, p).value - quantile_estimate(in_a, p).value
    assert found.low <= found.value <= found.high


def test_the_interval_of_a_median_difference_covers_as_often_as_it_says() -> None:
    """400 pairs of samples of 1,000 whole numbers; the true difference of the medians is 10."""
    held = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        a, b = (Histogram.of(rng.poisson(400, 1_000) + shift) for shift in (0, 10))
        found = distances.quantile_difference(a, b, 0.5)
        held += found.low <= 10 <= found.high
    assert 0.93 <= held / 400 <= 1


def by_definition(p_values: list[float]) -> list[float]:
    """Holm: the smallest level at which stepping down from the smallest p still rejects each."""
    order = sorted(range(len(p_values)), key=lambda place: (p_values[place], place))
    return [
        max(min(1.0, (len(p_values) - rank) * p_values[order[rank]]) for rank in range(order.index(place) + 1))
        for place in range(len(p_values))
    ]


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holms_p_values_follow_their_definition(p_values: list[float]) -> None:
    assert distances.holm(p_values) == pytest.approx(by_definition(p_values))


def test_holms_correction_of_a_worked_example() -> None:
    """By hand: the smallest of four times 4, the next times 3, and so on, never falling."""
    assert distances.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert distances.holm([0.01, math.nan])[0] == 0.01

"""Statistics over histograms equal scipy's on the raw values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipeline.stats import estimates
from pipeline.stats.histograms import Histogram

CLOSE = 1e-9
samples = st.lists(st.integers(0, 400), min_size=2, max_size=200)


def words(seed: int, n: int = 20_000) -> np.ndarray:
    """Whole numbers spread as word counts are."""
    return np.random.default_rng(seed).lognormal(4.4, 0.55, n).astype(np.int64)


@given(samples)
def test_mean_and_spread_equal_numpys(values: list[int]) -> None:
    histogram = Histogram.of(values)
    assert estimates.mean(histogram) == pytest.approx(np.mean(values), rel=CLOSE)
    assert estimates.variance(histogram) == pytest.approx(np.var(values, ddof=1), rel=CLOSE, abs=CLOSE)


@given(samples)
def test_skewness_equals_scipys(values: list[int]) -> None:
    found = estimates.skewness(Histogram.of(values))
    if len(set(values)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(stats.skew(np.array(values, float)), rel=1e-7, abs=1e-7)


def test_moments_of_many_values_equal_scipys_to_nine_decimals() -> None:
    values = words(1, 200_000)
    histogram = Histogram.of(values)
    assert estimates.mean(histogram) == pytest.approx(values.mean(), rel=CLOSE)
    assert estimates.standard_deviation(histogram) == pytest.approx(values.std(ddof=1), rel=CLOSE)
    assert estimates.skewness(histogram) == pytest.approx(stats.skew(values), rel=CLOSE)


def test_moments_of_huge_values_do_not_lose_digits() -> None:
    histogram = Histogram.of([10**12, 10**12 + 1, 10**12 + 2])
    assert estimates.mean(histogram) == 10**12 + 1
    assert estimates.variance(histogram) == 1.0


def test_the_interval_of_a_mean_is_scipys_normal_one() -> None:
    values = words(2)
    found = estimates.mean_estimate(Histogram.of(values))
    low, high = stats.norm.interval(0.95, values.mean(), stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high), rel=CLOSE)


@given(samples, st.sampled_from([0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0]))
def test_a_quantile_is_the_smallest_value_that_reaches_its_share(values: list[int], p: float) -> None:
    quantile = estimates.quantile(Histogram.of(values), p)
    assert sum(value <= quantile for value in values) >= p * len(values) - 1e-9
    assert sum(value < quantile for value in values) < p * len(values)
    assert quantile == np.quantile(values, p, method="inverted_cdf")


@given(samples, st.sampled_from([0.05, 0.5, 0.95]))
def test_the_interval_of_a_quantile_lies_on_items_around_it(values: list[int], p: float) -> None:
    found = estimates.quantile_estimate(Histogram.of(values), p)
    assert found.low <= found.value <= found.high
    assert {found.low, found.high} <= set(values)


@pytest.mark.parametrize("p", [0.05, 0.5, 0.95])
def test_the_interval_of_a_quantile_covers_by_the_binomial_law(p: float) -> None:
    """The ranks of the interval hold the quantile of a continuous law with 95 % or a little more."""
    n = 1_000
    found = estimates.quantile_estimate(Histogram.of(np.arange(1, n + 1)), p)
    coverage = stats.binom.cdf(found.high - 1, n, p) - stats.binom.cdf(found.low - 1, n, p)
    assert 0.95 <= coverage < 0.97


@given(st.integers(1, 500), st.data())
def test_the_interval_of_a_share_is_scipys_wilson_interval(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    found = estimates.share_estimate(hits, n)
    wanted = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=CLOSE)


def test_the_log_normal_fit_and_its_distance_equal_scipys() -> None:
    values = np.concatenate([words(3), np.zeros(50, np.int64)])
    found = estimates.log_normal_fit(Histogram.of(values))
    positive = values[values > 0]
    sigma, _, scale = stats.lognorm.fit(positive, floc=0)
    assert found.positive == len(positive)
    assert (found.mu, found.sigma) == pytest.approx((math.log(scale), sigma), rel=CLOSE)
    wanted = stats.kstest(positive, stats.lognorm(s=sigma, scale=scale).cdf)
    assert found.distance == pytest.approx(wanted.statistic, abs=CLOSE)


def test_equal_values_have_no_log_normal_fit() -> None:
    assert math.isnan(estimates.log_normal_fit(Histogram.of([7, 7, 0])).distance)


def test_the_difference_of_independent_means_is_welchs() -> None:
    a, b = words(4, 9_000), words(5, 12_000) + 3
    found = estimates.mean_difference(Histogram.of(a), Histogram.of(b))
    error = math.hypot(stats.sem(a), stats.sem(b))
    wanted = stats.ttest_ind(b, a, equal_var=False)
    assert found.mean.value == pytest.approx(b.mean() - a.mean(), rel=CLOSE)
    assert found.mean.value / error == pytest.approx(wanted.statistic, rel=CLOSE)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(wanted.statistic)), rel=CLOSE)
    assert (found.mean.low, found.mean.high) == pytest.approx(
        stats.norm.interval(0.95, b.mean() - a.mean(), error), rel=CLOSE
    )
    assert found.effect == pytest.approx((b.mean() - a.mean()) / math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2))


def test_the_difference_of_paired_means_is_the_paired_test() -> None:
    a = words(6, 5_000)
    b = a + np.random.default_rng(7).integers(-1, 3, len(a))
    histograms = [Histogram.of(one) for one in (a, b, b - a)]
    found = estimates.paired_difference(*histograms)
    wanted = stats.ttest_rel(b, a)
    assert found.mean.value == pytest.approx((b - a).mean(), rel=CLOSE)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(wanted.statistic)), rel=CLOSE)
    assert found.relative.high - found.relative.low < 0.1 * np.ptp(
        estimates.mean_difference(*histograms[:2]).relative[1:]
    )


def test_the_interval_of_a_ratio_holds_what_a_bootstrap_finds() -> None:
    rng = np.random.default_rng(8)
    a, b = words(9, 4_000), words(10, 4_000) + 9
    found = estimates.mean_difference(Histogram.of(a), Histogram.of(b)).relative
    ratios = [rng.choice(b, len(b)).mean() / rng.choice(a, len(a)).mean() - 1 for _ in range(2_000)]
    assert found.value == pytest.approx(b.mean() / a.mean() - 1, rel=CLOSE)
    assert (found.low, found.high) == pytest.approx(np.quantile(ratios, [0.025, 0.975]), abs=0.003)

"""Statistics over histograms equal scipy's on the raw values."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipeline.stats import estimates
from pipeline.stats.description import without_nan
from pipeline.stats.gamma import gamma_quantile
from pipeline.stats.histograms import Histogram
from pipeline.stats.rarefaction import chance_to_miss
from pipeline.tables import with_interval

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


def test_the_interval_of_a_mean_is_scipys_of_student() -> None:
    values = words(2)
    found = estimates.mean_estimate(Histogram.of(values))
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
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
    assert {found.low, found.high} <= {*values, 0, math.inf}


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


@pytest.mark.parametrize("shape", [1, 2.5, 20, 150, 4_000])
@pytest.mark.parametrize("p", [0.001, 0.025, 0.5, 0.975, 0.9999])
def test_gamma_quantiles_are_scipys(shape: float, p: float) -> None:
    assert gamma_quantile(shape, p) == pytest.approx(scipy.special.gammaincinv(shape, p), rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 30, 500, 10**6])
def test_students_factor_is_scipys(freedom: int) -> None:
    assert estimates.student_quantile(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=2e-3)


@pytest.mark.parametrize("n", [1, 5, 20, 100, 1_000, 5_000])
@pytest.mark.parametrize("p", [0.01, 0.05, 0.5, 0.95, 0.99])
def test_ranks_of_a_quantile_hold_it_with_their_level_by_the_binomial_law(n: int, p: float) -> None:
    found = estimates.quantile_estimate(Histogram.of(np.arange(1, n + 1)), p)
    below = found.low - 1 if found.low else 0
    above = n if found.high == math.inf else found.high - 1
    law = scipy.stats.binom(n, p)
    assert law.cdf(below - 1) + (law.sf(above) if found.high != math.inf else 0) <= 0.05 + 1e-12
    assert (found.low == 0) == ((1 - p) ** n > 0.025)
    assert (found.high == math.inf) == (p**n > 0.025)


def test_a_quantile_beyond_what_few_items_tell_has_no_end_there() -> None:
    found = estimates.quantile_estimate(Histogram.of(np.arange(10, 60)), 0.99)
    assert found.high == math.inf
    assert with_interval(found._asdict()) == f"{found.value} [{found.low}, ∞)"
    assert without_nan(found._asdict())["high"] is None


RATES = [1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.5, 0.9, 1.0, 3.0]


@pytest.mark.parametrize("n", [10, 100, 1_000])
@pytest.mark.parametrize("rate", RATES)
def test_intervals_of_means_of_counts_hold_the_mean_and_stay_in_range(n: int, rate: float) -> None:
    """1,000 samples each; the chance of fewer than 925 hits at 95 % is below 1 in 1,000."""
    random = np.random.default_rng([n, int(rate * 1e6)])
    hits = 0
    for _ in range(1_000):
        found = estimates.mean_estimate(Histogram.of(random.poisson(rate, n)))
        assert 0 <= found.low <= found.value <= found.high
        hits += found.low <= rate <= found.high
    assert hits >= 925


@pytest.mark.parametrize("weights", [(1, 2), (3, 5), (4, 4)])
def test_intervals_of_rare_weighted_counts_hold_their_mean(weights: tuple[int, int]) -> None:
    random = np.random.default_rng(weights)
    hits = 0
    for _ in range(1_000):
        sample = weights[0] * random.poisson(0.01, 500) + weights[1] * random.poisson(0.004, 500)
        found = estimates.mean_estimate(Histogram.of(sample))
        hits += found.low <= 0.01 * weights[0] + 0.004 * weights[1] <= found.high
    assert hits >= 925


def test_a_mean_that_all_items_agree_on_is_not_known_exactly() -> None:
    found = estimates.mean_estimate(Histogram.of([0] * 50))
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(-math.log(0.025) / 50), "the rule of three, two-sided"
    full = estimates.mean_estimate(Histogram.of([16] * 50))
    assert full.low < 16 < full.high


@pytest.mark.parametrize("n", [200, 10**6, 10**9, 10**11, 10**13])
def test_the_chance_to_miss_a_word_is_right_however_many_boards_there_are(n: int) -> None:
    for f in (1, 2, 40, 100, 5_000):
        for m in (1, 50, 100, 10**4, n // 1_000, n // 3, n - 1):
            if not 1 <= m <= n or f > n:
                continue
            wanted = exact_miss(f, m, n)
            found = chance_to_miss(np.array([f]), m, n)[0]
            assert found == pytest.approx(wanted, rel=1e-6, abs=1e-15), (f, m)


def exact_miss(f: int, m: int, n: int) -> float:
    """C(n - f, m) / C(n, m) by whole numbers, a factor at a time."""
    few, many = sorted((f, m))
    if f + m > n:
        return 0.0
    if few > 10_000:
        few, many = f, m
    chance = Decimal(1)
    with localcontext() as context:
        context.prec = 60
        for place in range(few):
            chance *= Decimal(n - many - place) / Decimal(n - place)
    return float(chance)


def test_p_of_identical_samples_is_one_and_they_differ_by_nothing() -> None:
    same = Histogram.of([3, 3, 3, 5, 8])
    found = estimates.mean_difference(same, same)
    assert (found.mean.value, found.p_value, found.effect) == (0.0, 1.0, 0.0)
    constant = Histogram.of([4] * 10)
    assert estimates.mean_difference(constant, constant).p_value == 1.0
    assert estimates.mean_difference(constant, Histogram.of([5] * 10)).p_value == 0.0


def test_a_relative_difference_needs_positive_means_and_two_items() -> None:
    zero, some = Histogram.of([0, 0, 0]), Histogram.of([1, 2, 3])
    assert math.isnan(estimates.mean_difference(zero, some).relative.value)
    back = estimates.mean_difference(some, zero).relative
    assert back.value == -1
    assert math.isnan(back.low)
    one = Histogram.of([7])
    alone = estimates.mean_difference(one, Histogram.of([9]))
    assert alone.relative.value == pytest.approx(9 / 7 - 1)
    assert math.isnan(alone.relative.low)
    assert math.isnan(alone.p_value)

"""Histograms are exact, merge by addition, and come out of the rows as they would by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.games import game
from pipeline.runs.opening import reader
from pipeline.runs.rows import Rows
from pipeline.stats.histograms import DENSE, Histogram, Tally
from pipeline.store.run_store import RunStore
from tests.stored import column

whole_numbers = st.one_of(st.integers(0, 50), st.integers(-(10**12), 10**12), st.sampled_from([DENSE - 1, DENSE]))
samples = st.lists(whole_numbers, max_size=60)


def as_counter(histogram: Histogram) -> Counter[int]:
    assert (np.diff(histogram.values) > 0).all()
    assert (histogram.counts > 0).all()
    return Counter(dict(zip(histogram.values.tolist(), histogram.counts.tolist(), strict=True)))


@given(samples)
def test_a_histogram_counts_each_value(values: list[int]) -> None:
    histogram = Histogram.of(values)
    assert as_counter(histogram) == Counter(values)
    assert histogram.n == len(values)
    assert histogram.total == sum(values)
    assert histogram.power_sum(3) == sum(value**3 for value in values)


@given(st.lists(samples, max_size=5))
def test_a_tally_of_parts_and_a_merge_equal_counting_everything_at_once(parts: list[list[int]]) -> None:
    tally = Tally()
    for part in parts:
        tally.add(np.array(part, np.int64))
    everything = Counter(value for part in parts for value in part)
    assert as_counter(tally.histogram) == everything
    assert as_counter(Histogram.merged([Histogram.of(part) for part in parts])) == everything


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64, np.int64])
def test_a_tally_takes_every_integer_type_of_the_rows(dtype: type) -> None:
    tally = Tally()
    tally.add(np.array([0, 255, 255], dtype))
    assert as_counter(tally.histogram) == {0: 1, 255: 2}


@given(samples, st.integers(1, 40))
def test_bins_start_at_multiples_of_their_width_and_hold_every_item(values: list[int], width: int) -> None:
    small = [value % 1_000 - 500 for value in values]
    bins = list(Histogram.of(small).binned(width))
    assert sum(count for _, count in bins) == len(small)
    for start, count in bins:
        assert start % width == 0
        assert count == sum(start <= value < start + width for value in small)


@given(samples, st.integers(-60, 60))
def test_tail_counts_are_those_of_the_raw_values(values: list[int], bound: int) -> None:
    histogram = Histogram.of(values)
    assert histogram.at_least(bound) == sum(value >= bound for value in values)
    assert histogram.equal_to(bound) == values.count(bound)


@pytest.mark.parametrize("boards", [1, 999, 1_000, 1_001, 2_500])
def test_histograms_of_a_run_are_those_of_its_first_rows(two_sets: RunStore, boards: int) -> None:
    found = reader(two_sets).histograms("new", boards)
    kind = game("boggle")
    assert set(found) == {metric.name for metric in kind.metrics} | set(kind.columns)
    for name in ("words", "score", "nodes", "words_5"):
        assert as_counter(found[name]) == Counter(column(two_sets, "new", name, boards))


def test_differences_by_board_are_those_of_the_rows(two_sets: RunStore) -> None:
    found = Rows(two_sets).differences("classic", Rows(two_sets), "new", 2_001, ["words", "nodes"])
    for name, histogram in found.items():
        pairs = zip(column(two_sets, "classic", name, 2_001), column(two_sets, "new", name, 2_001), strict=True)
        assert as_counter(histogram) == Counter(b - a for a, b in pairs)

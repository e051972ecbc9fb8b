"""Comparisons: B less A, paired where the boards are the same, corrected where several are tested."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.report.headline import headline
from pipeline.report.summary import summarize
from pipeline.runs.compare import compare_runs, compare_sides, known_of
from pipeline.runs.compare import sides as sides_of
from pipeline.runs.opening import reader
from pipeline.stats import distances
from pipeline.stats.comparison import against_first
from pipeline.stats.histograms import Histogram
from pipeline.store.run_store import RunStore
from tests.stored import column, make_run

METRICS = game("boggle").metrics


@pytest.fixture(scope="module")
def other_list(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """The classic boards of `two_sets` once more, with another word list."""
    return make_run(tmp_path_factory.mktemp("lists") / "enable2k", boards=2_500, dice=["classic"], words="enable2k")


def test_a_difference_is_b_less_a_with_a_named_first(two_sets: RunStore) -> None:
    (found,) = compare_runs([reader(two_sets)])
    assert (found["a"], found["b"], found["paired"]) == ("classic", "new", True)
    a, b = (np.mean(column(two_sets, variant, "words")) for variant in ("classic", "new"))
    words = found["metrics"]["words"]
    assert words["difference"]["value"] == pytest.approx(b - a, abs=1)
    assert words["difference"]["value"] == pytest.approx(words["mean_b"] - words["mean_a"])
    assert words["relative"] == pytest.approx(words["mean_b"] / words["mean_a"] - 1)
    assert words["relative_interval"]["low"] < words["relative"] < words["relative_interval"]["high"]


def test_the_same_boards_are_compared_in_pairs_and_far_more_closely(two_sets: RunStore, other_list: RunStore) -> None:
    """Few boards, without controls."""
    sides = sides_of([reader(other_list), reader(two_sets)])
    histograms, _ = known_of(sides, 2_500)
    compared = compare_sides(sides, 2_500, histograms, [None] * len(sides))
    found = next(one for one in compared if one["b"].startswith("classic"))
    assert found["paired"]
    (warning,) = found["warnings"]
    assert warning.startswith("the rules differ: word list is enable2k (")
    a, b = column(other_list, "classic", "words"), column(two_sets, "classic", "words")
    differences = np.array(b) - np.array(a)
    words = found["metrics"]["words"]
    assert words["difference"]["value"] == pytest.approx(differences.mean())
    width = words["difference"]["high"] - words["difference"]["low"]
    assert width == pytest.approx(2 * 1.959963985 * differences.std(ddof=1) / math.sqrt(len(differences)))
    assert width < 0.05 * math.hypot(np.std(a), np.std(b)) * 4 / math.sqrt(len(a))
    assert words["odds"]["tie"] == pytest.approx((differences == 0).mean())
    assert "ks_p_value" not in words, "a test of independent samples says nothing of the same boards"
    controlled = next(
        one for one in compare_runs([reader(other_list), reader(two_sets)]) if one["b"].startswith("classic")
    )["metrics"]["words"]
    assert abs(controlled["difference"]["value"] - differences.mean()) < width / 2
    assert controlled["difference"]["high"] - controlled["difference"]["low"] < width
    assert controlled["odds"] == words["odds"]


def test_p_values_are_corrected_for_every_metric_of_every_comparison() -> None:
    rng = np.random.default_rng(11)
    sets = {
        name: {metric.name: Histogram.of(rng.poisson(40 + shift, 300)) for metric in METRICS}
        for name, shift in (("one", 0.0), ("two", 0.6), ("three", 2.0))
    }
    comparisons = against_first(sets, METRICS)
    tested = [metric for comparison in comparisons for metric in comparison["metrics"].values()]
    assert len(tested) == 2 * len(METRICS)
    assert [one["p_value_holm"] for one in tested] == distances.holm([one["p_value"] for one in tested])
    assert [one["ks_p_value_holm"] for one in tested] == distances.holm([one["ks_p_value"] for one in tested])
    assert all(one["p_value_holm"] >= one["p_value"] for one in tested)


def test_one_set_alone_cannot_be_compared(other_list: RunStore) -> None:
    with pytest.raises(PipelineError, match="holds one dice set only: classic"):
        compare_runs([reader(other_list)])


def test_one_run_given_twice_is_refused(other_list: RunStore) -> None:
    with pytest.raises(PipelineError, match="given twice"):
        compare_runs([reader(other_list), reader(other_list)])


def test_the_headline_says_which_set_gives_more_by_how_much_and_how_sure(two_sets: RunStore) -> None:
    figures = summarize(reader(two_sets)).figures
    found = headline(figures)
    words = figures["comparisons"][0]["metrics"]["words"]
    means = words["mean_b"], words["mean_a"]
    assert found.answer.startswith(f"new gives more than classic: {means[0]:.2f} words a board against {means[1]:.2f}")
    assert f"{100 * (means[0] / means[1] - 1):.1f}"[:3] in found.answer
    assert "95 % interval" in found.answer
    assert any("after Holm's correction" in line for line in found.details)


def test_the_headline_names_the_richer_set_whichever_comes_first(two_sets: RunStore) -> None:
    figures = summarize(reader(two_sets)).figures
    turned = {name: figures["variants"][name] for name in ("new", "classic")}
    histograms = summarize(reader(two_sets)).histograms
    answers = [
        headline({**figures, "variants": ordered, "comparisons": against_first(ordered_histograms, METRICS)}).answer
        for ordered, ordered_histograms in (
            (turned, {name: histograms[name] for name in turned}), (figures["variants"], histograms),
        )
    ]  # fmt: skip
    assert answers[0] == answers[1]


def test_the_headline_claims_nothing_of_equal_sets() -> None:
    rng = np.random.default_rng(12)
    sets = {name: {m.name: Histogram.of(rng.poisson(40, 200)) for m in METRICS} for name in ("one", "two")}
    described = {
        name: {"n": 200, "metrics": {m.name: {"kind": "count", "unit": m.unit, "title": m.title} for m in METRICS}}
        for name in sets
    }
    found = headline({"variants": described, "comparisons": against_first(sets, METRICS)})
    assert found.answer.startswith("No difference between one and two can be told")


def test_a_summary_is_json_without_nan_even_of_one_board(tmp_path: Path) -> None:
    store = make_run(tmp_path / "one", boards=1, dice=["classic", "new"])
    text = json.dumps(summarize(reader(store)).figures, allow_nan=False)
    assert json.loads(text)["comparisons"][0]["metrics"]["words"]["p_value"] is None
    assert headline(summarize(reader(store)).figures).answer

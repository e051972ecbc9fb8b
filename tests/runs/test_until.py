"""`--until`: a run goes on until an interval is narrow enough, and is then what a fixed run of that length is."""

import itertools
import json
import math
import signal
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import PipelineError
from pipeline.report.summary import summarize
from pipeline.runs import until
from pipeline.runs.opening import reader
from pipeline.runs.until import CAP, FIRST, checkpoints, parse
from pipeline.stats.estimates import Estimate, mean_estimate, quantile_estimate, share_estimate
from pipeline.stats.histograms import Histogram
from pipeline.store.run_store import RunStore
from tests.golden_data import word_list
from tests.running import pipeline, pipeline_inside, row_hash, start
from tests.stored import make_run
from tests.waiting import wait_for_parts

WIDTH = 0.025
TARGET = f"mean(score) +- {WIDTH}"
OPTIONS: dict[str, Any] = {"dice": ["new"], "boards": 100_000}


@pytest.fixture(scope="module", autouse=True)
def few_words(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every fortieth word of enable1: a score of about 3.4 points a board, and fast to load."""
    path = tmp_path_factory.mktemp("list") / "few.txt"
    path.write_text("\n".join(word_list("enable1").words[::40]))
    OPTIONS["words"] = str(path)


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """30,000 boards without a target; tests must not change it."""
    return make_run(tmp_path_factory.mktemp("fixed") / "r", **{**OPTIONS, "boards": 30_000, "chunk": 10_000})


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("stopped") / "u", until=TARGET, **OPTIONS)


def half_width(store: RunStore, boards: int) -> float:
    """As the report of so many boards tells it."""
    mean = summarize(reader(store), boards).figures["variants"]["new"]["metrics"]["score"]["mean"]
    return max(mean["high"] - mean["value"], mean["value"] - mean["low"])


def figures(store: RunStore) -> dict[str, Any]:
    return summarize(reader(store)).figures["variants"]


def test_it_stops_at_the_first_check_that_is_narrow_enough(stopped: RunStore, fixed: RunStore) -> None:
    first = next(boards for boards in checkpoints(30_000) if half_width(fixed, boards) <= WIDTH)
    assert FIRST < first < 30_000
    assert stopped.boards == first
    assert stopped.run.until.reached


def test_the_result_is_that_of_a_fixed_run_of_that_length(stopped: RunStore, tmp_path: Path) -> None:
    plain = make_run(tmp_path / "r", **{**OPTIONS, "boards": stopped.boards})
    assert row_hash(Path(stopped.location)) == row_hash(Path(plain.location))
    assert figures(stopped) == figures(plain)


@pytest.mark.parametrize(
    "how",
    [{"chunk": 777}, {"executor": "process", "workers": 2}, {"executor": "process", "workers": 3, "chunk": 500}],
    ids=str,
)
def test_workers_and_chunks_do_not_change_where_it_stops(stopped: RunStore, tmp_path: Path, how: Any) -> None:
    again = make_run(tmp_path / "u", until=TARGET, **{**OPTIONS, **how})
    assert again.boards == stopped.boards
    assert row_hash(Path(again.location)) == row_hash(Path(stopped.location))


def test_histograms_only_stop_at_the_same_board(stopped: RunStore, tmp_path: Path) -> None:
    condensed = make_run(tmp_path / "h", until=TARGET, keep="histograms", **OPTIONS)
    assert condensed.run.until == stopped.run.until
    assert figures(condensed) == figures(stopped)


def test_the_report_says_that_it_stopped_and_why(stopped: RunStore, fixed: RunStore) -> None:
    (note,) = summarize(reader(stopped)).figures["run"]["notes"]
    assert note.startswith(f"Stopped at {stopped.boards:,} boards of each set, because --until '{TARGET}' was reached")
    assert summarize(reader(stopped), 2_000).figures["run"]["notes"] == []
    assert summarize(reader(fixed)).figures["run"]["notes"] == []


def test_the_cap_ends_a_run_that_never_gets_there(tmp_path: Path) -> None:
    store = make_run(tmp_path / "u", until="mean(score) +- 0.000001", **{**OPTIONS, "boards": 3_000})
    assert store.boards == 3_000
    (note,) = summarize(reader(store)).figures["run"]["notes"]
    assert note.startswith("Ended at the cap of 3,000 boards of each set before --until")


def test_a_narrower_target_goes_on_and_a_wider_one_adds_nothing(tmp_path: Path) -> None:
    wide = make_run(tmp_path / "u", until="mean(score) +- 0.1", **OPTIONS)
    narrow = make_run(tmp_path / "u", until=TARGET, **OPTIONS)
    assert wide.boards < narrow.boards
    again = make_run(tmp_path / "u", until="mean(score) +- 0.1", **OPTIONS)
    assert again.boards == narrow.boards
    assert again.run.until.boards == wide.boards


def test_a_run_without_rows_whose_parts_end_elsewhere_goes_on_to_a_check_that_they_allow(tmp_path: Path) -> None:
    make_run(tmp_path / "h", keep="histograms", **{**OPTIONS, "boards": 5_000, "chunk": 5_000})
    store = make_run(tmp_path / "h", until="mean(score) +- 1", **OPTIONS)
    allowed = next(boards for boards in checkpoints(100_000) if boards >= 5_000)
    assert store.run.until.boards == allowed
    assert summarize(reader(store), allowed).figures["run"]["boards"] == allowed


def test_killed_in_the_middle_it_goes_on_to_the_same_end(stopped: RunStore, tmp_path: Path) -> None:
    arguments = [
        "run",
        "--until",
        TARGET,
        "--boards",
        100_000,
        "--words",
        OPTIONS["words"],
        "--chunk",
        200,
        "--out",
        "u",
    ]
    process = start(*arguments, cwd=tmp_path)
    wait_for_parts(tmp_path / "u", process, 15)
    process.send_signal(signal.SIGKILL)
    process.wait()
    outcome = pipeline(*arguments, cwd=tmp_path)
    assert outcome.code == 0, outcome.err
    assert "was reached" in " ".join(outcome.out.split())
    assert json.loads((tmp_path / "u/run.json").read_text())["plan"]["boards"] == stopped.boards
    assert row_hash(tmp_path / "u") == row_hash(Path(stopped.location))


def test_the_difference_of_two_sets(tmp_path: Path) -> None:
    store = make_run(tmp_path / "u", until="difference(score) +- 0.06", **{**OPTIONS, "dice": ["classic", "new"]})

    def half(boards: int) -> float:
        found = summarize(reader(store), boards).figures["comparisons"][0]["metrics"]["score"]["difference"]
        return (found["high"] - found["low"]) / 2

    assert FIRST < store.boards < 100_000
    assert store.boards == next(boards for boards in checkpoints(store.boards) if half(boards) <= 0.06)
    assert list(store.run.until.estimates) == ["new - classic"]


SAMPLE = Histogram.of([0, 0, 1, 2, 5, 5, 7, 9, 30, 31] * 40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean(score) +- 3", mean_estimate(SAMPLE)),
        (" mean ( score ) ± .5 ", mean_estimate(SAMPLE)),
        ("median(score)+-3", quantile_estimate(SAMPLE, 0.5)),
        ("p95(score) +/- 3", quantile_estimate(SAMPLE, 0.95)),
        ("share(score = 0) +- 1/10", share_estimate(80, 400)),
        ("share(score >= 9) +- 10 %", share_estimate(120, 400)),
        ("share(score < 5) +- 10%", share_estimate(160, 400)),
    ],
)
def test_targets_are_the_figures_of_the_report(text: str, expected: object) -> None:
    evidence = until.Evidence({"a": SAMPLE}, {"a": None}, {})
    assert parse(text, "boggle", ["a"]).estimates(evidence) == {"a": expected}


def test_a_percent_is_a_hundredth_and_every_set_must_be_known_well_enough() -> None:
    target = parse("share(words = 0) +- 2.5 %", "boggle", ["a", "b"])
    assert target.width == pytest.approx(0.025)
    assert target.met({"a": until.Estimate(0.5, 0.48, 0.52), "b": until.Estimate(0.5, 0.476, 0.524)})
    assert not target.met({"a": until.Estimate(0.5, 0.48, 0.52), "b": until.Estimate(0.5, 0.47, 0.53)})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read"),
        ("score +- 3", "cannot be read"),
        ("mean(score)", "cannot be read"),
        ("mean(score) +- -3", "cannot be read"),
        ("mean(score) +- 3 %", "cannot be read"),
        ("mean(score > 3) +- 3", "cannot be read"),
        ("share(score) +- 3", "cannot be read"),
        ("share(score = 0) +- 0.1", "does not say 0.1 of what; write +- 0.1 %"),
        ("p00(score) +- 1", "no item lies below quantile p00; give p1 to p99"),
        ("p0(score) +- 1", "no item lies below quantile p0"),
        ("p100(score) +- 3", "cannot be read"),
        ("variance(score) +- 3", "cannot be read"),
        ("mean(scor) +- 3", "no column 'scor'; did you mean score?"),
        ("mean(score) +- 0.0", "never reached"),
        ("difference(score) +- 1", "needs two sets to compare; give --dice twice"),
    ],
)
def test_a_target_that_makes_no_sense_is_refused_in_one_line_before_anything_is_written(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = pipeline_inside(["run", "--until", text, "--out", "u"], capsys, monkeypatch).error_line
    assert line.startswith(f"error: --until {text!r}")
    assert message in line
    assert list(tmp_path.iterdir()) == []


def test_checks_come_ever_later_and_end_at_the_cap() -> None:
    found = list(checkpoints(CAP))
    assert found[0] == FIRST
    assert found[-1] == CAP
    assert all(1 < b / a <= 1.25 for a, b in itertools.pairwise(found))
    assert list(checkpoints(500)) == [500]
    with pytest.raises(PipelineError):
        parse("nonsense", "boggle", ["new"])


def test_the_longer_side_of_an_interval_counts_and_exactly_the_width_is_enough() -> None:
    target = parse("mean(score) +- 0.5", "boggle", ["a"])
    assert target.met({"a": Estimate(10.0, 9.5, 10.5)})
    assert target.met({"a": Estimate(10.0, 9.9, 10.5)})
    assert not target.met({"a": Estimate(10.0, 9.9, 10.6)}), "half of the width would be 0.35"
    assert not target.met({"a": Estimate(10.0, 9.4, 10.1)})
    assert not target.met({"a": Estimate(3.0, 3.0, math.inf)})


@pytest.mark.parametrize("text", ["mean(words_12) +- 0.5", "share(words_12 > 0) +- 5 %", "difference(words_12) +- 0.5"])
def test_a_column_that_hardly_varies_is_never_known_well_enough(text: str) -> None:
    target = parse(text, "boggle", ["a", "b"])
    rare = {name: Histogram.of([0, 1], [10**6, 29]) for name in ("a", "b")}
    assert target.met(target.estimates(until.Evidence(rare, dict.fromkeys(rare), {})))
    assert not target.enough(rare)
    assert target.enough({name: Histogram.of([0, 1], [10**6, 30]) for name in ("a", "b")})
    assert not target.enough({name: Histogram.of([0], [10**6]) for name in ("a", "b")})


def test_a_run_whose_column_is_always_zero_ends_at_its_cap_and_says_so(tmp_path: Path) -> None:
    store = make_run(tmp_path / "r", until="mean(words_16plus) +- 0.5", boards=3_000, dice=["new"])
    assert store.run.until is not None
    assert not store.run.until.reached
    (note,) = summarize(reader(store)).figures["run"]["notes"]
    assert "Ended at the cap of 3,000 boards" in note

"""`pipeline plan`: the arithmetic from a probe, and a probe whose measures are those of real parts."""

import json
from pathlib import Path

import pytest

from pipeline.config import RunConfig
from pipeline.games.boggle.columns import LAYOUT
from pipeline.runs.condense import chunk_tables
from pipeline.runs.plan import Plan, Probe, make_plan
from pipeline.store import parts
from pipeline.store.kinds import MODES, ROWS
from pipeline.store.parts import Part
from pipeline.tables import duration, size
from tests.golden_data import word_list
from tests.running import pipeline_inside
from tests.stored import make_run, workload_of

SIZES = {1_000: {"histograms": 100, "words": 2_000, "top": 50}, 2_000: {"histograms": 150, "words": 4_000, "top": 50}}
PROBE = Probe("new", 200_000, 2.0, 2.5, SIZES, words_limit=12_000)


def test_time_is_the_boards_over_the_measured_rate() -> None:
    plan = Plan(10**9, 10, "histograms", 10**6, [PROBE], LAYOUT)
    assert PROBE.rate == 100_000
    assert plan.core_hours == pytest.approx(10**9 / 100_000 / 3600)
    assert plan.wall_seconds == pytest.approx(1_000)
    assert plan.parts == 1_000


def test_two_sets_cost_twice_as_much() -> None:
    one, two = (Plan(10**9, 10, "boards", 10**6, [PROBE] * sets, LAYOUT) for sets in (1, 2))
    assert two.core_hours == pytest.approx(2 * one.core_hours)
    assert two.bytes == pytest.approx(2 * one.bytes)
    assert two.parts == 2 * one.parts


def test_more_cores_than_parts_do_not_help() -> None:
    plan = Plan(10_000_000, 1_000, "histograms", 10**6, [PROBE], LAYOUT)
    assert plan.wall_seconds == pytest.approx(10)


def test_histograms_grow_by_the_power_law_of_the_last_two_and_words_up_to_the_whole_list() -> None:
    assert PROBE.bytes_of(2_000) == pytest.approx(4_200)
    assert PROBE.bytes_of(4_000) == pytest.approx(225 + 8_000 + 50)
    assert PROBE.bytes_of(8_000) == pytest.approx(337.5 + 12_000 + 50)
    assert Plan(16_000, 1, "histograms", 8_000, [PROBE], LAYOUT).bytes == pytest.approx(2 * (337.5 + 12_000 + 50))


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("list") / "few.txt"
    path.write_text("\n".join(word_list("enable1").words[::40]))
    return str(path)


@pytest.mark.parametrize("keep", ["boards", "histograms", "none-but-top"])
def test_the_probe_weighs_what_a_run_stores(few: str, tmp_path: Path, keep: str) -> None:
    store = make_run(tmp_path / "r", words=few, boards=5_000, chunk=5_000, keep=keep)
    stored = {path.parent.parent.name: path.stat().st_size for path in (tmp_path / "r").glob("*/*/part-*")}
    workload = workload_of(RunConfig(words=few), MODES[keep])
    made = chunk_tables(workload, MODES[keep], "new", Part(0, 5_000))
    assert set(made) == set(stored)
    for kind, table in made.items():
        assert stored[kind] == len(parts.encode(table, store.label("new", Part(0, 5_000), kind)))


def test_predicted_bytes_are_near_those_of_a_run_ten_times_the_probe(few: str, tmp_path: Path) -> None:
    for keep in ("boards", "histograms"):
        run = make_run(tmp_path / keep, words=few, boards=100_000, chunk=100_000, keep=keep)
        stored = sum(path.stat().st_size for path in (tmp_path / keep).glob("*/*/part-*"))
        workload = workload_of(RunConfig(words=few), MODES[keep])
        sizes = {
            rows: {
                kind: len(parts.encode(table))
                for kind, table in chunk_tables(workload, MODES[keep], "new", Part(0, rows)).items()
            }
            for rows in (5_000, 10_000)
        }
        predicted = Probe("new", 1, 1.0, 1.0, sizes, 12 * len(workload.words.words)).bytes_of(run.boards)
        assert predicted == pytest.approx(stored, rel=0.25)


def test_a_plan_shows_its_basis(few: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["plan", "--boards", "1e12", "--cores", "1_000", "--words", few]
    shown = json.loads(pipeline_inside([*arguments, "--json"], capsys, monkeypatch).out)
    assert (shown["boards"], shown["cores"], shown["keep"], shown["parts"]) == (10**12, 1_000, "histograms", 4_000)
    (measured,) = shown["measured"]
    assert measured["rows"] >= 10_000
    assert measured["rows_per_core_second"] == pytest.approx(measured["rows"] / measured["cpu_seconds"])
    assert shown["core_hours"] == pytest.approx(10**12 / measured["rows_per_core_second"] / 3600)


def test_a_plan_of_puzzles_weighs_what_a_run_of_puzzles_stores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["plan", "--game", "kenken", "--spec", "4x4", "--boards", "1M", "--keep", "boards"]
    text = pipeline_inside(arguments, capsys, monkeypatch).out
    assert "1,000,000 puzzles of each spec, --keep boards" in text
    assert "puzzles/s of a core" in text
    assert "boards of" not in text
    shown = json.loads(pipeline_inside([*arguments, "--json"], capsys, monkeypatch).out)
    (measured,) = shown["measured"]
    rows, sizes = next(iter(measured["part_bytes"].items()))
    workload = workload_of(RunConfig(game="kenken", spec=["4x4"]))
    table = workload.solve_chunk(workload.variants[0], Part(0, int(rows))).rows
    assert sizes == {"puzzles": len(parts.encode(table))}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("plan --boards 10 --game chess", "--game 'chess' is not known"),
        ("plan --boards 10 --game kenken --dice new", "--dice has no meaning for --game kenken"),
        ("plan --boards many", "'many' is not a whole number"),
        ("plan --boards 0", "0 is not in the range"),
        ("plan --boards 1e20", "--boards 100000000000000000000: must be"),
        ("plan --boards 10 --cores 0", "0 is not in the range"),
        ("plan --boards 10 --keep all", "--keep 'all' is not known"),
        ("plan", "--boards"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert message in pipeline_inside(arguments.split(), capsys, monkeypatch).error_line


def test_sizes_and_times_for_people() -> None:
    assert [size(1), size(1_500), size(2.5e9), size(3e18)] == ["1 bytes", "1.5 kB", "2.5 GB", "3e+03 PB"]
    assert [duration(one) for one in (5, 600, 36_000, 864_000)] == ["5 s", "10 minutes", "10 hours", "10 days"]


def test_make_plan_probes_every_set(few: str) -> None:
    plan = make_plan(workload_of(RunConfig(words=few, dice=["new", "classic"])), ROWS, 10**6, 2)
    assert [probe.variant for probe in plan.probes] == ["new", "classic"]
    assert all(len(probe.part_bytes) >= 2 for probe in plan.probes)

"""`pipeline run --game kenken` from outside: the same rows however they are made, true figures, nothing unnoticed."""

import itertools
import json
import math
import signal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from pipeline.games.kenken.columns import GRADE_LABELS, OPERATORS, SCHEMA
from pipeline.games.kenken.specs import load_spec
from pipeline.report import write
from pipeline.runs.opening import open_run, reader
from pipeline.store.parts import encode
from solvers.kenken import STATUSES, generate, operator_counts, read_keen, solve_batch, solve_reference, write_keen
from tests.running import Outcome, pipeline, row_hash, rows_of, start
from tests.waiting import parts_of, wait_for_parts

PUZZLES = 3_000
KIND = "puzzles/spec"
SPECS = ("--game", "kenken", "--spec", "4x4", "--spec", "6x6", "--out", "r")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undisturbed run of two specs that the other tests compare with."""
    folder = tmp_path_factory.mktemp("kenken")
    outcome = pipeline("run", *SPECS, "--boards", PUZZLES, cwd=folder)
    assert outcome.code == 0, outcome.err
    return folder / "r"


def run_again(folder: Path, *options: object, boards: int = PUZZLES) -> Outcome:
    outcome = pipeline("run", *SPECS, "--boards", boards, *options, cwd=folder)
    assert outcome.code == 0, outcome.err
    return outcome


@pytest.mark.parametrize(
    "options",
    [
        ("--workers", 1),
        ("--workers", 2, "--chunk", 700),
        ("--workers", 3, "--chunk", 401),
        ("--executor", "serial", "--chunk", 3_000),
        ("--executor", "thread", "--workers", 3, "--chunk", 700),
    ],
    ids=lambda options: " ".join(map(str, options)),
)
def test_workers_chunks_and_executor_do_not_change_a_row(
    base: Path, tmp_path: Path, options: tuple[object, ...]
) -> None:
    run_again(tmp_path, *options)
    assert row_hash(tmp_path / "r", KIND) == row_hash(base, KIND)


def test_a_run_extended_has_the_same_rows(base: Path, tmp_path: Path) -> None:
    run_again(tmp_path, boards=1_001)
    run_again(tmp_path)
    assert row_hash(tmp_path / "r", KIND) == row_hash(base, KIND)


def test_a_run_killed_in_the_middle_goes_on_to_the_same_rows(base: Path, tmp_path: Path) -> None:
    run = tmp_path / "r"
    arguments = ["run", *SPECS, "--boards", PUZZLES, "--chunk", 50]
    process = start(*arguments, cwd=tmp_path)
    wait_for_parts(run, process, 5, "puzzles")
    process.send_signal(signal.SIGKILL)
    # Where this process had to wait for its turn the run may have ended.
    assert process.wait() in (-signal.SIGKILL, 0)
    assert len(parts_of(run, "puzzles")) >= 5
    assert pipeline(*arguments, cwd=tmp_path).code == 0
    assert row_hash(run, KIND) == row_hash(base, KIND)
    assert not list(run.rglob(".tmp-*"))


def test_a_whole_run_is_only_reported_again(base: Path) -> None:
    assert "0 puzzles solved" in run_again(base.parent).err
    assert not (base / "words").exists()


def test_rows_are_what_generate_and_solve_give(base: Path) -> None:
    for name in ("k4x4", "k6x6"):
        rows = rows_of(base, KIND).filter(pl.col("spec") == name)
        assert rows["puzzle_id"].to_list() == list(range(PUZZLES))
        batch = generate(load_spec(name), 1, 0, PUZZLES)
        results = solve_batch(batch)
        assert rows["puzzle"].to_list() == [write_keen(batch.puzzle(i)) for i in range(PUZZLES)]
        for column in ("status", "solutions", "nodes", "placed", "grade", "steps"):
            np.testing.assert_array_equal(rows[column].to_numpy(), getattr(results, column), column)
        np.testing.assert_array_equal(rows.select(OPERATORS).to_numpy(), operator_counts(batch)[:, :6])
        np.testing.assert_array_equal(rows["cages"].to_numpy(), rows.select(OPERATORS).to_numpy().sum(axis=1))


def test_a_reader_without_code_of_ours_finds_the_promised_columns(base: Path) -> None:
    part = next(base.glob("puzzles/spec=k6x6/part-*"))
    small = ("cages", *OPERATORS, "status")
    expected = {
        "puzzle_id": pl.UInt64, "puzzle": pl.String, **dict.fromkeys(small, pl.UInt8), "solutions": pl.UInt32,
        "nodes": pl.UInt64, "placed": pl.UInt16, "grade": pl.UInt8, "steps": pl.UInt32,
    }  # fmt: skip
    assert dict(pl.read_parquet_schema(part)) == expected
    assert list(pl.read_parquet_schema(part)) == list(expected)
    assert all(field.metadata[b"meaning"] for field in SCHEMA)


def test_the_reference_proves_every_sampled_puzzle_unique(base: Path) -> None:
    sample = rows_of(base, KIND).gather_every(150)
    for text in sample["puzzle"]:
        answer = solve_reference(read_keen(text), limit=2)
        assert (answer.status, answer.solutions) == ("unique", 1), text
    assert (sample["status"] == STATUSES.index("unique")).all()


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The bounds as roots of |p - share| = z sqrt(p (1 - p) / n), which is how Wilson defines them."""
    z = 1.959963984540054
    share = hits / n
    roots = np.roots([1 + z * z / n, -(2 * share + z * z / n), share * share])
    return float(min(roots)), float(max(roots))


def test_the_report_tells_what_an_independent_computation_gives(base: Path) -> None:
    summary = json.loads(run_again(base.parent, "--json").out)
    source = f"read_parquet('{base}/puzzles/*/*.parquet', hive_partitioning=true)"
    for name, section in summary["variants"].items():
        for column in ("nodes", "steps", "placed", "cages", *OPERATORS):
            found = duckdb.sql(
                f"SELECT avg({column}), stddev_samp({column}), min({column}), max({column}), "
                f"quantile_disc({column}, 0.95) FROM {source} WHERE spec = '{name}'"
            ).fetchall()[0]
            metric = section["metrics"][column]
            told = (metric["mean"]["value"], metric["sd"], metric["min"], metric["max"], metric["p95"]["value"])
            assert told == pytest.approx(found, rel=1e-9), (name, column)
        grades = dict(
            duckdb.sql(f"SELECT grade, count(*) FROM {source} WHERE spec = '{name}' GROUP BY grade").fetchall()
        )
        metric = section["metrics"]["grade"]
        assert metric["counts"] == {label: grades.get(code, 0) for code, label in enumerate(GRADE_LABELS)}
        assert sum(metric["counts"].values()) == PUZZLES
        for label, hits in metric["counts"].items():
            share = metric["shares"][label]
            assert share["value"] == hits / PUZZLES
            if 0 < hits < PUZZLES:
                assert (share["low"], share["high"]) == pytest.approx(wilson(hits, PUZZLES), rel=1e-9)


def test_the_comparison_tells_differences_of_means_and_of_shares(base: Path) -> None:
    (told,) = json.loads(pipeline("compare", "r", "--json", cwd=base.parent).out)
    assert (told["a"], told["b"], told["item"], told["paired"]) == ("k4x4", "k6x6", "puzzle", False)
    rows = rows_of(base, KIND)
    a, b = (rows.filter(pl.col("spec") == name) for name in ("k4x4", "k6x6"))
    for column in ("nodes", "steps", "placed"):
        metric = told["metrics"][column]
        assert metric["difference"]["value"] == pytest.approx(b[column].mean() - a[column].mean(), rel=1e-9)
        counts = [side.group_by(column).len().rows() for side in (a, b)]
        above = sum(m * k for (x, m), (y, k) in itertools.product(*counts) if y > x)
        assert metric["odds"]["b_above"] == pytest.approx(above / PUZZLES**2, rel=1e-9)
    for code, label in enumerate(GRADE_LABELS):
        one = told["categories"]["grade"]["labels"][label]
        hits = [int((side["grade"] == code).sum()) for side in (a, b)]
        assert (one["a"], one["b"]) == (hits[0] / PUZZLES, hits[1] / PUZZLES)
        assert one["difference"]["value"] == pytest.approx((hits[1] - hits[0]) / PUZZLES, abs=1e-12)
        half = 1.96 * math.sqrt(sum(h / PUZZLES * (1 - h / PUZZLES) for h in hits) / PUZZLES)
        if min(hits) > 100:
            # With so many of each the interval comes close to the normal one.
            low, high = one["difference"]["value"] - half, one["difference"]["value"] + half
            assert (one["difference"]["low"], one["difference"]["high"]) == pytest.approx((low, high), abs=half / 20)
    shown = pipeline("compare", "r", cwd=base.parent).out
    assert "k6x6 against k4x4 (independent puzzles)" in shown
    assert "k6x6 against k4x4: shares" in shown


def test_runs_of_the_same_puzzles_are_compared_in_pairs_and_limits_are_named(base: Path, tmp_path: Path) -> None:
    arguments = ("run", "--game", "kenken", "--spec", "6x6", "--boards", 500, "-q")
    assert pipeline(*arguments, "--out", "whole", cwd=tmp_path).code == 0
    assert pipeline(*arguments, "--out", "short", "--node-limit", 1, cwd=tmp_path).code == 0
    short = rows_of(tmp_path / "short", KIND)
    gave_up = short.filter(pl.col("status") == STATUSES.index("gave_up"))
    assert 0 < gave_up.height < 500
    assert (gave_up["grade"] == GRADE_LABELS.index("ungraded")).all()
    (told,) = json.loads(pipeline("compare", "whole", "short", "--json", cwd=tmp_path).out)
    assert told["paired"]
    assert told["metrics"]["cages"]["difference"] == {"value": 0, "low": 0, "high": 0}
    assert told["warnings"] == ["the rules differ: node limit is 10000000 in k6x6@whole, 1 in k6x6@short"]


def test_a_page_is_made_with_grades_and_comparison(base: Path) -> None:
    store = open_run(str(base))
    write.page(reader(store), write.report(reader(store)))
    page = (base / "report/index.html").read_text()
    assert "<h1>k6x6 needs more than k4x4" in page
    for text in ("k6x6 against k4x4: shares", "unreasonable", "per puzzle", "Spec k6x6", "rule applications a puzzle"):
        assert text in page, text
    assert "per board" not in page
    assert (base / "report/charts/category-grade.svg").read_text().startswith("<svg")
    assert "spec k4x4: 4x4; cages of cells 1, 2, 3, 4" in (base / "report/report.md").read_text()


def test_a_query_reads_the_puzzles(base: Path) -> None:
    sql = "SELECT spec, count(*) AS n, sum(cages) AS cages FROM puzzles GROUP BY spec ORDER BY spec"
    told = json.loads(pipeline("query", "r", sql, "--format", "json", cwd=base.parent).out)
    rows = rows_of(base, KIND)
    assert told == [
        {"spec": name, "n": PUZZLES, "cages": int(rows.filter(pl.col("spec") == name)["cages"].sum())}
        for name in ("k4x4", "k6x6")
    ]


@pytest.mark.parametrize(("column", "change"), [("nodes", 1), ("grade", 1), ("steps", 3), ("plus", 1)])
def test_verify_finds_a_changed_row(tmp_path: Path, column: str, change: int) -> None:
    arguments = ("run", "--game", "kenken", "--spec", "4x4", "--boards", 40, "--out", "r", "-q")
    assert pipeline(*arguments, cwd=tmp_path).code == 0
    assert "40 rows solved again: all as they should be" in pipeline("verify", "r", cwd=tmp_path).out
    store = open_run(str(tmp_path / "r"))
    (part,) = store.parts("k4x4")
    path = tmp_path / "r/puzzles/spec=k4x4" / part.name
    table = pl.read_parquet(path).to_arrow().cast(SCHEMA)
    values = table.column(column).to_numpy().copy()
    values[17] += change
    place = table.schema.get_field_index(column)
    changed = table.set_column(place, SCHEMA.field(column), [values])
    path.write_bytes(encode(changed, store.label("k4x4", part)))
    outcome = pipeline("verify", "r", "--json", cwd=tmp_path)
    assert outcome.code == 1
    (problem,) = json.loads(outcome.out)["problems"]
    assert problem.startswith(f"k4x4 row 17: {column} is {values[17]}, solved again it is {values[17] - change}")


def test_the_default_folder_says_what_is_in_it(tmp_path: Path) -> None:
    outcome = pipeline("run", "--game", "kenken", "--boards", 50, cwd=tmp_path)
    (folder,) = (tmp_path / "outputs").iterdir()
    run: dict[str, Any] = json.loads((folder / "run.json").read_text())
    assert folder.name == f"kenken-6x6-s1-{run['run_id'][:8]}"
    assert f"run: outputs/{folder.name}" in outcome.err
    assert run["identity"]["spec"] == [load_spec("6x6").identity()]
    assert run["settings"]["spec"]["k6x6"]["size"] == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seed", 2), "seed is 1, not 2"),
        (("--node-limit", 5), "node limit is 10000000, not 5"),
        (("--spec", "5x5"), "spec"),
    ],
)
def test_other_settings_in_the_same_folder_are_refused(base: Path, options: tuple[object, ...], message: str) -> None:
    assert message in pipeline("run", *SPECS, "--boards", 10, *options, cwd=base.parent).error_line


def test_a_spec_by_path_takes_the_name_of_its_file_and_its_rules_hold(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'size = 4\ngrade = "hard"\n[cage_sizes]\n2 = 1\n3 = 1\n[operators]\n"-" = 1\n"+" = 1\n[rules]\nwide = true\n'
    )
    arguments = ("run", "--game", "kenken", "--spec", "mine.toml", "--boards", 60, "--out", "r")
    assert pipeline(*arguments, cwd=tmp_path).code == 0
    rows = rows_of(tmp_path / "r", KIND)
    assert (rows["spec"] == "mine").all()
    assert (rows["grade"] == GRADE_LABELS.index("hard")).all()
    assert rows.select("times", "divide", "hidden").sum().row(0) == (0, 0, 0)
    (tmp_path / "mine.toml").unlink()
    assert "60 rows solved again: all" in pipeline("verify", "r", cwd=tmp_path).out

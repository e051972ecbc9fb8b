"""`pipeline run` from outside: the same rows however they are made, resumed, extended and refused."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from pipeline.games.boggle.dice import load_dice
from pipeline.store.parts import is_whole
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.solve import solve
from solvers.grid import parse_board
from tests.golden_data import lexicon
from tests.running import Outcome, command, pipeline, row_hash, rows_of, start
from tests.waiting import LONG, parts_of, wait_for_parts

BOARDS, CHUNK = 12_000, 6_000
LENGTHS = [*(f"words_{length}" for length in range(1, 16)), "words_16plus"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undisturbed run of two dice sets that the other tests compare with."""
    folder = tmp_path_factory.mktemp("base")
    run_again(folder, "--chunk", CHUNK)
    return folder / "r"


def run_again(folder: Path, *options: object, boards: int = BOARDS) -> Outcome:
    arguments = ["--boards", boards, "--dice", "classic", "--dice", "new", "--out", "r", *options]
    outcome = pipeline("run", *arguments, cwd=folder)
    assert outcome.code == 0, outcome.err
    return outcome


@pytest.mark.parametrize(
    "options",
    [
        ("--workers", 1),
        ("--workers", 3, "--chunk", 2_801),
        ("--executor", "serial", "--chunk", 12_000),
        ("--executor", "thread", "--workers", 3, "--chunk", 1_700),
        ("--solver", "dfs"),
    ],
    ids=lambda options: " ".join(map(str, options)),
)
def test_workers_chunks_executor_and_solver_do_not_change_a_row(
    base: Path, tmp_path: Path, options: tuple[object, ...]
) -> None:
    run_again(tmp_path, *options)
    assert row_hash(tmp_path / "r") == row_hash(base)


def test_a_run_extended_in_two_steps_has_the_same_rows(base: Path, tmp_path: Path) -> None:
    run_again(tmp_path, "--chunk", 2_000, boards=5_001)
    assert json.loads((tmp_path / "r/run.json").read_text())["plan"]["boards"] == 5_001
    run_again(tmp_path)
    assert row_hash(tmp_path / "r") == row_hash(base)
    assert json.loads((tmp_path / "r/run.json").read_text())["plan"]["boards"] == BOARDS


def test_a_run_killed_in_the_middle_goes_on_to_the_same_rows(base: Path, tmp_path: Path) -> None:
    run = tmp_path / "r"
    arguments = ["run", "--boards", BOARDS, "--dice", "classic", "--dice", "new", "--out", "r", "--chunk", 500]
    process = subprocess.Popen(
        command(*arguments), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )
    wait_for_parts(run, process, 5)
    process.send_signal(signal.SIGKILL)
    # Where this process had to wait for its turn the run may have ended.
    assert process.wait() in (-signal.SIGKILL, 0)
    assert len(parts_of(run)) >= 5
    assert pipeline(*arguments, cwd=tmp_path).code == 0
    assert row_hash(run) == row_hash(base)
    assert not list(run.rglob(".tmp-*"))


def test_a_whole_run_is_only_reported_again(base: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in base.glob("boards/*/*")}
    outcome = run_again(base.parent)
    assert "nothing left to solve" in outcome.err
    assert {path: path.stat().st_mtime_ns for path in base.glob("boards/*/*")} == before


def test_fewer_boards_than_stored_reports_the_first_of_them(base: Path) -> None:
    outcome = run_again(base.parent, "--json", boards=1_234)
    metrics = json.loads(outcome.out)["variants"]["new"]["metrics"]
    first = rows_of(base).filter((pl.col("dice") == "new") & (pl.col("board_id") < 1_234))
    assert metrics["score"]["mean"]["value"] == pytest.approx(first["score"].mean(), rel=1e-12)
    assert json.loads((base / "run.json").read_text())["plan"]["boards"] == BOARDS
    run_again(base.parent)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seed", 2), "seed is 1, not 2"),
        (("--words", "enable2k"), "word list"),
        (("--min-length", 4), "minimum length is 3, not 4"),
        (("--scoring", "super"), "scoring"),
    ],
)
def test_other_settings_in_the_same_folder_are_refused(base: Path, options: tuple[object, ...], message: str) -> None:
    arguments = ["run", "--boards", 10, "--dice", "classic", "--dice", "new", "--out", "r", *options]
    assert message in pipeline(*arguments, cwd=base.parent).error_line


def test_rows_are_what_shake_and_solve_give(base: Path) -> None:
    dice = load_dice("new")
    rows = rows_of(base).filter(pl.col("dice") == "new")
    assert rows["board_id"].to_list() == list(range(BOARDS))
    sample = rows.gather_every(399)
    for row in sample.iter_rows(named=True):
        shown = (
            pipeline("shake", "--index", row["board_id"], "--json", cwd=base.parent) if row["board_id"] < 799 else None
        )
        assert shown is None or json.loads(shown.out)[0]["board"] == row["board"]
    faces = [parse_board(text, 4, 4, dice.faces) for text in sample["board"]]
    ids = np.array([[dice.faces.index(face) for face in board] for board in faces], np.uint8)
    columns = solve(
        symbols_of_faces(ids, dice.faces, dice.alphabet), 4, 4, lexicon("enable1", dice.alphabet, 3, 16), solver="dfs"
    )
    for name in ("words", "score", "nodes", "longest", "dead_tiles"):
        np.testing.assert_array_equal(sample[name].to_numpy(), getattr(columns, name), name)
    np.testing.assert_array_equal(sample.select(LENGTHS).to_numpy(), columns.by_length)


def test_the_schema_is_the_promised_one(base: Path) -> None:
    part = next(base.glob("boards/dice=new/part-*"))
    schema = pl.read_parquet_schema(part)
    expected = {
        "board_id": pl.UInt64, "board": pl.String, "words": pl.UInt32, "score": pl.UInt32, "nodes": pl.UInt64,
        "ways": pl.UInt64,
        "longest": pl.UInt8, "dead_tiles": pl.UInt8, **dict.fromkeys(LENGTHS, pl.UInt32),
    }  # fmt: skip
    assert dict(schema) == expected
    assert list(schema) == list(expected)


def test_duckdb_and_pandas_free_readers_see_every_row(base: Path) -> None:
    found = duckdb.sql(
        f"SELECT dice, count(*), sum(score), count(DISTINCT board_id) FROM "
        f"read_parquet('{base}/boards/*/*.parquet', hive_partitioning=true) GROUP BY dice ORDER BY dice"
    ).fetchall()
    mine = (
        rows_of(base).group_by("dice").agg(pl.len(), pl.col("score").sum(), pl.col("board_id").n_unique()).sort("dice")
    )
    assert found == mine.rows()


def test_every_column_is_packed_in_a_way_that_every_duckdb_reads(base: Path) -> None:
    """DuckDB before 2.0 refuses BYTE_STREAM_SPLIT of whole numbers."""
    files = [*base.glob("boards/*/part-*"), *base.glob("words/*/part-*"), base / "words" / "lexicon.parquet"]
    assert len(files) == 9
    for file in files:
        group = pq.ParquetFile(file).metadata.row_group(0)
        counts = "boards" in pq.read_schema(file).names
        for column in (group.column(place) for place in range(group.num_columns)):
            packed = "DELTA_BINARY_PACKED" in column.encodings and not counts
            assert column.compression == ("UNCOMPRESSED" if packed else "ZSTD")
            assert set(column.encodings) <= {"PLAIN", "RLE", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY"}
            assert column.is_stats_set == (column.physical_type != "BYTE_ARRAY")


def test_word_counts_add_up_to_the_words_found(base: Path) -> None:
    for variant in ("classic", "new"):
        counts = pl.read_parquet(f"{base}/words/dice={variant}/part-*.parquet", hive_partitioning=False)
        rows = rows_of(base).filter(pl.col("dice") == variant)
        assert counts["boards"].sum() == rows["words"].sum()
        lengths = (
            counts.join(pl.read_parquet(base / "words/lexicon.parquet"), on="word_id")
            .group_by("length")
            .agg(pl.col("boards").sum())
        )
        for length, total in lengths.iter_rows():
            assert total == rows["words_16plus" if length >= 16 else f"words_{length}"].sum()


def test_every_part_carries_a_true_checksum_and_any_flipped_bit_shows(base: Path) -> None:
    parts = sorted(base.glob("*/*/part-*.parquet"))
    assert len(parts) == 12
    random = np.random.default_rng(5)
    data = parts[0].read_bytes()
    assert all(is_whole(part.read_bytes()) for part in parts)
    for place in random.integers(0, len(data), 300).tolist():
        broken = bytearray(data)
        broken[place] ^= 1 << int(random.integers(8))
        assert not is_whole(bytes(broken))
    assert not is_whole(data[:-1])
    assert not is_whole(b"")


def test_the_log_names_time_level_and_worker(base: Path) -> None:
    lines = (base / "run.log").read_text().splitlines()
    done = [line for line in lines if " done in " in line]
    assert len(done) == 4
    assert all(line.split()[2:4][0] == "INFO" and line.split()[3].startswith("worker-") for line in done)


def test_a_worker_never_imports_polars(tmp_path: Path) -> None:
    """Polars used in a parent and then in its forked child hangs: the pool is forked first, and workers do without."""
    script = (
        "import sys\n"
        "from pipeline import config\n"
        "from pipeline.runs import chunks, run\n"
        "from pipeline.cli.progress import RunProgress\n"
        "class Spy(chunks.RunChunk):\n"
        "    def __call__(self, chunk):\n"
        "        result = super().__call__(chunk)\n"
        "        assert 'polars' not in sys.modules\n"
        "        open(f'seen-{chunk.part.start}', 'w').close()\n"
        "        return result\n"
        "chunks.RunChunk = Spy\n"
        "resolved = config.load(None, {'boards': 3000, 'chunk': 1000, 'workers': 2, 'out': 'r'})\n"
        "run.run(resolved, RunProgress(True).callbacks())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("seen-*"))) == 3


def test_a_second_run_in_the_same_folder_at_the_same_time_is_refused(tmp_path: Path) -> None:
    arguments = ["run", "--boards", 2_000_000, "--out", "r", "--chunk", 1_000]
    first = start(*arguments, cwd=tmp_path)
    try:
        wait_for_parts(tmp_path / "r", first, 1)
        assert first.poll() is None
        assert (
            f"in use by process {first.pid} on {os.uname().nodename}" in pipeline(*arguments, cwd=tmp_path).error_line
        )
    finally:
        first.kill()
        first.wait()


def test_a_config_file_gives_options_and_flags_win(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('boards = 500\ndice = ["fr_4x4"]\nout = "r"\nseed = 9\n')
    assert pipeline("run", "--config", "c.toml", "--seed", 4, cwd=tmp_path).code == 0
    run = json.loads((tmp_path / "r/run.json").read_text())
    assert (run["plan"]["boards"], run["variants"], run["settings"]["seed"]) == (500, ["fr_4x4"], 4)


def test_the_default_folder_says_what_is_in_it_and_is_printed(tmp_path: Path) -> None:
    outcome = pipeline("run", "--boards", 100, "--seed", 7, cwd=tmp_path)
    (folder,) = (tmp_path / "outputs").iterdir()
    run_id = json.loads((folder / "run.json").read_text())["run_id"]
    assert folder.name == f"boggle-new-enable1-s7-{run_id[:8]}"
    assert f"outputs/{folder.name}" in outcome.err
    assert pipeline("report", folder.name, cwd=tmp_path).code == 0

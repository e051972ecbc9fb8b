"""A game, an executor and a mode of --keep that live in the tests alone go through the whole program."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.coins import KILL_AT, throw
from tests.waiting import LONG

ROOT = Path(__file__).parents[2]
MAIN = "from tests import coins; coins.register(); from pipeline.__main__ import main; main()"
RUN = ("run", "--game", "coins", "--spec", "c4", "--spec", "c6", "--seed", "3", "--chunk", "100", "--no-html")


def coins(*arguments: Any, cwd: Path, code: int = 0, **env: str) -> str:
    """What the program with the third game prints."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *map(str, arguments)],
        cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT), **env}, capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def rows(run: Path) -> pl.DataFrame:
    return pl.read_parquet(f"{run}/throws/coins=*/part-*.parquet", hive_partitioning=True).sort("coins", "throw_id")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("coins")
    coins(*RUN, "--boards", 1_000, "--out", "r", cwd=folder)
    return folder / "r"


def test_its_rows_are_its_own(whole: Path) -> None:
    found = rows(whole)
    assert found.height == 2_000
    for row in found.sample(50, seed=1).to_dicts():
        faces = throw(3, int(row["coins"][1:]), row["throw_id"])
        assert (row["faces"], row["heads"]) == (faces, faces.count("H"))


def test_killed_and_started_again_it_has_the_same_rows(whole: Path, tmp_path: Path) -> None:
    command = (*RUN, "--boards", 1_000, "--out", "r")
    coins(*command, "--executor", "serial", cwd=tmp_path, code=-signal.SIGKILL, **{KILL_AT: "550"})
    assert 0 < rows(tmp_path / "r").height < 2_000
    coins(*command, cwd=tmp_path)
    assert rows(tmp_path / "r").equals(rows(whole))


def test_it_is_extended(whole: Path, tmp_path: Path) -> None:
    coins(*RUN, "--boards", 300, "--out", "r", cwd=tmp_path)
    coins(*RUN, "--boards", 1_000, "--out", "r", cwd=tmp_path)
    assert rows(tmp_path / "r").equals(rows(whole))


def test_its_histograms_alone_give_the_same_figures(whole: Path, tmp_path: Path) -> None:
    coins(*RUN, "--boards", 1_000, "--out", "h", "--keep", "histograms", cwd=tmp_path)
    figures = [json.loads(coins("report", run, "--no-html", "--json", cwd=tmp_path)) for run in (whole, "h")]
    for purse in ("c4", "c6"):
        assert figures[0]["variants"][purse]["metrics"] == figures[1]["variants"][purse]["metrics"]
        best = [one["variants"][purse]["top_boards"] for one in figures]
        assert best[0] == best[1]
        assert best[0][0]["heads"] == int(purse[1:])
    assert "all as they should be" in coins("verify", "h", cwd=tmp_path)


def test_it_is_reported_compared_queried_and_verified(whole: Path, tmp_path: Path) -> None:
    mean = rows(whole).filter(pl.col("coins") == "c4")["heads"].mean()
    report = coins("report", whole, "--no-html", cwd=tmp_path)
    assert "c4: 1,000 throws\nper throw" in report
    assert f"{mean:.2f}" in report
    compared = json.loads(coins("compare", whole, "--json", cwd=tmp_path))[0]
    assert (compared["a"], compared["b"], compared["item"]) == ("c4", "c6", "throw")
    assert compared["categories"]["first"]["labels"].keys() == {"tails", "heads"}
    answer = coins(
        "query", whole, "SELECT coins, sum(heads) AS n FROM throws GROUP BY coins", "--format", "csv", cwd=tmp_path
    )
    assert f"c4,{rows(whole).filter(pl.col('coins') == 'c4')['heads'].sum()}" in answer
    assert "2,000 rows checked, 1,000 rows solved again: all as they should be" in coins("verify", whole, cwd=tmp_path)
    changed = next(whole.glob("throws/coins=c4/part-*300.parquet"))
    data = bytearray(changed.read_bytes())
    data[len(data) // 3] ^= 4
    broken = tmp_path / "broken"
    subprocess.run(["cp", "-r", whole, broken], check=True)
    (broken / changed.relative_to(whole)).write_bytes(bytes(data))
    assert "1 problem" in coins("verify", broken, cwd=tmp_path, code=1)


def test_its_page_has_its_own_names_and_no_dice(whole: Path, tmp_path: Path) -> None:
    coins("report", whole, cwd=tmp_path)
    page = (whole / "report/index.html").read_text()
    text = re.sub(r"<(style|svg|code).*?</\1>", "", page, flags=re.DOTALL)
    assert "1,000 throws of each purse, seed 3" in page
    assert "purse c4" in page.lower()
    assert "4 coins" in page
    for word in ("dice", "board", "word list"):
        assert not re.search(rf"\b{word}", text), word


def test_a_fifth_executor_is_a_class_and_an_entry(whole: Path, tmp_path: Path) -> None:
    coins(*RUN, "--boards", 1_000, "--out", "r", "--executor", "backwards", "--chunk", 300, cwd=tmp_path)
    assert rows(tmp_path / "r").equals(rows(whole))


def test_a_third_mode_is_an_object_and_an_entry(whole: Path, tmp_path: Path) -> None:
    """Rows, and nothing beside them: for letter dice without word counts, too."""
    coins(*RUN, "--boards", 1_000, "--out", "r", "--keep", "rows-alone", cwd=tmp_path)
    assert rows(tmp_path / "r").equals(rows(whole))
    out = coins("run", "--boards", 500, "--out", "b", "--keep", "rows-alone", "--no-html", cwd=tmp_path)
    assert "b-rows-alone" not in out
    assert sorted(path.name for path in (tmp_path / "b").iterdir() if path.is_dir()) == [
        "boards",
        "report",
        "sums",
        "words",
    ]
    assert [path.name for path in (tmp_path / "b/words").iterdir()] == ["lexicon.parquet"]
    assert "all as they should be" in coins("verify", "b", cwd=tmp_path)
    assert "keeps no word counts" in coins("words", "b", cwd=tmp_path, code=2)


def test_an_unknown_purse_is_refused_in_one_line(tmp_path: Path) -> None:
    (line,) = coins("run", "--game", "coins", "--spec", "6x6", cwd=tmp_path, code=2).splitlines()
    assert line == "error: purse '6x6' is not known; write --spec c3 for three coins"

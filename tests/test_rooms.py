"""The contract of imports holds, and it is one that a wrong import breaks."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [command, "--no-cache"], cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in ("pipeline", "solvers"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("module", "wrong", "broken"),
    [
        ("pipeline/store/parts.py", "from pipeline.runs import run", "rooms lie along the way of the data"),
        ("pipeline/runs/run.py", "import pipeline.report.write", "rooms lie along the way of the data"),
        ("solvers/grid.py", "import polars", "solvers are pure"),
        ("pipeline/executors/memory.py", "import polars", "what workers import is free of polars"),
        ("pipeline/stats/metric.py", "import pyarrow", "statistics see no row and no run"),
        (
            "pipeline/games/kenken/specs.py",
            "import pipeline.games.boggle.dice",
            "wings of one game do not know the other",
        ),
        ("pipeline/runs/ranking.py", "import pipeline.runs.rows", "no circle of modules within a room"),
    ],
)
def test_a_wrong_import_breaks_the_contract(copy: Path, module: str, wrong: str, broken: str) -> None:
    path = copy / module
    path.write_text(f"{path.read_text()}\n{wrong}\n")
    done = lint(copy)
    assert done.returncode != 0
    assert any(line.startswith(broken) and line.endswith("BROKEN") for line in done.stdout.splitlines()), done.stdout


def test_the_contract_holds_and_there_are_few_doors() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    beside_rooms = [path for path in (ROOT / "pipeline").iterdir() if path.is_file()]
    assert len(beside_rooms) <= 12

"""Workers that are spawned, as where a system has no safe fork: the same rows, logs and endings as forked ones."""

import json
import os
import signal
from pathlib import Path

import polars as pl
import psutil
import pytest

from tests.executors.test_executors import run_script
from tests.running import pipeline, row_hash, start
from tests.waiting import LONG, wait_for_parts, wait_until

SPAWN = {"SHAKEDOWN_START_METHOD": "spawn"}
RUN = ("run", "--boards", 6_000, "--chunk", 500, "--workers", 2, "--out", "r")


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run `r` by forked workers; tests must not change it."""
    folder = tmp_path_factory.mktemp("forked")
    assert pipeline(*RUN, cwd=folder).code == 0
    return folder / "r"


def workers_of(pid: int) -> list[psutil.Process]:
    """Spawned workers: the resource tracker of multiprocessing is none."""
    children = psutil.Process(pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@pytest.mark.parametrize(
    "keep", ["boards", *(pytest.param(keep, marks=pytest.mark.long) for keep in ("histograms", "none-but-top"))]
)
def test_the_same_rows_whatever_is_kept(tmp_path: Path, keep: str) -> None:
    for method, out in (("fork", "f"), ("spawn", "s")):
        arguments = (*RUN[:-1], out, "--keep", keep, "--dice", "classic", "--dice", "new")
        outcome = pipeline(*arguments, cwd=tmp_path, env={"SHAKEDOWN_START_METHOD": method})
        assert outcome.code == 0, outcome.err
    kinds = [path.name for path in (tmp_path / "f").iterdir() if list(path.glob("dice=*"))]
    assert kinds
    for kind in kinds:
        if kind == "histograms":
            continue
        assert row_hash(tmp_path / "f", f"{kind}/dice") == row_hash(tmp_path / "s", f"{kind}/dice")
    forked, spawned = (pl.read_parquet(tmp_path / out / "report/histograms.parquet") for out in "fs")
    assert forked.equals(spawned)


def test_the_same_puzzles_and_answers(tmp_path: Path) -> None:
    for method, out in (("fork", "f"), ("spawn", "s")):
        arguments = ("run", "--game", "kenken", "--spec", "4x4", "--boards", 600, "--chunk", 100, "--workers", 2)
        outcome = pipeline(*arguments, "--out", out, cwd=tmp_path, env={"SHAKEDOWN_START_METHOD": method})
        assert outcome.code == 0, outcome.err
    assert row_hash(tmp_path / "f", "puzzles/spec") == row_hash(tmp_path / "s", "puzzles/spec")
    for arguments in (
        ("kenken", "solve", "3:_a_aa_3a,a5a4a2m2s2", "--workers", 2, "--json"),
        ("shake", "--where", "words between 100 and 150", "--count", 5, "--workers", 2, "--json"),
    ):
        answers = [
            pipeline(*arguments, cwd=tmp_path, env={"SHAKEDOWN_START_METHOD": method}) for method in ("fork", "spawn")
        ]
        assert answers[0].code == 0
        shown = [{**json.loads(one.out), "seconds": 0} for one in answers]
        assert shown[0] == shown[1]


def test_every_record_of_a_worker_reaches_the_log(tmp_path: Path, forked: Path) -> None:
    outcome = pipeline(*RUN, cwd=tmp_path, env=SPAWN)
    assert outcome.code == 0, outcome.err
    assert row_hash(tmp_path / "r") == row_hash(forked)
    log = (tmp_path / "r/run.log").read_text().splitlines()
    done = [line for line in log if " worker-" in line and " done in " in line]
    assert len(done) == 12
    assert len({line.partition("chunk new ")[2].split()[0] for line in done}) == 12


def test_a_killed_worker_is_replaced(tmp_path: Path, forked: Path) -> None:
    process = start(*RUN, cwd=tmp_path, env=SPAWN)
    found: list[psutil.Process] = wait_until(lambda: workers_of(process.pid), "workers", process)
    found[0].kill()
    _, err = process.communicate(timeout=LONG)
    assert process.returncode == 0, err
    assert "a worker ended unexpectedly" in err
    assert row_hash(tmp_path / "r") == row_hash(forked)
    assert list((tmp_path / "r").rglob(".tmp-*")) == []


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long), signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path: Path, forked: Path, how: signal.Signals) -> None:
    process = start(*RUN[:2], 400_000, *RUN[3:], cwd=tmp_path, env=SPAWN)
    wait_for_parts(tmp_path / "r", process, 2)
    workers = workers_of(process.pid)
    assert workers
    os.kill(process.pid, how)
    _, err = process.communicate(timeout=LONG)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[how], err
    assert "Traceback" not in err
    _, alive = psutil.wait_procs(workers, timeout=LONG)
    assert alive == []
    if how != signal.SIGKILL:
        assert "the same command goes on: pipeline run" in err
        assert list((tmp_path / "r").rglob(".tmp-*")) == []


FOLLOWING = """
import os, signal, time
from pipeline.executors import make_executor, process
from pipeline.executors.base import Resources
process.end_with_parent = lambda parent: process.follow_parent()
os.environ["SHAKEDOWN_START_METHOD"] = "fork"
results = make_executor(Resources("process", 1, 4096)).run(lambda item: time.sleep(item) or os.getpid(), [0, 10**6])
print(next(results), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_ends_with_its_parent_without_the_kernel_s_help() -> None:
    """As elsewhere than on Linux: a thread of the worker waits for that."""
    done = run_script(FOLLOWING)
    assert done.returncode == -signal.SIGKILL, done.stderr
    worker = int(done.stdout)
    wait_until(lambda: not psutil.pid_exists(worker) or psutil.Process(worker).status() == "zombie", "its end")


def test_a_way_to_start_workers_that_is_not_known_is_refused(tmp_path: Path) -> None:
    outcome = pipeline(*RUN, cwd=tmp_path, env={"SHAKEDOWN_START_METHOD": "forkserver"})
    assert outcome.code == 2
    assert outcome.err.startswith("error: SHAKEDOWN_START_METHOD=forkserver is not known; known are fork and spawn")

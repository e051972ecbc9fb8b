"""The same rows from a Dask cluster, whatever happens to its processes."""

import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.config import RunConfig
from pipeline.errors import PipelineError
from pipeline.games import read_run
from pipeline.runs import chunks
from pipeline.runs.chunks import Chunk, RunChunk
from pipeline.runs.run import describe_run
from pipeline.store.parts import Part
from pipeline.store.run_store import create_or_open
from tests.forking import Forked
from tests.ports import free_port
from tests.running import pipeline, row_hash, start
from tests.stored import workload_of
from tests.waiting import LONG, wait_for_parts

ARGUMENTS = ("run", "--boards", 6_000, "--chunk", 250, "--dice", "classic", "--dice", "new", "--out", "r")


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers as plain processes: (address, [scheduler, worker, ...])."""
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    scheduler = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        address,
        "--no-dashboard",
        "--no-show",
    ]
    worker = [
        sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
        "--local-directory", str(folder),
    ]  # fmt: skip
    processes = [subprocess.Popen(scheduler, **quiet)]
    try:
        processes += [subprocess.Popen(worker, **quiet) for _ in range(workers)]
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> int:
    folder = tmp_path_factory.mktemp("pool")
    assert pipeline(*ARGUMENTS, cwd=folder).code == 0
    return row_hash(folder / "r")


def begin(folder: Path, address: str) -> Forked:
    return start(*ARGUMENTS, "--executor", "dask", "--scheduler", address, cwd=folder)


def test_a_killed_worker_changes_no_row(tmp_path: Path, wanted: int) -> None:
    with cluster(tmp_path, 2) as (address, processes):
        run = begin(tmp_path, address)
        wait_for_parts(tmp_path / "r", run, 4)
        processes[1].send_signal(signal.SIGKILL)
        _, err = run.communicate(timeout=LONG)
        assert run.returncode == 0, err
    assert row_hash(tmp_path / "r") == wanted
    assert len(list((tmp_path / "r").glob("boards/*/part-*"))) == 48


def test_a_lost_scheduler_is_one_clear_error_and_the_run_goes_on_with_another(tmp_path: Path, wanted: int) -> None:
    with cluster(tmp_path, 1) as (address, processes):
        run = begin(tmp_path, address)
        wait_for_parts(tmp_path / "r", run, 4)
        processes[0].send_signal(signal.SIGKILL)
        out, err = run.communicate(timeout=LONG)
    assert run.returncode == 1, err
    assert out == ""
    assert "Traceback" not in err
    assert f"lost the Dask cluster at {address}" in err
    committed = len(list((tmp_path / "r").glob("boards/*/part-*")))
    assert 4 <= committed < 48
    assert pipeline(*ARGUMENTS, cwd=tmp_path).code == 0
    assert row_hash(tmp_path / "r") == wanted


def test_an_address_where_nothing_answers_is_one_line(tmp_path: Path) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    line = pipeline(*ARGUMENTS, "--executor", "dask", "--scheduler", address, cwd=tmp_path).error_line
    assert f"no Dask scheduler answers at {address}" in line


def test_without_an_address_a_local_cluster_is_used(tmp_path: Path, wanted: int) -> None:
    outcome = pipeline(*ARGUMENTS, "--executor", "dask", "--workers", 2, cwd=tmp_path)
    assert outcome.code == 0, outcome.err
    assert row_hash(tmp_path / "r") == wanted


@pytest.fixture
def task(tmp_path: Path) -> RunChunk:
    workload = workload_of(RunConfig())
    return RunChunk(workload, create_or_open(str(tmp_path / "r"), describe_run(workload, 1_000, 1_000), read_run))


def test_what_dask_sends_and_shows_of_a_task_does_not_grow_with_the_word_list(task: RunChunk) -> None:
    """Dask pickles every task, and names it by its text where it has no name."""
    assert len(pickle.dumps(task)) < 10_000
    assert len(repr(task)) < 1_000


def test_a_scheduler_needs_neither_the_run_nor_its_words(task: RunChunk) -> None:
    """It unpickles every task; only a worker, which solves it, reads the store."""
    sent = pickle.dumps(task)
    shutil.rmtree(task.store.location)
    # What another test of this process has built for an equal run would do.
    chunks._workload.cache_clear()
    arrived = pickle.loads(sent)
    assert repr(arrived) == repr(task)
    with pytest.raises(PipelineError, match="has no word list"):
        arrived(Chunk("new", Part(0, 10)))

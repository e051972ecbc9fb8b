"""Runs in an object store, against a real S3 server on this machine."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pyarrow.fs as fs
import pytest

from pipeline.errors import PipelineError
from pipeline.runs.condense import chunk_tables
from pipeline.runs.opening import reader
from pipeline.store import lock, object_store
from pipeline.store.parts import Part
from tests.ports import free_port
from tests.running import pipeline, start
from tests.stored import make_run
from tests.waiting import LONG, wait_until

SECRET = "not-to-be-seen-anywhere"
ARGUMENTS = ("--boards", 4_000, "--chunk", 500, "--dice", "classic", "--dice", "new")


def answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/moto-api/", timeout=30).read()
    except OSError:
        return False
    return True


@contextmanager
def server(port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: answers(port), "an answer of the store", process)
        assert process.poll() is None
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server that no test stops."""
    port = free_port()
    with server(port):
        yield port


def environment(port: int) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "tester", "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip


def client(port: int) -> fs.S3FileSystem:
    return fs.S3FileSystem(
        endpoint_override=f"127.0.0.1:{port}", scheme="http", access_key="tester", secret_key=SECRET,
        region="us-east-1", allow_bucket_creation=True,
    )  # fmt: skip


def stored(port: int, prefix: str) -> list[str]:
    found = client(port).get_file_info(fs.FileSelector(prefix, recursive=True, allow_not_found=True))
    return sorted(info.path for info in found if info.type == fs.FileType.File)


def answer(run: str, env: dict[str, str] | None, cwd: Path) -> str:
    sums = "count(*) AS n, sum(score) AS s, sum(nodes) AS m, sum(board_id) AS i"
    sql = f"SELECT dice, {sums} FROM boards GROUP BY dice ORDER BY dice"
    outcome = pipeline("query", run, sql, "--format", "csv", cwd=cwd, env=env)
    assert outcome.code == 0, outcome.err
    return outcome.out


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("local")
    assert pipeline("run", *ARGUMENTS, "--out", "r", cwd=folder).code == 0
    return folder, answer("r", None, folder)


def test_a_run_in_a_store_can_be_killed_resumed_reported_queried_and_verified(
    port: int, tmp_path: Path, local: tuple[Path, str]
) -> None:
    env, run = environment(port), "s3://runs/some/prefix"
    client(port).create_dir("runs")
    process = start("run", *ARGUMENTS, "--out", run, cwd=tmp_path, env=env)
    wait_until(lambda: len(stored(port, "runs/some/prefix/boards")) >= 2, "two parts", process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = stored(port, "runs/some/prefix/boards")
    assert 2 <= len(done) < 16
    assert pipeline("run", *ARGUMENTS, "--out", run, cwd=tmp_path, env=env).code == 0
    assert set(done) < set(stored(port, "runs/some/prefix/boards"))
    assert answer(run, env, tmp_path) == local[1]
    mine = json.loads(pipeline("report", run, "--json", cwd=tmp_path, env=env).out)
    theirs = json.loads(pipeline("report", "r", "--json", cwd=local[0]).out)
    assert mine["variants"] == theirs["variants"]
    assert mine["comparisons"] == theirs["comparisons"]
    assert pipeline("compare", run, cwd=tmp_path, env=env).code == 0
    verified = pipeline("verify", run, cwd=tmp_path, env=env)
    assert verified.code == 0, verified.err
    every = stored(port, "runs/some/prefix")
    for path in every:
        with client(port).open_input_stream(path) as stream:
            assert SECRET.encode() not in stream.read()
    for path in tmp_path.rglob("*.log"):
        assert SECRET not in path.read_text()


def test_a_server_that_stops_in_the_middle_gives_one_clear_error_and_the_run_goes_on_later(
    port: int, tmp_path: Path, local: tuple[Path, str]
) -> None:
    stopping = free_port()
    with server(stopping) as moto:
        env = environment(stopping)
        client(stopping).create_dir("runs")
        process = start("run", *ARGUMENTS, "--boards", 400_000, "--out", "s3://runs/r", cwd=tmp_path, env=env)
        wait_until(lambda: len(stored(stopping, "runs/r/boards")) >= 2, "two parts", process)
        moto.kill()
        out, err = process.communicate(timeout=LONG)
    assert process.returncode == 1
    assert out == ""
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert "s3://runs/r" in errors[0]
    assert "what was committed is kept" in errors[0]
    assert SECRET not in err
    assert "Traceback" not in err
    env = environment(port)
    client(port).create_dir("runs")
    assert pipeline("run", *ARGUMENTS, "--out", "s3://runs/r", cwd=tmp_path, env=env).code == 0
    assert answer("s3://runs/r", env, tmp_path) == local[1]


def test_keys_given_as_options_are_not_written_down(port: int, tmp_path: Path) -> None:
    options = [f"endpoint=http://127.0.0.1:{port}", "access_key=tester", f"secret_key={SECRET}", "region=us-east-1"]
    flags = [word for option in [*options, "allow_bucket_creation=true"] for word in ("--storage-option", option)]
    outcome = pipeline("run", "--boards", 500, "--out", "s3://made-by-us/r", *flags, cwd=tmp_path)
    assert outcome.code == 0, outcome.err
    with client(port).open_input_stream("made-by-us/r/run.json") as stream:
        text = stream.read().decode()
    assert SECRET not in text
    assert "secret_key=..." in text
    assert pipeline("report", "s3://made-by-us/r", *flags, cwd=tmp_path).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "ftp://x/y"], "cannot store a run at ftp://x/y"),
        (["--out", "s3://"], "cannot store a run at s3://"),
        (["--out", "s3://b/r", "--storage-option", "secret"], "has no ="),
        (["--out", "s3://b/r", "--storage-option", "secrt_key=x"], "did you mean secret_key"),
    ],
)
def test_a_wrong_address_or_option_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    assert message in pipeline("run", "--boards", 10, *arguments, cwd=tmp_path).error_line


def test_a_bucket_that_does_not_exist_is_named(port: int, tmp_path: Path) -> None:
    outcome = pipeline("run", "--boards", 10, "--out", "s3://nowhere/r", cwd=tmp_path, env=environment(port))
    assert "bucket 'nowhere' does not exist" in outcome.error_line


@contextmanager
def options_of(port: int) -> Iterator[None]:
    """Object stores of this process, for a while."""
    environment = {"endpoint": f"http://127.0.0.1:{port}", "access_key": "a", "secret_key": SECRET}
    kept = dict(object_store._options)
    object_store.set_options([f"{key}={value}" for key, value in {**environment, "region": "us-east-1"}.items()])
    try:
        yield
    finally:
        object_store._options.clear()
        object_store._options.update(kept)


def test_a_lease_is_one_owners_and_what_has_run_out_is_taken_over(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    client(port).create_dir("leases")
    with options_of(port):
        with lock.hold_run("s3://leases/r") as first:
            with pytest.raises(PipelineError, match="is in use by process"), lock.hold_run("s3://leases/r"):
                raise AssertionError("two owners")
            monkeypatch.setattr(lock, "LEASE_SECONDS", -1.0)
            first._write()
            with lock.hold_run("s3://leases/r") as second:
                monkeypatch.setattr(lock, "RENEW_AFTER", 0.0)
                with pytest.raises(PipelineError, match="was taken over by another process"):
                    first.renew()
                second.renew()
        assert stored(port, "leases/r") == [], "both have gone"


def test_a_put_without_the_lease_is_refused(port: int, tmp_path: Path) -> None:
    client(port).create_dir("puts")
    with options_of(port):
        store = make_run(tmp_path, out="s3://puts/r", boards=1_000, dice=["new"], executor="serial")
        tables = chunk_tables(reader(store).workload, store.mode, "new", Part(1_000, 2_000))
        with lock.hold_run("s3://puts/r") as lease:
            with pytest.raises(PipelineError, match="was taken over by another process"):
                replace(store, holder="somebody who had it before").commit("new", Part(1_000, 2_000), tables)
            assert len(stored(port, "puts/r/boards")) == 1
            replace(store, holder=lease.token).commit("new", Part(1_000, 2_000), tables)
        assert len(stored(port, "puts/r/boards")) == 2

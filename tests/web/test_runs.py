"""Runs over HTTP: what is listed, how far each is, and runs that are started, watched, stopped and gone on with."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest
from starlette.testclient import TestClient

from pipeline.games.boggle.dice import load_dice
from pipeline.runs.opening import open_run
from pipeline.web.app import create_app
from pipeline.web.events import Speeds
from pipeline.web.running import is_running
from pipeline.web.service import Service
from pipeline.web.settings import Limits, Settings
from solvers.boggle.solve import find_words
from solvers.grid import parse_board
from tests.golden_data import lexicon
from tests.waiting import LONG, wait_until
from tests.web.conftest import BASE, HERE, PATIENT, listening
from tests.web.test_api import problem

HOLD = """
import sys, time
from pathlib import Path
from pipeline.store.lock import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def several(outputs: Path, service: Service, tmp_path: Path) -> Iterator[tuple[TestClient, Path]]:
    """A server over runs of every state: done, stopped, broken."""
    folder = tmp_path / "outputs"
    shutil.copytree(outputs / "first", folder / "done")
    shutil.copytree(outputs / "second", folder / "stopped")
    plan(folder / "stopped", 900)
    (folder / "broken").mkdir()
    (folder / "broken" / "run.json").write_text("{")
    (folder / "no-run").mkdir()
    with server(folder, service) as client:
        yield client, folder


@contextmanager
def server(folder: Path, service: Service, allow_runs: int = 0) -> Iterator[TestClient]:
    settings = Settings(outputs=folder, limits=PATIENT, allow_runs=allow_runs)
    with TestClient(create_app(service=Service(settings, service.books)), base_url=BASE, client=HERE) as client:
        yield client


def plan(folder: Path, boards: int) -> None:
    """Plan another number of boards, as `pipeline run` does for more."""
    store = open_run(str(folder))
    store.rewritten(plan=store.run.plan.model_copy(update={"boards": boards}))


def runs(client: TestClient, **query: Any) -> dict[str, dict[str, Any]]:
    return {run["name"]: run for run in client.get("/api/v1/runs", params=query).json()["runs"]}


def rows_of(folder: Path) -> int:
    """Rows by an independent reader of the parts that are there."""
    parts = [str(path) for path in folder.glob("boards/*/part-*.parquet")]
    if not parts:
        return 0
    ((count,),) = duckdb.sql("select count(*) from read_parquet($parts)", params={"parts": parts}).fetchall()
    return int(count)


def test_state_and_rows_are_those_of_the_folder(several: tuple[TestClient, Path]) -> None:
    client, folder = several
    found = runs(client)
    assert {name: run["state"] for name, run in found.items()} == {
        "done": "done", "stopped": "stopped", "broken": "broken",
    }  # fmt: skip
    assert (found["done"]["stored"], found["done"]["planned"], found["done"]["boards"]) == (300, 300, 300)
    assert (found["stopped"]["stored"], found["stopped"]["planned"]) == (300, 900)
    for name in ("done", "stopped"):
        assert found[name]["stored"] == rows_of(folder / name)
        every = sum(path.stat().st_size for path in (folder / name).rglob("*") if path.is_file())
        charts = sum(path.stat().st_size for path in (folder / name).glob("report/charts/*"))
        lists = sum(path.stat().st_size for path in (folder / name).glob("words/*.parquet"))
        assert found[name]["bytes"] == every - charts - lists
        assert found[name]["problem"] is None
    assert "run.json" in found["broken"]["problem"]


def test_a_run_goes_on_while_its_lock_is_held(several: tuple[TestClient, Path]) -> None:
    client, folder = several
    with subprocess.Popen([sys.executable, "-c", HOLD, str(folder / "done")], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert runs(client)["done"]["state"] == "running"
        holder.kill()  # so that it leaves its name in the lock file
    assert (folder / "done" / "run.lock").read_text().startswith("process ")
    assert runs(client)["done"]["state"] == "done"


@pytest.mark.parametrize("content", ["", "process", "process 1 on", "process x on here", "process 1 on here and there"])
def test_a_strange_lock_file_is_nobody(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.lock").write_text(content)
    assert is_running(tmp_path) is False
    (tmp_path / "run.lock").write_text(f"process {os.getpid()} on {socket.gethostname()}\n")
    assert is_running(tmp_path) is False
    (tmp_path / "run.lock").write_text("process 1 on another.machine\n")
    assert is_running(tmp_path) is True


def test_runs_are_searched_sorted_and_paged(several: tuple[TestClient, Path]) -> None:
    client, _ = several
    assert list(runs(client, sort="name")) == ["broken", "done", "stopped"]
    assert next(iter(runs(client, sort="size"))) in ("done", "stopped")
    for search, names in (("classic", {"done"}), ("STOP", {"stopped"}), ("enable1", {"done", "stopped"}), ("%", set())):
        assert runs(client, search=search).keys() == names
    pages = [client.get("/api/v1/runs", params={"sort": "name", "limit": 1, "offset": n}).json() for n in range(4)]
    assert [[run["name"] for run in page["runs"]] for page in pages] == [["broken"], ["done"], ["stopped"], []]
    assert {page["total"] for page in pages} == {3}


def test_a_run_is_shown_with_the_summary_of_its_report(client: TestClient, outputs: Path) -> None:
    found = client.get("/api/v1/runs/first").json()
    summary = json.loads((outputs / "first" / "report" / "summary.json").read_text())
    assert found["summary"] == summary
    assert found["settings"]["words"] == "enable1"
    assert found["command"].startswith("pipeline run --boards 300")
    assert client.get("/api/v1/runs/broken").json()["state"] == "broken"
    problem(client.get("/api/v1/runs/none"), 404, "name")


def words_by_board(outputs: Path, name: str, dice: str) -> tuple[Counter[str], list[tuple[int, int, str]]]:
    """Boards of each word, and (score, id, board) of each board, by the plain solver."""
    path = str(outputs / name / "boards" / "*" / "*.parquet")
    boards = duckdb.sql("select board_id, board from read_parquet($path) order by 1", params={"path": path}).fetchall()
    alphabet = load_dice(dice).alphabet
    book = lexicon("enable1", alphabet, 3, 16)
    counted: Counter[str] = Counter()
    scores = []
    for number, board in boards:
        ids, figures = find_words(alphabet.ids(parse_board(board, 4, 4)), 4, 4, book, "dfs")
        counted.update(book.words[word] for word in ids)
        scores.append((int(figures.score[0]), number, board))
    return counted, scores


def test_words_and_boards_of_a_run_are_those_of_the_solver(client: TestClient, outputs: Path) -> None:
    counted, scores = words_by_board(outputs, "first", "classic")
    commonest = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    found = client.get("/api/v1/runs/first/words", params={"limit": 30, "offset": 5}).json()
    assert [(one["word"], one["boards"]) for one in found["words"]] == commonest[5:35]
    assert found["total"] == len(commonest)
    rarest = client.get("/api/v1/runs/first/words", params={"limit": 10, "rarest": True}).json()["words"]
    assert [one["boards"] for one in rarest] == sorted(counted.values())[:10]
    for worst, order in ((False, sorted(scores, key=lambda row: (-row[0], row[1]))), (True, sorted(scores))):
        found = client.get("/api/v1/runs/first/boards", params={"limit": 7, "offset": 2, "worst": worst}).json()
        assert [(one["score"], one["board_id"], one["board"]) for one in found["boards"]] == order[2:9]
        assert found["total"] == 300
    assert "classic" in problem(client.get("/api/v1/runs/first/words?variant=new"), 422, "variant")


def test_comparisons_come_as_numbers_and_as_texts(client: TestClient) -> None:
    found = client.get("/api/v1/compare?run=first&run=second").json()
    assert "new against classic" in found["tables"][0]["title"]
    assert len(found["comparisons"]) == len(found["tables"]) == 1
    counted = {name: words_of(client, name) for name in ("first", "second")}
    shown = json.dumps(found["comparisons"][0])
    assert f"{counted['second'] - counted['first']:.6f}"[:6] in shown


def words_of(client: TestClient, name: str) -> float:
    summary = client.get(f"/api/v1/runs/{name}").json()["summary"]
    (section,) = summary["variants"].values()
    return float(section["metrics"]["words"]["mean"]["value"])


def test_the_report_runs_no_script_whatever_lies_in_its_place(several: tuple[TestClient, Path]) -> None:
    client, folder = several
    (folder / "done" / "report" / "index.html").write_text("<script>alert(1)</script>")
    answer = client.get("/api/v1/runs/done/report")
    policy = answer.headers["content-security-policy"]
    assert "sandbox" in policy
    for allowed in ("allow-scripts", "allow-same-origin", "script-src", "unsafe-eval"):
        assert allowed not in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    "summary",
    [
        "[]",
        "{",
        "null",
        '{"variants": 3}',
        '{"variants": {"classic": {"metrics": {"words": {"mean": 1}}, "top_boards": [1, {}]}}}',
    ],
)
def test_a_hostile_summary_breaks_no_page(several: tuple[TestClient, Path], summary: str) -> None:
    client, folder = several
    (folder / "done" / "report" / "summary.json").write_text(summary)
    assert client.get("/runs/done").status_code in (200, 404)
    assert client.get("/api/v1/runs/done").status_code in (200, 404)


def test_markup_in_a_run_is_escaped(several: tuple[TestClient, Path]) -> None:
    client, folder = several
    (folder / "done").rename(folder / "<img src=x>")
    html = client.get("/runs").text
    assert "<img" not in html
    assert "&lt;img src=x&gt;" in html
    assert client.get("/runs/%3Cimg%20src%3Dx%3E").status_code == 200


def test_no_run_is_started_where_none_is_allowed(client: TestClient) -> None:
    assert "--allow-runs" in problem(client.post("/api/v1/runs", json={"boards": 10}), 403)
    problem(client.post("/api/v1/runs/first/stop"), 403)
    assert "start-form" not in client.get("/runs").text


@pytest.fixture
def allowed(service: Service, tmp_path: Path) -> Iterator[tuple[TestClient, Path]]:
    folder = tmp_path / "outputs"
    folder.mkdir()
    with server(folder, service, 20_000_000) as client:
        yield client, folder


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"boards": -1}, "boards"),
        ({"boards": 0}, "boards"),
        ({"boards": 20_000_001}, "boards"),
        ({"boards": 10**30}, "boards"),
        ({"boards": "10"}, "boards"),
        ({"boards": 10, "workers": 0}, "workers"),
        ({"boards": 10, "workers": 1000}, "workers"),
        ({"boards": 10, "workers": -(10**20)}, "workers"),
        ({"boards": 10, "seed": -1}, "seed"),
        ({"boards": 10, "seed": 2**64}, "seed"),
        ({"boards": 10, "dice": []}, "dice"),
        ({"boards": 10, "dice": ["new"] * 5}, "dice"),
        ({"boards": 10, "dice": ["nwe"]}, "dice"),
        ({"boards": 10, "dice": ["/etc/passwd"]}, "dice"),
        ({"boards": 10, "dice": ["--help"]}, "dice"),
        ({"boards": 10, "words": "../x"}, "words"),
        ({"boards": 10, "words": "enabel1"}, "dice"),
        ({"boards": 10, "out": "/tmp/x"}, "out"),
        ({"boards": 10, "keep": "all"}, "keep"),
        ({}, "boards"),
    ],
)
def test_runs_that_cannot_be_are_refused(
    allowed: tuple[TestClient, Path], request_: dict[str, Any], field: str
) -> None:
    client, folder = allowed
    answer = client.post("/api/v1/runs", json=request_)
    problem(answer, 422)
    assert answer.json()["errors"][0]["field"].partition(".")[0] == field
    assert list(folder.iterdir()) == []


def test_another_site_starts_and_stops_nothing(allowed: tuple[TestClient, Path]) -> None:
    client, folder = allowed
    for origin in ("https://example.org", "null", "http://127.0.0.1:1", "http://127.0.0.1.example.org"):
        problem(client.post("/api/v1/runs", json={"boards": 10}, headers={"Origin": origin}), 403)
        problem(client.post("/api/v1/runs/x/stop", headers={"Origin": origin}), 403)
    form = client.post("/api/v1/runs", data={"boards": "10"})
    problem(form, 415)
    assert list(folder.iterdir()) == []


def test_a_run_is_started_and_its_figures_are_those_of_the_command_line(
    allowed: tuple[TestClient, Path], outputs: Path
) -> None:
    client, folder = allowed
    request = {"boards": 300, "dice": ["classic"], "workers": 1}
    name = client.post("/api/v1/runs", json=request).json()["name"]
    run = wait_until(lambda: (found := runs(client).get(name)) and found["report"] and found, "the run with its report")
    assert (run["state"], run["stored"], run["planned"]) == ("done", 300, 300)
    assert rows_of(folder / name) == 300
    ours = (folder / name / "report" / "summary.json").read_text()
    theirs = (outputs / "first" / "report" / "summary.json").read_text()
    assert json.loads(ours)["variants"] == json.loads(theirs)["variants"]


def test_a_run_is_stopped_and_gone_on_with_from_the_command_line(allowed: tuple[TestClient, Path]) -> None:
    client, folder = allowed
    request = {"boards": 20_000_000, "dice": ["new"], "workers": 1, "keep": "boards", "seed": 5}
    name = client.post("/api/v1/runs", json=request).json()["name"]
    run = wait_until(lambda: (found := runs(client).get(name)) and found["stored"] and found, "the first rows")
    assert run["state"] == "running"
    assert "goes on" in problem(client.post("/api/v1/runs", json={"boards": 10}), 409)
    assert client.post(f"/api/v1/runs/{name}/stop").status_code == 204
    wait_until(lambda: runs(client)[name]["state"] == "stopped", "the end of it")
    stored = runs(client)[name]["stored"]
    assert 0 < stored == rows_of(folder / name) < 20_000_000
    assert "pipeline run" in client.get(f"/runs/{name}").text
    wait_until(lambda: client.post(f"/api/v1/runs/{name}/stop").status_code == 409, "the end of its process")
    plan(folder / name, stored + 10)
    typed = client.get(f"/api/v1/runs/{name}").json()["command"]
    command = [sys.executable, "-m", "pipeline", *typed.split()[1:]]
    command[command.index("--boards") + 1] = str(stored + 10)
    subprocess.run(command, cwd=folder.parent, check=True, capture_output=True, timeout=LONG)
    run = runs(client)[name]
    assert (run["state"], run["stored"], run["planned"]) == ("done", stored + 10, stored + 10)


@contextmanager
def watched(port: int, *names: str) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
    """Events of a stream."""
    with httpx.stream(
        "GET", f"http://127.0.0.1:{port}/api/v1/events", params={"run": list(names)}, timeout=LONG
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")

        def events() -> Iterator[tuple[str, dict[str, Any]]]:
            kind, end = "", time.monotonic() + LONG
            for line in answer.iter_lines():
                assert time.monotonic() < end, "the event that was waited for"
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield kind, json.loads(line.removeprefix("data: "))

        yield events()


@pytest.fixture
def live_runs(service: Service, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    folder = tmp_path / "outputs"
    folder.mkdir()
    settings = Settings(outputs=folder, limits=PATIENT, allow_runs=20_000_000)
    with listening(create_app(service=Service(settings, service.books))) as port:
        yield port, folder


def test_two_watchers_see_a_run_from_its_start_over_its_death_to_its_end(live_runs: tuple[int, Path]) -> None:
    port, folder = live_runs
    api = f"http://127.0.0.1:{port}/api/v1"
    with watched(port) as one, watched(port) as two:
        request = {"boards": 20_000_000, "workers": 1, "seed": 8, "keep": "boards"}
        name = httpx.post(f"{api}/runs", json=request, timeout=LONG).json()["name"]
        numbers = []
        for kind, run in one:
            assert kind == "run"
            if run["name"] == name and run["state"] == "running":
                numbers.append(run["stored"])
                if run["stored"] and run["rate"]:
                    assert run["seconds_left"] > 0
                    break
        assert numbers == sorted(numbers)
        assert numbers[-1] <= rows_of(folder / name)
        process = int((folder / name / "run.lock").read_text().split()[1])
        os.killpg(process, signal.SIGKILL)
        for events in (one, two):
            last = next(
                run for _, run in events if run["name"] == name and run["state"] == "stopped" and run["failure"]
            )
            assert last["stored"] == rows_of(folder / name)
            assert "signal 9" in last["failure"]
        assert httpx.get(f"{api}/health").json()["status"] == "ok"
        shutil.rmtree(folder / name)
        assert next(run["name"] for kind, run in two if kind == "gone") == name


def test_a_watcher_is_told_at_once_of_the_runs_it_names(live_runs: tuple[int, Path], outputs: Path) -> None:
    port, folder = live_runs
    shutil.copytree(outputs / "first", folder / "first")
    shutil.copytree(outputs / "second", folder / "second")
    with watched(port, "second", "none") as events:
        found = [next(events), next(events)]
    assert [(kind, run["name"]) for kind, run in found] == [("run", "second"), ("gone", "none")]
    assert found[0][1]["stored"] == 300


def test_two_hundred_streams_are_open_at_once_and_more_than_the_limit_are_not(live_runs: tuple[int, Path]) -> None:
    port, _ = live_runs
    ask = b"GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n"
    sockets = []
    try:
        for _ in range(200):
            sockets.append(socket.create_connection(("127.0.0.1", port), timeout=LONG))
            sockets[-1].sendall(ask)
        for stream in sockets:
            assert b"200 OK" in stream.recv(4096)
        answer = httpx.post(f"http://127.0.0.1:{port}/api/v1/solve", json={"board": "a" * 16}, timeout=LONG)
        assert answer.status_code == 200
        for _ in range(Limits().streams - 200):
            sockets.append(socket.create_connection(("127.0.0.1", port), timeout=LONG))
            sockets[-1].sendall(ask)
            assert b"200 OK" in sockets[-1].recv(4096)
        refused = httpx.get(f"http://127.0.0.1:{port}/api/v1/events", timeout=LONG)
        problem(refused, 503)
    finally:
        for stream in sockets:
            with suppress(OSError):
                stream.close()
    url = f"http://127.0.0.1:{port}/api/v1/events"

    def free() -> bool:
        with httpx.stream("GET", url, timeout=LONG) as answer:
            return answer.status_code == 200

    wait_until(free, "a free place once the others have gone")


def test_speed_is_measured_over_the_last_looks() -> None:
    speeds = Speeds()

    def run(stored: int, state: str = "running") -> dict[str, dict[str, Any]]:
        return {"a": {"name": "a", "state": state, "stored": stored, "planned": 10_000}}

    assert speeds.add(run(0), 0.0)["a"]["rate"] is None
    assert speeds.add(run(100), 1.0)["a"] | {"rate": 100.0, "seconds_left": 99.0} == speeds.add(run(100), 1.0)["a"]
    for second in range(2, 40):
        found = speeds.add(run(100 + 50 * (second - 1)), float(second))["a"]
    assert found["rate"] == 50.0
    assert found["seconds_left"] == (10_000 - 2_000) / 50
    assert speeds.add(run(2000, "stopped"), 41.0)["a"]["rate"] is None
    assert speeds.add(run(2000), 42.0)["a"]["rate"] is None

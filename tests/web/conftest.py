"""One application for all tests of the API, with runs of its own beside it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.testclient import TestClient

from pipeline.web.app import create_app
from pipeline.web.server import configuration
from pipeline.web.service import Service
from pipeline.web.settings import Limits, Settings
from tests.forking import Forked
from tests.waiting import LONG

WORDS = "\n".join("a" * length for length in range(1, 37))
"""A list that makes a board of equal letters as slow as can be."""
BASE = "http://127.0.0.1"
HERE = ("127.0.0.1", 50_000)
"""Address of a client on this machine."""
PATIENT = Limits(solve_seconds=120, build_seconds=120, kenken_seconds=240, run_seconds=120)
"""A busy machine must not turn a right answer into 503; the tests of the limits themselves set their own."""


@pytest.fixture(scope="session")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """outputs/ with two small runs, a folder that is no run, and a broken one."""
    folder = tmp_path_factory.mktemp("web")
    command = ("run", "--boards", 300, "--workers", 1, "-q")
    runs = [
        Forked([*command, "--dice", dice, "--out", f"outputs/{name}"], folder)
        for name, dice in (("first", "classic"), ("second", "new"))
    ]
    assert [run.wait(LONG) for run in runs] == [0, 0]
    outputs = folder / "outputs"
    (outputs / "empty").mkdir()
    (outputs / "broken").mkdir()
    (outputs / "broken" / "run.json").write_text("{")
    (folder / "secret.md").write_text("not to be read")
    return outputs


@pytest.fixture(scope="session")
def service(outputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Service:
    words = tmp_path_factory.mktemp("words") / "aaa.txt"
    words.write_text(WORDS)
    service = Service(Settings(words=(str(words),), outputs=outputs, limits=PATIENT))
    service.prepare()
    return service


@contextmanager
def listening(app: FastAPI, limits: Limits = PATIENT) -> Iterator[int]:
    """The application behind a socket of 127.0.0.1, served by a thread; gives the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configuration(app, limits))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


@pytest.fixture(scope="session")
def live(service: Service) -> Iterator[str]:
    """Address of a server over the same books."""
    with listening(create_app(service=Service(service.settings, service.books))) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def client(service: Service) -> Iterator[TestClient]:
    """Errors of the server's own are raised into the test."""
    with TestClient(create_app(service=service), base_url=BASE, client=HERE) as client:
        yield client


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The pages of runs on a phone take minutes in a browser: they are run with -m long."""
    for item in items:
        if "test_browser_runs.py" in item.nodeid and "[phone" in item.nodeid:
            item.add_marker(pytest.mark.long)

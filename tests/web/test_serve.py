"""`pipeline serve` refuses what it cannot use in one line."""

import socket
import sys

import pytest

from tests.running import pipeline_inside


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--port 0 --words enabel1", "did you mean enable1"),
        ("--port 0 --words missing.txt", "missing.txt does not exist"),
        ("--port 0 --cors example.org", "is not an origin"),
        ("--port 0 --cors *", "is not an origin"),
        ("--port 0 --host no.such.host.invalid", "--host no.such.host.invalid"),
        ("--port 70000", "--port"),
    ],
)
def test_wrong_options_are_one_line(
    arguments: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = pipeline_inside(["serve", *arguments.split()], capsys, monkeypatch)
    assert outcome.code == 2
    assert said in outcome.err.splitlines()[-1]


def test_a_port_in_use_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = pipeline_inside(["serve", "--port", str(port)], capsys, monkeypatch).error_line
    assert f"cannot listen on 127.0.0.1 port {port}" in line
    assert "another --port" in line


def test_a_missing_extra_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pipeline.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'shakedown-boards[web]'" in pipeline_inside(["serve"], capsys, monkeypatch).error_line

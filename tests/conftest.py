"""An empty cache of compiled kernels is filled once, before the workers of pytest would all do it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import compiling


def pytest_sessionstart(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput") or not compiling.is_cold():
        return
    command = [sys.executable, "-m", "tests.compiling"]
    started = [subprocess.Popen([*command, game], cwd=Path(__file__).parents[1]) for game in compiling.GAMES]
    # A failure shows again, with its reason, in every test of that game.
    for process in started:
        process.wait()

"""For all tests: kernels are compiled once, and no test of hypothesis has a deadline.

An empty cache of compiled kernels is filled before every worker of pytest does it for itself. What no run needs is
compiled by the first test that does, which then takes seconds.
"""

from pathlib import Path

import pytest
from hypothesis import settings

from pipeline.store.run_store import RunStore
from tests import compiling
from tests.stored import make_run

settings.register_profile("shakedown", deadline=None)
settings.load_profile("shakedown")


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput") and compiling.is_cold():
        compiling.compile_at_once()


@pytest.fixture(scope="session")
def two_sets(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """2,500 boards of classic and of new with enable1 in parts of 1,000; tests must not change it."""
    folder: Path = tmp_path_factory.mktemp("stored") / "two-sets"
    return make_run(folder, boards=2_500, dice=["classic", "new"])

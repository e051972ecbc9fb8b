"""For all tests: kernels are compiled once, and no test of hypothesis has a deadline.

An empty cache of compiled kernels is filled before every worker of pytest does it for itself. What no run needs is
compiled by the first test that does, which then takes seconds.
"""

import pytest
from hypothesis import settings

from tests import compiling

settings.register_profile("shakedown", deadline=None)
settings.load_profile("shakedown")


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput") and compiling.is_cold():
        compiling.compile_at_once()

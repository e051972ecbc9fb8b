"""An empty cache of compiled kernels is filled once, before every worker of pytest does it for itself."""

import pytest

from tests import compiling


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput") and compiling.is_cold():
        compiling.compile_at_once()

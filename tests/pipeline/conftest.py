"""A small stored run that report tests share."""

from pathlib import Path

import pytest

from pipeline.storage import RunStore
from tests.pipeline.stored import make_run


@pytest.fixture(scope="session")
def two_sets(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """2,500 boards of classic and of new with enable1 in parts of 1,000; tests must not change it."""
    folder: Path = tmp_path_factory.mktemp("stored") / "two-sets"
    return make_run(folder, boards=2_500, dice=["classic", "new"])

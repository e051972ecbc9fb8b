import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="session")
def path_counts():
    """Published numbers of paths by grid: {"3x4": {"by_cells": {"1": 12, ...}, "total": ...}, ...}."""
    return json.loads((GOLDEN / "path_counts.json").read_text())["boards"]


@pytest.fixture(scope="session")
def path_totals():
    """Published total of paths on square grids of side 1, 2, ... (OEIS A236690)."""
    return json.loads((GOLDEN / "path_counts.json").read_text())["oeis_A236690"]

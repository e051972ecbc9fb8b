"""Compiles the kernels that most tests use. `python -m tests.compiling boggle|kenken`."""

import sys
from pathlib import Path

import numba

from pipeline.config import RunConfig
from pipeline.run import make_workload
from solvers import jit


def is_cold() -> bool:
    """Nothing is compiled yet, and what is compiled will be kept."""
    return jit.CACHED and not any(Path(numba.config.CACHE_DIR).rglob("*.nbi"))


def boggle() -> None:
    for solver in ("numba", "dfs"):
        make_workload(RunConfig(dice=["new"], solver=solver)).prepare()


def kenken() -> None:
    make_workload(RunConfig(game="kenken", spec=["6x6"])).prepare()


GAMES = {"boggle": boggle, "kenken": kenken}

if __name__ == "__main__":
    GAMES[sys.argv[1]]()

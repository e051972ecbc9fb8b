"""Fills the cache with the compiled kernels that most tests use: `python -P tests/compiling.py`.

By path and without its folder, so that the package that is installed is compiled, which is also what the tests import.
"""

import subprocess
import sys
from pathlib import Path

import numba

from pipeline.config import RunConfig
from pipeline.games import game
from pipeline.store.kinds import ROWS
from solvers import jit


def cache() -> Path:
    """The folder of compiled kernels, which `solvers.jit` has chosen."""
    return Path(numba.config.CACHE_DIR)


def is_cold() -> bool:
    """Nothing is compiled yet, and what is compiled will be kept."""
    return jit.CACHED and not any(cache().rglob("*.nbi"))


def boggle() -> None:
    for solver in ("numba", "dfs"):
        game("boggle").workload(RunConfig(dice=["new"], solver=solver), ROWS).prepare()


def kenken() -> None:
    game("kenken").workload(RunConfig(game="kenken", spec=["6x6"]), ROWS).prepare()


GAMES = {"boggle": boggle, "kenken": kenken}


def compile_at_once() -> None:
    """All games, each in a process of its own; what fails shows again, with its reason, in the tests of that game."""
    started = [subprocess.Popen([sys.executable, "-P", __file__, game]) for game in GAMES]
    for process in started:
        process.wait()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        GAMES[sys.argv[1]]()
    else:
        compile_at_once()

"""Letter boards: solve them, trace a word, count paths."""

from solvers.boggle.paths import count_paths
from solvers.boggle.solve import solve
from solvers.boggle.trace import trace

__all__ = ["count_paths", "solve", "trace"]

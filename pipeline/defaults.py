"""What a run does unless it is told otherwise: for the config, and for help that must not wait for it to load."""

from typing import Any

DEFAULTS: dict[str, Any] = {
    "game": "boggle",
    "boards": 100_000,
    "dice": ["new"],
    "spec": ["6x6"],
    "node_limit": 10_000_000,
    "words": "enable1",
    "seed": 1,
    "worker_memory": 4096,
    "solver": "numba",
    "executor": "process",
}
"""By option; those that are not here have no value of their own."""
QUERY_MEMORY = 1_000
"""Megabytes that a query may hold; what sorts and groups need beyond goes to temporary files."""

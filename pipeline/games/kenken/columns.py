"""Names, columns and metrics of KenKen puzzles."""

import pyarrow as pa

from pipeline.games.game import Layout
from pipeline.stats.metric import Metric
from solvers.kenken import GRADES, STATUSES

OPERATORS = ("given", "plus", "minus", "times", "divide", "hidden")
"""Columns of cages by operator, in the order of operator codes."""
GRADE_LABELS = (*GRADES, "ungraded")
_COLUMNS = {
    "puzzle_id": (pa.uint64(), "number of the puzzle: with seed and spec it decides everything else"),
    "puzzle": (pa.string(), "Keen game id; rules beyond Keen's stand in the spec of the run"),
    "cages": (pa.uint8(), "number of cages"),
    "given": (pa.uint8(), "cages of a single cell"),
    "plus": (pa.uint8(), "cages with +"),
    "minus": (pa.uint8(), "cages with -"),
    "times": (pa.uint8(), "cages with *"),
    "divide": (pa.uint8(), "cages with /"),
    "hidden": (pa.uint8(), "cages that hide their operator"),
    "status": (pa.uint8(), ", ".join(f"{code} {name}" for code, name in enumerate(STATUSES))),
    "solutions": (pa.uint32(), "solutions found, counted to 2"),
    "nodes": (pa.uint64(), "digits tried in cells after propagation came to rest; 0: no search was needed"),
    "placed": (pa.uint16(), "cells that propagation alone places, given ones included"),
    "grade": (pa.uint8(), "weakest rung that solves it: " + ", ".join(f"{i} {n}" for i, n in enumerate(GRADE_LABELS))),
    "steps": (pa.uint32(), "applications of a rule that removed candidates before the search"),
}
LAYOUT = Layout(
    "kenken",
    rows="puzzles",
    partition="spec",
    item="puzzle",
    id_column="puzzle_id",
    text_column="puzzle",
    variant_key="spec",
)
METRICS = (
    Metric("nodes", "nodes", "digits tried a puzzle"),
    Metric("steps", "steps", "rule applications a puzzle"),
    Metric("placed", "placed cells", "cells that propagation places"),
    Metric("cages", "cages", "cages a puzzle"),
    *(Metric(name, f"{name} cages" if name != "given" else "given cells", "cages a puzzle") for name in OPERATORS),
    Metric("grade", "grade", "puzzles", "category", GRADE_LABELS),
    Metric("status", "status", "puzzles", "category", tuple(name.replace("_", " ") for name in STATUSES)),
)
SCHEMA = pa.schema(
    [pa.field(name, kind, nullable=False, metadata={"meaning": meaning}) for name, (kind, meaning) in _COLUMNS.items()]
)

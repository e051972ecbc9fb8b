"""Grades: what each rung of the ladder may use, and how grades compare with the labels of another program.

A puzzle's grade is the weakest rung that solves it when all weaker ones are in use too. Rungs are climbed at the root,
each to its fixpoint; a puzzle that the strongest one leaves open needs search.
"""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.kenken.codes import GRADES, RUNGS

MEANINGS = MappingProxyType(
    {
        "singles": "a placed digit leaves its row and column; a cage's arithmetic bounds each of its cells",
        "hidden_singles": "a digit with one place left in a row or column goes there",
        "cage_tuples": "a digit stays in a cell only while some whole fill of its cage holds it",
        "forced_lines": "a digit that every fill of a cage puts into one line leaves the rest of that line",
        "search": "digits have to be tried",
    }
)
"""What the rungs mean, in order."""

KEEN_LABELS = ("easy", "normal", "hard", "extreme", "unreasonable")
"""Keen's own difficulty labels from easy to hard. They share words with our grades, not rules."""


def confusion(labels: Sequence[str], grades: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Counts int64[5, 5] of puzzles by Keen's label (row) and our grade (column).

    `grades` holds grade codes of unique puzzles. Raises InputError for a label Keen does not use, a puzzle without a
    grade, or lengths that differ.
    """
    if len(labels) != len(grades):
        raise InputError(f"{len(labels)} labels for {len(grades)} grades", "give one label a puzzle")
    table = np.zeros((len(KEEN_LABELS), len(RUNGS)), np.int64)
    for i, (label, grade) in enumerate(zip(labels, grades.tolist(), strict=True)):
        if label not in KEEN_LABELS:
            raise InputError(f"label {label!r} of puzzle {i}", f"labels are {', '.join(KEEN_LABELS)}")
        if grade >= len(RUNGS):
            raise InputError(f"puzzle {i} has no grade", "grade puzzles with one solution")
        table[KEEN_LABELS.index(label), grade] += 1
    return table


def confusion_markdown(table: npt.NDArray[np.int64]) -> str:
    """Return the table as Markdown: a row a label, a column a grade with its rung."""
    heads = [f"{grade} ({rung})" for grade, rung in zip(GRADES, RUNGS, strict=True)]
    lines = ["| Keen | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    lines += [
        f"| {label} | " + " | ".join(map(str, row)) + " |"
        for label, row in zip(KEEN_LABELS, table.tolist(), strict=True)
    ]
    return "\n".join(lines) + "\n"

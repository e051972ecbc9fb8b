"""Solve puzzles: one, or a batch of arrays in a single call."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.kenken.batch import PuzzleBatch, check_batch, pack
from solvers.kenken.codes import GRADES, RUNGS, STATUSES, UNGRADED
from solvers.kenken.layout import thread_work
from solvers.kenken.model import Puzzle
from solvers.kenken.search import solve_many

DEFAULT_LIMIT = 2
DEFAULT_NODE_LIMIT = 10_000_000
MAX_LIMIT = 1_000_000_000


class Results(NamedTuple):
    """One entry a puzzle.

    status: uint8, index into codes.STATUSES. solutions: uint32, exact below the limit when the status is not gave_up.
    nodes: uint64, digits tried in branch cells. placed: uint16, cells that propagation alone places (given ones
    included; 0 where it finds a contradiction). grade: uint8, index into codes.RUNGS, or UNGRADED unless unique.
    steps: uint32, applications of a rule that removed candidates before the search. solution: uint8[count, cells], the
    first solution found, UNKNOWN_DIGIT where there is none.
    """

    status: npt.NDArray[np.uint8]
    solutions: npt.NDArray[np.uint32]
    nodes: npt.NDArray[np.uint64]
    placed: npt.NDArray[np.uint16]
    grade: npt.NDArray[np.uint8]
    steps: npt.NDArray[np.uint32]
    solution: npt.NDArray[np.uint8]


class Answer(NamedTuple):
    """What is known of one puzzle; `solution` lists the digits row by row, empty when none was found."""

    status: str
    solutions: int
    nodes: int
    placed: int
    grade: str | None
    rung: str | None
    steps: int
    solution: tuple[int, ...]


def check_limits(limit: int, node_limit: int) -> None:
    """Refuse limits with which uniqueness cannot be decided; raises InputError."""
    if not 2 <= limit <= MAX_LIMIT:
        raise InputError(
            f"limit of {limit} solutions", f"count to 2 at least to tell unique from multiple ({MAX_LIMIT} at most)"
        )
    if not 0 <= node_limit < 2**63:
        raise InputError(f"limit of {node_limit} nodes", "give 0 or more")


def solve_batch(batch: PuzzleBatch, limit: int = DEFAULT_LIMIT, node_limit: int = DEFAULT_NODE_LIMIT) -> Results:
    """Solve every puzzle of the batch on one thread, counting up to `limit` solutions and `node_limit` nodes each.

    A row without cages is no puzzle: its status is `none`. Raises InputError for limits with which uniqueness cannot be
    decided, and for arrays that do not belong together, naming the first puzzle that is wrong.
    """
    check_limits(limit, node_limit)
    count = batch.length
    results = Results(
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint32),
        np.zeros(count, np.uint64),
        np.zeros(count, np.uint16),
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint32),
        np.zeros((count, batch.size * batch.size), np.uint8),
    )
    check_batch(batch)
    solve_many(
        thread_work(batch.size),
        batch.rules.lowest,
        batch.rules.wide,
        batch.rules.hidden_bits,
        batch.cages,
        batch.cage_of,
        batch.operator,
        batch.target,
        limit,
        node_limit,
        *results,
    )
    return results


def answer(results: Results, index: int) -> Answer:
    """Return the entry `index` of the results with names instead of codes."""
    grade = int(results.grade[index])
    solutions = int(results.solutions[index])
    return Answer(
        STATUSES[results.status[index]],
        solutions,
        int(results.nodes[index]),
        int(results.placed[index]),
        None if grade == UNGRADED else GRADES[grade],
        None if grade == UNGRADED else RUNGS[grade],
        int(results.steps[index]),
        tuple(results.solution[index].tolist()) if solutions else (),
    )


def solve(puzzle: Puzzle, limit: int = DEFAULT_LIMIT, node_limit: int = DEFAULT_NODE_LIMIT) -> Answer:
    """Solve one puzzle, counting up to `limit` solutions and `node_limit` nodes."""
    return answer(solve_batch(pack([puzzle]), limit, node_limit), 0)

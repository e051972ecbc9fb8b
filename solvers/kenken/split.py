"""Cut the search of one hard puzzle into parts that processes can solve apart, and put the answers together.

A part is a path of digits placed in branch cells. Parts stand in the order in which the undivided search comes to
them, and each notes at which node it found each solution, so the merged answer equals the undivided one in every
field: also where a limit of solutions or nodes stops it halfway.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.kenken.batch import pack
from solvers.kenken.codes import GRADES, RUNGS, STATUSES, UNIQUE
from solvers.kenken.layout import DOMAINS, LIVE, REGION, STEPS, new_work
from solvers.kenken.model import Puzzle
from solvers.kenken.notes import forget_changes
from solvers.kenken.propagate import load, propagate
from solvers.kenken.search import NO_CELL, branch_cell, climb, count_placed, enter_level, search, status_of
from solvers.kenken.solve import DEFAULT_LIMIT, DEFAULT_NODE_LIMIT, Answer, check_limits

MAX_SPLIT_LIMIT = 1_000_000
"""Each part keeps a number for every solution it finds."""

_FAILED, _SOLVED, _OPEN = range(3)


class Part(NamedTuple):
    """A subproblem: (cell, digit) pairs placed one after the other, and the nodes counted before it on the way."""

    path: tuple[tuple[int, int], ...]
    nodes_before: int


class PartOutcome(NamedTuple):
    """What a part gave: nodes (the last digit of its path included), the node of each solution, whether it ended."""

    nodes: int
    found_at: tuple[int, ...]
    complete: bool
    solution: tuple[int, ...]
    placed: int
    rung: int
    steps: int


class _Place(NamedTuple):
    """Where the search stands at the end of a path: workspace, state, and what the root gave."""

    work: npt.NDArray[np.int64]
    state: int
    placed: int
    rung: int
    steps: int


def _begin(puzzle: Puzzle, path: Sequence[tuple[int, int]]) -> _Place:
    """Propagate at the root and after each digit of the path."""
    batch = pack([puzzle])
    work = new_work(puzzle.size)
    rules = puzzle.rules
    load(
        work, rules.lowest, rules.wide, rules.hidden_bits, int(batch.cages[0]), batch.cage_of[0], batch.operator[0],
        batch.target[0],
    )  # fmt: skip
    rung, steps = int(climb(work)), int(work[STEPS])
    if rung < 0:
        return _Place(work, _FAILED, 0, rung, steps)
    placed = int(count_placed(work))
    for level, (cell, digit) in enumerate(path, 1):
        enter_level(work, level, cell, 1 << (digit - puzzle.rules.lowest))
        if not propagate(work, DOMAINS + level * REGION, LIVE + level * REGION):
            forget_changes(work)
            return _Place(work, _FAILED, placed, rung, steps)
    solved = branch_cell(work, DOMAINS + len(path) * REGION) == NO_CELL
    return _Place(work, _SOLVED if solved else _OPEN, placed, rung, steps)


def split(puzzle: Puzzle, parts: int) -> list[Part]:
    """At least `parts` parts in search order, or fewer where the search has no more branches."""
    if parts < 1:
        raise InputError(f"{parts} parts", "give at least 1")
    queue = [Part((), 0)]
    while len(queue) < parts:
        divided: list[Part] = []
        for part in queue:
            divided += _divide(puzzle, part)
        if len(divided) == len(queue):
            return divided
        queue = divided
    return queue


def _divide(puzzle: Puzzle, part: Part) -> list[Part]:
    place = _begin(puzzle, part.path)
    if place.state != _OPEN:
        return [part]
    domains = DOMAINS + len(part.path) * REGION
    cell = int(branch_cell(place.work, domains))
    mask = int(place.work[domains + cell])
    digits = [d + puzzle.rules.lowest for d in range(puzzle.size) if (mask >> d) & 1]
    entered = part.nodes_before + (1 if part.path else 0)
    return [Part((*part.path, (cell, digit)), entered if i == 0 else 0) for i, digit in enumerate(digits)]


def solve_part(
    puzzle: Puzzle, part: Part, limit: int = DEFAULT_LIMIT, node_limit: int = DEFAULT_NODE_LIMIT
) -> PartOutcome:
    """Search one part; the limits are those of the whole search."""
    _check_split_limits(limit, node_limit)
    work, state, placed, rung, steps = _begin(puzzle, part.path)
    entered = 1 if part.path else 0
    if state == _FAILED:
        return PartOutcome(entered, (), True, (), placed, rung, steps)
    found_at = np.zeros(limit, np.uint64)
    solution = np.zeros(puzzle.size**2, np.uint8)
    solutions, nodes, complete = search(work, len(part.path), limit, node_limit, solution, found_at)
    return PartOutcome(
        int(nodes) + entered,
        tuple(int(node) + entered for node in found_at[: int(solutions)]),
        bool(complete),
        tuple(solution.tolist()) if solutions else (),
        placed,
        rung,
        steps,
    )


def _check_split_limits(limit: int, node_limit: int) -> None:
    check_limits(limit, node_limit)
    if limit > MAX_SPLIT_LIMIT:
        raise InputError(f"limit of {limit} solutions", f"a search in parts counts up to {MAX_SPLIT_LIMIT}")


def merge(
    parts: Sequence[Part],
    outcomes: Sequence[PartOutcome],
    limit: int = DEFAULT_LIMIT,
    node_limit: int = DEFAULT_NODE_LIMIT,
) -> Answer:
    """Return the answer of the undivided search from the outcomes of all parts, both in the order of `split`."""
    nodes = solutions = 0
    solution: tuple[int, ...] = ()
    complete = True
    for part, outcome in zip(parts, outcomes, strict=True):
        base = nodes + part.nodes_before
        within = [base + node for node in outcome.found_at if base + node <= node_limit]
        if within and not solution:
            solution = outcome.solution
        if solutions + len(within) >= limit:
            nodes, solutions = within[limit - solutions - 1], limit
            break
        solutions += len(within)
        nodes = base + outcome.nodes
        if nodes > node_limit or not outcome.complete:
            nodes, complete = node_limit, False
            break
    status = int(status_of(solutions, complete))
    graded = status == UNIQUE
    rung = outcomes[0].rung
    return Answer(
        STATUSES[status],
        solutions,
        nodes,
        outcomes[0].placed,
        GRADES[rung] if graded else None,
        RUNGS[rung] if graded else None,
        outcomes[0].steps,
        solution,
    )

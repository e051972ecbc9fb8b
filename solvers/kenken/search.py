"""Count the solutions of a puzzle: propagation, then backtracking on the cell with the fewest candidates.

A node is one digit tried in a branch cell; propagation at the root is none. Branch cells: fewest candidates first,
then lowest cell number; digits in ascending order. The node count depends on the puzzle alone.
"""

from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.codes import GAVE_UP, MULTIPLE, NONE, UNGRADED, UNIQUE, UNKNOWN_DIGIT
from solvers.kenken.layout import (
    BASE,
    CAGE_OF,
    CAGES,
    CHOICE,
    DOMAINS,
    LIVE,
    REGION,
    SIZE,
    STEPS,
    UNTRIED,
)
from solvers.kenken.listing import bit_count, lowest_digit
from solvers.kenken.propagate import (
    CAGE_TUPLES,
    SEARCH,
    SINGLES,
    filter_all_by_arithmetic,
    forget_changes,
    is_solved,
    list_cages,
    load,
    note_cage,
    note_lines,
    propagate,
    raise_rung,
)

NO_CELL = -1


@kernel
def climb(work: Any) -> Any:
    """Propagate at the root, rung by rung until the puzzle is solved; the rung reached, or -1 at a contradiction."""
    # np.int64: a constant would have every rule compiled a second time for it
    domains, live = np.int64(DOMAINS), np.int64(LIVE)
    if not filter_all_by_arithmetic(work, domains):
        forget_changes(work)
        return -1
    for rung in range(SINGLES, SEARCH):
        raise_rung(work, rung)
        possible = list_cages(work, domains, live) if rung == CAGE_TUPLES else propagate(work, domains, live)
        if not possible:
            forget_changes(work)
            return -1
        if is_solved(work, domains):
            return rung
    return SEARCH


@kernel
def branch_cell(work: Any, domains: Any) -> Any:
    """The open cell with the fewest candidates, the lowest one of equals; NO_CELL when none is open."""
    best, fewest = np.int64(NO_CELL), np.int64(99)
    for cell in range(work[SIZE] * work[SIZE]):
        mask = work[domains + cell]
        if mask & (mask - 1):
            count = bit_count(mask)
            if count < fewest:
                if count == 2:
                    return cell
                best, fewest = cell, count
    return best


@kernel
def assign(work: Any, depth: Any, cell: Any, bit: Any) -> Any:
    """Copy level depth to depth + 1, place the digit there and propagate; False: contradiction."""
    domains = DOMAINS + (depth + 1) * REGION
    for i in range(domains, domains + work[SIZE] * work[SIZE]):
        work[i] = work[i - REGION]
    live = LIVE + (depth + 1) * REGION
    for i in range(live, live + work[CAGES]):
        work[i] = work[i - REGION]
    work[domains + cell] = bit
    note_lines(work, cell)
    note_cage(work, work[CAGE_OF + cell])
    if propagate(work, domains, live):
        return True
    forget_changes(work)
    return False


@kernel
def write_solution(work: Any, depth: Any, solution: Any) -> None:
    """Write the digits of a solved level to `solution` (uint8[cells])."""
    for cell in range(work[SIZE] * work[SIZE]):
        solution[cell] = lowest_digit(work[DOMAINS + depth * REGION + cell]) + work[BASE]


@kernel
def search(work: Any, root: Any, limit: Any, node_limit: Any, solution: Any, found_at: Any) -> Any:
    """Search below the propagated level `root`; returns (solutions, nodes, complete).

    Stops at `limit` solutions (complete is True then) or before node `node_limit` + 1. The first solution is written
    to `solution` (uint8[cells]); found_at[i] (uint64) receives the node count at solution i as far as it is long.
    """
    solutions = nodes = np.int64(0)
    cell = branch_cell(work, DOMAINS + root * REGION)
    if cell == NO_CELL:
        write_solution(work, root, solution)
        if len(found_at):
            found_at[0] = 0
        return np.int64(1), nodes, True
    depth = root
    work[CHOICE + depth] = cell
    work[UNTRIED + depth] = work[DOMAINS + depth * REGION + cell]
    while depth >= root:
        if work[UNTRIED + depth] == 0:
            depth -= 1
            continue
        if nodes == node_limit:
            return solutions, nodes, False
        bit = work[UNTRIED + depth] & -work[UNTRIED + depth]
        work[UNTRIED + depth] ^= bit
        nodes += 1
        if not assign(work, depth, work[CHOICE + depth], bit):
            continue
        cell = branch_cell(work, DOMAINS + (depth + 1) * REGION)
        if cell != NO_CELL:
            depth += 1
            work[CHOICE + depth] = cell
            work[UNTRIED + depth] = work[DOMAINS + depth * REGION + cell]
            continue
        if solutions == 0:
            write_solution(work, depth + 1, solution)
        if solutions < len(found_at):
            found_at[solutions] = nodes
        solutions += 1
        if solutions == limit:
            break
    return solutions, nodes, True


@kernel
def status_of(solutions: Any, complete: Any) -> Any:
    """The status code for a number of solutions found and whether the search ended."""
    if solutions >= 2:
        return MULTIPLE
    if not complete:
        return GAVE_UP
    return UNIQUE if solutions == 1 else NONE


@kernel
def count_placed(work: Any) -> Any:
    """Number of cells that hold one digit at the root."""
    placed = np.int64(0)
    for i in range(DOMAINS, DOMAINS + work[SIZE] * work[SIZE]):
        if work[i] & (work[i] - 1) == 0:
            placed += 1
    return placed


@kernel
def solve_loaded(work: Any, limit: Any, node_limit: Any, solution: Any, found_at: Any) -> Any:
    """Solve the loaded puzzle; returns (status, solutions, nodes, placed, grade, steps)."""
    solution[:] = UNKNOWN_DIGIT
    rung = climb(work)
    steps = work[STEPS]
    if rung < 0:
        return NONE, np.int64(0), np.int64(0), np.int64(0), UNGRADED, steps
    placed = count_placed(work)
    solutions, nodes, complete = search(work, np.int64(0), limit, node_limit, solution, found_at)
    status = status_of(solutions, complete)
    return status, solutions, nodes, placed, rung if status == UNIQUE else UNGRADED, steps


@kernel
def solve_many(
    work: Any,
    base: Any,
    wide: Any,
    cages: Any,
    cage_of: Any,
    operator: Any,
    target: Any,
    limit: Any,
    node_limit: Any,
    status: Any,
    solutions: Any,
    nodes: Any,
    placed: Any,
    grade: Any,
    steps: Any,
    solution: Any,
) -> None:
    """Solve the puzzles of a batch one after the other into the result arrays."""
    found_at = np.zeros(0, np.uint64)
    for i in range(len(cages)):
        load(work, base, wide, np.int64(cages[i]), cage_of[i], operator[i], target[i])
        status[i], solutions[i], nodes[i], placed[i], grade[i], steps[i] = solve_loaded(
            work, limit, node_limit, solution[i], found_at
        )

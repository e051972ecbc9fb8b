"""Count the solutions of a puzzle: propagation, then backtracking on the cell with the fewest candidates.

A node is one digit tried in a branch cell; propagation at the root is none. Branch cells: fewest candidates first,
then lowest cell number; digits in ascending order. The node count depends on the puzzle alone.
"""

from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.arithmetic import filter_by_arithmetic
from solvers.kenken.codes import GAVE_UP, MULTIPLE, NONE, UNGRADED, UNIQUE, UNKNOWN_DIGIT
from solvers.kenken.layout import (
    BASE,
    CAGE_OF,
    CAGES,
    CHOICE,
    DOMAINS,
    LIVE,
    REGION,
    RUNG_STEPS,
    SIZE,
    STEPS,
    UNTRIED,
)
from solvers.kenken.listing import bit_count, lowest_digit
from solvers.kenken.notes import forget_changes, note_cage, note_lines
from solvers.kenken.propagate import (
    CAGE_TUPLES,
    SEARCH,
    SINGLES,
    is_solved,
    list_cages,
    load,
    propagate,
    raise_rung,
)

NO_CELL = -1


@kernel
def climb(work: Any) -> Any:
    """Propagate at the root, rung by rung until the puzzle is solved; the rung reached, or -1 at a contradiction.

    Fills are listed on the candidates left, smallest cages first, with propagation after each size.
    """
    # np.int64: a constant would have every rule compiled a second time for it
    domains, live = np.int64(DOMAINS), np.int64(LIVE)
    possible = True
    for cage in range(work[CAGES]):
        possible = possible and filter_by_arithmetic(work, domains, cage)
    rung = SINGLES
    listed = 0
    counted = np.int64(0)
    while possible and propagate(work, domains, live):
        work[RUNG_STEPS + rung] += work[STEPS] - counted
        counted = work[STEPS]
        if is_solved(work, domains):
            return rung
        if rung == CAGE_TUPLES and listed < 63 // work[SIZE]:
            listed += 1
            possible = list_cages(work, domains, live, listed)
            continue
        rung += 1
        if rung == SEARCH:
            return rung
        raise_rung(work, rung)
    forget_changes(work)
    return -1


@kernel
def branch_cell(work: Any, domains: Any) -> Any:
    """Return the open cell with the fewest candidates, the lowest one of equals; NO_CELL when none is open."""
    best: Any = np.int64(NO_CELL)
    fewest: Any = np.int64(99)
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
def enter_level(work: Any, level: Any, cell: Any, bit: Any) -> None:
    """Copy the level below to `level` and place a digit there, not propagated yet."""
    domains = DOMAINS + level * REGION
    for i in range(domains, domains + work[SIZE] * work[SIZE]):
        work[i] = work[i - REGION]
    live = LIVE + level * REGION
    for i in range(live, live + work[CAGES]):
        work[i] = work[i - REGION]
    work[domains + cell] = bit
    note_lines(work, cell)
    note_cage(work, work[CAGE_OF + cell])


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
        enter_level(work, depth + 1, work[CHOICE + depth], bit)
        if not propagate(work, DOMAINS + (depth + 1) * REGION, LIVE + (depth + 1) * REGION):
            forget_changes(work)
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
    """Return the status code for a number of solutions found and whether the search ended."""
    if solutions >= 2:
        return MULTIPLE
    if not complete:
        return GAVE_UP
    return UNIQUE if solutions == 1 else NONE


@kernel
def count_placed(work: Any) -> Any:
    """Return the number of cells that hold one digit at the root."""
    placed = np.int64(0)
    for i in range(DOMAINS, DOMAINS + work[SIZE] * work[SIZE]):
        if work[i] & (work[i] - 1) == 0:
            placed += 1
    return placed


@kernel
def solve_many(
    work: Any,
    base: Any,
    wide: Any,
    hidden: Any,
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
    """Solve the puzzles of a batch one after the other into the result arrays (see solve.Results).

    A row without cages is no puzzle and has no solution.
    """
    found_at = np.zeros(0, np.uint64)
    for i in range(len(cages)):
        solution[i, :] = UNKNOWN_DIGIT
        if cages[i] == 0:
            status[i], solutions[i], nodes[i], placed[i], grade[i], steps[i] = NONE, 0, 0, 0, UNGRADED, 0
            continue
        load(work, base, wide, hidden, np.int64(cages[i]), cage_of[i], operator[i], target[i])
        rung = climb(work)
        steps[i] = work[STEPS]
        if rung < 0:
            status[i], solutions[i], nodes[i], placed[i], grade[i] = NONE, 0, 0, 0, UNGRADED
            continue
        placed[i] = count_placed(work)
        count, tried, complete = search(work, np.int64(0), limit, node_limit, solution[i], found_at)
        status[i], solutions[i], nodes[i] = status_of(count, complete), count, tried
        grade[i] = rung if status[i] == UNIQUE else UNGRADED

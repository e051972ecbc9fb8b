"""Count the solutions of a puzzle: propagation, then backtracking on the cell with the fewest candidates.

A node is one digit tried in a branch cell; propagation at the root is none. Branch cells: fewest candidates first,
then lowest cell number; digits in ascending order. The node count depends on the puzzle alone.
"""

from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.codes import GAVE_UP, MULTIPLE, NONE, UNGRADED, UNIQUE, UNKNOWN_DIGIT
from solvers.kenken.listing import bit_count, lowest_digit
from solvers.kenken.propagate import (
    BASE,
    CAGE_TUPLES,
    CAGES,
    FORCED_LINES,
    HIDDEN_SINGLES,
    N,
    RUNG,
    SEARCH,
    SINGLES,
    STEPS,
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
    cells = work.state[N] * work.state[N]
    domains, live = work.domains[0], work.live[0]
    for rung in range(SINGLES, SEARCH):
        raise_rung(work, rung)
        possible = list_cages(work, domains, live) if rung == CAGE_TUPLES else propagate(work, domains, live)
        if not possible:
            forget_changes(work)
            return -1
        if is_solved(domains, cells):
            return rung
    return SEARCH


@kernel
def branch_cell(domains: Any, cells: Any) -> Any:
    """The open cell with the fewest candidates, the lowest one of equals; NO_CELL when none is open."""
    best, fewest = NO_CELL, 99
    for cell in range(cells):
        mask = domains[cell]
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
    n = work.state[N]
    below, above = work.domains[depth], work.domains[depth + 1]
    for i in range(n * n):
        above[i] = below[i]
    live_below, live_above = work.live[depth], work.live[depth + 1]
    for i in range(work.state[CAGES]):
        live_above[i] = live_below[i]
    above[cell] = bit
    note_lines(work, cell, n)
    note_cage(work, work.cage_of[cell])
    if propagate(work, above, live_above):
        return True
    forget_changes(work)
    return False


@kernel
def write_solution(work: Any, depth: Any, solution: Any) -> None:
    """Write the digits of a solved level to `solution` (uint8[cells])."""
    for cell in range(work.state[N] * work.state[N]):
        solution[cell] = lowest_digit(work.domains[depth, cell]) + work.state[BASE]


@kernel
def search(work: Any, root: Any, limit: Any, node_limit: Any, solution: Any, found_at: Any) -> Any:
    """Search below the propagated level `root`; returns (solutions, nodes, complete).

    Stops at `limit` solutions (complete is True then) or before node `node_limit` + 1. The first solution is written
    to `solution` (uint8[cells]); found_at[i] (uint64) receives the node count at solution i as far as it is long.
    """
    n = work.state[N]
    cells = n * n
    solutions = nodes = np.int64(0)
    cell = branch_cell(work.domains[root], cells)
    if cell == NO_CELL:
        write_solution(work, root, solution)
        if len(found_at):
            found_at[0] = 0
        return np.int64(1), nodes, True
    depth = root
    work.choice[depth] = cell
    work.left[depth] = work.domains[depth, cell]
    while depth >= root:
        if work.left[depth] == 0:
            depth -= 1
            continue
        if nodes == node_limit:
            return solutions, nodes, False
        bit = work.left[depth] & -work.left[depth]
        work.left[depth] ^= bit
        nodes += 1
        if not assign(work, depth, work.choice[depth], bit):
            continue
        cell = branch_cell(work.domains[depth + 1], cells)
        if cell != NO_CELL:
            depth += 1
            work.choice[depth] = cell
            work.left[depth] = work.domains[depth, cell]
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
def solve_loaded(work: Any, limit: Any, node_limit: Any, solution: Any, found_at: Any) -> Any:
    """Solve the loaded puzzle; returns (status, solutions, nodes, placed, grade, steps)."""
    solution[:] = UNKNOWN_DIGIT
    rung = climb(work)
    steps = work.state[STEPS]
    if rung < 0:
        return NONE, np.int64(0), np.int64(0), np.int64(0), UNGRADED, steps
    placed = np.int64(0)
    for cell in range(work.state[N] * work.state[N]):
        mask = work.domains[0, cell]
        placed += mask & (mask - 1) == 0
    work.state[RUNG] = max(FORCED_LINES, HIDDEN_SINGLES)
    solutions, nodes, complete = search(work, 0, limit, node_limit, solution, found_at)
    status = status_of(solutions, complete)
    return status, solutions, nodes, placed, rung if status == UNIQUE else UNGRADED, steps


@kernel
def solve_many(
    work: Any,
    n: Any,
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
        load(work, n, base, wide, np.int64(cages[i]), cage_of[i], operator[i], target[i])
        status[i], solutions[i], nodes[i], placed[i], grade[i], steps[i] = solve_loaded(
            work, limit, node_limit, solution[i], found_at
        )

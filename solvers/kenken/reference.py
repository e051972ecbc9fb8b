"""The specification in plain Python: what a cage allows, and how many solutions a puzzle has.

A node here is one digit tried in a cell, at every depth: each cell is branched on, even when it has one candidate, so
that no propagation is needed to read this. The compiled solver counts only digits tried after propagation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd, lcm, prod
from operator import or_

from solvers.kenken.codes import BASIC
from solvers.kenken.model import Cage, Puzzle, Rules


@dataclass(frozen=True)
class ReferenceAnswer:
    """status: unique, multiple, none or gave_up; solutions found; nodes; the first solution, row by row, or empty."""

    status: str
    solutions: int
    nodes: int
    solution: tuple[int, ...]


def reaches(
    operator: str, target: int, digits: Sequence[int], wide: bool = False, hides: Sequence[str] = BASIC
) -> bool:
    """Whether the digits of a cage reach its target by its operator, or by one of `hides` if that is hidden."""
    if len(digits) == 1:
        return digits[0] == target
    if operator == "?":
        return any(reaches(one, target, digits, wide) for one in hides)
    several = len(digits) > 2
    orders = [tuple(digits), tuple(digits)[::-1]]
    if operator == "+":
        return sum(digits) == target
    if operator == "*":
        return prod(digits) == target
    if operator == "-":
        return (wide or not several) and 2 * max(digits) - sum(digits) == target
    if operator == "/":
        # One digit divided by all others, exactly; a digit that is larger than another can only be the one divided.
        divided = [(digit, prod(digits[:i]) * prod(digits[i + 1 :])) for i, digit in enumerate(digits)]
        return (wide or not several) and any(by != 0 and digit == target * by for digit, by in divided)
    if operator == "%":
        return not several and any(b != 0 and a % b == target for a, b in orders)
    if operator == "^":
        return not several and any(a**b == target for a, b in orders)
    if operator == "gcd":
        return gcd(*digits) == target
    if operator == "lcm":
        return lcm(*digits) == target
    return operator == "|" and reduce(or_, digits) == target


def fills(cage: Cage, size: int, rules: Rules) -> Iterator[tuple[int, ...]]:
    """Yield every way to fill a cage on its own: digits that differ within rows and columns and reach the target."""

    def extend(digits: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(digits) == len(cage.cells):
            if reaches(cage.operator, cage.target, digits, rules.wide, rules.hides):
                yield digits
            return
        if cage.operator == "+" and sum(digits) > cage.target:
            return
        if cage.operator == "*" and 0 not in (cage.target, prod(digits)) and cage.target % prod(digits):
            return
        row, column = divmod(cage.cells[len(digits)], size)
        taken = {
            digit
            for digit, cell in zip(digits, cage.cells, strict=False)
            if cell // size == row or cell % size == column
        }
        for digit in range(rules.lowest, rules.lowest + size):
            if digit not in taken:
                yield from extend((*digits, digit))

    yield from extend(())


def solve_reference(puzzle: Puzzle, limit: int = 2, node_limit: int = 10_000_000) -> ReferenceAnswer:
    """Count solutions up to `limit`, trying digits in the cell with the fewest that fit its row, column and cage.

    A digit fits its cage when some fill of the cage holds it together with the digits already placed.
    """
    size, owner = puzzle.size, puzzle.cage_of
    all_fills = [list(fills(cage, size, puzzle.rules)) for cage in puzzle.cages]
    grid: dict[int, int] = {}
    found: list[tuple[int, ...]] = []
    nodes = 0

    def candidates(cell: int, live: list[list[tuple[int, ...]]]) -> list[int]:
        row, column = divmod(cell, size)
        seen = {grid.get(row * size + i) for i in range(size)} | {grid.get(i * size + column) for i in range(size)}
        place = puzzle.cages[owner[cell]].cells.index(cell)
        return sorted({fill[place] for fill in live[owner[cell]]} - seen)

    def search(live: list[list[tuple[int, ...]]]) -> bool:
        """False when the node limit stops the search."""
        nonlocal nodes
        options = {cell: candidates(cell, live) for cell in range(size * size) if cell not in grid}
        if not options:
            found.append(tuple(grid[cell] for cell in range(size * size)))
            return True
        cell = min(options, key=lambda cell: len(options[cell]))
        cage = owner[cell]
        place = puzzle.cages[cage].cells.index(cell)
        for digit in options[cell]:
            if nodes == node_limit:
                return False
            nodes += 1
            grid[cell] = digit
            narrowed = [fill for fill in live[cage] if fill[place] == digit]
            finished = search([*live[:cage], narrowed, *live[cage + 1 :]])
            del grid[cell]
            if not finished:
                return False
            if len(found) == limit:
                return True
        return True

    finished = search(all_fills)
    if len(found) >= 2:
        status = "multiple"
    elif not finished:
        status = "gave_up"
    else:
        status = "unique" if found else "none"
    return ReferenceAnswer(status, len(found), nodes, found[0] if found else ())

"""The specification in plain Python: what a cage allows, and how many solutions a puzzle has.

A node here is one digit tried in a cell, at every depth: each cell is branched on, even when it has one candidate, so
that no propagation is needed to read this. The compiled solver counts only digits tried after propagation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from solvers.kenken.model import Cage, Puzzle, Rules


@dataclass(frozen=True)
class ReferenceAnswer:
    """status: unique, multiple, none or gave_up; solutions found; nodes; the first solution, row by row, or empty."""

    status: str
    solutions: int
    nodes: int
    solution: tuple[int, ...]


def reaches(operator: str, target: int, digits: Sequence[int], wide: bool = False) -> bool:
    """Whether the digits of a cage reach its target by its operator."""
    largest = max(digits)
    rest = sum(digits) - largest
    divisor = prod(sorted(digits)[:-1])
    pair = len(digits) == 2 or (wide and len(digits) > 2)
    by_operator = {
        "=": len(digits) == 1 and digits[0] == target,
        "+": sum(digits) == target,
        "*": prod(digits) == target,
        "-": pair and largest - rest == target,
        "/": pair and divisor != 0 and largest == target * divisor,
    }
    return any(by_operator.values()) if operator == "?" else by_operator[operator]


def fills(cage: Cage, size: int, rules: Rules) -> Iterator[tuple[int, ...]]:
    """Every way to fill a cage on its own: digits that differ within rows and columns and reach the target."""

    def extend(digits: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(digits) == len(cage.cells):
            if reaches(cage.operator, cage.target, digits, rules.wide):
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

"""An oracle that shares nothing with the solver: try every Latin square."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import prod

from solvers.kenken import Puzzle


@cache
def latin_squares(size: int) -> list[tuple[int, ...]]:
    """Every Latin square of the digits 0..size-1, row by row: 12 of order 3, 576 of order 4."""
    rows = list(permutations(range(size)))
    squares: list[tuple[int, ...]] = [()]
    for _ in range(size):
        squares = [
            square + row
            for square in squares
            for row in rows
            if all(square[i] != row[i % size] for i in range(len(square)))
        ]
    return squares


def targets(digits: Sequence[int], wide: bool) -> dict[str, Fraction]:
    """What each operator that may stand over these digits makes of them."""
    ordered = sorted(digits, reverse=True)
    made = {"+": Fraction(sum(digits)), "*": Fraction(prod(digits))}
    if len(digits) == 2 or wide:
        made["-"] = Fraction(ordered[0] - sum(ordered[1:]))
        if prod(ordered[1:]):
            made["/"] = Fraction(ordered[0], prod(ordered[1:]))
    return made


def solutions(puzzle: Puzzle) -> set[tuple[int, ...]]:
    """All solutions of a small puzzle."""
    lowest = puzzle.rules.lowest
    found = set()
    for square in latin_squares(puzzle.size):
        grid = tuple(digit + lowest for digit in square)
        for cage in puzzle.cages:
            digits = [grid[cell] for cell in cage.cells]
            made = {"=": Fraction(digits[0])} if len(digits) == 1 else targets(digits, puzzle.rules.wide)
            reached = made.values() if cage.operator == "?" else [made.get(cage.operator)]
            if cage.target not in reached:
                break
        else:
            found.add(grid)
    return found

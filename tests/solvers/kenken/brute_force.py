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


def results(operator: str, digits: Sequence[int], wide: bool) -> set[Fraction]:
    """What an operator may make of these digits: nothing where it may not stand over them."""
    ordered = sorted(digits, reverse=True)
    pair = len(digits) == 2
    if operator == "+":
        return {Fraction(sum(digits))}
    if operator == "*":
        return {Fraction(prod(digits))}
    if operator == "-":
        return {Fraction(ordered[0] - sum(ordered[1:]))} if pair or wide else set()
    if operator == "/":
        # 0 divided by k is 0; nothing is divided by 0.
        if not (pair or wide) or ordered.count(0) > 1:
            return set()
        return {Fraction(0)} if 0 in ordered else {Fraction(ordered[0], prod(ordered[1:]))}
    if operator == "%":
        return {Fraction(a - a // b * b) for a, b in permutations(digits) if b} if pair else set()
    if operator == "^":
        return {Fraction(prod([a] * b)) for a, b in permutations(digits)} if pair else set()
    if operator == "gcd":
        return {Fraction(max(d for d in range(1, 20) if all(digit % d == 0 for digit in digits)))}
    if operator == "lcm":
        if 0 in digits:
            return {Fraction(0)}
        return {Fraction(next(m for m in range(1, prod(digits) + 1) if all(m % digit == 0 for digit in digits)))}
    return {Fraction(sum(2**bit for bit in range(5) if any(digit >> bit & 1 for digit in digits)))}


def targets(digits: Sequence[int], wide: bool) -> dict[str, Fraction]:
    """What each of the four operators that may stand over these digits makes of them."""
    made = {operator: results(operator, digits, wide) for operator in "+*-/"}
    return {operator: next(iter(values)) for operator, values in made.items() if values}


def solutions(puzzle: Puzzle) -> set[tuple[int, ...]]:
    """All solutions of a small puzzle."""
    lowest = puzzle.rules.lowest
    found = set()
    for square in latin_squares(puzzle.size):
        grid = tuple(digit + lowest for digit in square)
        for cage in puzzle.cages:
            digits = [grid[cell] for cell in cage.cells]
            if len(digits) == 1:
                reached = {Fraction(digits[0])}
            else:
                operators = puzzle.rules.hides if cage.operator == "?" else [cage.operator]
                reached = set().union(*(results(operator, digits, puzzle.rules.wide) for operator in operators))
            if cage.target not in reached:
                break
        else:
            found.add(grid)
    return found

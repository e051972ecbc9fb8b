"""The next step of a KenKen puzzle that a person is solving: a wrong digit, or a cell that the weakest rule places."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from solvers.kenken import Puzzle
from solvers.kenken.reference import reaches

Kind = Literal["wrong", "contradiction", "cell", "row", "column", "search", "stuck", "solved"]
MAX_FILLS = 50_000
"""Ways to fill a cage that are looked through; a cage with more holds nothing back yet."""


@dataclass(frozen=True)
class Hint:
    """`cell`: one digit fits it; `row`, `column`: its line has one place for the digit; `search`: no rule helps."""

    kind: Kind
    cell: int | None = None
    digit: int | None = None


class _ContradictionError(Exception):
    pass


def next_step(puzzle: Puzzle, digits: Sequence[int | None], solution: Sequence[int]) -> Hint:
    """Return `digits`: what is filled in, row by row; `solution`: the only one, or empty where there are several."""
    if solution:
        for cell, digit in enumerate(digits):
            if digit is not None and digit != solution[cell]:
                return Hint("wrong", cell, digit)
    if all(digit is not None for digit in digits) and solution:
        return Hint("solved")
    try:
        found = _propagate(puzzle, digits)
    except _ContradictionError:
        return Hint("contradiction")
    if found is not None:
        return found
    if solution:
        cell = next(cell for cell, digit in enumerate(digits) if digit is None)
        return Hint("search", cell, solution[cell])
    return Hint("solved" if all(digit is not None for digit in digits) else "stuck")


def _propagate(puzzle: Puzzle, digits: Sequence[int | None]) -> Hint | None:
    """Lines and cages take candidates away until they place a cell; None where they place none."""
    places = [{digit} if digit is not None else set(puzzle.digits) for digit in digits]
    lines = _lines(puzzle.size)
    changed = True
    while changed:
        changed = False
        for line in lines:
            for cell in line:
                if len(places[cell]) == 1:
                    for other in line:
                        if other != cell and places[cell] <= places[other]:
                            places[other] = places[other] - places[cell]
                            changed = True
        for cage in range(len(puzzle.cages)):
            changed = _filter_cage(puzzle, cage, places) or changed
        if not all(places):
            raise _ContradictionError
        if hint := _placed(puzzle, digits, places, lines):
            return hint
    return None


def _lines(size: int) -> list[list[int]]:
    rows = [list(range(row * size, row * size + size)) for row in range(size)]
    return rows + [list(range(column, size * size, size)) for column in range(size)]


def _placed(
    puzzle: Puzzle, digits: Sequence[int | None], places: Sequence[set[int]], lines: Sequence[Sequence[int]]
) -> Hint | None:
    for cell, candidates in enumerate(places):
        if digits[cell] is None and len(candidates) == 1:
            return Hint("cell", cell, *candidates)
    for number, line in enumerate(lines):
        for digit in puzzle.digits:
            cells = [cell for cell in line if digit in places[cell]]
            if not cells:
                raise _ContradictionError
            if len(cells) == 1 and digits[cells[0]] is None:
                return Hint("row" if number < puzzle.size else "column", cells[0], digit)
    return None


def _filter_cage(puzzle: Puzzle, number: int, places: list[set[int]]) -> bool:
    """Keep the candidates that some way to fill the cage holds; whether any went."""
    cage = puzzle.cages[number]
    if prod(len(places[cell]) for cell in cage.cells) > MAX_FILLS:
        return False
    kept: list[set[int]] = [set() for _ in cage.cells]
    chosen: list[int] = []

    def fill(place: int) -> None:
        if place == len(cage.cells):
            if reaches(cage.operator, cage.target, chosen, puzzle.rules.wide):
                for cell, digit in enumerate(chosen):
                    kept[cell].add(digit)
            return
        row, column = divmod(cage.cells[place], puzzle.size)
        for digit in places[cage.cells[place]]:
            if any(
                other == digit and (cell // puzzle.size == row or cell % puzzle.size == column)
                for cell, other in zip(cage.cells, chosen, strict=False)
            ):
                continue
            chosen.append(digit)
            fill(place + 1)
            chosen.pop()

    fill(0)
    changed = False
    for cell, digits in zip(cage.cells, kept, strict=True):
        changed = changed or digits != places[cell]
        places[cell] = digits
    return changed

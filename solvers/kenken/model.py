"""KenKen puzzles: rules, cages, and a puzzle that is checked when it is made.

An n x n grid holds each of n digits once in every row and column. Cages cut the grid into connected parts, each with
a target: the sum, the product, the largest digit minus the rest, or the largest digit divided by the rest (exactly:
5 / 2 is not 2). Nothing is divided by 0, so a cage of `/` holds one 0 at most, which is then the digit divided: its
target is 0. Digits may repeat inside a cage that bends.

Operators of Calcudoku: `%` and `^` of two cells in either order (3 and 7 give 1 and 3; 2 and 3 give 8 and 9; nothing
modulo 0), and `gcd`, `lcm` and `|` (bitwise or) of any number of cells.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from solvers.errors import InputError
from solvers.kenken.codes import (
    BASIC,
    DIVIDE,
    GCD,
    GIVEN,
    HIDDEN,
    LCM,
    MAX_CAGES,
    MAX_SIZE,
    MAX_TARGET,
    MINUS,
    OPERATOR_CODES,
    OPERATORS,
    PLUS,
    TIMES,
    TWO_CELLS,
)
from solvers.kenken.layout import BASE, DOMAINS, FILLS, FIRST, MEMBERS, TARGET, thread_work
from solvers.kenken.layout import OPERATORS as OPERATORS_OF_CAGES
from solvers.kenken.listing import BITS, list_fills, operator_set

_MANY_CELLS_HINT = "rules with `wide` allow - and / over more than two cells"


@dataclass(frozen=True)
class Rules:
    """What a puzzle allows beyond the standard rules.

    hidden: cages may hide their operator (`?`): any operator that its number of cells allows may reach the target.
    wide: - and / may have more than two cells: the largest against all the rest.
    from_zero: the digits are 0..n-1 instead of 1..n.
    hides: the operators that a hidden one may be, in the order of codes.OPERATORS.
    Raises InputError for operators that are not known.
    """

    hidden: bool = False
    wide: bool = False
    from_zero: bool = False
    hides: tuple[str, ...] = BASIC

    def __post_init__(self) -> None:
        for symbol in self.hides:
            if symbol not in OPERATORS:
                raise InputError(f"hidden operator {symbol!r}", f"operators are {' '.join(OPERATORS)}")
        if not self.hides:
            raise InputError("no operator that may be hidden", f"give any of {' '.join(OPERATORS)}")
        object.__setattr__(self, "hides", tuple(symbol for symbol in OPERATORS if symbol in self.hides))

    @property
    def lowest(self) -> int:
        """The lowest digit."""
        return 0 if self.from_zero else 1

    @property
    def hidden_bits(self) -> int:
        """The operators that a hidden one may be, as kernels have them."""
        return sum(BITS[symbol] for symbol in self.hides)

    @property
    def flags(self) -> list[str]:
        """Names of the rules that are true."""
        return [field.name for field in fields(self) if getattr(self, field.name) is True]

    def told(self) -> dict[str, Any]:
        """Return the rules that differ from the standard ones, JSON-able: `{"wide": True, "hides": ["+", "gcd"]}`."""
        found: dict[str, Any] = dict.fromkeys(self.flags, True)
        if self.hides != BASIC:
            found["hides"] = list(self.hides)
        return found


STANDARD = Rules()


@dataclass(frozen=True)
class Cage:
    """One cage: operator of codes.SYMBOLS (`=`: a given digit, `?`: hidden), target, and cells, row by row from 0."""

    operator: str
    target: int
    cells: tuple[int, ...]


def cell_name(cell: int, size: int) -> str:
    """Return `row r, column c`, both from 1."""
    return f"row {cell // size + 1}, column {cell % size + 1}"


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that has been checked: cages in the order of their first cells, each with its cells in order.

    Raises InputError that names the cage (numbered from 1 as given) and the cell when the cages do not cover the grid
    exactly once, a cage is not connected, its operator does not fit its number of cells, or it cannot reach its target.
    """

    size: int
    cages: tuple[Cage, ...]
    rules: Rules = STANDARD

    def __post_init__(self) -> None:
        _check_size(self.size)
        cages = [Cage(cage.operator, cage.target, tuple(cage.cells)) for cage in self.cages]
        _check_partition(self.size, cages)
        if len(cages) > MAX_CAGES:
            raise InputError(f"{len(cages)} cages", f"a puzzle has up to {MAX_CAGES}")
        for number, cage in enumerate(cages, 1):
            _check_connected(self.size, number, cage)
            _check_operator(self.size, number, cage, self.rules)
            _check_target(self.size, number, cage, self.rules)
        ordered = (Cage(cage.operator, cage.target, tuple(sorted(cage.cells))) for cage in cages)
        object.__setattr__(self, "cages", tuple(sorted(ordered, key=lambda cage: cage.cells[0])))

    @classmethod
    def trusted(cls, size: int, cages: tuple[Cage, ...], rules: Rules = STANDARD) -> "Puzzle":
        """Return a puzzle of cages that were checked before and stand in order, each with its cells in order."""
        puzzle = object.__new__(cls)
        for name, value in (("size", size), ("cages", cages), ("rules", rules)):
            object.__setattr__(puzzle, name, value)
        return puzzle

    @cached_property
    def cage_of(self) -> tuple[int, ...]:
        """Index of the cage of every cell."""
        owner = [0] * (self.size * self.size)
        for index, cage in enumerate(self.cages):
            for cell in cage.cells:
                owner[cell] = index
        return tuple(owner)

    @property
    def digits(self) -> range:
        """The digits of the puzzle."""
        return range(self.rules.lowest, self.rules.lowest + self.size)

    def operators_by_count(self) -> dict[str, int]:
        """Return the number of cages by operator symbol, only those that occur."""
        counts: dict[str, int] = {}
        for cage in self.cages:
            counts[cage.operator] = counts.get(cage.operator, 0) + 1
        return counts


def puzzle_from_cage_of(
    cage_of: Sequence[int], clues: Iterable[tuple[str, int]], size: int, rules: Rules = STANDARD
) -> Puzzle:
    """Return the puzzle with cage numbers by cell (0, 1, ... all used) and (operator, target) by cage number."""
    clues = list(clues)
    cells: list[list[int]] = [[] for _ in clues]
    for cell, cage in enumerate(cage_of):
        cells[cage].append(cell)
    return Puzzle(
        size, tuple(Cage(op, target, tuple(own)) for (op, target), own in zip(clues, cells, strict=True)), rules
    )


def _check_size(size: int) -> None:
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MAX_SIZE:
        raise InputError(f"size {size!r} is not a whole number from 1 to {MAX_SIZE}", "give a smaller grid")


def _check_partition(size: int, cages: list[Cage]) -> None:
    owner: dict[int, int] = {}
    for number, cage in enumerate(cages, 1):
        if not cage.cells:
            raise InputError(f"cage {number} has no cells", "give it cells or leave it out")
        for cell in cage.cells:
            if isinstance(cell, bool) or not isinstance(cell, int):
                raise InputError(f"cage {number} has cell {cell!r}, which is no whole number", "count cells from 0")
            if not 0 <= cell < size * size:
                raise InputError(
                    f"cage {number} has cell {cell}, outside the {size}x{size} grid", f"cells are 0..{size * size - 1}"
                )
            if cell in owner:
                where = cell_name(cell, size)
                if owner[cell] == number:
                    raise InputError(f"cage {number} lists {where} twice", "list every cell once")
                raise InputError(f"{where} is in cage {owner[cell]} and in cage {number}", "a cell has one cage")
            owner[cell] = number
    for cell in range(size * size):
        if cell not in owner:
            raise InputError(f"{cell_name(cell, size)} is in no cage of {len(cages)}", "give every cell a cage")


def _check_connected(size: int, number: int, cage: Cage) -> None:
    inside = set(cage.cells)
    reached = {cage.cells[0]}
    frontier = [cage.cells[0]]
    while frontier:
        row, column = divmod(frontier.pop(), size)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            cell = r * size + c
            if 0 <= r < size and 0 <= c < size and cell in inside and cell not in reached:
                reached.add(cell)
                frontier.append(cell)
    for cell in cage.cells:
        if cell not in reached:
            raise InputError(
                f"cage {number} is not connected: {cell_name(cell, size)} does not touch the part with "
                f"{cell_name(cage.cells[0], size)}",
                "cells of a cage share sides",
            )


def _place(size: int, number: int, cage: Cage) -> str:
    return f"cage {number} at {cell_name(min(cage.cells), size)}"


def _check_operator(size: int, number: int, cage: Cage, rules: Rules) -> None:
    place = _place(size, number, cage)
    cells = len(cage.cells)
    if cage.operator not in OPERATOR_CODES:
        raise InputError(f"{place} has operator {cage.operator!r}", f"operators are {' '.join(OPERATOR_CODES)}")
    code = OPERATOR_CODES[cage.operator]
    if (code == GIVEN) != (cells == 1):
        if cells == 1:
            raise InputError(
                f"{place} has one cell and operator {cage.operator}", "a single cell takes a digit alone (=)"
            )
        raise InputError(f"{place} has {cells} cells and no operator", f"give it one of {' '.join(OPERATORS)} ?")
    if code == HIDDEN and not rules.hidden:
        raise InputError(f"{place} hides its operator", "rules with `hidden` allow that")
    if code in (MINUS, DIVIDE) and cells > 2 and not rules.wide:
        raise InputError(f"{place} has {cells} cells and operator {cage.operator}", _MANY_CELLS_HINT)
    if cage.operator in TWO_CELLS and cells > 2:
        raise InputError(f"{place} has {cells} cells and operator {cage.operator}", "% and ^ have two cells")


def _check_target(size: int, number: int, cage: Cage, rules: Rules) -> None:
    place = _place(size, number, cage)
    target = cage.target
    if isinstance(target, bool) or not isinstance(target, int):
        raise InputError(f"{place} has target {target!r}", "targets are whole numbers")
    if not 0 <= target <= MAX_TARGET:
        raise InputError(f"{place} has target {target}", f"targets are 0..{MAX_TARGET}")
    lowest, highest = rules.lowest, rules.lowest + size - 1
    if len(cage.cells) == 1:
        if not lowest <= target <= highest:
            raise InputError(f"{place} holds the digit {target}", f"digits are {lowest}..{highest}")
    elif not can_reach(size, cage, rules):
        shown = "" if cage.operator == "?" else cage.operator
        raise InputError(
            f"{place} cannot reach {target}{shown} with {len(cage.cells)} cells", "change its target or cells"
        )


def can_reach(size: int, cage: Cage, rules: Rules = STANDARD) -> bool:
    """Whether digits that differ within rows and columns reach the cage's target.

    Exact where the number of cells times the size is at most 63; for larger cages a necessary condition: bounds for a
    sum, prime factors for a product, and the largest digit or all digits for the others.
    """
    code = OPERATOR_CODES[cage.operator]
    cells = len(cage.cells)
    if cells * size <= 63:
        work = thread_work(size)
        work[BASE] = rules.lowest
        work[FIRST : FIRST + 2] = 0, cells
        work[MEMBERS : MEMBERS + cells] = cage.cells
        work[DOMAINS : DOMAINS + size * size] = (1 << size) - 1
        work[OPERATORS_OF_CAGES] = operator_set(code, cells, rules.wide, rules.hidden_bits if code == HIDDEN else 0)
        work[TARGET] = cage.target
        return bool(list_fills(work, 0, DOMAINS, FILLS, 1) != 0)
    low, high = _sum_bounds(size, cage.cells, rules.lowest)
    if code == PLUS:
        return low <= cage.target <= high
    if code == TIMES:
        return _is_product(cage.target, size, rules.lowest)
    digits = range(max(rules.lowest, 1), rules.lowest + size)
    if code == LCM:
        return math.lcm(*digits) % cage.target == 0 if cage.target else rules.from_zero
    if code == GCD:
        return cage.target < rules.lowest + size
    if code in (MINUS, DIVIDE):
        return cage.target <= size
    return code == HIDDEN or cage.target < 1 << (rules.lowest + size - 1).bit_length()


def _sum_bounds(size: int, cells: Sequence[int], lowest: int) -> tuple[int, int]:
    """Bounds of the sum from the cells of each row alone, and from those of each column alone; the tighter ones."""
    bounds = []
    for line_of in (lambda cell: cell // size, lambda cell: cell % size):
        lines = [line_of(cell) for cell in cells]
        counts = [lines.count(line) for line in set(lines)]
        low = sum(k * (k - 1) // 2 + k * lowest for k in counts)
        bounds.append((low, sum(k * (2 * (size - 1 + lowest) - k + 1) // 2 for k in counts)))
    return max(bound[0] for bound in bounds), min(bound[1] for bound in bounds)


def _is_product(target: int, size: int, lowest: int) -> bool:
    if target == 0:
        return lowest == 0
    for factor in range(2, size + lowest):
        while target % factor == 0:
            target //= factor
    return target == 1

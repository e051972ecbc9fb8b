"""The ladder of rules with sets in plain Python, to check grades against. For the standard rules."""

from math import prod

from solvers.kenken import RUNGS, Puzzle
from solvers.kenken.reference import fills, reaches

Domains = list[set[int]]


def lines(size: int) -> list[list[int]]:
    rows = [[row * size + i for i in range(size)] for row in range(size)]
    return rows + [list(column) for column in zip(*rows, strict=True)]


def fits_alone(puzzle: Puzzle, domains: Domains, cage: int, cell: int, digit: int) -> bool:
    """Whether bounds on the cage's other cells allow the digit."""
    operator, target = puzzle.cages[cage].operator, puzzle.cages[cage].target
    others = [domains[other] for other in puzzle.cages[cage].cells if other != cell]
    if operator == "=":
        return digit == target
    if len(others) == 1:
        return any(other != digit and reaches(operator, target, (digit, other)) for other in others[0])
    if operator == "+":
        return digit + sum(map(min, others)) <= target <= digit + sum(map(max, others))
    placed = prod(min(other) for other in others if len(other) == 1)
    low = prod(min(other) for other in others if len(other) > 1)
    high = prod(max(other) for other in others if len(other) > 1)
    rest, remainder = divmod(target, placed * digit)
    return remainder == 0 and low <= rest <= high


def singles(puzzle: Puzzle, domains: Domains) -> None:
    for line in lines(puzzle.size):
        for cell in line:
            if len(domains[cell]) == 1:
                for other in line:
                    if other != cell:
                        domains[other] -= domains[cell]
    for cell in range(puzzle.size**2):
        domains[cell] &= {d for d in domains[cell] if fits_alone(puzzle, domains, puzzle.cage_of[cell], cell, d)}


def hidden_singles(puzzle: Puzzle, domains: Domains) -> None:
    for line in lines(puzzle.size):
        for digit in puzzle.digits:
            places = [cell for cell in line if digit in domains[cell]]
            if len(places) == 1:
                domains[places[0]] &= {digit}


def live_fills(puzzle: Puzzle, domains: Domains, cage: int) -> list[tuple[int, ...]]:
    cells = puzzle.cages[cage].cells
    every = fills(puzzle.cages[cage], puzzle.size, puzzle.rules)
    return [fill for fill in every if all(digit in domains[cell] for digit, cell in zip(fill, cells, strict=True))]


def cage_tuples(puzzle: Puzzle, domains: Domains) -> None:
    for cage, own in enumerate(puzzle.cages):
        for cell, held in zip(own.cells, zip(*live_fills(puzzle, domains, cage), strict=True), strict=True):
            domains[cell] &= set(held)


def forced_lines(puzzle: Puzzle, domains: Domains) -> None:
    for cage, own in enumerate(puzzle.cages):
        for line in lines(puzzle.size):
            live = live_fills(puzzle, domains, cage)
            held = [{d for d, cell in zip(fill, own.cells, strict=True) if cell in line} for fill in live]
            for other in set(line) - set(own.cells):
                domains[other] -= set.intersection(*held)


def plain_rung(puzzle: Puzzle) -> str:
    """The weakest rung that solves the puzzle together with those before it."""
    rules = (singles, hidden_singles, cage_tuples, forced_lines)
    domains = [set(puzzle.digits) for _ in range(puzzle.size**2)]
    rung = 0
    while rung < len(rules):
        before = [set(domain) for domain in domains]
        for rule in rules[: rung + 1]:
            rule(puzzle, domains)
        if all(len(domain) == 1 for domain in domains):
            return RUNGS[rung]
        if domains == before:
            rung += 1
    return RUNGS[rung]

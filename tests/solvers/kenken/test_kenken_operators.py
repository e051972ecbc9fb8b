"""Every operator, and zero under each, against brute force over all Latin squares of order 3 and 4."""

from collections import Counter
from itertools import combinations

import pytest

from solvers.errors import InputError
from solvers.kenken import (
    Cage,
    Puzzle,
    Rules,
    Spec,
    generate,
    read_puzzle,
    solve,
    solve_batch,
    solve_reference,
    spec_from_dict,
    write_puzzle,
)
from solvers.kenken.codes import OPERATORS
from solvers.kenken.reference import fills, reaches
from tests.solvers.kenken.brute_force import latin_squares, results, solutions

SHAPES = {3: [(0, 1), (0, 3, 4), (0, 1, 2), (0, 1, 3, 4)], 4: [(0, 1), (0, 4, 5), (0, 1, 4, 5)]}
NEW = ("%", "^", "gcd", "lcm", "|")


@pytest.mark.parametrize("from_zero", [False, True])
@pytest.mark.parametrize("operator", [*OPERATORS, "?"])
@pytest.mark.parametrize("size", [3, 4])
def test_a_cage_of_every_shape_and_target_has_the_solutions_of_brute_force(
    size: int, operator: str, from_zero: bool
) -> None:
    """The other cells stand in one cage that says their sum alone; targets that no digits reach are refused."""
    rules = Rules(hidden=True, wide=True, from_zero=from_zero, hides=OPERATORS)
    squares = [[digit + rules.lowest for digit in square] for square in latin_squares(size)]
    reachable = refused = 0
    for shape in SHAPES[size]:
        rest = tuple(cell for cell in range(size * size) if cell not in shape)
        held = {tuple(square[cell] for cell in shape) for square in squares}
        operators = rules.hides if operator == "?" else [operator]
        made = {t for digits in held for one in operators for t in results(one, digits, True)}
        for target in [*range(20), 24, 27, 36, 48, 64, 81, 256]:
            cage = Cage(operator, target, shape)
            if target not in made:
                refused += 1
                with pytest.raises(InputError, match=r"cannot reach|have two cells"):
                    Puzzle(size, (cage, Cage("+", sum(squares[0]) - 1, rest)), rules)
                continue
            reachable += 1
            total = sum(squares[0]) - next(
                sum(d) for d in sorted(held) if any(target in results(one, d, True) for one in operators)
            )
            puzzle = Puzzle(size, (cage, Cage("+", total, rest)), rules)
            assert solve(puzzle, limit=1000).solutions == len(solutions(puzzle)), cage
    assert reachable
    assert refused or operator == "?"


def test_zero_divided_by_a_digit_is_zero_and_nothing_is_divided_by_zero() -> None:
    """Two cells of a 3x3 grid of 0..2 reach 0/ by 0 and 1 or 0 and 2; before, `0/` was refused."""
    rules = Rules(from_zero=True)
    cage = Cage("/", 0, (0, 1))
    assert set(fills(cage, 3, rules)) == {(0, 1), (1, 0), (0, 2), (2, 0)}
    puzzle = Puzzle(3, (cage, Cage("+", 8, tuple(range(2, 9)))), rules)
    assert solve(puzzle, limit=100).solutions == len(solutions(puzzle)) > 0
    with pytest.raises(InputError, match="cannot reach 0/"):
        Puzzle(3, (cage, Cage("+", 15, tuple(range(2, 9)))))
    wide = Rules(from_zero=True, wide=True)
    bent = Puzzle(3, (Cage("/", 0, (0, 1, 3)), Cage("+", 7, (2, 4, 5, 6, 7, 8))), wide)
    assert solve(bent, limit=100).solutions == len(solutions(bent)) > 0
    # A cage too large to list: three rows, of which only one may hold the 0 that is divided.
    whole = Puzzle.trusted(4, (Cage("/", 0, tuple(range(16))),), wide)
    assert solve(whole, limit=1000).status == "none"


@pytest.mark.parametrize(
    ("operator", "pairs"),
    [
        ("%", {7: 1, 6: 2, 5: 3, 4: 4, 3: 7, 2: 11, 1: 16, 0: 12}),
        ("|", {3: 3, 5: 3, 6: 3, 7: 12, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1}),
    ],
)
def test_pairs_of_digits_by_target_are_those_of_players_tables(operator: str, pairs: dict[int, int]) -> None:
    """Tables for 8x8 puzzles that players of Calcudoku publish: how many pairs of different digits give each target."""
    counted = Counter(
        target for target in range(16) for pair in combinations(range(1, 9), 2) if reaches(operator, target, pair)
    )
    assert counted == pairs
    for target, count in pairs.items():
        cage = Cage(operator, target, (0, 1))
        assert len(list(fills(cage, 8, Rules()))) == 2 * count
        rows = [Cage("+", 36, tuple(range(r * 8, r * 8 + 8))) for r in range(1, 8)]
        Puzzle(8, (cage, Cage("+", 36 - sum(next(fills(cage, 8, Rules()))), tuple(range(2, 8))), *rows))


def spec_of(operator: str, size: int = 4) -> Spec:
    return Spec("one", size, operators=(("+", 1), (operator, 4)), rules=Rules(from_zero=operator == "|"))


@pytest.mark.parametrize("operator", NEW)
def test_generated_puzzles_of_an_operator_are_unique_by_the_reference(operator: str) -> None:
    check_unique(operator, 60)


@pytest.mark.long
@pytest.mark.parametrize("operator", NEW)
def test_a_thousand_puzzles_of_each_new_operator_are_unique_by_the_reference(operator: str) -> None:
    check_unique(operator, 1000)


def check_unique(operator: str, count: int) -> None:
    batch = generate(spec_of(operator), 3, 0, count)
    results = solve_batch(batch)
    assert (results.status == 1).all()
    held = 0
    for i in range(count):
        puzzle = batch.puzzle(i)
        held += operator in puzzle.operators_by_count()
        reference = solve_reference(puzzle)
        assert (reference.status, reference.solution) == ("unique", tuple(results.solution[i].tolist()))
    assert held > count * 0.9


@pytest.mark.parametrize("format", ["keen", "map", "json"])
def test_every_operator_round_trips_in_every_format(format: str) -> None:
    for operator in NEW:
        puzzle = generate(spec_of(operator), 1, 0, 1).puzzle(0)
        assert read_puzzle(write_puzzle(puzzle, format), puzzle.rules) == puzzle
    hidden = Rules(hidden=True, hides=("gcd", "|"))
    spec = Spec("h", 4, operators=(("gcd", 1), ("|", 1)), rules=hidden)
    puzzle = generate(spec, 1, 0, 1).puzzle(0)
    assert read_puzzle(write_puzzle(puzzle, format), hidden) == puzzle
    if format != "keen":
        assert read_puzzle(write_puzzle(puzzle, format)).rules == hidden


def test_hidden_operators_are_those_of_the_rules() -> None:
    cages = (
        Cage("?", 1, (0, 1)),
        *(Cage("=", d, (c,)) for c, d in zip(range(2, 9), (3, 1, 3, 2, 3, 2, 1), strict=True)),
    )
    for hides, fits in ((("+",), False), (("gcd",), True), (("-", "|"), True)):
        if not fits:
            with pytest.raises(InputError, match="cannot reach 1 "):
                Puzzle(3, cages, Rules(hidden=True, hides=hides))
        else:
            Puzzle(3, cages, Rules(hidden=True, hides=hides))
    with pytest.raises(InputError, match="hidden operator '&'"):
        Rules(hidden=True, hides=("&",))
    with pytest.raises(InputError, match="hidden cages of operator gcd"):
        spec_from_dict({"size": 4, "operators": {"gcd": 1}, "rules": {"hidden": True}}, "mine")


def test_grids_of_sixteen_are_solved_and_256_cages_refused() -> None:
    spec = Spec("k16", 16, cage_sizes=((1, 12), (2, 4)), operators=(("+", 1), ("-", 1), ("lcm", 1)))
    batch = generate(spec, 1, 0, 1)
    answer = solve(batch.puzzle(0))
    assert answer.status == "unique"
    assert sorted(answer.solution[:16]) == list(range(1, 17))
    assert read_puzzle(write_puzzle(batch.puzzle(0), "keen")) == batch.puzzle(0)
    cyclic = tuple(Cage("=", (r + c) % 16 + 1, (r * 16 + c,)) for r in range(16) for c in range(16))
    with pytest.raises(InputError, match="256 cages"):
        Puzzle(16, cyclic)
    joined = (Cage("+", cyclic[0].target + cyclic[1].target, (0, 1)), *cyclic[2:])
    assert solve(Puzzle(16, joined)).status == "unique"
    with pytest.raises(InputError, match="in 3 attempts"):
        generate(Spec("givens", 16, cage_sizes=((1, 1),)), 1, 0, 1, attempts=3)

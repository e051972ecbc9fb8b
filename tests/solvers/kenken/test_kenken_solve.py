"""Solutions, statuses and counts are exact: golden puzzles, brute force, the reference, and searches in parts."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import InputError
from solvers.kenken import (
    UNGRADED,
    UNKNOWN_DIGIT,
    Cage,
    Puzzle,
    Rules,
    merge,
    operator_counts,
    pack,
    read_keen,
    solve,
    solve_batch,
    solve_part,
    solve_reference,
    split,
)
from solvers.kenken.codes import BASIC, OPERATORS
from solvers.kenken.model import can_reach
from solvers.kenken.reference import fills, reaches
from tests.solvers.kenken.brute_force import latin_squares, results, solutions

Cases = dict[str, tuple[Puzzle, tuple[int, ...]]]


def digits(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def rows(size: int, target: int) -> Puzzle:
    return Puzzle(size, tuple(Cage("+", target, tuple(range(r * size, r * size + size))) for r in range(size)))


def test_every_keen_puzzle_is_unique_with_keens_solution(
    keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]
) -> None:
    for size in range(4, 10):
        chosen = [i for i, puzzle in enumerate(keen_puzzles) if puzzle.size == size]
        results = solve_batch(pack([keen_puzzles[i] for i in chosen]))
        assert (results.status == 1).all()
        assert (results.solutions == 1).all()
        for i, solution in zip(chosen, results.solution.tolist(), strict=True):
            assert tuple(solution) == digits(keen_rows[i]["solution"])


def test_the_awkward_puzzles_have_their_solutions(cases: Cases) -> None:
    for name, (puzzle, solution) in cases.items():
        if solution:
            assert (solve(puzzle).status, solve(puzzle).solution) == ("unique", solution), name
            if puzzle.size < 8:
                assert solve_reference(puzzle).solution == solution, name
    assert len(cases) == 8


def test_division_is_exact(cases: Cases) -> None:
    """With floor division this puzzle would have two solutions; 0 is divided, never divided by."""
    assert solve(cases["exact-division"][0], limit=10).solutions == 1
    assert not reaches("/", 2, (5, 2))
    assert not reaches("/", 2, (4, 0))
    assert reaches("/", 0, (4, 0))
    assert not reaches("/", 0, (0, 4, 0), wide=True)
    assert reaches("/", 1, (6, 3, 2), wide=True)


def test_all_solutions_are_counted_up_to_the_limit(cases: Cases) -> None:
    puzzle = cases["many-solutions"][0]
    assert (solve(puzzle, limit=100).status, solve(puzzle, limit=100).solutions) == ("multiple", 12)
    assert solve(puzzle, limit=2).solutions == 2
    assert solve_reference(puzzle, limit=100).solutions == 12
    for limit in (0, 1):
        with pytest.raises(InputError, match=f"limit of {limit} solutions"):
            solve(puzzle, limit=limit)


def test_a_puzzle_without_solution_says_none() -> None:
    puzzle = Puzzle(2, (Cage("+", 3, (0, 1)), Cage("=", 1, (2,)), Cage("=", 1, (3,))))
    answer = solve(puzzle)
    assert (answer.status, answer.solutions, answer.solution, answer.grade) == ("none", 0, (), None)
    assert solve_reference(puzzle).status == "none"
    results = solve_batch(pack([puzzle]))
    assert results.solution.tolist() == [[UNKNOWN_DIGIT] * 4]
    assert results.grade.tolist() == [UNGRADED]


def test_the_node_limit_is_told_apart_from_an_answer(cases: Cases) -> None:
    puzzle = cases["many-solutions"][0]
    assert (solve(puzzle, limit=100, node_limit=0).status, solve(puzzle, node_limit=0).nodes) == ("gave_up", 0)
    full = solve(puzzle, limit=100)
    seen = set()
    for node_limit in range(full.nodes + 1):
        part = solve(puzzle, limit=100, node_limit=node_limit)
        seen.add(part.status)
        assert part.nodes == min(node_limit, full.nodes)
        assert part.status == ("multiple" if part.solutions >= 2 else "gave_up")
    assert seen == {"gave_up", "multiple"}
    assert solve_reference(puzzle, node_limit=3).status == "gave_up"


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 2), (3, 12), (4, 576), (5, 161_280)])
def test_cages_that_say_nothing_leave_every_latin_square(size: int, count: int) -> None:
    """Listed fills (rows) and bounds (one cage of all cells, too large to list) both count Latin squares."""
    total = size * (size + 1) // 2
    if size > 1:
        assert solve(rows(size, total), limit=10**6).solutions == count
        assert (
            solve(Puzzle(size, (Cage("+", total * size, tuple(range(size * size))),)), limit=10**6).solutions == count
        )
    else:
        assert solve(Puzzle(1, (Cage("=", 1, (0,)),))).solutions == count


@pytest.mark.parametrize(
    ("operator", "target"), [("*", math.factorial(4) ** 4), ("*", 1), ("-", 3), ("/", 4), ("?", 40)]
)
def test_a_cage_too_large_to_list_is_judged_exactly(operator: str, target: int) -> None:
    puzzle = Puzzle.__new__(Puzzle)
    for name, value in (
        ("size", 4), ("cages", (Cage(operator, target, tuple(range(16))),)), ("rules", Rules(hidden=True, wide=True)),
    ):  # fmt: skip
        object.__setattr__(puzzle, name, value)
    assert solve(puzzle, limit=1000).solutions == len(solutions(puzzle))


def test_products_beyond_32_bits_are_exact() -> None:
    """A 15 x 15 grid of rows whose product is 15! (1.3e12), and a target one prime factor off."""
    product = math.factorial(15)
    cyclic = [Cage("*", product, tuple(range(r * 15, r * 15 + 15))) for r in range(14)]
    last = [Cage("=", c + 1, (14 * 15 + c,)) for c in range(15)]
    assert solve(Puzzle(15, (*cyclic, *last)), limit=2, node_limit=10_000).status == "multiple"
    with pytest.raises(InputError, match="cannot reach"):
        Puzzle(15, (Cage("*", product // 13 * 17, tuple(range(15))), *cyclic[1:], *last))


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    """Puzzles of order 3 and 4 under any rules; most targets come from one Latin square, some do not."""
    size = draw(st.sampled_from([3, 3, 4]))
    hides = draw(st.sampled_from([BASIC, OPERATORS, ("-", "gcd", "|")]))
    rules = Rules(draw(st.booleans()), draw(st.booleans()), draw(st.booleans()), hides)
    square = draw(st.sampled_from(latin_squares(size)))
    owner = list(range(size * size))
    edges = [(c, c + 1) for c in range(size * size) if c % size < size - 1]
    edges += [(c, c + size) for c in range(size * (size - 1))]
    for first, second in draw(st.permutations(edges)):
        merged = [c for c in range(size * size) if owner[c] in (owner[first], owner[second])]
        if owner[first] != owner[second] and len(merged) <= draw(st.sampled_from([2, 3, 3, 4, 6])):
            for cell in merged:
                owner[cell] = first
    cages = []
    for name in sorted(set(owner), key=owner.index):
        cells = tuple(c for c in range(size * size) if owner[c] == name)
        held = [square[c] + rules.lowest for c in cells]
        if len(cells) == 1:
            cages.append(Cage("=", held[0], cells))
            continue
        made = {
            op: sorted(int(t) for t in results(op, held, rules.wide) if t >= 0 and t.denominator == 1)
            for op in OPERATORS
        }
        operator = draw(st.sampled_from([op for op in OPERATORS if made[op]]))
        target = draw(st.sampled_from(made[operator])) + (draw(st.sampled_from([0, 0, 0, 0, 0, 1])))
        shown = "?" if rules.hidden and operator in rules.hides and draw(st.booleans()) else operator
        cages.append(Cage(shown, target, cells))
    for i, cage in enumerate(cages):
        if not can_reach(size, cage, rules):
            assert not list(fills(cage, size, rules))
            cages[i] = Cage("+", sum(square[c] + rules.lowest for c in cage.cells), cage.cells)
    return Puzzle(size, tuple(cages), rules)


@settings(max_examples=200)
@given(small_puzzles())
def test_small_puzzles_agree_with_brute_force_and_the_reference(puzzle: Puzzle) -> None:
    expected = solutions(puzzle)
    answer = solve(puzzle, limit=1000)
    assert answer.solutions == len(expected)
    assert answer.status == ("none" if not expected else "unique" if len(expected) == 1 else "multiple")
    assert set(solve(puzzle).solution) <= set(puzzle.digits)
    if expected:
        assert answer.solution in expected
    reference = solve_reference(puzzle, limit=1000)
    assert (reference.solutions, reference.status) == (answer.solutions, answer.status)


@settings(max_examples=100)
@given(small_puzzles(), st.integers(1, 40), st.sampled_from([2, 3, 7, 1000]), st.integers(0, 60))
def test_a_search_in_parts_gives_the_undivided_answer(puzzle: Puzzle, parts: int, limit: int, node_limit: int) -> None:
    for nodes in (10**6, node_limit):
        cut = split(puzzle, parts)
        outcomes = [solve_part(puzzle, part, limit, nodes) for part in cut]
        assert merge(cut, outcomes, limit, nodes) == solve(puzzle, limit, nodes)


def test_puzzles_and_parts_can_be_sent_to_other_processes(cases: Cases) -> None:
    puzzle = cases["p4-needs-search"][0]
    for value in (puzzle, split(puzzle, 3), solve_part(puzzle, split(puzzle, 3)[0]), solve(puzzle)):
        assert pickle.loads(pickle.dumps(value)) == value


def test_a_hard_puzzle_in_parts_gives_the_undivided_answer(
    keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]
) -> None:
    hard = [
        p
        for p, row in zip(keen_puzzles, keen_rows, strict=True)
        if (row["size"], row["difficulty"]) == ("9", "unreasonable")
    ]
    many = 0
    for puzzle in hard[:8]:
        cut = split(puzzle, 12)
        many = max(many, len(cut))
        assert merge(cut, [solve_part(puzzle, part) for part in cut]) == solve(puzzle)
    assert many >= 12


def test_the_reference_agrees_on_keen_puzzles(keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]) -> None:
    for row, puzzle in zip(keen_rows, keen_puzzles, strict=True):
        if puzzle.size == 4:
            answer = solve_reference(puzzle)
            assert (answer.status, answer.solution) == ("unique", digits(row["solution"]))


@pytest.mark.long
def test_the_reference_agrees_on_all_keen_puzzles(keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]) -> None:
    for row, puzzle in zip(keen_rows, keen_puzzles, strict=True):
        if puzzle.size <= 7:
            assert solve_reference(puzzle).solution == digits(row["solution"])


def test_results_do_not_depend_on_the_batch_around_a_puzzle(keen_puzzles: list[Puzzle]) -> None:
    """Nothing of one puzzle is left behind for the next: reversed and alone give the same rows."""
    puzzles = [puzzle for puzzle in keen_puzzles if puzzle.size == 6][::4]
    forward = solve_batch(pack(puzzles))
    backward = solve_batch(pack(puzzles[::-1]))
    for name, values in forward._asdict().items():
        assert np.array_equal(values, getattr(backward, name)[::-1]), name
        assert np.array_equal(values[7:8], getattr(solve_batch(pack(puzzles[7:8])), name)), name


def test_batches_hold_puzzles_of_one_kind() -> None:
    with pytest.raises(InputError, match="puzzle 1 differs"):
        pack([rows(3, 6), rows(4, 10)])
    assert pack([]).length == 0
    batch = pack([rows(3, 6), read_keen("3:_a_aa_3a,a5a4a2m2s2")])
    assert batch.puzzle(0) == rows(3, 6)
    assert batch.part(1, 2).puzzle(0) == read_keen("3:_a_aa_3a,a5a4a2m2s2")


def test_operators_are_counted_by_kind(keen_puzzles: list[Puzzle]) -> None:
    puzzles = [puzzle for puzzle in keen_puzzles if puzzle.size == 4]
    for puzzle, counts in zip(puzzles, operator_counts(pack(puzzles))[:, :6].tolist(), strict=True):
        assert dict(zip("=+-*/?", counts, strict=True)) == {
            op: puzzle.operators_by_count().get(op, 0) for op in "=+-*/?"
        }

"""Generated puzzles: even Latin squares, one solution each, and the same puzzle whatever is asked beside it."""

import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from solvers.errors import InputError
from solvers.kenken import (
    GRADES,
    Rules,
    Spec,
    generate,
    generate_counted,
    parse_grade,
    solve_batch,
    solve_reference,
    spec_for_size,
    spec_from_dict,
    spec_id,
)
from solvers.kenken.latin import draw_square
from solvers.philox import STREAM_LENGTH, start_stream
from tests.solvers.kenken.brute_force import latin_squares

CONFIGS = Path(__file__).parents[3] / "configs" / "kenken"


def squares(size: int, count: int) -> list[tuple[int, ...]]:
    stream = np.zeros(STREAM_LENGTH, np.uint64)
    ones, square = np.zeros(3 * size**2, np.int64), np.zeros(size**2, np.int64)
    drawn = []
    for item in range(count):
        start_stream(stream, item, 0, 20, 26)
        draw_square(stream, size, ones, square)
        drawn.append(tuple(square.tolist()))
    return drawn


def test_all_576_latin_squares_of_order_4_come_up_evenly() -> None:
    counts = Counter(squares(4, 57_600))
    assert set(counts) == set(latin_squares(4))
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_both_kinds_of_order_5_squares_come_up_in_their_shares() -> None:
    """Of the 161,280 squares of order 5, 17,280 have a multiplication table isotopic to the cyclic group's.

    Those are told by quadrangles: any two rows differ by a single cycle of length 5 (McKay, Meynert, Myrvold 2007).
    """

    def cyclic(square: tuple[int, ...]) -> bool:
        grid = [square[r * 5 : r * 5 + 5] for r in range(5)]
        for a in range(5):
            for b in range(a):
                step = dict(zip(grid[a], grid[b], strict=True))
                digit, length = step[0], 1
                while digit:
                    digit, length = step[digit], length + 1
                if length != 5:
                    return False
        return True

    drawn = squares(5, 20_000)
    share = sum(map(cyclic, drawn))
    assert (
        chisquare([share, len(drawn) - share], [len(drawn) * 17_280 / 161_280, len(drawn) * 144_000 / 161_280]).pvalue
        > 1e-3
    )


@pytest.mark.parametrize("size", [1, 2, 9, 15])
def test_squares_of_every_size_are_latin(size: int) -> None:
    grid = np.array(squares(size, 3)).reshape(3, size, size)
    assert (np.sort(grid, axis=1) == np.arange(size)[:, None]).all()
    assert (np.sort(grid, axis=2) == np.arange(size)).all()


VARIANTS = [
    Spec("plain", 5),
    Spec("hidden", 4, cage_sizes=((1, 1), (2, 4), (3, 2)), rules=Rules(hidden=True)),
    Spec("wide", 5, rules=Rules(wide=True)),
    Spec("zero", 5, rules=Rules(from_zero=True)),
    Spec("all_rules", 4, rules=Rules(True, True, True)),
    Spec("sums", 4, operators=(("+", 1),)),
]


@pytest.mark.parametrize("spec", VARIANTS, ids=lambda spec: spec.id)
def test_the_reference_finds_each_generated_puzzle_unique(spec: Spec) -> None:
    batch = generate(spec, 7, 0, 40)
    answers = solve_batch(batch)
    assert (answers.status == 1).all()
    for i in range(batch.length):
        puzzle = batch.puzzle(i)
        reference = solve_reference(puzzle)
        assert reference.status == "unique"
        assert reference.solution == tuple(answers.solution[i].tolist())


@settings(max_examples=20)
@given(st.integers(0, 30), st.integers(0, 12))
def test_a_puzzle_depends_on_seed_spec_and_index_alone(start: int, count: int) -> None:
    spec = Spec("k4x4", 4)
    whole = generate(spec, 5, 0, 42)
    part = generate(spec, 5, start, count)
    assert [part.puzzle(i) for i in range(count)] == [whole.puzzle(start + i) for i in range(count)]


def test_drafts_are_taken_in_order_however_many_are_solved_at_once() -> None:
    spec = Spec("k5x5", 5)
    _, tried = generate_counted(spec, 5, 0, 100)
    assert tried.max() > 3
    for i in np.argsort(tried)[-3:]:
        assert generate_counted(spec, 5, int(i), 1)[1].tolist() == [tried[i]]
        with pytest.raises(InputError, match=f"puzzle {i}: no unique puzzle in {tried[i] - 1} attempts"):
            generate(spec, 5, int(i), 1, attempts=int(tried[i]) - 1)


def test_seed_and_spec_decide_but_the_id_does_not() -> None:
    first = generate(Spec("a", 4), 1, 0, 5)
    assert [first.puzzle(i) for i in range(5)] == [
        generate(Spec("b", 4, notes="x"), 1, 0, 5).puzzle(i) for i in range(5)
    ]
    assert first.puzzle(0) != generate(Spec("a", 4), 2, 0, 1).puzzle(0)
    other = Spec("a", 4, operators=(("+", 3), ("*", 2)))
    assert first.puzzle(0) != generate(other, 1, 0, 1).puzzle(0)


@pytest.mark.parametrize("grade", GRADES)
def test_a_grade_keeps_puzzles_of_that_grade(grade: str) -> None:
    results = solve_batch(generate(Spec("graded", 5, grade=grade), 1, 0, 5))
    assert results.grade.tolist() == [GRADES.index(grade)] * 5


def test_attempts_are_bounded() -> None:
    """Every 1x1 puzzle is easy, so none is hard; pairs of digits 0 and 1 have no quotient."""
    with pytest.raises(InputError, match="spec one, puzzle 3: no unique puzzle of grade hard in 50 attempts"):
        generate(Spec("one", 1, grade="hard"), 1, 3, 2, attempts=50)
    bits = Spec("bits", 2, cage_sizes=((2, 1),), operators=(("/", 1),), rules=Rules(from_zero=True))
    with pytest.raises(InputError, match="spec bits, puzzle 0: no unique puzzle in 20 attempts"):
        generate(bits, 1, 0, 1, attempts=20)


def test_cage_sizes_and_operators_are_those_of_the_spec() -> None:
    spec = Spec("shaped", 6, cage_sizes=((2, 3), (3, 1)), operators=(("-", 2), ("*", 1)))
    batch = generate(spec, 1, 0, 200)
    sizes, operators = Counter(), Counter()
    for i in range(batch.length):
        for cage in batch.puzzle(i).cages:
            sizes[len(cage.cells)] += 1
            operators[cage.operator] += 1
    assert set(operators) <= {"-", "*", "="}
    assert max(sizes) == 3
    assert sizes[2] > sizes[3] > sizes[1]


def test_shipped_specs_generate_what_they_say() -> None:
    files = sorted(CONFIGS.glob("*.toml"))
    assert {f"k{n}x{n}" for n in range(3, 10)} < {file.stem for file in files}
    for file in files:
        spec = spec_from_dict(tomllib.loads(file.read_text()), file.stem)
        batch = generate(spec, 1, 0, 2)
        assert (solve_batch(batch).status == 1).all()
        assert batch.rules == spec.rules


def test_the_spec_of_a_size_is_the_shipped_one() -> None:
    for size in range(3, 10):
        shipped = spec_from_dict(tomllib.loads((CONFIGS / f"k{size}x{size}.toml").read_text()), f"k{size}x{size}")
        assert spec_for_size(f"{size}x{size}").identity() == shipped.identity()
    assert spec_id("6x6") == "k6x6"
    assert spec_id("k6x6_hidden") == "k6x6_hidden"
    for name in ("6x7", "06x06", "six"):
        with pytest.raises(InputError, match=name):
            spec_for_size(name)
    assert parse_grade("cage_tuples") == "hard"
    with pytest.raises(InputError, match="grade 'tough'"):
        parse_grade("tough")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "has no size"),
        ({"size": 17}, "size 17"),
        ({"size": "6"}, "size '6'"),
        ({"size": 6, "sizes": {}}, "entry 'sizes'"),
        ({"size": 6, "cage_sizes": [1]}, "cage_sizes = "),
        ({"size": 6, "cage_sizes": {"0": 1}}, "cages of 0 cells"),
        ({"size": 6, "cage_sizes": {"two": 1}}, "cages of 'two' cells"),
        ({"size": 6, "cage_sizes": {"2": -1}}, "weight -1 of cages of 2 cells"),
        ({"size": 6, "cage_sizes": {"2": 0}}, "no cage_sizes"),
        ({"size": 6, "operators": {"?": 1}}, "operator '\\?'"),
        ({"size": 6, "operators": {"+": 1.5}}, "weight 1.5 of operator \\+"),
        ({"size": 6, "rules": {"odd": True}}, "rule 'odd'"),
        ({"size": 6, "rules": {"wide": 1}}, "rule wide = 1"),
        ({"size": 6, "grade": "tough"}, "grade 'tough'"),
    ],
)
def test_a_wrong_spec_is_refused(values: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        spec_from_dict(values, "mine")


def test_an_id_that_is_no_name_is_refused() -> None:
    with pytest.raises(InputError, match="spec id '6x6'"):
        Spec("6x6", 6)


@pytest.mark.long
def test_a_hundred_thousand_puzzles_are_unique_and_the_reference_agrees_on_500() -> None:
    batch = generate(Spec("k6x6", 6), 1, 0, 100_000)
    results = solve_batch(batch)
    assert (results.status == 1).all()
    for i in range(0, 100_000, 200):
        reference = solve_reference(batch.puzzle(i))
        assert (reference.status, reference.solution) == ("unique", tuple(results.solution[i].tolist()))

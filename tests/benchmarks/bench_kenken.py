"""Speed of the KenKen solver and generator, one thread, from arrays.

    pytest tests/benchmarks/bench_kenken.py --benchmark-enable -m "long or not long"

The comparison with CP-SAT solves the same puzzles in the same run, both to a proof of uniqueness.
"""

import csv
import gzip
import time
from pathlib import Path

import numpy as np
import pytest

from solvers.kenken import Puzzle, PuzzleBatch, Spec, generate, pack, read_keen, solve_batch

GOLDEN = Path(__file__).parents[1] / "golden" / "keen_puzzles.csv.gz"
KINDS = [(4, "easy"), (6, "easy"), (6, "hard"), (6, "unreasonable"), (9, "easy"), (9, "hard"), (9, "unreasonable")]


def keen_puzzles(size: int, difficulty: str) -> list[Puzzle]:
    with gzip.open(GOLDEN, "rt") as file:
        rows = [row for row in csv.DictReader(file) if (row["size"], row["difficulty"]) == (str(size), difficulty)]
    return [read_keen(row["game_id"]) for row in rows]


def repeated(puzzles: list[Puzzle], count: int) -> PuzzleBatch:
    """The puzzles over and over, `count` in all."""
    batch = pack(puzzles)
    index = np.arange(count) % len(puzzles)
    return batch._replace(**{name: getattr(batch, name)[index] for name in ("cages", "cage_of", "operator", "target")})


@pytest.mark.parametrize(("size", "difficulty"), KINDS)
def test_solve(benchmark, size: int, difficulty: str) -> None:
    batch = repeated(keen_puzzles(size, difficulty), 1000)
    results = benchmark.pedantic(solve_batch, (batch,), rounds=9, warmup_rounds=1)
    assert (results.status == 1).all()
    if benchmark.stats:
        benchmark.extra_info["puzzles_per_second"] = round(1000 / benchmark.stats.stats.median)


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8, 9])
def test_generate(benchmark, size: int) -> None:
    spec = Spec(f"k{size}x{size}", size)
    count = 1000 if size < 7 else 300
    batch = benchmark.pedantic(generate, (spec, 1, 0, count), rounds=5, warmup_rounds=1)
    assert batch.length == count
    if benchmark.stats:
        benchmark.extra_info["puzzles_per_second"] = round(count / benchmark.stats.stats.median)


def cp_sat_is_unique(puzzle: Puzzle) -> bool:
    """A straightforward CP-SAT model with one worker: solve, forbid the solution, solve again."""
    from ortools.sat.python import cp_model

    size = puzzle.size
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, size, "") for _ in range(size * size)]
    for i in range(size):
        model.add_all_different(cells[i * size : (i + 1) * size])
        model.add_all_different(cells[i::size])
    for cage in puzzle.cages:
        own = [cells[cell] for cell in cage.cells]
        if cage.operator in "=+":
            model.add(sum(own) == cage.target)
        elif cage.operator == "*":
            product = model.new_int_var(cage.target, cage.target, "")
            model.add_multiplication_equality(product, own)
        else:
            pairs = [(a, b) for a in range(1, size + 1) for b in range(1, size + 1)]
            difference = cage.operator == "-"
            good = [p for p in pairs if (max(p) - min(p) if difference else max(p) / min(p)) == cage.target]
            model.add_allowed_assignments(own, good)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        return False
    model.add_forbidden_assignments(cells, [[solver.value(cell) for cell in cells]])
    return solver.solve(model) == cp_model.INFEASIBLE


@pytest.mark.long
@pytest.mark.parametrize(("size", "difficulty"), [(6, "hard"), (9, "hard")])
def test_ratio_to_cp_sat(size: int, difficulty: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Interleaved rounds of the same puzzles; prints the median ratio of the times a puzzle takes."""
    puzzles = keen_puzzles(size, difficulty)
    solve_batch(pack(puzzles[:1]))
    cp_sat_is_unique(puzzles[0])
    ratios = []
    for start in range(0, 20, 4):
        chosen = puzzles[start : start + 4]
        begin = time.thread_time()
        assert all(cp_sat_is_unique(puzzle) for puzzle in chosen)
        peer = (time.thread_time() - begin) / len(chosen)
        batch = repeated(chosen, 400)
        begin = time.thread_time()
        assert (solve_batch(batch).status == 1).all()
        ours = (time.thread_time() - begin) / batch.length
        ratios.append(peer / ours)
    with capsys.disabled():
        spread = f"{min(ratios):.0f} to {max(ratios):.0f}"
        print(f"\n{size}x{size} {difficulty}: CP-SAT takes {np.median(ratios):.0f} times as long ({spread})")
    assert all(ratio > 0 for ratio in ratios)

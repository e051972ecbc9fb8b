"""Arrays are looked at before a kernel is: nothing is solved on what another puzzle left, or out of bounds."""

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solvers.errors import InputError
from solvers.kenken import UNGRADED, UNKNOWN_DIGIT, Cage, Puzzle, Spec, generate, pack, solve, solve_batch

ROOT = Path(__file__).parents[3]

HOSTILE = """
import numpy as np
from solvers.errors import InputError
from solvers.kenken import Cage, Puzzle, Rules, Spec, generate, pack, read_ids, solve, solve_batch
for spec in (
    Spec("one", 1), Spec("two", 2), Spec("bits", 2, cage_sizes=((2, 1),), operators=(("/", 1),)),
    Spec("odd", 3, cage_sizes=((5, 1),), operators=(("^", 1), ("/", 1), ("+", 1))),
    Spec("large", 6, cage_sizes=((12, 1),)),
    Spec("all", 4, rules=Rules(True, True, True)), Spec("sixteen", 16, cage_sizes=((1, 12), (2, 4))),
    Spec("pairs", 5, cage_sizes=((2, 1),), operators=(("/", 1),)),
    Spec("calcudoku", 5, operators=(("gcd", 1), ("lcm", 1), ("|", 1), ("%", 1), ("^", 1))),
):
    try:
        batch = generate(spec, 1, 0, 3, attempts=300)
    except InputError:
        continue
    # Rows that hold no puzzle among those that do
    cages = batch.cages.copy()
    cages[1] = 0
    assert solve_batch(batch._replace(cages=cages)).status[1] == 0
# Rows without cages: before, each moved where the next one wrote
batch = generate(Spec("k6x6", 6), 1, 0, 1)
rows = np.zeros(60_000, int)
empty = batch._replace(
    cages=np.zeros(60_000, np.uint8), cage_of=batch.cage_of[rows], operator=batch.operator[rows],
    target=batch.target[rows],
)
assert not solve_batch(empty).status.any()
whole = Puzzle(15, (Cage("+", 15 * 120, tuple(range(225))),))
solve(whole, node_limit=300)
solve(Puzzle(16, tuple(Cage("+", 136, tuple(range(r * 16, r * 16 + 16))) for r in range(16))), node_limit=300)
lines = [b"6:zzj,a126", b"6:zzj,a", b"6:zzj,", b"6:zzj", b"6:z", b"6:", b"6", b"", b"16:z99,a1", b"3:_a_aa_999999a,a1",
         b"1:_,a1", b"3:_a_aa_3a,a5a4a2m2s2", b"3:_a_aa_3a,a99999999999999999999",
         b"16:" + b"_" * 481 + b"," + b"a1" * 256]
found = read_ids(lines)
assert sorted(found.errors) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13], found.errors
print("whole")
"""


@pytest.mark.long
def test_no_kernel_leaves_its_arrays(tmp_path: Path) -> None:
    """Hostile cases with numba's bounds checks, which turn what would be written elsewhere into an IndexError."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, "whole\n"), done.stderr


def test_a_row_without_cages_is_no_puzzle_whatever_stood_before_it() -> None:
    batch = generate(Spec("k6x6", 6), 1, 0, 3)
    whole = solve_batch(batch)
    cages = batch.cages.copy()
    cages[1] = 0
    results = solve_batch(batch._replace(cages=cages))
    assert results.status.tolist() == [1, 0, 1]
    assert (results.nodes[1], results.steps[1], results.placed[1], results.grade[1]) == (0, 0, 0, UNGRADED)
    assert (results.solution[1] == UNKNOWN_DIGIT).all()
    assert (results.solution[[0, 2]] == whole.solution[[0, 2]]).all()


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    batch = pack([Puzzle(2, (Cage("+", 3, (0, 1)), Cage("-", 1, (2, 3))))] * 3)
    wrong = batch.cage_of.copy()
    wrong[1, 2] = 2
    with pytest.raises(InputError, match="puzzle 1 has cells of cage 2, and 2 cages"):
        solve_batch(batch._replace(cage_of=wrong))
    with pytest.raises(InputError, match="puzzle 0 "):
        solve_batch(batch._replace(cages=np.full(3, 3, np.uint8)))
    with pytest.raises(InputError, match="shape"):
        solve_batch(batch._replace(size=3))
    with pytest.raises(InputError, match="differ in shape"):
        solve_batch(batch._replace(target=batch.target[:, :1]))


@pytest.mark.parametrize("size", [7, 9])
def test_products_up_to_the_largest_target_are_exact(size: int) -> None:
    """One cage with a product between 2^62 and 2^63, all other cells given: before, such puzzles had no solution."""
    square = [(r + c) % size + 1 for r in range(size) for c in range(size)]
    snake = [r * size + (c if r % 2 == 0 else size - 1 - c) for r in range(size) for c in range(size)]
    found = 0
    for start in range(len(snake)):
        for end in range(start + 10, len(snake)):
            cells = tuple(snake[start:end])
            if not 2**62 <= math.prod(square[cell] for cell in cells) < 2**63:
                continue
            found += 1
            givens = [Cage("=", square[cell], (cell,)) for cell in snake if cell not in cells]
            cage = Cage("*", math.prod(square[cell] for cell in cells), cells)
            answer = solve(Puzzle(size, (cage, *givens)), node_limit=100_000)
            assert answer.status in ("unique", "multiple")
            grid = np.array(answer.solution).reshape(size, size)
            assert math.prod(answer.solution[cell] for cell in cells) == cage.target
            assert all(answer.solution[one.cells[0]] == one.target for one in givens)
            assert (np.sort(grid, axis=1) == np.sort(grid, axis=0).T).all()
    assert found

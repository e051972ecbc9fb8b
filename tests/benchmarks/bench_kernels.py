"""Speed of the solvers and of the trie build: `pytest tests/benchmarks/bench_kernels.py --benchmark-enable`.

The name keeps this file out of a plain test run. All solvers get the same boards; compare the columns of one run only.
"""

import gzip

import numpy as np
import pytest

from solvers.boggle.alphabet import Alphabet
from solvers.boggle.coefficients import face_chances
from solvers.boggle.expectations import expected, make_plan
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.paths import count_paths
from solvers.boggle.solve import empty_ways, find_words
from solvers.boggle.words import read_words
from solvers.grid import neighbour_masks
from tests.solvers.boggle.kernel_cases import ROOT, dice_set, shaken, solve_by

BOARDS = {"new": 5_000, "deluxe_master": 2_000, "super_big_2012": 1_000}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("solver", ["dfs", "numba", "numba with tables"])
def test_solve(benchmark, solver, name):
    dice = dice_set(name)
    boards = shaken(dice["dice"], BOARDS[name], seed=7)
    benchmark.group = f"{BOARDS[name]:,} boards of {name}"
    benchmark(solve_by, solver, boards, dice["rows"], dice["cols"], dice["lexicon"])


@pytest.mark.parametrize("name", BOARDS)
def test_solve_and_count_words(benchmark, name):
    dice = dice_set(name)
    boards = shaken(dice["dice"], BOARDS[name], seed=7)
    frequency = np.zeros(len(dice["lexicon"].words), np.uint32)
    benchmark.group = f"{BOARDS[name]:,} boards of {name}"
    benchmark(solve_by, "numba", boards, dice["rows"], dice["cols"], dice["lexicon"], frequency=frequency)


@pytest.mark.parametrize("name", BOARDS)
def test_solve_and_count_ways(benchmark, name):
    dice = dice_set(name)
    boards = shaken(dice["dice"], BOARDS[name], seed=7)
    ways = empty_ways(len(boards), dice["lexicon"])
    benchmark.group = f"{BOARDS[name]:,} boards of {name}"
    benchmark(solve_by, "numba", boards, dice["rows"], dice["cols"], dice["lexicon"], ways=ways)


@pytest.mark.parametrize("name", BOARDS)
def test_exact_expectations(benchmark, name):
    dice = dice_set(name)
    rows, cols = dice["rows"], dice["cols"]
    shortest = dice["lexicon"].min_length

    def work():
        paths = [0, *count_paths(rows, cols)]
        plan = make_plan(dice["lexicon"], neighbour_masks(rows, cols), paths, range(shortest, shortest + 3))
        return expected(plan, face_chances(dice["dice"]))

    benchmark.group = "exact expectations"
    benchmark.pedantic(work, rounds=3, warmup_rounds=1)


def test_words_of_one_board(benchmark):
    dice = dice_set("new")
    board = shaken(dice["dice"], 1, seed=7)[0].tolist()
    benchmark(find_words, board, 4, 4, dice["lexicon"])


def test_read_and_build_enable1(benchmark):
    with gzip.open(ROOT / "configs" / "words" / "enable1.txt.gz", "rt") as file:
        text = file.read()
    benchmark(lambda: build_lexicon(read_words(text), Alphabet.of_faces(["Qu"]), 3, 16))

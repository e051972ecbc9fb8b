"""Means of simulated boards against their exact values: `python -m tests.proofs.oracle_of_ways [boards]`.

Boards of five sets of four grids, as runs shake and solve them: every mean of ways by letters, of pairs and of nodes in
standard errors. Then what has to be found: a shuffle that swaps each cell with any cell, and a trie with one word
missing. Exit code 1 where a right mean is more than four standard errors off, or a wrong one is not found.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pipeline.config import available_cores, load
from pipeline.games.boggle import shakes
from pipeline.games.boggle import workload as workloads
from pipeline.games.boggle.game import GAME
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.stats.controls import Known
from pipeline.stats.moments import Moments, moments
from pipeline.stats.oracle import Check, check
from pipeline.store.parts import Part
from solvers.jit import kernel
from solvers.philox import next_word, start_stream

SETS = ("new", "fr_4x4", "deluxe_master", "super_big_2012", "big_2012")
STEP = 10_000
MISSING = "tea"


def workload_of(variant: str, seed: int) -> BoggleWorkload:
    return GAME.workload(load(None, {"dice": [variant], "words": "enable2k", "seed": seed}).config)


def sums_of(workload: BoggleWorkload, variant: str, boards: int) -> Moments:
    workload.prepare()
    total = Moments.none(())
    parts = [Part(start, min(start + STEP, boards)) for start in range(0, boards, STEP)]
    with ThreadPoolExecutor(available_cores()) as pool:
        for sums in pool.map(lambda part: moments(workload.counted(variant, part)), parts):
            total += sums
    return total


def checked(variant: str, boards: int, seed: int, known: Known | None = None) -> tuple[list[Check], Known]:
    workload = workload_of(variant, seed)
    known = known or workload.known(variant)
    assert known is not None
    return check(sums_of(workload, variant, boards).over(known.columns), known), known


def show(title: str, found: list[Check]) -> float:
    cells = " ".join(f"{one.column} {one.errors:+.1f}" for one in found)
    farthest = max(abs(one.errors) for one in found)
    print(f"{title}: {cells}; farthest {farthest:.2f}", flush=True)
    return farthest


@kernel
def naive(die_faces, key_0, key_1, start, boards):  # type: ignore[no-untyped-def]
    """Each cell in turn is swapped with any cell: not every order is equally likely."""
    stream = np.zeros(11, np.uint64)
    dice = len(die_faces)
    order = np.empty(dice, np.int64)
    for row in range(len(boards)):
        start_stream(stream, start + np.uint64(row), 0, key_0, key_1)
        for die in range(dice):
            order[die] = die
        for cell in range(dice):
            other = np.int64((next_word(stream) * np.uint64(dice)) >> np.uint64(32))
            order[cell], order[other] = order[other], order[cell]
        for cell in range(dice):
            face = np.int64((next_word(stream) * np.uint64(6)) >> np.uint64(32))
            boards[row, cell] = die_faces[order[cell], face]


def main(boards: int) -> int:
    failed = []
    exact = {}
    for variant in SETS:
        found, exact[variant] = checked(variant, boards, seed=1)
        if show(f"{variant}, {boards:,} boards", found) > 4:
            failed.append(variant)
    fair = shakes._shake
    shakes._shake = naive
    if show("new, a shuffle that swaps each cell with any cell", checked("new", boards, 2, exact["new"])[0]) < 5:
        failed.append("the naive shuffle")
    shakes._shake = fair
    build = workloads.build_lexicon

    def without_a_word(words, *others):  # type: ignore[no-untyped-def]
        kept = [word for word in words.words if word != MISSING]
        return build(type(words)(kept, words.language, {}), *others)

    workloads.build_lexicon = without_a_word
    if show(f"new, a trie without {MISSING!r}", checked("new", boards, 3, exact["new"])[0]) < 5:
        failed.append("the missing word")
    if failed:
        print(f"not as it must be: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))

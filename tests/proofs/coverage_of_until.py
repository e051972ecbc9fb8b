"""How often an interval that stopped a run holds the truth: many runs of `--until`, each with a seed of its own.

    python -m tests.proofs.coverage_of_until --until 'mean(score) +- 3' --runs 1000 --truth 10000000

Stopping when the interval is narrow prefers samples whose spread happens to look small, so coverage could suffer;
this measures it, by the very checks that a run makes. Takes minutes, on one core; no test calls it. Exit code 1 where
the share is outside 92 to 97.5 %.
"""

import argparse
import sys
import time

from pipeline.games.boggle.dice import DiceSet, load_dice
from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.words import find_words, load_words
from pipeline.runs import until
from pipeline.stats.estimates import Estimate
from pipeline.stats.histograms import Histogram, Tally
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.solve import solve

TRUTH_SEED = 10**9
STEP = 100_000


def add(tally: Tally, dice: DiceSet, lexicon: Lexicon, column: str, seed: int, start: int, end: int) -> Histogram:
    for at in range(start, end, STEP):
        faces = shake(dice, seed, at, min(STEP, end - at))
        cells = symbols_of_faces(faces, dice.faces, dice.alphabet)
        tally.add(getattr(solve(cells, dice.rows, dice.columns, lexicon, dice.scoring), column))
    return tally.histogram


def stopped(target: until.Target, dice: DiceSet, lexicon: Lexicon, seed: int, cap: int) -> tuple[int, Estimate]:
    """Boards at which a run of this seed stops, and the figure it reports."""
    tally, done = Tally(), 0
    for boards in until.checkpoints(cap):
        histogram = add(tally, dice, lexicon, target.column, seed, done, boards)
        done = boards
        found = target.estimates(until.Evidence({dice.id: histogram}, {dice.id: None}, {}))
        if target.met(found):
            break
    return done, found[dice.id]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", default="new")
    parser.add_argument("--words", default="enable1")
    parser.add_argument("--until", default="mean(score) +- 3")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--truth", type=int, default=10_000_000)
    wanted = parser.parse_args()
    dice = load_dice(wanted.dice)
    target = until.parse(wanted.until, "boggle", [dice.id])
    lexicon = build_lexicon(load_words(find_words(wanted.words)), dice.alphabet, dice.min_length, dice.cells)
    began = time.monotonic()
    large = add(Tally(), dice, lexicon, target.column, TRUTH_SEED, 0, wanted.truth)
    truth = target.estimates({dice.id: large})[dice.id].value
    held = 0
    lengths = []
    for seed in range(1, wanted.runs + 1):
        boards, found = stopped(target, dice, lexicon, seed, until.CAP)
        lengths.append(boards)
        held += found.low <= truth <= found.high
    share = held / wanted.runs
    lengths.sort()
    print(
        f"--until '{wanted.until}', {dice.id} with {wanted.words}: {wanted.runs:,} runs stopped after "
        f"{lengths[0]:,} to {lengths[-1]:,} boards (median {lengths[len(lengths) // 2]:,}); {share:.1%} of their "
        f"intervals hold {truth:.4f}, the figure of {wanted.truth:,} boards ({time.monotonic() - began:.0f} s)"
    )
    return 0 if 0.92 <= share <= 0.975 else 1


if __name__ == "__main__":
    sys.exit(main())

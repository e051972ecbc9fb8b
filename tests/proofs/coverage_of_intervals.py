"""How often the 95 % intervals hold the truth: many small runs of different seeds against one large run.

    python -m tests.proofs.coverage_of_intervals --dice new --runs 1000 --boards 1000 --truth 10000000

Takes minutes to an hour, on one core; no test calls it. The large run has a seed of its own, and its boards are
solved in this process. Exit code 1 where a share is outside what is promised: means 93 to 97 %, quantiles 93 % or more
(the interval of a quantile of whole numbers is wider than it need be).
"""

import argparse
import sys
import time
from collections.abc import Iterator

import numpy as np

from pipeline.games.boggle.dice import DiceSet, load_dice
from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.words import find_words, load_words
from pipeline.stats import estimates
from pipeline.stats.histograms import Histogram, Tally
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.solve import solve

METRICS = ("words", "score")
QUANTILES = {"median": 0.5, "95 % quantile": 0.95}
TRUTH_SEED = 10**9
STEP = 100_000


def histograms(dice: DiceSet, lexicon: Lexicon, seed: int, boards: int) -> dict[str, Histogram]:
    tallies = {metric: Tally() for metric in METRICS}
    for start, count in _steps(boards):
        cells = symbols_of_faces(shake(dice, seed, start, count), dice.faces, dice.alphabet)
        columns = solve(cells, dice.rows, dice.columns, lexicon, dice.scoring)
        for metric, tally in tallies.items():
            tally.add(getattr(columns, metric))
    return {metric: tally.histogram for metric, tally in tallies.items()}


def _steps(boards: int) -> Iterator[tuple[int, int]]:
    for start in range(0, boards, STEP):
        yield start, min(STEP, boards - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", default="new")
    parser.add_argument("--words", default="enable1")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--boards", type=int, default=1_000)
    parser.add_argument("--truth", type=int, default=10_000_000)
    wanted = parser.parse_args()
    dice = load_dice(wanted.dice)
    lexicon = build_lexicon(load_words(find_words(wanted.words)), dice.alphabet, dice.min_length, dice.cells)
    began = time.monotonic()
    large = histograms(dice, lexicon, TRUTH_SEED, wanted.truth)
    truth = {(metric, "mean"): estimates.mean(large[metric]) for metric in METRICS}
    for name, p in QUANTILES.items():
        truth |= {(metric, name): estimates.quantile(large[metric], p) for metric in METRICS}
    held = dict.fromkeys(truth, 0)
    for seed in range(1, wanted.runs + 1):
        small = histograms(dice, lexicon, seed, wanted.boards)
        for metric, name in truth:
            if name == "mean":
                found = estimates.mean_estimate(small[metric])
            else:
                found = estimates.quantile_estimate(small[metric], QUANTILES[name])
            held[metric, name] += found.low <= truth[metric, name] <= found.high
    good = True
    print(
        f"{wanted.runs:,} runs of {wanted.boards:,} boards of {dice.id} with {wanted.words}, "
        f"against {wanted.truth:,} boards ({time.monotonic() - began:.0f} s)"
    )
    for (metric, name), hits in held.items():
        share = hits / wanted.runs
        fits = 0.93 <= share <= 0.97 if name == "mean" else share >= 0.93
        good &= fits
        print(
            f"{metric} {name} {np.round(truth[metric, name], 3)}: held by {share:.1%}{'' if fits else '  <- outside'}"
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

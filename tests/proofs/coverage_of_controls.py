"""How often controlled intervals hold the true mean: many small runs against one large one.

    python -m tests.proofs.coverage_of_controls --runs 1000 --boards 5000 --truth 100000000 [--dice new]
    python -m tests.proofs.coverage_of_controls --until 'mean(words) +- 0.5' --truth 20000000

The first measures intervals of runs of a fixed length, plain and controlled; the second those of runs that stop when
they are sure, by the very checks that a run makes. The truth is the controlled mean of the large run, whose own error
is told. Takes minutes on all cores; no test calls it. Exit code 1 where a share of controlled intervals is outside 94
to 96 % (of stopped runs: 93.5 to 97 %).
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from pipeline.config import available_cores, load
from pipeline.games.boggle.game import GAME
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs import until
from pipeline.stats.controls import Sample, controlled, mean_of
from pipeline.stats.histograms import Histogram
from pipeline.stats.moments import Moments, moments
from pipeline.store.parts import Part

METRICS = ("words", "score")
TRUTH_SEED = 10**9
STEP = 10_000


def solved(workload: BoggleWorkload, variant: str, start: int, end: int) -> tuple[dict[str, Histogram], Moments]:
    columns = workload.counted(variant, Part(start, end))
    return {name: Histogram.of(columns[name]) for name in METRICS}, moments(columns)


def truth_of(workload: BoggleWorkload, variant: str, boards: int) -> Sample:
    total = Moments.none(())
    with ThreadPoolExecutor(available_cores()) as pool:
        for _, sums in pool.map(lambda start: solved(workload, variant, start, start + STEP), range(0, boards, STEP)):
            total += sums
    known = workload.known(variant)
    assert known is not None
    return Sample(total.over(known.columns), known)


def stopped(workload: BoggleWorkload, variant: str, target: until.Target) -> tuple[float, float, int]:
    """Return the interval of a run that stops when it is sure, and its boards."""
    known = workload.known(variant)
    assert known is not None
    histogram, sums, done = Histogram.merged([]), Moments.none(()), 0
    for boards in until.checkpoints(until.CAP):
        for start in range(done, boards, STEP):
            found, more = solved(workload, variant, start, min(start + STEP, boards))
            histogram, sums = Histogram.merged([histogram, found[target.column]]), sums + more
        done = boards
        evidence = until.Evidence({variant: histogram}, {variant: Sample(sums.over(known.columns), known)}, {})
        estimates = target.estimates(evidence)
        if target.enough(evidence.histograms) and target.met(estimates):
            break
    one = estimates[variant]
    return one.low, one.high, done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", default="new")
    parser.add_argument("--words", default="enable2k")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--boards", type=int, default=5_000)
    parser.add_argument("--truth", type=int, default=100_000_000)
    parser.add_argument("--until", default=None)
    wanted = parser.parse_args()
    whole = GAME.workload(load(None, {"dice": [wanted.dice], "words": wanted.words}).config)
    whole.build()
    variant = whole.variants[0]
    workload = replace(whole, seed=TRUTH_SEED)
    # One trie and one set of exact means serve all seeds.
    vars(workload).update(_lexicons=whole._lexicons, _known=whole._known)
    whole.known(variant)
    large = truth_of(workload, variant, wanted.truth)

    def of_seed(seed: int) -> BoggleWorkload:
        made = replace(whole, seed=seed)
        vars(made).update(_lexicons=whole._lexicons, _known=whole._known)
        return made

    truth = {name: controlled(large.sums, {name: 1.0}, large.controls) for name in METRICS}
    bad = False
    with ThreadPoolExecutor(available_cores()) as pool:
        if wanted.until is not None:
            target = until.parse(wanted.until, "boggle", [variant])
            found = list(pool.map(lambda seed: stopped(of_seed(seed), variant, target), range(1, wanted.runs + 1)))
            middle = truth[target.column].mean
            share = sum(low <= middle <= high for low, high, _ in found) / len(found)
            lengths = sorted(boards for *_, boards in found)
            print(
                f"{target.text}: {share:.1%} of {len(found):,} stopped intervals hold {middle:.4f} "
                f"(+- {1.96 * truth[target.column].variance ** 0.5:.4f}, {wanted.truth:,} boards); stopped after "
                f"{lengths[0]:,} to {lengths[-1]:,} boards"
            )
            return 0 if 0.935 <= share <= 0.97 else 1

        def one(seed: int) -> dict[str, tuple[bool, bool, float, float]]:
            histograms, sums = solved(of_seed(seed), variant, 0, wanted.boards)
            known = whole.known(variant)
            assert known is not None
            sample = Sample(sums.over(known.columns), known)
            told = {}
            for name in METRICS:
                mean, middle = mean_of(name, histograms[name], sample), truth[name].mean
                plain = mean.plain.low <= middle <= mean.plain.high
                told[name] = (mean.low <= middle <= mean.high, plain, mean.high - mean.low, mean.worth)
            return told

        runs = list(pool.map(one, range(1, wanted.runs + 1)))
    for name in METRICS:
        held, plain, widths, worths = zip(*(run[name] for run in runs), strict=True)
        share = sum(held) / len(held)
        bad |= not 0.94 <= share <= 0.96
        print(
            f"{name}: {share:.1%} of {len(runs):,} controlled intervals of {wanted.boards:,} boards hold "
            f"{truth[name].mean:.4f} (+- {1.96 * truth[name].variance ** 0.5:.4f}, {wanted.truth:,} boards); plain "
            f"{sum(plain) / len(plain):.1%}; median half-width {sorted(widths)[len(widths) // 2] / 2:.3f}, worth "
            f"{sorted(worths)[len(worths) // 2]:.1f}"
        )
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())

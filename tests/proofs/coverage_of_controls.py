"""How often controlled intervals hold the true mean: `python -m tests.proofs.coverage_of_controls [runs] [boards]`.

Runs of boards of `new`; the truth is the controlled mean of all boards together, whose own interval is smaller by the
square root of the number of runs.
"""

import sys

import numpy as np
from scipy.stats import t as student

from solvers.boggle.coefficients import face_chances
from solvers.boggle.controls_draft import Moments, advised, controlled, moments
from solvers.boggle.expectations import expected
from tests.proofs.oracle_of_ways import columns_of, plan_of, quantities
from tests.solvers.boggle.kernel_cases import dice_set, shaken


def main(runs: int, boards: int) -> None:
    dice = dice_set("new")
    lexicon = dice["lexicon"]
    means = expected(plan_of(dice, lexicon), face_chances(dice["dice"]))
    names = [name for name in quantities(lexicon) if name[0] != "nodes"]
    places = {kind: [place + 2 for place, name in enumerate(names) if name[0] == kind] for kind in ("ways", "pairs")}
    everything = [*places["ways"], *places["pairs"]]
    used = advised(boards, places["ways"], places["pairs"])
    known = {place: means[names[place - 2]] for place in everything}
    total = Moments.none(len(names) + 3)
    single = []
    for run in range(runs):
        sums = moments(columns_of(shaken(dice["dice"], boards, seed=5_000_000_000 + run), dice, lexicon))
        total += sums
        single.append([controlled(sums, metric, used, [known[place] for place in used]) for metric in (0, 1)])
    for metric, label in ((0, "words"), (1, "points")):
        truth = controlled(total, metric, everything, [known[place] for place in everything])
        got = [row[metric] for row in single]
        for title, kind in (("controlled", True), ("plain", False)):
            off = np.array([(one.mean if kind else one.plain) - truth.mean for one in got])
            half = np.array(
                [student.ppf(0.975, one.freedom) * (one.variance if kind else one.plain_variance) ** 0.5 for one in got]
            )
            print(
                f"{label}, {title}: {(np.abs(off) <= half).mean():.2%} of {runs:,} intervals of {boards:,} boards hold "
                f"{truth.mean:.3f} (+- {1.96 * truth.variance**0.5:.3f}); median half-width {np.median(half):.3f}"
            )
        print(f"  worth {np.median([one.worth for one in got]):.1f} (median)")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:3] or ("1000", "5000")))

"""Means of simulated boards against their exact expectations: `python -m tests.proofs.oracle_of_ways [boards]`.

Boards of sets of several grids, from shuffles made here and independent of the program's: every mean of ways by
letters, pairs and nodes in standard errors. Then what has to be found: a shuffle that swaps each cell with any cell,
and a list with one word missing. Last, how many boards each board is worth with controls.
"""

import sys

import numpy as np

from solvers.boggle.coefficients import face_chances
from solvers.boggle.controls_draft import Moments, controlled, moments
from solvers.boggle.expectations import SHORT, expected, longest_path, make_plan
from solvers.boggle.paths import frontier_counts
from solvers.boggle.solve import empty_ways, solve
from solvers.grid import neighbour_masks
from tests.solvers.boggle.kernel_cases import dice_set, enable2k, lexicon_of_words, shaken

SETS = ("new", "fr_4x4", "deluxe_master", "big_2012", "super_big_2012")
CHUNK = 10_000


def naively_shaken(dice: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Each cell in turn is swapped with any cell: not every order is equally likely."""
    random = np.random.default_rng(seed)
    cells = len(dice)
    order = np.tile(np.arange(cells), (count, 1))
    rows = np.arange(count)
    for cell in range(cells):
        other = random.integers(0, cells, count)
        order[rows, cell], order[rows, other] = order[rows, other], order[rows, cell].copy()
    return dice[order, random.integers(0, dice.shape[1], order.shape)]


def plan_of(dice, lexicon):
    rows, cols = dice["rows"], dice["cols"]
    longest = longest_path(lexicon)
    paths = [0, *frontier_counts([True] * (rows * cols), rows, cols, longest=longest)]
    shortest = lexicon.min_length
    return make_plan(lexicon, neighbour_masks(rows, cols), paths, range(shortest, shortest + 3))


def quantities(lexicon):
    """Names of the columns of `columns_of` after words and score."""
    shortest = lexicon.min_length
    return [
        *(("ways", letters) for letters in range(shortest, SHORT + 1)),
        *(("pairs", letters) for letters in range(shortest, shortest + 3)),
        ("nodes", 0),
    ]


def columns_of(boards, dice, lexicon):
    ways = empty_ways(len(boards), lexicon)
    found = solve(boards, dice["rows"], dice["cols"], lexicon, dice["scoring"], ways=ways)
    shortest = lexicon.min_length
    return [found.words, found.score, *ways.ways.T[shortest - 1 : SHORT], *ways.pairs.T, found.nodes]


def simulated(dice, lexicon, boards, shake, seed) -> Moments:
    total = Moments.none(len(quantities(lexicon)) + 2)
    for start in range(0, boards, CHUNK):
        shown = shake(dice["dice"], min(CHUNK, boards - start), seed + start)
        total += moments(columns_of(shown, dice, lexicon))
    return total


def scores(total: Moments, names, means) -> np.ndarray:
    """Simulated means less the exact ones, in standard errors."""
    places = range(2, 2 + len(names))
    spread = np.sqrt(np.diag(total.covariance(places, places)) / total.boards)
    return (total.mean(places) - np.array([means[name] for name in names])) / spread


def show(title, names, values) -> None:
    cells = " ".join(
        f"{kind}{letters or ''} {value:+.1f}" for (kind, letters), value in zip(names, values, strict=True)
    )
    print(f"{title}: {cells}; largest {np.abs(values).max():.2f}", flush=True)


def main(boards: int) -> None:
    failed = []
    for name in SETS:
        dice = dice_set(name)
        lexicon = dice["lexicon"]
        means = expected(plan_of(dice, lexicon), face_chances(dice["dice"]))
        names = quantities(lexicon)
        total = simulated(dice, lexicon, boards, shaken, 1_000_000_000)
        right = scores(total, names, means)
        show(f"{name}, {boards:,} boards, right shuffle", names, right)
        if np.abs(right).max() > 4:
            failed.append(name)
        for metric, label in ((0, "words"), (1, "points")):
            for title, kinds in (
                ("ways", ["ways"]),
                ("ways and pairs", ["ways", "pairs"]),
                ("ways, pairs and nodes", None),
            ):
                used = [place + 2 for place, (kind, _) in enumerate(names) if kinds is None or kind in kinds]
                got = controlled(total, metric, used, [means[names[place - 2]] for place in used])
                print(
                    f"  {label} with {title}: {got.mean:.4f} +- {1.96 * got.variance**0.5:.4f}, plain {got.plain:.4f} "
                    f"+- {1.96 * got.plain_variance**0.5:.4f}, worth {got.worth:.1f}"
                )
    dice = dice_set("new")
    lexicon = dice["lexicon"]
    means = expected(plan_of(dice, lexicon), face_chances(dice["dice"]))
    names = quantities(lexicon)
    naive = scores(simulated(dice, lexicon, boards, naively_shaken, 2_000_000_000), names, means)
    show("new, shuffle that swaps each cell with any cell", names, naive)
    words = [word for word in enable2k().words if word != "tea"]
    less = lexicon_of_words(words, ["Qu"], lexicon.min_length, lexicon.cells)
    missing = scores(simulated(dice, less, boards, shaken, 3_000_000_000), names, means)
    show("new, list without `tea`", names, missing)
    failed += [title for title, found in (("naive", naive), ("missing word", missing)) if np.abs(found).max() < 5]
    if failed:
        sys.exit(f"not as expected: {', '.join(failed)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)

"""Exact means of a dice set under a list: what controls the means of its runs, and tests them."""

import numpy as np

from pipeline.games.boggle.columns import summed
from pipeline.games.boggle.dice import DiceSet
from pipeline.stats.controls import Known
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.coefficients import face_chances
from solvers.boggle.expectations import SHORT, expected, longest_path, make_plan
from solvers.boggle.lexicon import Lexicon
from solvers.boggle.paths import frontier_counts
from solvers.grid import neighbour_masks


def exact_means(dice: DiceSet, lexicon: Lexicon) -> Known:
    """Return the exact means of nodes, ways and pairs of ways of a dice set under a list."""
    longest = longest_path(lexicon)
    paths = [0, *frontier_counts([True] * dice.cells, dice.rows, dice.columns, longest=longest)]
    shortest = lexicon.min_length
    plan = make_plan(lexicon, neighbour_masks(dice.rows, dice.columns), paths, range(shortest, shortest + 3))
    ids = {face: number for number, face in enumerate(dice.faces)}
    faces = np.array([[ids[face] for face in die] for die in dice.dice], np.uint8)
    symbols = symbols_of_faces(faces, dice.faces, lexicon.alphabet)
    means = expected(plan, face_chances(symbols))
    named = {
        ("nodes" if kind == "nodes" else f"{kind}_{letters}"): mean
        for (kind, letters), mean in means.items()
        if letters < 16
    }
    always = tuple(f"ways_{letters}" for letters in range(1, SHORT + 1) if named.get(f"ways_{letters}", 0) > 0)
    later = tuple(name for name in named if name.startswith("pairs_"))
    return Known(summed(shortest), named, always, later)

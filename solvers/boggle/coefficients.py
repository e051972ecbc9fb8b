"""Chances that the cells of a path show given tiles, for all multisets of a closed set at once.

Dice lie in random order, so k cells show a random ordered choice of k of the n dice. The chance that they show tiles
s1 .. sk is per(P) / (n (n-1) .. (n-k+1)) with P[i, d] the chance that die d shows s_i, and

    per(P) = prod_a m_a! * [x^m] prod_d (1 + sum_a p_d(a) x_a)

for m the multiset of the tiles. The product is multiplied out die by die; a die is divided out again by the same
recurrence run the other way. A blank face shows no tile: it only makes the sum of p_d smaller than one.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.boggle.alphabet import BLANK
from solvers.boggle.multisets import BITS, MOST_SYMBOLS, Multisets
from solvers.errors import InputError
from solvers.jit import kernel

Floats = npt.NDArray[np.float64]


def face_chances(dice: Sequence[Sequence[int]] | npt.NDArray[np.integer]) -> Floats:
    """Return the chance of each die to show each symbol: float64[dice, MOST_SYMBOLS].

    dice: symbol ids of the faces of each die, BLANK (255) for a blank; dice may differ in their number of faces.

    Raises InputError for a die without faces or a symbol that no key can hold.
    """
    chances = np.zeros((len(dice), MOST_SYMBOLS))
    for number, faces in enumerate(dice):
        shown = np.asarray(faces, np.int64)
        if not len(shown):
            raise InputError(f"die {number + 1} has no faces")
        tiles = shown[shown != BLANK]
        if len(tiles) and not 0 <= tiles.min() <= tiles.max() < MOST_SYMBOLS:
            raise InputError(f"die {number + 1} shows symbol {tiles.max()}; at most {MOST_SYMBOLS} can be told apart")
        chances[number] = np.bincount(tiles, minlength=MOST_SYMBOLS) / len(shown)
    return chances


def coefficients(multisets: Multisets, chances: Floats) -> Floats:
    """Return [x^m] prod_d (1 + sum_a p_d(a) x_a) for every multiset: float64[m]. chances: float64[dice,
    MOST_SYMBOLS].
    """
    product = np.zeros(len(multisets))
    product[0] = 1
    for die in chances:
        multiply(multisets, product, die)
    return product


def multiply(multisets: Multisets, product: Floats, die: Floats) -> None:
    """Multiply by (1 + sum_a p(a) x_a), in place. product: float64[m]; die: float64[MOST_SYMBOLS]."""
    _multiply(product, die, *multisets.arrays)


def divide(multisets: Multisets, product: Floats, die: Floats) -> Floats:
    """Return the product without a die that is one of its factors: float64[m].

    Differences of what is rounded: an entry is off by some units in the last place of the entries of `product` for the
    same multiset and those below it. What ought to be zero is so within that; nothing comes out negative.
    """
    quotient = product.copy()
    _divide(quotient, die, *multisets.arrays)
    return quotient


def dice_factors(multisets: Multisets, dice: int) -> Floats:
    """Return what makes a coefficient the chance of a path to show a multiset in one given order: float64[m].

    prod_a m_a! / (n (n-1) .. (n-k+1)) for n dice; 0 where there are more tiles than dice.
    """
    falling = np.ones(multisets.most + 1)
    for size in range(1, multisets.most + 1):
        falling[size] = falling[size - 1] / (dice - size + 1) if size <= dice else 0
    factors: Floats = multisets.orders * falling[multisets.sizes]
    return factors


def dice_chances(multisets: Multisets, chances: Floats) -> Floats:
    """Return the chance that given cells show the tiles of a multiset in one given order, for dice: float64[m].

    There may be more dice than cells: a random choice of them lies on the board.
    """
    return coefficients(multisets, chances) * dice_factors(multisets, len(chances))


def bag_chances(multisets: Multisets, counts: npt.NDArray[np.integer], tiles: int | None = None) -> Floats:
    """Return the same for tiles drawn from a bag without replacement: prod_a (c_a)_(m_a) / (n)_k.

    counts: [MOST_SYMBOLS], tiles of each symbol in the bag; `tiles`: all of them, where there are blanks too.
    """
    total = int(counts.sum()) if tiles is None else tiles
    return _drawn(multisets.keys, multisets.starts, np.asarray(counts, np.float64), 1.0, float(total))


def weight_chances(multisets: Multisets, weights: Floats) -> Floats:
    """Return the same for cells that show a tile each on its own, symbol a with chance weights[a]: prod_a w_a^m_a."""
    return _drawn(multisets.keys, multisets.starts, np.asarray(weights, np.float64), 0.0, 1.0)


@kernel
def _multiply(product, die, link_starts, larger, smaller):  # type: ignore[no-untyped-def]
    """Larger multisets first, so that what is read is still without the die."""
    for size in range(len(link_starts) - 1, 0, -1):
        for tile in range(len(die)):
            chance = die[tile]
            if chance != 0:
                for link in range(link_starts[size, tile], link_starts[size, tile + 1]):
                    product[larger[link]] += chance * product[smaller[link]]


@kernel
def _divide(product, die, link_starts, larger, smaller):  # type: ignore[no-untyped-def]
    """Smaller multisets first, so that what is read is already without the die."""
    for size in range(1, len(link_starts)):
        first, end = len(product), 0
        for tile in range(len(die)):
            chance = die[tile]
            if chance != 0 and link_starts[size, tile] < link_starts[size, tile + 1]:
                first = min(first, np.int64(larger[link_starts[size, tile]]))
                end = max(end, np.int64(larger[link_starts[size, tile + 1] - 1]) + 1)
                for link in range(link_starts[size, tile], link_starts[size, tile + 1]):
                    product[larger[link]] -= chance * product[smaller[link]]
        for number in range(first, end):
            product[number] = max(product[number], 0.0)


@kernel
def _drawn(keys, starts, have, step, total):  # type: ignore[no-untyped-def]
    """Tile by tile: what is left of it over what is left of all; each tile drawn takes `step` away from both."""
    chances = np.ones(len(keys), np.float64)
    for size in range(1, len(starts) - 1):
        for number in range(starts[size], starts[size + 1]):
            run = 0
            before = -1
            for place in range(size):
                tile = np.int64(keys[number] >> np.uint64(BITS * place) & np.uint64(MOST_SYMBOLS - 1))
                run = run + 1 if tile == before else 0
                before = tile
                left = have[tile] - step * run
                chances[number] *= left / (total - step * place) if left > 0 else 0.0
    return chances

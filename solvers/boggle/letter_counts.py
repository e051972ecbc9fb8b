"""Exact chances of what dice show, whatever a word list says: letter counts, equal pairs, vowels, a whole board.

A board takes a random choice of its dice, all of them where there are as many dice as cells.
"""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def mean_counts(chances: Floats, cells: int) -> Floats:
    """Return the mean number of cells that show each tile: float64[symbols]. chances: float64[dice, symbols]."""
    means: Floats = chances.sum(axis=0) * cells / len(chances)
    return means


def mean_equal_pairs(chances: Floats, cells: int) -> Floats:
    """Return the mean number of pairs of cells that both show a tile, by tile: float64[symbols]."""
    dice = len(chances)
    if dice < 2:
        return np.zeros(chances.shape[1])
    both = (chances.sum(axis=0) ** 2 - (chances**2).sum(axis=0)) / 2
    pairs: Floats = both * (cells * (cells - 1)) / (dice * (dice - 1))
    return pairs


def chances_of_number(chances: Floats, cells: int, tiles: Collection[int]) -> Floats:
    """Return the chance that 0, 1, .. cells show one of the tiles, such as the vowels: float64[cells + 1].

    The mean over all choices of `cells` dice; entry [c, v] of the product is the sum, over choices of c dice, of the
    chance that v of them show one.
    """
    showing = np.clip(chances[:, sorted(tiles)].sum(axis=1), 0, 1)
    product = np.zeros((cells + 1, cells + 1))
    product[0, 0] = 1
    for chance in showing:
        before = product.copy()
        product[1:] += (1 - chance) * before[:-1]
        product[1:, 1:] += chance * before[:-1, :-1]
    numbers: Floats = product[cells] / _choices(len(chances), cells)
    return numbers


def chance_of_none(chances: Floats, cells: int, tiles: Collection[int]) -> float:
    """Return the chance that no cell shows any of the tiles."""
    return float(chances_of_number(chances, cells, tiles)[0])


def chance_of_board(chances: Floats, tiles: npt.NDArray[np.integer], blanks: int = 0) -> float:
    """Return the chance that a board shows exactly these tiles, symbol ids in any order, and so many blanks.

    Multiplied out die by die over the sub-multisets; there are prod (count + 1) of them.
    """
    kinds, counts = np.unique(np.asarray(tiles, np.int64), return_counts=True)
    shape = (*(counts + 1).tolist(), blanks + 1)
    showing = [chances[:, kind] for kind in kinds] + [1 - chances.sum(axis=1)]
    # entry [m]: the sum, over choices of dice for the tiles m, of the product of their chances
    product = np.zeros(shape)
    product[(0,) * len(shape)] = 1
    for die in range(len(chances)):
        before = product.copy()
        for axis, chance in enumerate(showing):
            rows, old = np.moveaxis(product, axis, 0), np.moveaxis(before, axis, 0)
            rows[1:] += chance[die] * old[:-1]
    cells = int(counts.sum()) + blanks
    return float(product.flat[-1] / _choices(len(chances), cells))


def _choices(dice: int, cells: int) -> float:
    return float(np.prod([(dice - place) / (place + 1) for place in range(cells)]))

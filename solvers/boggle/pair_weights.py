"""Pairs of ways that spell a word with the same tiles, as weights on multisets of tiles.

A pair shows the tiles of the first path and, once more, those of the second at the positions that are not shared;
shared cells need equal tiles.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from solvers.boggle.multisets import MOST_TILES, Prefixes, pack
from solvers.boggle.path_patterns import MOST_CELLS, pair_patterns
from solvers.errors import InputError

MOST_PAIR_TILES = MOST_TILES // 2
"""Tiles of the longest words whose pairs are worked out on any grid."""


def countable(prefixes: Prefixes, letters: int) -> bool:
    """Return whether pairs of ways of words of so many letters can be worked out, on any grid and in little memory."""
    return not (prefixes.depth[prefixes.letters == letters] > MOST_PAIR_TILES).any()


def pair_seeds(
    prefixes: Prefixes, neighbours: npt.NDArray[np.uint64], letters: int
) -> Iterator[tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.float64]]]:
    """Yield size, keys and weights of multisets: the expected pairs of ways of words of so many letters are the sum
    over them of weight times the chance that cells show the multiset. Keys may come more than once.

    neighbours: uint64[cells].

    Raises InputError where a pair shows more tiles than a key holds.
    """
    words = np.flatnonzero(prefixes.letters == letters)
    for cells in np.unique(prefixes.depth[words]).tolist():
        most = min(2 * cells, len(neighbours))
        if cells > MOST_CELLS or most > MOST_TILES:
            raise InputError(
                f"two ways of a word of {letters} letters show up to {most} tiles; at most {MOST_TILES} can be numbered"
            )
        tiles = _tiles_of(prefixes, words[prefixes.depth[words] == cells], cells)
        yield from _seeds(pair_patterns(neighbours, cells).astype(np.float64), tiles)


def _tiles_of(prefixes: Prefixes, nodes: npt.NDArray[np.int64], depth: int) -> npt.NDArray[np.uint8]:
    """The tiles of prefixes of equal depth, first to last: uint8[nodes, depth]."""
    tiles = np.empty((len(nodes), depth), np.uint8)
    for place in range(depth - 1, -1, -1):
        tiles[:, place] = prefixes.symbol[nodes]
        nodes = prefixes.parent[nodes].astype(np.int64)
    return tiles


def _seeds(
    patterns: npt.NDArray[np.float64], tiles: npt.NDArray[np.uint8]
) -> Iterator[tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.float64]]]:
    """Words whose tiles repeat in the same places fit the same patterns: those are added up once."""
    cells = tiles.shape[1]
    equal = tiles[:, :, None] == tiles[:, None, :]
    bits = np.packbits(equal.reshape(len(tiles), -1), axis=1)
    _, examples, kind = np.unique(bits, axis=0, return_index=True, return_inverse=True)
    fitting = np.array([_fitting(patterns, equal[example]) for example in examples])
    for subset in range(1 << cells):
        apart = [place for place in range(cells) if subset >> (cells - 1 - place) & 1]
        # both orders of a pair are patterns
        weights = fitting[kind.reshape(-1), subset] / 2
        used = weights > 0
        if used.any():
            yield cells + len(apart), pack(np.hstack([tiles[used], tiles[used][:, apart]])), weights[used]


def _fitting(patterns: npt.NDArray[np.float64], equal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Pairs of paths whose shared cells need equal tiles only, by the set of positions of the second that are not
    shared: float64[2**cells], the first position in the highest bit.

    equal: bool[cells, cells], which positions of the word have equal tiles.
    """
    cells = len(equal)
    table = patterns
    for place in range(cells):
        choice = np.zeros((2, cells + 1))
        choice[0, 1:] = equal[place]
        choice[1, 0] = 1
        # the position in front is used up, its two cases go to the back
        table = np.tensordot(table, choice, axes=([0], [1]))
    return table.reshape(-1)

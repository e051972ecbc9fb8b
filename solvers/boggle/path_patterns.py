"""Directed simple paths of a neighbour table, and how two of them share cells.

What matters of an ordered pair of paths is its pattern: for each position of the second path the position in the
first that uses the same cell, or none. There are 33, 208 and 1,545 patterns of different paths of 3, 4, 5 cells.
"""

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit, popcount
from solvers.errors import InputError
from solvers.jit import kernel

CELL_BITS = 6
RANK_BITS = 16
MOST_CELLS = 8
"""Cells of the longest paths whose patterns are counted: a set of them has to fit 48 bits of a key."""


def directed_paths(neighbours: npt.NDArray[np.uint64], longest: int) -> npt.NDArray[np.int64]:
    """Return the number of directed simple paths by number of cells, from 0 (none) to `longest`, by walking all:
    int64[longest+1].

    neighbours: uint64[cells], bit c of mask i is set where a step leads from cell i to cell c. For grids of more than
    20 cells and long paths see paths.py.
    """
    counts = np.zeros(longest + 1, np.int64)
    if longest > 0:
        _walk(neighbours, longest, counts, np.empty((0, longest), np.uint8))
    return counts


def all_paths(neighbours: npt.NDArray[np.uint64], cells: int) -> npt.NDArray[np.uint8]:
    """Return every directed simple path of so many cells: uint8[paths, cells], cell numbers."""
    paths = np.empty((int(directed_paths(neighbours, cells)[cells]), cells), np.uint8)
    if cells > 0:
        _walk(neighbours, cells, np.zeros(cells + 1, np.int64), paths)
    return paths


def pair_patterns(neighbours: npt.NDArray[np.uint64], cells: int) -> npt.NDArray[np.int64]:
    """Return the ordered pairs of different paths of so many cells by pattern: int64[(cells + 1,) * cells].

    The index of position j of the second path is 0 where the first does not use its cell, else 1 + the position there.

    Pairs are first counted by what they share at least: paths through the same set of cells, by the positions at which
    they visit it. What they share exactly follows by inclusion and exclusion, one position after the other.

    Raises InputError for paths of more than 8 cells.
    """
    if cells > MOST_CELLS:
        raise InputError(f"patterns of {cells} cells; they are counted for at most {MOST_CELLS}")
    paths = all_paths(neighbours, cells)
    pairs = np.zeros((cells + 1,) * cells, np.int64)
    flat = pairs.reshape(-1)
    flat[0] = len(paths) ** 2
    places = (cells + 1) ** np.arange(cells - 1, -1, -1)
    for shared in range(1, cells + 1):
        positions = _positions(cells, shared)
        together = _join(*_visits(paths, shared), len(positions))
        pattern = ((positions[:, None, :] + 1) * places[positions][None, :, :]).sum(axis=2)
        np.add.at(flat, pattern.reshape(-1), together.reshape(-1))
    for position in range(cells):
        rows = np.moveaxis(pairs, position, 0)
        rows[0] -= rows[1:].sum(axis=0)
    pairs[tuple(range(1, cells + 1))] = 0
    return pairs


def _positions(cells: int, shared: int) -> npt.NDArray[np.int64]:
    """Ordered choices of `shared` out of `cells` positions, [n, shared]; the number of one is its rank here."""
    return np.array(list(permutations(range(cells), shared)), np.int64)


def _visits(paths: npt.NDArray[np.uint8], shared: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """How often paths visit a set of `shared` cells at certain positions: keys, ascending, and numbers.

    A key is the set, its cells in ascending order packed, above the rank of the positions at which they are visited.
    """
    cells = paths.shape[1]
    ranks = np.zeros((cells,) * shared, np.uint64)
    positions = _positions(cells, shared)
    ranks[tuple(positions.T)] = np.arange(len(positions))
    keys = []
    for chosen in combinations(range(cells), shared):
        visited = paths[:, chosen]
        order = np.argsort(visited, axis=1)
        key = np.zeros(len(paths), np.uint64)
        for place in range(shared):
            cell = np.take_along_axis(visited, order[:, place : place + 1], axis=1)[:, 0]
            key = key << np.uint64(CELL_BITS) | cell.astype(np.uint64)
        rank = ranks[tuple(np.asarray(chosen)[order].T)]
        keys.append(key << np.uint64(RANK_BITS) | rank)
    unique, counts = np.unique(np.concatenate(keys), return_counts=True)
    return unique, counts


@kernel
def _walk(neighbours, longest, counts, paths):  # type: ignore[no-untyped-def]
    """Count all paths of up to `longest` cells; write those of `longest` cells where `paths` has room."""
    one = np.uint64(1)
    cells = len(neighbours)
    open_stack = np.zeros(longest + 1, np.uint64)
    path = np.zeros(longest + 1, np.uint8)
    write = len(paths) > 0
    for start in range(cells):
        counts[1] += 1
        path[0] = start
        used = one << np.uint64(start)
        depth = 1
        if longest == 1:
            if write:
                paths[counts[1] - 1, 0] = start
            continue
        open_stack[1] = neighbours[start] & ~used
        while depth > 0:
            free = open_stack[depth]
            if depth + 1 == longest:
                if write:
                    at = counts[longest]
                    while free != 0:
                        for place in range(depth):
                            paths[at, place] = path[place]
                        paths[at, depth] = lowest_bit(free)
                        free &= free - one
                        at += 1
                counts[longest] += popcount(open_stack[depth])
                open_stack[depth] = 0
                free = np.uint64(0)
            if free == 0:
                depth -= 1
                used ^= one << np.uint64(path[depth])
                continue
            cell = lowest_bit(free)
            open_stack[depth] = free & (free - one)
            counts[depth + 1] += 1
            path[depth] = cell
            used |= one << cell
            depth += 1
            open_stack[depth] = neighbours[cell] & ~used
    return


@kernel
def _join(keys, numbers, positions):  # type: ignore[no-untyped-def]
    """Pairs of paths through the same set of cells, by the ranks of their positions: int64[positions, positions]."""
    low = np.uint64((1 << RANK_BITS) - 1)
    pairs = np.zeros((positions, positions), np.int64)
    start = 0
    while start < len(keys):
        end = start
        while end < len(keys) and keys[end] >> np.uint64(RANK_BITS) == keys[start] >> np.uint64(RANK_BITS):
            end += 1
        for one in range(start, end):
            for other in range(start, end):
                pairs[np.int64(keys[one] & low), np.int64(keys[other] & low)] += numbers[one] * numbers[other]
        start = end
    return pairs

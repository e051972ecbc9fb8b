"""Where ways lie: exact mean numbers by word, by the letters they step between, by letter and by cell.

All for words of at most SHORT letters, whose tiles the closed set of a plan holds; the number of ways of a word is the
chance that the cells of a path show its tiles times the directed paths of so many cells.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit
from solvers.boggle.expectations import SHORT, Plan
from solvers.boggle.multisets import MOST_SYMBOLS, Prefixes
from solvers.jit import kernel

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WordWays:
    """The mean ways of each word and cut: nodes of the trie, int64[w], ids of their multisets, int32[w], and the means,
    float64[w]."""

    nodes: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int32]
    ways: Floats


def word_ways(plan: Plan, prefixes: Prefixes, paths: npt.NDArray[np.int64], short: Floats) -> WordWays:
    """Return the mean number of ways of every word of at most SHORT letters, each cut on its own.

    paths: directed paths by number of cells from 0, to SHORT or the cells of the grid. short: the chance of each
    multiset of the plan (coefficients.dice_chances).
    """
    multisets = plan.multisets
    longest = min(SHORT, len(paths) - 1)
    wanted = (prefixes.letters > 0) & (prefixes.letters <= SHORT) & (prefixes.depth <= longest)
    nodes, ids = [], []
    for size in range(1, longest + 1):
        here = np.flatnonzero(wanted & (prefixes.depth == size))
        if len(here):
            first, end = multisets.starts[size], multisets.starts[size + 1]
            order = np.argsort(multisets.keys[first:end])
            places = np.searchsorted(multisets.keys[first:end], prefixes.keys[here], sorter=order)
            nodes.append(here)
            ids.append((first + order[places]).astype(np.int32))
    all_nodes = np.concatenate([*nodes, np.empty(0, np.int64)])
    all_ids = np.concatenate([*ids, np.empty(0, np.int32)])
    return WordWays(all_nodes, all_ids, short[all_ids] * paths[prefixes.depth[all_nodes]])


def steps(words: WordWays, prefixes: Prefixes) -> Floats:
    """Return the mean number of steps of ways from one tile to another: float64[MOST_SYMBOLS, MOST_SYMBOLS]."""
    found = np.zeros(MOST_SYMBOLS**2)
    nodes, ways = words.nodes, words.ways
    while True:
        inside = prefixes.depth[nodes] > 1
        nodes, ways = nodes[inside], ways[inside]
        if not len(nodes):
            return found.reshape(MOST_SYMBOLS, MOST_SYMBOLS)
        parents = prefixes.parent[nodes].astype(np.int64)
        places = prefixes.symbol[parents].astype(np.int64) * MOST_SYMBOLS + prefixes.symbol[nodes]
        found += np.bincount(places, ways, MOST_SYMBOLS**2)
        nodes = parents


def with_tile(plan: Plan, words: WordWays) -> Floats:
    """Return the mean number of ways that use each tile, once or more: float64[MOST_SYMBOLS]."""
    by_multiset: Floats = np.bincount(words.ids, words.ways).astype(np.float64)
    ids = np.flatnonzero(by_multiset)
    used: Floats = by_multiset[ids] @ (plan.multisets.counts(ids) > 0).astype(np.float64)
    return used


def through_cells(words: WordWays, prefixes: Prefixes, through: npt.NDArray[np.int64]) -> Floats:
    """Return the mean number of ways that use each cell: float64[cells]. through: as `paths_through` gives it."""
    by_size: Floats = np.bincount(prefixes.depth[words.nodes], words.ways, len(through)).astype(np.float64)
    # each path of k cells is in the rows of k cells
    paths: Floats = through.sum(axis=1) / np.maximum(np.arange(len(through)), 1)
    shares = np.divide(by_size, paths, out=np.zeros(len(through)), where=paths > 0)
    used: Floats = shares @ through.astype(np.float64)
    return used


def paths_through(neighbours: npt.NDArray[np.uint64], longest: int) -> npt.NDArray[np.int64]:
    """Return the directed simple paths of k cells that use each cell: int64[longest + 1, cells].

    neighbours: uint64[cells], bit c of mask i is set where a step leads from cell i to cell c.
    """
    through = np.zeros((longest + 1, len(neighbours)), np.int64)
    if longest > 0:
        _walk_through(neighbours, longest, through)
    return through


@kernel
def _walk_through(neighbours, longest, through):  # type: ignore[no-untyped-def]
    one = np.uint64(1)
    open_stack = np.zeros(longest + 2, np.uint64)
    path = np.zeros(longest + 2, np.uint8)
    # paths below each position of the walk that are not yet added to the cells of those above, by number of cells
    below = np.zeros((longest + 2, longest + 1), np.int64)
    for start in range(len(neighbours)):
        path[1] = start
        used = one << np.uint64(start)
        below[1, :] = 0
        below[1, 1] = 1
        open_stack[1] = neighbours[start] & ~used if longest > 1 else np.uint64(0)
        depth = 1
        while depth > 0:
            free = open_stack[depth]
            if free == 0:
                cell = path[depth]
                used ^= one << np.uint64(cell)
                for size in range(depth, longest + 1):
                    through[size, cell] += below[depth, size]
                    below[depth - 1, size] += below[depth, size]
                depth -= 1
                continue
            cell = lowest_bit(free)
            open_stack[depth] = free & (free - one)
            depth += 1
            path[depth] = cell
            used |= one << cell
            below[depth, :] = 0
            below[depth, depth] = 1
            open_stack[depth] = neighbours[cell] & ~used if depth < longest else np.uint64(0)

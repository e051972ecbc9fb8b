"""Chances of prefixes with more tiles than a closed set of multisets can hold.

There are few of them that extend each other: a trie of a hundred thousand long words has some sixty thousand chains, a
chain being the tiles from the root to a node without a possible child. For each chain the product of all dice is
multiplied out over the sub-multisets of that chain alone, which yields all prefixes on the way.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.boggle.multisets import Prefixes
from solvers.jit import kernel

Floats = npt.NDArray[np.float64]
_PIECES = 64
"""Pieces of the chains that threads take one by one; long chains come last and take longest."""
LEAST_RUN = 16
"""Tiles of smaller steps are added by a mask: their loops would be short."""
_LOW = 4
"""Tiles that can have such steps: 1, 2, 4, 8."""


class Chains(NamedTuple):
    """Tiles of all chains, one after the other, and the trie node that each tile reaches.

    starts: int64[chains + 1]. tiles: uint8[total]. nodes: int32[total]; -1 where the prefix is short, or in an earlier
    chain already.
    """

    starts: npt.NDArray[np.int64]
    tiles: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.int32]


def chains_of(prefixes: Prefixes, shorter: int, longest: int) -> Chains:
    """Return the chains that hold every prefix of more than `shorter` and at most `longest` tiles."""
    return Chains(*_chains(prefixes.depth, prefixes.parent, prefixes.symbol, shorter, longest))


def chain_chances(chains: Chains, chances: Floats, threads: int = 1) -> Floats:
    """For each tile of a chain the chance that given cells show the prefix that ends there: float64[total].

    0 where `chains.nodes` is -1. chances: float64[dice, symbols], one row a die (coefficients.py has the formula).
    The number of threads changes no digit.
    """
    out = np.zeros(len(chains.tiles))
    shown = (chances > 0).sum(axis=0)
    room = _largest(chains.starts, chains.tiles, shown)
    ends = np.linspace(0, len(chains.starts) - 1, _PIECES + 1).astype(np.int64).tolist()

    def solve(first: int, last: int) -> None:
        starts = chains.starts[first : last + 1]
        work, masks = np.empty((2, room)), np.empty((_LOW, room))
        _chain_chances(starts, chains.tiles, chains.nodes, chances, shown, work, masks, out)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(solve, ends[:-1], ends[1:]))
    return out


@kernel
def _largest(starts, tiles, shown):  # type: ignore[no-untyped-def]
    """Most sub-multisets that a chain has, counting a tile at most as often as there are dice that show it."""
    largest = 1
    counts = np.zeros(len(shown), np.int64)
    for chain in range(len(starts) - 1):
        counts[:] = 0
        size = 1
        for tile in tiles[starts[chain] : starts[chain + 1]]:
            if counts[tile] < shown[tile]:
                size = size // (counts[tile] + 1) * (counts[tile] + 2)
                counts[tile] += 1
        largest = max(largest, size)
    return largest


@kernel
def _chains(depth, parent, symbol, shorter, longest):  # type: ignore[no-untyped-def]
    nodes = len(depth)
    below = np.zeros(nodes, np.bool_)
    total = 0
    count = 0
    for node in range(nodes - 1, 0, -1):
        if shorter < depth[node] <= longest:
            if not below[node]:
                count += 1
                total += np.int64(depth[node])
            below[parent[node]] = True
    starts = np.zeros(count + 1, np.int64)
    tiles = np.empty(total, np.uint8)
    reached = np.full(total, -1, np.int32)
    taken = np.zeros(nodes, np.bool_)
    chain = 0
    for last in range(nodes):
        if not below[last] and shorter < depth[last] <= longest:
            start = starts[chain]
            starts[chain + 1] = start + np.int64(depth[last])
            node = np.int64(last)
            for place in range(np.int64(depth[last]) - 1, -1, -1):
                tiles[start + place] = symbol[node]
                if place >= shorter and not taken[node]:
                    taken[node] = True
                    reached[start + place] = node
                node = parent[node]
            chain += 1
    return starts, tiles, reached


@kernel
def _chain_chances(starts, tiles, nodes, chances, shown, work, masks, out):  # type: ignore[no-untyped-def]
    """Dice are multiplied in by the rarest of their tiles in the chain, common ones first, and rare tiles have the
    large steps: so most dice meet a product that the rare tiles have not made longer yet."""
    dice, symbols = chances.shape
    counts = np.zeros(symbols, np.int64)
    kinds = np.empty(symbols, np.int64)
    steps = np.zeros(symbols, np.uint64)
    rarest = np.empty(dice, np.int64)
    for chain in range(len(starts) - 1):
        start, end = starts[chain], starts[chain + 1]
        counts[:] = 0
        possible = start
        wanted = False
        while possible < end and counts[tiles[possible]] < shown[tiles[possible]] and possible - start < dice:
            counts[tiles[possible]] += 1
            wanted |= nodes[possible] >= 0
            possible += 1
        if not wanted:
            continue
        number_of_kinds = 0
        for tile in range(symbols):
            if counts[tile]:
                place = number_of_kinds
                while place > 0 and shown[kinds[place - 1]] < shown[tile]:
                    kinds[place] = kinds[place - 1]
                    place -= 1
                kinds[place] = tile
                number_of_kinds += 1
        # a multiset below the chain's is a number in mixed radix
        size = np.uint64(1)
        rarest[:] = -1
        for place in range(number_of_kinds):
            kind = kinds[place]
            steps[kind] = size
            size *= np.uint64(counts[kind] + 1)
            for die in range(dice):
                if chances[die, kind] != 0:
                    rarest[die] = place
        low = 0
        while low < min(number_of_kinds, len(masks)) and steps[kinds[low]] < LEAST_RUN:
            _set_mask(masks[low], steps[kinds[low]], np.uint64(counts[kinds[low]]), size)
            low += 1
        product, other = work[0], work[1]
        product[0] = 1
        filled = np.uint64(1)
        for last in range(number_of_kinds):
            size = steps[kinds[last]] * np.uint64(counts[kinds[last]] + 1)
            for die in range(dice):
                if rarest[die] != last:
                    continue
                product[filled:size] = 0
                filled = size
                other[:size] = product[:size]
                for place in range(last + 1):
                    kind = kinds[place]
                    chance = chances[die, kind]
                    if chance != 0:
                        if place < low:
                            _add_masked(other, product, masks[place], steps[kind], size, chance)
                        else:
                            _add_shifted(other, product, steps[kind], np.uint64(counts[kind]), size, chance)
                product, other = other, product
        factor = 1.0
        state = np.uint64(0)
        counts[:] = 0
        for place in range(start, possible):
            counts[tiles[place]] += 1
            state += steps[tiles[place]]
            factor *= counts[tiles[place]] / (dice - (place - start))
            if nodes[place] >= 0:
                out[place] = product[state] * factor


@kernel
def _set_mask(mask, step, count, size):  # type: ignore[no-untyped-def]
    """1 for multisets that hold a tile, 0 for others. size: of all multisets."""
    for block in range(np.uint64(0), size, step * (count + np.uint64(1))):
        mask[block : block + step] = 0
        mask[block + step : block + step * (count + np.uint64(1))] = 1


@kernel
def _add_masked(other, product, mask, step, size, chance):  # type: ignore[no-untyped-def]
    """What `_add_shifted` does, by one loop over all multisets: for a tile of a small step."""
    for state in range(size - step):
        other[state + step] += chance * mask[state + step] * product[state]


@kernel
def _add_shifted(other, product, step, count, size, chance):  # type: ignore[no-untyped-def]
    """Add chance times the product to all multisets with one more of a tile. Unsigned: signed indices may be negative,
    which would keep this from being a vector loop."""
    run = step * count
    for block in range(np.uint64(0), size, run + step):
        for state in range(block, block + run):
            other[state + step] += chance * product[state]

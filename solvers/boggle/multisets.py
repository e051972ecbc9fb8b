"""Multisets of tiles, closed under taking a tile away: the index of all exact expectations.

The chance that the cells of a path show given tiles does not depend on their order, only on the multiset. Chances of
all multisets of a closed set come from those with one tile less (coefficients.py), so the set is stored as links
m -> m without a, sorted by the size of m and by the tile a: who works on a die follows only the links of its faces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvers.boggle.lexicon import CHILD_MASK, FIRST_CHILD, NODE_MASK, Lexicon
from solvers.errors import InputError
from solvers.jit import kernel

BITS = 5
"""Bits of a tile's symbol id in a key: the tiles of a multiset in ascending order, the smallest in the lowest bits."""
MOST_TILES = 64 // BITS
"""Tiles of the largest multiset: 12."""
MOST_SYMBOLS = 1 << BITS


@dataclass(frozen=True, eq=False)
class Multisets:
    """A closed set of multisets, ids by size: multisets of k tiles have ids starts[k] .. starts[k + 1] - 1; id 0 is
    the empty one.

    starts: int64[most + 2]. keys: uint64[m], the tiles packed. Links: `larger` and `smaller`, int32[links], ids of a
    multiset and of the same without one tile; those of size k and tile a are at
    link_starts[k, a] .. link_starts[k, a + 1] - 1 (int64[most + 1, MOST_SYMBOLS + 1]).
    """

    starts: npt.NDArray[np.int64]
    keys: npt.NDArray[np.uint64]
    link_starts: npt.NDArray[np.int64]
    larger: npt.NDArray[np.int32]
    smaller: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def most(self) -> int:
        """Tiles of the largest multisets."""
        return len(self.starts) - 2

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Tiles of each multiset: int64[m]."""
        return np.repeat(np.arange(self.most + 1), np.diff(self.starts))

    @cached_property
    def orders(self) -> npt.NDArray[np.float64]:
        """Product of the factorials of the counts of each tile: float64[m]."""
        return _orders(self.keys, self.starts)

    @cached_property
    def arrays(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """What the kernels of coefficients.py need: link_starts, larger, smaller."""
        return self.link_starts, self.larger, self.smaller

    def counts(self, ids: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
        """Return how often each multiset of `ids` holds each symbol: uint8[ids, MOST_SYMBOLS]."""
        return _counts(self.keys[ids], self.sizes[ids])

    def tiles(self, number: int) -> list[int]:
        """Return the symbol ids of one multiset, ascending."""
        key, size = int(self.keys[number]), int(self.sizes[number])
        return [key >> BITS * place & (MOST_SYMBOLS - 1) for place in range(size)]


def pack(tiles: npt.NDArray[np.integer]) -> npt.NDArray[np.uint64]:
    """Return the keys of multisets of equal size, given as rows of symbol ids in any order, [n, size]: uint64[n]."""
    ordered = np.sort(tiles, axis=1).astype(np.uint64)
    keys = np.zeros(len(tiles), np.uint64)
    for place in range(tiles.shape[1]):
        keys |= ordered[:, place] << np.uint64(BITS * place)
    return keys


def close(seeds: Sequence[npt.NDArray[np.uint64]]) -> tuple[Multisets, list[npt.NDArray[np.int32]]]:
    """Return the smallest closed set that holds the given keys, and their ids; seeds[k]: keys of k tiles, repeats
    allowed.

    Raises InputError where a seed has more tiles than a key holds.
    """
    most = len(seeds) - 1
    if most > MOST_TILES:
        raise InputError(f"multisets of {most} tiles; at most {MOST_TILES} can be numbered")
    lists: list[npt.NDArray[np.uint64]] = []
    found: list[npt.NDArray[np.int32]] = []
    links: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64]]] = []
    level = np.empty(0, np.uint64)
    for size in range(most, -1, -1):
        own = np.append(np.asarray(seeds[size], np.uint64), np.uint64(0)) if size == 0 else seeds[size]
        level, ids, larger, smaller, by_symbol = _close_level(np.asarray(own, np.uint64), level, size + 1)
        lists.insert(0, level)
        found.insert(0, ids[: len(seeds[size])])
        links.insert(0, (larger, smaller, by_symbol))
    starts = np.concatenate([[0], np.cumsum([len(keys) for keys in lists])]).astype(np.int64)
    link_starts = np.zeros((most + 1, MOST_SYMBOLS + 1), np.int64)
    at = 0
    # links[k] lead down to size k
    for size in range(1, most + 1):
        larger, smaller, by_symbol = links[size - 1]
        link_starts[size] = at + by_symbol
        larger += np.int32(starts[size])
        smaller += np.int32(starts[size - 1])
        at += len(larger)
    multisets = Multisets(
        starts,
        np.concatenate(lists),
        link_starts,
        np.concatenate([larger for larger, _, _ in links[:most]] or [np.empty(0, np.int32)]),
        np.concatenate([smaller for _, smaller, _ in links[:most]] or [np.empty(0, np.int32)]),
    )
    return multisets, [ids + np.int32(start) for ids, start in zip(found, starts, strict=False)]


@dataclass(frozen=True, eq=False)
class Prefixes:
    """The nodes of a trie as prefixes of words; node 0, the empty prefix, included.

    depth: uint8[nodes], tiles. parent: int32[nodes]. symbol: uint8[nodes], the last tile. letters: uint8[nodes],
    letters of the word that ends at the node, or 0. keys: uint64[nodes], the multiset of the tiles, 0 where there are
    more than MOST_TILES.
    """

    depth: npt.NDArray[np.uint8]
    parent: npt.NDArray[np.int32]
    symbol: npt.NDArray[np.uint8]
    letters: npt.NDArray[np.uint8]
    keys: npt.NDArray[np.uint64]


def prefixes_of(lexicon: Lexicon) -> Prefixes:
    """Return every prefix that the trie of a lexicon holds.

    Raises InputError where the alphabet has more symbols than a key can tell apart.
    """
    symbols = len(lexicon.alphabet.symbols)
    if symbols > MOST_SYMBOLS:
        raise InputError(f"{symbols} different symbols; exact expectations know at most {MOST_SYMBOLS}")
    trie = lexicon.trie
    words = trie.word_ids >= 0
    letters = np.zeros(len(trie.records), np.uint8)
    letters[words] = lexicon.letters[trie.word_ids[words]]
    depth, parent, symbol, keys = _prefixes(trie.records)
    return Prefixes(depth, parent, symbol, letters, keys)


@kernel
def _prefixes(records):  # type: ignore[no-untyped-def]
    nodes = len(records)
    depth = np.zeros(nodes, np.uint8)
    parent = np.full(nodes, -1, np.int32)
    symbol = np.zeros(nodes, np.uint8)
    keys = np.zeros(nodes, np.uint64)
    for node in range(nodes):
        mask = np.uint32(records[node] & CHILD_MASK)
        child = np.int64(records[node] >> np.uint64(FIRST_CHILD) & NODE_MASK)
        size = np.int64(depth[node])
        for tile in range(MOST_SYMBOLS):
            if mask >> np.uint32(tile) & np.uint32(1):
                depth[child] = size + 1
                parent[child] = node
                symbol[child] = tile
                if size < MOST_TILES:
                    keys[child] = _with(keys[node], size, tile)
                child += 1
    return depth, parent, symbol, keys


@kernel
def _with(key, size, tile):  # type: ignore[no-untyped-def]
    """The key of a multiset of `size` tiles with one more."""
    place = 0
    while place < size and np.int64(key >> np.uint64(BITS * place) & np.uint64(MOST_SYMBOLS - 1)) < tile:
        place += 1
    shift = np.uint64(BITS * place)
    low = key & ((np.uint64(1) << shift) - np.uint64(1))
    # the part above the new tile moves up by one place; a full key loses nothing, as its last place is then free
    return low | np.uint64(tile) << shift | key >> shift << shift << np.uint64(BITS)


@kernel
def _close_level(seeds, upper, upper_size):  # type: ignore[no-untyped-def]
    """All multisets that are seeds or a multiset of `upper` with one tile less, in order of their appearance.

    upper: uint64[n], keys of `upper_size` tiles. Returns their keys, the index of each seed, and the links, sorted by
    tile: index in `upper`, index among the new ones, and where those of each tile start.
    """
    mask = np.uint64(MOST_SYMBOLS - 1)
    by_symbol = np.zeros(MOST_SYMBOLS + 1, np.int64)
    for key in upper:
        before = -1
        for place in range(upper_size):
            tile = np.int64(key >> np.uint64(BITS * place) & mask)
            if tile != before:
                by_symbol[tile + 1] += 1
            before = tile
    for tile in range(MOST_SYMBOLS):
        by_symbol[tile + 1] += by_symbol[tile]
    next_link = by_symbol.copy()
    larger = np.empty(by_symbol[MOST_SYMBOLS], np.int32)
    smaller = np.empty(by_symbol[MOST_SYMBOLS], np.int32)
    ids = np.empty(len(seeds), np.int32)
    keys = np.empty(1024, np.uint64)
    slots = np.full(4096, -1, np.int32)
    count = 0
    for item in range(len(seeds) + len(upper)):
        seed = item < len(seeds)
        whole = seeds[item] if seed else upper[item - len(seeds)]
        before = -1
        for place in range(1 if seed else upper_size):
            key = whole
            tile = np.int64(whole >> np.uint64(BITS * place) & mask)
            if not seed:
                if tile == before:
                    continue
                before = tile
                shift = np.uint64(BITS * place)
                key = whole & ((np.uint64(1) << shift) - np.uint64(1)) | whole >> shift >> np.uint64(BITS) << shift
            if 4 * count >= len(slots):
                slots = np.full(4 * len(slots), -1, np.int32)
                for old in range(count):
                    slots[_slot(keys[old], slots, keys)] = old
            slot = _slot(key, slots, keys)
            if slots[slot] < 0:
                if count == len(keys):
                    longer = np.empty(2 * count, np.uint64)
                    longer[:count] = keys
                    keys = longer
                keys[count] = key
                slots[slot] = count
                count += 1
            if seed:
                ids[item] = slots[slot]
            else:
                larger[next_link[tile]] = item - len(seeds)
                smaller[next_link[tile]] = slots[slot]
                next_link[tile] += 1
    return keys[:count].copy(), ids, larger, smaller, by_symbol


@kernel
def _slot(key, slots, keys):  # type: ignore[no-untyped-def]
    """The slot of a hash table that holds the index of `key`, or the free one where it belongs."""
    last = np.uint64(len(slots) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & last
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def _orders(keys, starts):  # type: ignore[no-untyped-def]
    orders = np.ones(len(keys), np.float64)
    for size in range(1, len(starts) - 1):
        for number in range(starts[size], starts[size + 1]):
            run = 1
            for place in range(1, size):
                one = keys[number] >> np.uint64(BITS * (place - 1)) & np.uint64(MOST_SYMBOLS - 1)
                other = keys[number] >> np.uint64(BITS * place) & np.uint64(MOST_SYMBOLS - 1)
                run = run + 1 if one == other else 1
                orders[number] *= run
    return orders


@kernel
def _counts(keys, sizes):  # type: ignore[no-untyped-def]
    counts = np.zeros((len(keys), MOST_SYMBOLS), np.uint8)
    for row in range(len(keys)):
        for place in range(sizes[row]):
            counts[row, np.int64(keys[row] >> np.uint64(BITS * place) & np.uint64(MOST_SYMBOLS - 1))] += 1
    return counts

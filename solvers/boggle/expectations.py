"""Exact means of random boards: ways to spell words, pairs of ways, nodes of the search. No simulation.

A way is a path of tiles that spells a usable word; each cut of the word into tiles is a way of its own. `ways` of L
letters is their number over all words of L letters; `pairs` of L letters is the sum over those words, each cut on its
own, of ways * (ways - 1) / 2. A mean is a sum over multisets of tiles: a weight, which follows from list and grid,
times the chance that the cells of a path show the multiset, which follows from the shaker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvers.boggle.coefficients import coefficients, dice_factors, divide
from solvers.boggle.lexicon import Lexicon
from solvers.boggle.long_prefixes import Chains, chain_chances, chains_of
from solvers.boggle.multisets import MOST_SYMBOLS, Multisets, Prefixes, close, prefixes_of
from solvers.boggle.pair_weights import pair_seeds
from solvers.errors import InputError
from solvers.jit import kernel

Floats = npt.NDArray[np.float64]
Quantity = tuple[str, int]
"""("ways", letters), ("pairs", letters) or ("nodes", 0)."""
SHORT = 8
"""Tiles up to which prefixes are in the closed set; longer ones are worked out chain by chain."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What list, rules and grid say about expectations, whatever the shaker. Made once, used for any dice.

    names: the quantities; row q has weights `values` for the multisets `ids` at starts[q] .. starts[q + 1] - 1. Longer
    prefixes: `chains`, with for each of their tiles the directed paths that a search goes on by (chain_nodes) and that
    spell a word there (chain_ways, of chain_letters letters). `cells` nodes are counted whatever the board shows.
    """

    cells: int
    multisets: Multisets
    names: tuple[Quantity, ...]
    starts: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int32]
    values: Floats
    chains: Chains
    chain_nodes: Floats
    chain_ways: Floats
    chain_letters: npt.NDArray[np.uint8]

    def row(self, name: Quantity) -> slice:
        """Where the weights of a quantity are."""
        place = self.names.index(name)
        return slice(int(self.starts[place]), int(self.starts[place + 1]))

    @cached_property
    def complete(self) -> tuple[Quantity, ...]:
        """Quantities that the closed set knows in full: pairs, and ways of words of at most SHORT letters."""
        return tuple(name for name in self.names if name[0] == "pairs" or (name[0] == "ways" and name[1] <= SHORT))


def make_plan(
    lexicon: Lexicon,
    neighbours: npt.NDArray[np.uint64],
    paths: Sequence[int],
    pair_lengths: Sequence[int] = (3, 4, 5),
    nodes: bool = True,
) -> Plan:
    """Return the weights of all quantities for a list and a grid.

    neighbours: uint64[cells]; paths: directed paths by number of cells from 0, as far as the grid goes or the longest
    prefix needs (`longest_path`). pair_lengths: letters of the words whose pairs are wanted, those without words are
    left out. Without `nodes` only words of at most SHORT tiles count, which is all that effects need, and much faster.

    Raises InputError for too many symbols, too few `paths`, or pairs of words too long.
    """
    prefixes = prefixes_of(lexicon)
    cells = len(neighbours)
    if cells != lexicon.cells:
        raise InputError(f"the lexicon was built for {lexicon.cells} cells, the grid has {cells}")
    longest = longest_path(lexicon, prefixes) if nodes else min(SHORT, cells)
    if len(paths) <= longest:
        raise InputError(f"paths of up to {len(paths) - 1} cells; the list needs those of {longest}")
    counts = np.zeros(max(len(paths), cells + 2))
    counts[: len(paths)] = [float(number) for number in paths]
    depth = prefixes.depth.astype(np.int64)
    short = (depth <= SHORT) & (depth > 0)
    if not nodes:
        short &= prefixes.letters > 0
    seeds: list[list[npt.NDArray[np.uint64]]] = [[] for _ in range(2 * SHORT + 1)]
    places: list[npt.NDArray[np.int64]] = []
    for size in range(SHORT + 1):
        places.append(np.flatnonzero(short & (depth == size)))
        seeds[size].append(prefixes.keys[places[size]])
    pairs: list[tuple[int, int, Floats]] = []
    present = set(np.unique(prefixes.letters[short]).tolist())
    for letters in pair_lengths:
        if letters in present:
            for size, keys, weights in pair_seeds(prefixes, neighbours, letters):
                seeds[size].append(keys)
                pairs.append((letters, size, weights))
    most = max(size for size, keys in enumerate(seeds) if size <= 1 or any(len(part) for part in keys))
    multisets, found = close([np.concatenate([*keys, np.empty(0, np.uint64)]) for keys in seeds[: most + 1]])
    table = _Table(len(multisets))
    for size in range(1, min(SHORT, most) + 1):
        nodes_here = places[size]
        ids = found[size][: len(nodes_here)]
        letters_here = prefixes.letters[nodes_here]
        for letters in np.unique(letters_here[letters_here > 0]).tolist():
            word = letters_here == letters
            table.add(("ways", letters), ids[word], np.full(int(word.sum()), counts[size]))
        if nodes:
            table.add(("nodes", 0), ids, np.full(len(ids), counts[size + 1] if size < cells else 0.0))
    at = [len(place) for place in places] + [0] * (len(seeds) - len(places))
    for letters, size, weights in pairs:
        table.add(("pairs", letters), found[size][at[size] : at[size] + len(weights)], weights)
        at[size] += len(weights)
    chains = chains_of(prefixes, SHORT, cells if nodes else 0)
    reached = chains.nodes
    inside = reached >= 0
    deep = np.where(inside, depth[reached], 0)
    chain_letters = np.where(inside, prefixes.letters[reached], 0).astype(np.uint8)
    return Plan(
        cells,
        multisets,
        *table.rows(),
        chains,
        np.where(inside & (deep < cells), counts[deep + 1], 0.0),
        np.where(chain_letters > 0, counts[deep], 0.0),
        chain_letters,
    )


def _order(name: Quantity) -> tuple[int, int]:
    return ("ways", "pairs", "nodes").index(name[0]), name[1]


class _Table:
    """Weights of quantities, equal multisets added up."""

    def __init__(self, multisets: int) -> None:
        self.multisets = multisets
        self.parts: dict[Quantity, list[tuple[npt.NDArray[np.int32], Floats]]] = {}

    def add(self, name: Quantity, ids: npt.NDArray[np.int32], weights: Floats) -> None:
        self.parts.setdefault(name, []).append((ids, weights))

    def rows(self) -> tuple[tuple[Quantity, ...], npt.NDArray[np.int64], npt.NDArray[np.int32], Floats]:
        names = tuple(sorted(self.parts, key=_order))
        ids, values = [np.empty(0, np.int32)], [np.empty(0)]
        starts = [0]
        for name in names:
            dense = np.zeros(self.multisets)
            for part, weights in self.parts[name]:
                dense += np.bincount(part, weights, self.multisets)
            ids.append(np.flatnonzero(dense).astype(np.int32))
            values.append(dense[ids[-1]])
            starts.append(starts[-1] + len(ids[-1]))
        return names, np.array(starts, np.int64), np.concatenate(ids), np.concatenate(values)


def longest_path(lexicon: Lexicon, prefixes: Prefixes | None = None) -> int:
    """Return the cells of the longest path that a search of this list counts: one more than its longest prefix, or
    all.
    """
    deepest = int((prefixes or prefixes_of(lexicon)).depth.max())
    return min(deepest + 1, lexicon.cells)


def expected(plan: Plan, chances: Floats, short: Floats | None = None, threads: int = 1) -> dict[Quantity, float]:
    """Return the mean of every quantity for dice: chances float64[dice, MOST_SYMBOLS] of coefficients.face_chances.

    There may be more dice than cells. `short`: the chances of the plan's multisets, where they are known already.
    Ways of words of more than SHORT letters, and all nodes, need a plan with nodes.
    """
    if short is None:
        short = coefficients(plan.multisets, chances) * dice_factors(plan.multisets, len(chances))
    weighted = plan.values * short[plan.ids]
    means = {name: float(weighted[plan.row(name)].sum()) for name in plan.names}
    if len(plan.chains.tiles):
        long = chain_chances(plan.chains, chances, threads)
        means["nodes", 0] += float(long @ plan.chain_nodes)
        by_letters = np.bincount(plan.chain_letters, long * plan.chain_ways)
        for letters in np.flatnonzero(np.bincount(plan.chain_letters)[1:]) + 1:
            name = ("ways", int(letters))
            means[name] = means.get(name, 0.0) + float(by_letters[letters])
    if ("nodes", 0) in means:
        means["nodes", 0] += plan.cells
    return {name: means[name] for name in sorted(means, key=_order)}


@dataclass(frozen=True, eq=False)
class Effects:
    """What every die and face does to the means of some quantities.

    means: float64[q]. showing: float64[q, dice, MOST_SYMBOLS + 1], the mean given that a die shows a tile, last the
    one given that it shows a blank.
    """

    names: tuple[Quantity, ...]
    chances: Floats
    means: Floats
    showing: Floats

    @property
    def through_dice(self) -> Floats:
        """The mean number that use a die, float64[q, dice]: what is lost when it shows nothing."""
        lost: Floats = self.means[:, None] - self.showing[:, :, -1]
        return lost

    @property
    def through_faces(self) -> Floats:
        """The mean number that use a die while it shows a tile, all its faces with that tile together:
        float64[q, dice, MOST_SYMBOLS]."""
        used: Floats = self.chances * (self.showing[:, :, :-1] - self.showing[:, :, -1:])
        return used

    @property
    def through_tiles(self) -> Floats:
        """The mean number of tiles of a kind that are used, each use counting: float64[q, MOST_SYMBOLS]."""
        used: Floats = self.through_faces.sum(axis=1)
        return used

    def change(self, die: int, old: int, new: int, faces: int) -> Floats:
        """Return by how much the means rise when one of a die's `faces` faces goes from tile `old` to `new`, exact:
        float64[q]. -1 stands for a blank."""
        rise: Floats = (self.showing[:, die, new] - self.showing[:, die, old]) / faces
        return rise


def effects(plan: Plan, chances: Floats, names: Sequence[Quantity] | None = None) -> Effects:
    """Return the exact effect of every face of every die on the quantities (default: all that are complete).

    Each die in turn is divided out of the product; what is left with one tile more or none is the mean with the die
    showing that tile, or a blank.
    """
    names = plan.complete if names is None else tuple(names)
    multisets = plan.multisets
    product = coefficients(multisets, chances)
    factors = dice_factors(multisets, len(chances))
    ids = np.concatenate([plan.ids[plan.row(name)] for name in names] or [np.empty(0, np.int32)])
    rows = np.repeat(np.arange(len(names)), [plan.row(name).stop - plan.row(name).start for name in names])
    values = np.concatenate([plan.values[plan.row(name)] for name in names] or [np.empty(0)]) * factors[ids]
    means: Floats = np.bincount(rows, values * product[ids], len(names)).astype(np.float64)
    by_multiset, starts, links = _weighted_links(multisets, ids)
    showing = np.zeros((len(names), len(chances), MOST_SYMBOLS + 1))
    for die in range(len(chances)):
        without = divide(multisets, product, chances[die])
        showing[:, die, :] = np.bincount(rows, values * without[ids], len(names))[:, None]
        _add_showing(without, links, starts, rows[by_multiset], values[by_multiset], showing[:, die, :])
    return Effects(names, chances, means, showing)


Links = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.int32]]


def _weighted_links(
    multisets: Multisets, ids: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Links]:
    """The links of the multisets `ids`: the order of the ids, where in it those of each multiset start, and for each
    link its tile and two multisets."""
    order = np.argsort(ids, kind="stable")
    starts = np.zeros(len(multisets) + 1, np.int64)
    np.cumsum(np.bincount(ids, minlength=len(multisets)), out=starts[1:])
    wanted = starts[multisets.larger + 1] > starts[multisets.larger]
    lengths = np.diff(multisets.link_starts, axis=1)
    tiles = np.repeat(np.tile(np.arange(MOST_SYMBOLS, dtype=np.uint8), len(lengths)), lengths.reshape(-1))
    return order, starts, (tiles[wanted], multisets.larger[wanted], multisets.smaller[wanted])


@kernel
def _add_showing(without, links, starts, rows, values, showing):  # type: ignore[no-untyped-def]
    tiles, larger, smaller = links
    for link in range(len(tiles)):
        chance = without[smaller[link]]
        if chance != 0:
            for place in range(starts[larger[link]], starts[larger[link] + 1]):
                showing[rows[place], tiles[link]] += values[place] * chance

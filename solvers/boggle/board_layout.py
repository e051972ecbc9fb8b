"""A board made ready for the fast solver: its cells in order of their symbols, so tiles of a symbol form a run.

The place of a cell is its rank in that order, blanks last. All results lie in the work array (workspace.py).
"""

import numpy as np

from solvers.bits import lowest_bit, popcount, prefetch
from solvers.boggle.alphabet import MAX_SYMBOLS
from solvers.boggle.lexicon import FIRST_CHILD, NODE_MASK, PAIRS_ROW, WORD_FLAG
from solvers.boggle.workspace import ENDS, FOUND, NEIGHBOURS, PLACES, SMALLER, STACK, STEPS, SYMBOLS, TABLES
from solvers.jit import kernel

PLACE_AT = np.uint64(22)
PLACES_AT = np.uint64(28)
"""Bits of an item, a path on the board: 0-21 trie node, 22-27 the place reached, 28-63 all places of the path."""
PATH_MASK = np.uint64((1 << 64) - (1 << 28))


@kernel
def lay_out(cells, work):  # type: ignore[no-untyped-def]
    """Write places, symbols, steps and smaller symbols of a board, uint8[cells] symbol ids.

    Returns the number of letter tiles, the mask of their symbols, the mask of the first place of every symbol, and the
    mask of all places but the last of every symbol.
    """
    one = np.uint64(1)
    zero = np.uint64(0)
    count = np.uint64(len(cells))
    for symbol in range(np.uint64(MAX_SYMBOLS + 2)):
        work[ENDS + symbol] = zero
    for cell in range(count):
        work[ENDS + one + np.uint64(min(cells[cell], MAX_SYMBOLS))] += one
    tiles = count - work[ENDS + np.uint64(MAX_SYMBOLS + 1)]
    for symbol in range(np.uint64(MAX_SYMBOLS + 1)):
        work[ENDS + symbol + one] += work[ENDS + symbol]
    for cell in range(count):
        symbol = np.uint64(min(cells[cell], MAX_SYMBOLS))
        place = work[ENDS + symbol]
        work[ENDS + symbol] = place + one
        work[PLACES + cell] = place
        work[SYMBOLS + place] = symbol
    present = zero
    first_places = zero
    not_last = zero
    before = np.uint64(MAX_SYMBOLS)
    work[SYMBOLS + count] = np.uint64(MAX_SYMBOLS)
    for place in range(tiles):
        symbol = work[SYMBOLS + place]
        bit = PLACES_AT + place
        present |= one << symbol
        first_places |= np.uint64(symbol != before) << bit
        not_last |= np.uint64(symbol == work[SYMBOLS + place + one]) << bit
        before = symbol
        work[SMALLER + bit] = (one << symbol) - one
        work[STEPS + bit] = one << bit | place << PLACE_AT
    return tiles, present, first_places, not_last


@kernel
def fill_tables(work):  # type: ignore[no-untyped-def]
    """Write the tables that give the places of a child mask, for processors without pext and pdep."""
    one = np.uint64(1)
    start = np.uint64(0)
    for table in range(np.uint64(5)):
        at = TABLES + table * np.uint64(128)
        work[at] = np.uint64(0)
        for bit in range(np.uint64(7)):
            symbol = table * np.uint64(7) + bit
            places = np.uint64(0)
            if symbol < np.uint64(MAX_SYMBOLS):
                end = work[ENDS + symbol]
                places = ((one << end) - (one << start)) << PLACES_AT
                start = end
            half = one << bit
            for entry in range(half):
                work[at + half + entry] = work[at + entry] | places


@kernel
def start_paths(cells, neighbours, trie, work):  # type: ignore[no-untyped-def]
    """Write the neighbours of each place, the paths of two tiles to the stack, and those of one tile that are words to
    the words found.

    cells: uint8[cells]; neighbours: uint64[cells]. Goes through the cells in the order of the grid, as how many
    neighbours come next is then the same on every board, and the processor guesses it.

    Returns the end of the stack, the end of the words, and the nodes counted up to the paths of one tile, without the
    one that each cell counts as a start.
    """
    one = np.uint64(1)
    zero = np.uint64(0)
    records = trie.records
    root = records[0]
    first = root >> np.uint64(FIRST_CHILD) & NODE_MASK
    nodes = zero
    top = STACK
    pending = FOUND
    for cell in range(np.uint64(len(cells))):
        place = work[PLACES + cell]
        symbol = work[SYMBOLS + place]
        if symbol == np.uint64(MAX_SYMBOLS):
            # a blank: no path leads there, and the table below knows no pair with it
            continue
        entered = root >> symbol & one
        start = one << (PLACES_AT + place)
        left = neighbours[cell]
        nodes += entered * popcount(left)
        node = (first + popcount(root & ((one << symbol) - one))) * entered
        work[pending] = node | start
        pending += records[node] >> np.uint64(WORD_FLAG) & entered
        row = symbol * np.uint64(PAIRS_ROW)
        places = zero
        while left != zero:
            other = PLACES_AT + work[PLACES + lowest_bit(left)]
            left &= left - one
            places |= one << other
            node = np.uint64(trie.pairs[row + work[SYMBOLS + other - PLACES_AT]])
            work[top] = work[STEPS + other] | start | node
            top += np.uint64(node != zero)
            prefetch(records, node)
        work[NEIGHBOURS + place] = places
    return top, pending, nodes

"""The fast solver: all open paths of a board advance one tile at a time, sorted by how many children each has.

A search that follows one path waits for every trie record and mispredicts every loop over children. Here a step takes
many open paths (items) together: the first pass reads their records and puts each item into the bucket of its number
of children, the second writes the children, bucket by bucket, and prefetches their records for the next step. Nothing
in either pass branches on the data of an item.

Cells are numbered in order of their symbols, blanks last, so the tiles of one letter are neighbours in a mask. The
candidate cells of a node then come from its child mask in one go (`_candidates`).

A step takes at most `SLICE` items from the top of a stack and puts their children back, so on ordinary boards the
search goes by level, and on a board with very many paths the same kernel turns towards depth first: when the stack
is nearly full a step takes fewer items, down to one, and one item at a time needs few places. No board overflows it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from solvers.bits import fast_bmi2, lowest_bit, pdep, pext, popcount, prefetch
from solvers.boggle.alphabet import MAX_SYMBOLS
from solvers.boggle.lexicon import CHILD_MASK, FIRST_CHILD, LENGTH, NODE_MASK, WORD_FLAG
from solvers.boggle.workspace import (
    CELL, COUNTS, FIELDS, FOUND, HISTOGRAM, ITEMS, MASKS, PATHS, PLACES, ROW, SEEN, SLICE, STACK, STARTS, SYMBOLS, TABLES
)
from solvers.jit import kernel

CELL_AT = np.uint64(22)
CELLS_AT = np.uint64(28)
"""Bits of an item: 0-21 node, 22-27 the cell reached, 28-63 the cells of the path. Masks of cells start at bit 28 too."""
CELLS_MASK = np.uint64((1 << 64) - (1 << 28))


def make_kernel(bmi2: bool) -> Callable[..., Any]:
    """The kernel for boards of up to 36 cells, with or without pext and pdep."""

    @kernel
    def solve_boards(  # type: ignore[no-untyped-def]
        boards, neighbours, trie, one_cut, points, node_limit, work, stack_places, columns, frequency
    ):
        one = np.uint64(1)
        zero = np.uint64(0)
        records = trie.records
        root = records[0]
        cells = np.uint64(boards.shape[1])
        most_children = np.uint64(7)
        found = zero
        for board in range(len(boards)):
            # Cells in order of their symbols.
            for symbol in range(MAX_SYMBOLS + 2):
                work[STARTS + np.uint64(symbol)] = zero
            for cell in range(cells):
                symbol = np.uint64(min(boards[board, cell], MAX_SYMBOLS))
                work[STARTS + symbol + one] += one
            tiles = cells - work[STARTS + np.uint64(MAX_SYMBOLS + 1)]
            for symbol in range(MAX_SYMBOLS + 1):
                work[STARTS + np.uint64(symbol) + one] += work[STARTS + np.uint64(symbol)]
            for cell in range(cells):
                symbol = np.uint64(min(boards[board, cell], MAX_SYMBOLS))
                place = work[STARTS + symbol]
                work[STARTS + symbol] = place + one
                work[PLACES + cell] = place
                work[SYMBOLS + place] = symbol
            work[SYMBOLS + cells] = np.uint64(MAX_SYMBOLS + 1)
            for cell in range(cells):
                open_cells = neighbours[cell]
                mask = zero
                while open_cells != zero:
                    mask |= one << work[PLACES + lowest_bit(open_cells)]
                    open_cells &= open_cells - one
                work[MASKS + work[PLACES + cell]] = mask
            present = zero
            first_cells = zero
            not_last = zero
            before = np.uint64(MAX_SYMBOLS + 1)
            for place in range(tiles):
                symbol = work[SYMBOLS + place]
                present |= one << symbol
                first_cells |= np.uint64(symbol != before) << place
                not_last |= np.uint64(symbol == work[SYMBOLS + place + one]) << place
                before = symbol
                fields = (one << symbol) - one
                cell = one << (place + CELLS_AT)
                mask = work[MASKS + place] << CELLS_AT
                work[FIELDS + CELLS_AT + place] = fields
                work[CELL + CELLS_AT + place] = cell | place << CELL_AT
                work[MASKS + place] = mask
            first_cells <<= CELLS_AT
            not_last <<= CELLS_AT
            if not bmi2:
                for table in range(np.uint64(5)):
                    at = TABLES + table * np.uint64(128)
                    work[at] = zero
                    for bit in range(np.uint64(7)):
                        symbol = table * np.uint64(7) + bit
                        group = zero
                        if symbol < np.uint64(MAX_SYMBOLS):
                            # after the sort above, STARTS holds the end of each symbol's cells
                            end = work[STARTS + symbol]
                            start = work[STARTS + symbol - one] if symbol > zero else zero
                            group = ((one << end) - (one << start)) << CELLS_AT
                        width = one << bit
                        for entry in range(width):
                            work[at + width + entry] = work[at + entry] | group

            # Paths of one tile, then of two.
            nodes = cells
            used = zero
            top = STACK
            pending = FOUND
            letter_cells = ((one << tiles) - one) << CELLS_AT
            for place in range(tiles):
                symbol = work[SYMBOLS + place]
                entered = root >> symbol & one
                node = (root >> np.uint64(FIRST_CHILD) & NODE_MASK) + popcount(root & ((one << symbol) - one))
                mask = work[MASKS + place]
                nodes += entered * popcount(mask)
                start = one << (place + CELLS_AT)
                start_free = one << (place + CELLS_AT)
                work[pending] = node | start
                pending += records[node * entered] >> np.uint64(WORD_FLAG) & entered
                row = symbol * np.uint64(MAX_SYMBOLS)
                mask &= letter_cells
                while mask != zero:
                    other = lowest_bit(mask)
                    mask &= mask - one
                    node = np.uint64(trie.pairs[row + work[SYMBOLS + other - CELLS_AT]])
                    path = work[CELL + other] | start
                    work[top] = path | node
                    top += np.uint64(node != zero)
                    prefetch(records, node)

            found = FOUND
            while True:
                # First pass: read the records, sort the items into buckets.
                filled = top - STACK
                room = (stack_places - min(filled, stack_places)) // most_children
                taken = min(min(filled, SLICE), max(room, one))
                for bucket in range(np.uint64(9)):
                    work[COUNTS + bucket] = bucket * ROW
                for at in range(top - taken, top):
                    item = work[at]
                    record = records[item & NODE_MASK]
                    work[pending] = item
                    pending += record >> np.uint64(WORD_FLAG)
                    if bmi2:
                        # adding the first cell of a group to its other cells but the last carries into the last
                        groups = pdep(pext(record, present), first_cells) + not_last
                        candidates = groups ^ not_last
                    else:
                        candidates = (
                            work[TABLES + (record & np.uint64(127))]
                            | work[TABLES + np.uint64(128) + (record >> np.uint64(7) & np.uint64(127))]
                            | work[TABLES + np.uint64(256) + (record >> np.uint64(14) & np.uint64(127))]
                            | work[TABLES + np.uint64(384) + (record >> np.uint64(21) & np.uint64(127))]
                            | work[TABLES + np.uint64(512) + (record >> np.uint64(28) & np.uint64(15))]
                        )
                    free = work[MASKS + (item >> CELL_AT & np.uint64(63))] & ~item
                    nodes += popcount(free)
                    candidates &= free
                    children = popcount(candidates)
                    entry = work[COUNTS + children]
                    work[COUNTS + children] = entry + one
                    work[ITEMS + entry] = candidates
                    work[PATHS + entry] = item
                top -= taken

                # Second pass: write the children.
                for children in range(one, np.uint64(9)):
                    row = children * ROW
                    for entry in range(row, work[COUNTS + children]):
                        free = work[ITEMS + entry]
                        path = work[PATHS + entry]
                        record = records[path & NODE_MASK]
                        path &= CELLS_MASK
                        first = record >> np.uint64(FIRST_CHILD) & NODE_MASK
                        child_mask = record & CHILD_MASK
                        for _ in range(children):
                            cell = lowest_bit(free)
                            free &= free - one
                            fields = work[FIELDS + cell]
                            node = first + popcount(child_mask & fields)
                            work[top] = (work[CELL + cell] | path) + node
                            prefetch(records, node)
                            top += one

                # Words not seen before stay in the list.
                for at in range(found, pending):
                    item = work[at]
                    used |= item
                    key = item & NODE_MASK
                    if not one_cut:
                        key = np.uint64(trie.word_ids[key]) | key << np.uint64(32)
                    word = SEEN + (key >> np.uint64(6) & np.uint64(0x3FFFFFF))
                    bits = work[word]
                    work[word] = bits | one << (key & np.uint64(63))
                    work[found] = key
                    found += bits >> (key & np.uint64(63)) & one ^ one
                pending = found
                if top == STACK or nodes > node_limit:
                    break

            longest = zero
            for at in range(FOUND, found):
                key = work[at]
                work[SEEN + (key >> np.uint64(6) & np.uint64(0x3FFFFFF))] = zero
                length = records[key if one_cut else key >> np.uint64(32)] >> np.uint64(LENGTH) & np.uint64(255)
                work[HISTOGRAM + length] += one
                longest = max(longest, length)
            score = zero
            by_length = columns.by_length[board]
            by_length[:] = 0
            for length in range(one, longest + one):
                count = work[HISTOGRAM + length]
                work[HISTOGRAM + length] = zero
                score += count * np.uint64(points[length])
                if length >= np.uint64(2):
                    by_length[min(length, np.uint64(16)) - np.uint64(2)] += np.uint16(count)
            if len(frequency) > 0:
                for at in range(FOUND, found):
                    key = work[at]
                    word_id = trie.word_ids[key] if one_cut else np.int32(key & np.uint64(0xFFFFFFFF))
                    frequency[word_id] += np.uint32(1)
            columns.words[board] = found - FOUND
            columns.score[board] = score
            columns.nodes[board] = nodes
            columns.longest[board] = longest
            columns.dead_tiles[board] = tiles - popcount(used & CELLS_MASK)
        return found - FOUND

    return solve_boards



_KERNELS: dict[bool, Callable[..., Any]] = {}


def solve_boards_kernel(bmi2: bool) -> Callable[..., Any]:
    if bmi2 not in _KERNELS:
        _KERNELS[bmi2] = make_kernel(bmi2)
    return _KERNELS[bmi2]

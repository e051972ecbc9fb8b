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
from solvers.boggle.lexicon import CHILD_MASK, FIRST_CHILD, LENGTH, WORD_FLAG
from solvers.boggle.workspace import (
    BELOW, CELL, COUNTS, FOUND, HISTOGRAM, ITEMS, MASKS, PLACES, RECORDS, ROW, SEEN, SLICE, STACK, STARTS,
    SYMBOLS, TABLES, TILES,
)
from solvers.jit import kernel


def make_kernel(small: bool, bmi2: bool) -> Callable[..., Any]:
    """The kernel for boards of up to 16 cells (`small`) or up to 36, with or without pext and pdep.

    An item is one uint64. Small: node << 32 | free neighbours << 16 | used cells. Else: node << 42 | cell << 36 | used.
    """
    node_at = np.uint64(32 if small else 42)
    cell_at = np.uint64(36)
    used_mask = np.uint64(0xFFFF if small else (1 << 36) - 1)
    free_at = np.uint64(16 if small else 0)
    cell_mask = np.uint64(63)

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
            last_cells = zero
            before = np.uint64(MAX_SYMBOLS + 1)
            for place in range(tiles):
                symbol = work[SYMBOLS + place]
                present |= one << symbol
                first_cells |= np.uint64(symbol != before) << place
                last_cells |= np.uint64(symbol != work[SYMBOLS + place + one]) << place
                before = symbol
                below = ((one << symbol) - one) << np.uint64(CHILD_MASK)
                if small:
                    work[CELL + free_at + place] = below | work[MASKS + place] << free_at | one << place
                else:
                    work[BELOW + place] = below
            present <<= np.uint64(CHILD_MASK)
            first_cells <<= free_at
            last_cells <<= free_at
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
                            group = ((one << end) - (one << start)) << free_at
                        width = one << bit
                        for entry in range(width):
                            work[at + width + entry] = work[at + entry] | group

            # Paths of one tile, then of two.
            nodes = cells
            used = zero
            top = STACK
            pending = FOUND
            for place in range(tiles):
                symbol = work[SYMBOLS + place]
                below = ((one << symbol) - one) << np.uint64(CHILD_MASK)
                entered = root >> (symbol + np.uint64(CHILD_MASK)) & one
                node = (root & FIRST_CHILD) + popcount(root & below)
                nodes += entered * popcount(work[MASKS + place])
                record = records[node * entered]
                work[pending] = node << node_at | one << place
                pending += record >> np.uint64(WORD_FLAG) & entered
            letter_places = (one << tiles) - one
            for place in range(tiles):
                row = work[SYMBOLS + place] * np.uint64(MAX_SYMBOLS)
                start = one << place
                open_cells = work[MASKS + place] & letter_places
                while open_cells != zero:
                    other = lowest_bit(open_cells)
                    open_cells &= open_cells - one
                    node = np.uint64(trie.pairs[row + work[SYMBOLS + other]])
                    path = start | one << other
                    if small:
                        item = (work[MASKS + other] & ~start) << free_at | path
                    else:
                        item = other << cell_at | path
                    work[top] = node << node_at | item
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
                    work[COUNTS + bucket + np.uint64(8)] = np.uint64(0)
                work[COUNTS + np.uint64(8)] = np.uint64(8) * ROW
                for at in range(top - taken, top):
                    item = work[at]
                    record = records[item >> node_at]
                    work[pending] = item
                    pending += record >> np.uint64(WORD_FLAG) & one
                    if small:
                        free = item & (used_mask << free_at)
                    else:
                        free = work[MASKS + (item >> cell_at & cell_mask)] & ~item
                    nodes += popcount(free)
                    if bmi2:
                        groups = pext(record, present)
                        free &= (pdep(groups, last_cells) << one) - pdep(groups, first_cells)
                    else:
                        free &= (
                            work[TABLES + (record >> np.uint64(32) & np.uint64(127))]
                            | work[TABLES + np.uint64(128) + (record >> np.uint64(39) & np.uint64(127))]
                            | work[TABLES + np.uint64(256) + (record >> np.uint64(46) & np.uint64(127))]
                            | work[TABLES + np.uint64(384) + (record >> np.uint64(53) & np.uint64(127))]
                            | work[TABLES + np.uint64(512) + (record >> np.uint64(60))]
                        )
                    children = popcount(free)
                    bucket = children if free != zero else np.uint64(9) + (at & np.uint64(7))
                    entry = work[COUNTS + bucket]
                    work[COUNTS + bucket] = entry + one
                    if small:
                        work[ITEMS + entry] = item & ~(used_mask << free_at) | free
                    else:
                        work[ITEMS + entry] = item
                        work[TILES + entry] = free
                top -= taken

                # Second pass: write the children.
                for children in range(one, np.uint64(9)):
                    row = children * ROW
                    for entry in range(row, work[COUNTS + children]):
                        item = work[ITEMS + entry]
                        record = records[item >> node_at]
                        child_mask = record >> np.uint64(CHILD_MASK) << np.uint64(CHILD_MASK)
                        first = record & FIRST_CHILD
                        if small:
                            free = item & used_mask << free_at
                            path = item & used_mask
                            taken_cells = ~(path << free_at)
                        else:
                            free = work[TILES + entry]
                            path = item & used_mask
                        for _ in range(children):
                            cell = lowest_bit(free)
                            free &= free - one
                            if small:
                                fields = work[CELL + cell]
                                node = first + popcount(child_mask & fields)
                                rest = (fields & taken_cells | path) & np.uint64(0xFFFFFFFF)
                            else:
                                node = first + popcount(child_mask & work[BELOW + cell])
                                rest = path | one << cell | cell << cell_at
                            work[top] = node << node_at | rest
                            prefetch(records, node)
                            top += one

                # Words not seen before stay in the list.
                for at in range(found, pending):
                    item = work[at]
                    used |= item
                    key = item >> node_at
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
            columns.dead_tiles[board] = tiles - popcount(used & used_mask & letter_places)
        return found - FOUND

    return solve_boards


_KERNELS: dict[tuple[bool, bool], Callable[..., Any]] = {}


def kernel_for(cells: int, bmi2: bool | None = None) -> Callable[..., Any]:
    """The kernel for boards of so many cells, compiled at its first call; `bmi2` overrules the choice by processor."""
    key = (cells <= 16, fast_bmi2() if bmi2 is None else bmi2)
    if key not in _KERNELS:
        _KERNELS[key] = make_kernel(*key)
    return _KERNELS[key]

"""The fast solver: all open paths of a board grow by one tile at a time, sorted by how many ways each can go on.

A search that follows one path waits for every trie record and mispredicts every loop over children. Here a step takes
many open paths (items) together: the first pass reads their records and puts each item into the bucket of its number
of children, the second writes the children, bucket by bucket, and prefetches their records for the next step. Neither
pass branches on the data of an item.

A step takes at most SLICE items from the top of a stack and puts their children back. On most boards that is a whole
level; on a board with very many paths the order turns towards depth first: as the stack fills up, a step takes fewer
items, down to one, and items taken one at a time leave at most seven siblings a tile behind. So no board overflows
the work array, and no board has to be begun again by another kernel.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from solvers.bits import fast_bmi2, lowest_bit, pdep, pext, popcount, prefetch
from solvers.boggle import depth_first
from solvers.boggle.board_layout import PATH_MASK, PLACE_AT, fill_tables, lay_out, start_paths
from solvers.boggle.lexicon import CHILD_MASK, FIRST_CHILD, NODE_MASK, WORD_FLAG, Lexicon
from solvers.boggle.rows import SEEN_WORD, write_row, write_row_and_ways
from solvers.boggle.ways import MOST_FINDS, NO_WAYS, NOT_COUNTED, Ways, finds_of
from solvers.boggle.workspace import (
    BUCKET,
    CANDIDATES,
    COUNTS,
    FOUND,
    MOST_CHILDREN,
    NEIGHBOURS,
    PATHS,
    SEEN,
    SLICE,
    SMALLER,
    STACK,
    STACK_PLACES,
    STEPS,
    TABLES,
    workspace,
)
from solvers.jit import kernel

BIT = np.uint64(63)


@lru_cache(maxsize=4)
def compiled(bmi2: bool, counts_ways: bool) -> Callable[..., Any]:
    """Return the kernel that searches many boards, with or without pext and pdep, and with or without counts of the
    ways to each word; compiled at its first call."""

    @kernel
    def solve_boards(  # type: ignore[no-untyped-def]
        boards, neighbours, trie, one_cut, points, node_limit, stack_places, work, columns, frequency, finds, ways
    ):
        """Search every row of boards, uint8[n, cells]; returns the end of the words found on the last one.

        neighbours: uint64[cells]; points: uint16[256] by letters; stack_places: at most STACK_PLACES; frequency:
        uint32[words], or empty. finds: uint16[nodes], zero; neither it nor `ways` is used where ways are not counted.
        A board stops after the step in which it passes `node_limit` nodes.
        """
        one = np.uint64(1)
        records = trie.records
        found = FOUND
        counting = len(frequency) > 0
        for board in range(len(boards)):
            tiles, present, first_places, not_last = lay_out(boards[board], work)
            if not bmi2:
                fill_tables(work)
            top, pending, nodes = start_paths(boards[board], neighbours, trie, work)
            nodes += np.uint64(boards.shape[1])
            found = FOUND
            used = np.uint64(0)
            while True:
                waiting = top - STACK
                room = (stack_places - min(waiting, stack_places)) // MOST_CHILDREN
                taken = min(waiting, SLICE, max(room, one))
                for bucket in range(MOST_CHILDREN + one):
                    work[COUNTS + bucket] = bucket * BUCKET
                for at in range(top - taken, top):
                    item = work[at]
                    record = records[item & NODE_MASK]
                    work[pending] = item
                    pending += record >> np.uint64(WORD_FLAG)
                    if bmi2:
                        # a first place, added to the run of all but the last, carries into the last
                        candidates = (pdep(pext(record, present), first_places) + not_last) ^ not_last
                    else:
                        candidates = (
                            work[TABLES + (record & np.uint64(127))]
                            | work[TABLES + np.uint64(128) + (record >> np.uint64(7) & np.uint64(127))]
                            | work[TABLES + np.uint64(256) + (record >> np.uint64(14) & np.uint64(127))]
                            | work[TABLES + np.uint64(384) + (record >> np.uint64(21) & np.uint64(127))]
                            | work[TABLES + np.uint64(512) + (record >> np.uint64(28) & np.uint64(15))]
                        )
                    free = work[NEIGHBOURS + (item >> PLACE_AT & np.uint64(63))] & ~item
                    nodes += popcount(free)
                    candidates &= free
                    children = popcount(candidates)
                    entry = work[COUNTS + children]
                    work[COUNTS + children] = entry + one
                    work[CANDIDATES + entry] = candidates
                    work[PATHS + entry] = item
                top -= taken
                for children in range(one, MOST_CHILDREN + one):
                    for entry in range(children * BUCKET, work[COUNTS + children]):
                        candidates = work[CANDIDATES + entry]
                        path = work[PATHS + entry]
                        record = records[path & NODE_MASK]
                        path &= PATH_MASK
                        first = record >> np.uint64(FIRST_CHILD) & NODE_MASK
                        child_mask = record & CHILD_MASK
                        for _ in range(children):
                            place = lowest_bit(candidates)
                            candidates &= candidates - one
                            node = first + popcount(child_mask & work[SMALLER + place])
                            work[top] = (work[STEPS + place] | path) + node
                            prefetch(records, node)
                            top += one
                for at in range(found, pending):
                    item = work[at]
                    used |= item
                    # a word is its node where it has one only, else its id and, from bit 32, one of its nodes
                    word = item & NODE_MASK
                    if counting or (counts_ways and not one_cut):
                        prefetch(trie.word_ids, word)
                    if counts_ways:
                        # each node is listed once; which of them are the same word is seen when the row is written
                        before = finds[word]
                        finds[word] = before + np.uint16(before != MOST_FINDS)
                        work[found] = word
                        found += np.uint64(before == 0)
                    else:
                        if not one_cut:
                            word = np.uint64(trie.word_ids[word]) | word << np.uint64(32)
                        seen = SEEN + (word >> np.uint64(6) & SEEN_WORD)
                        bits = work[seen]
                        work[seen] = bits | one << (word & BIT)
                        work[found] = word
                        found += bits >> (word & BIT) & one ^ one
                pending = found
                if top == STACK or nodes > node_limit:
                    break
            if counts_ways:
                found = write_row_and_ways(found, trie, one_cut, points, work, columns, board, frequency, finds, ways)
            else:
                write_row(found, trie, one_cut, points, work, columns, board, frequency)
            columns.nodes[board] = nodes
            columns.dead_tiles[board] = tiles - popcount(used & PATH_MASK)
        return found

    return solve_boards


NO_FREQUENCY = np.empty(0, np.uint32)


def solve_boards(
    boards: npt.NDArray[np.uint8],
    neighbours: npt.NDArray[np.uint64],
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: Any,
    frequency: npt.NDArray[np.uint32] = NO_FREQUENCY,
    ways: Ways | None = None,
    bmi2: bool | None = None,
    stack_places: int = int(STACK_PLACES),
) -> npt.NDArray[np.int32]:
    """Solve boards, uint8[n, cells] in C order, into `columns`; returns the words of the last one, ids ascending.

    `bmi2` overrules the choice of the kernel by processor; a smaller `stack_places` makes the search turn to depth
    first earlier.
    """
    work = workspace(len(lexicon.words))
    kernel_of_host = compiled(fast_bmi2() if bmi2 is None else bmi2, ways is not None)
    trie = lexicon.trie
    end = kernel_of_host(
        boards,
        neighbours,
        trie,
        lexicon.one_cut,
        points,
        np.uint64(node_limit),
        np.uint64(min(stack_places, int(STACK_PLACES))),
        work,
        columns,
        frequency,
        finds_of(0 if ways is None else lexicon.nodes),
        NO_WAYS if ways is None else ways,
    )
    if ways is not None:
        _count_again(boards, neighbours, lexicon, points, node_limit, columns, ways)
    found = work[int(FOUND) : int(end)]
    nodes_only = lexicon.one_cut and not len(frequency)
    ids = trie.word_ids[found] if nodes_only else (found & np.uint64(0xFFFFFFFF)).astype(np.int32)
    return np.sort(ids)


def _count_again(
    boards: npt.NDArray[np.uint8],
    neighbours: npt.NDArray[np.uint64],
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: Any,
    ways: Ways,
) -> None:
    """Count the ways of the boards, such as one full of one letter, where a word has more than two bytes can count."""
    again = np.flatnonzero(ways.pairs[:, 0] == NOT_COUNTED)
    if len(again):
        exact = Ways.empty(len(again), ways.shortest)
        scratch = type(columns).empty(len(again))
        depth_first.solve_boards(boards[again], neighbours, lexicon, points, node_limit, scratch, NO_FREQUENCY, exact)
        ways.ways[again] = exact.ways
        ways.pairs[again] = exact.pairs

"""The plain compiled solver: the reference's search with an explicit stack over the flat trie."""

import numpy as np

from solvers.bits import lowest_bit, popcount
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import CHILD_MASK, EVERYDAY, LENGTH, WORD_FLAG, child_of
from solvers.jit import kernel


@kernel
def solve_board(cells, neighbours, trie, points, stamp, seen, node_limit, columns, board, frequency):  # type: ignore[no-untyped-def]
    """Search one board and write row `board` of `columns`; stop once it has passed `node_limit` nodes.

    cells: uint8[cells] symbol ids; neighbours: uint64[cells]; points: uint16[256] by letters; seen: int64[words],
    words whose entry equals `stamp` were found on this board; frequency: uint32[words], or empty.
    """
    one = np.uint64(1)
    count = len(cells)
    record_stack = np.empty(count + 1, np.uint64)
    cell_stack = np.empty(count + 1, np.uint64)
    open_stack = np.empty(count + 1, np.uint64)
    letter_tiles = np.uint64(0)
    used = np.uint64(0)
    words = np.uint32(0)
    score = np.uint32(0)
    everyday_words = np.uint32(0)
    everyday_score = np.uint32(0)
    longest = np.uint8(0)
    nodes = np.uint64(count)
    by_length = columns.by_length[board]
    by_length[:] = 0
    for cell in range(count):
        if cells[cell] != BLANK:
            letter_tiles |= one << np.uint64(cell)
    path = np.uint64(0)
    depth = np.uint64(0)
    record_stack[0] = trie.records[0]
    open_stack[0] = letter_tiles
    while nodes <= node_limit:
        candidates = open_stack[depth]
        if candidates == 0:
            if depth == 0:
                break
            path ^= one << cell_stack[depth]
            depth -= one
            continue
        cell = lowest_bit(candidates)
        open_stack[depth] = candidates & (candidates - one)
        parent = record_stack[depth]
        child = child_of(trie, parent, cells[cell])
        if child == 0:
            continue
        record = trie.records[child]
        path |= one << cell
        free = neighbours[cell] & ~path
        nodes += popcount(free)
        if record >> np.uint64(WORD_FLAG) & one:
            used |= path
            word = trie.word_ids[child]
            if seen[word] != stamp:
                seen[word] = stamp
                length = np.int64(record >> np.uint64(LENGTH) & np.uint64(255))
                words += np.uint32(1)
                score += points[length]
                if record >> np.uint64(EVERYDAY) & one:
                    everyday_words += np.uint32(1)
                    everyday_score += points[length]
                longest = max(longest, np.uint8(length))
                by_length[min(length, len(by_length)) - 1] += np.uint32(1)
                if len(frequency) > 0:
                    frequency[word] += np.uint32(1)
        if record & CHILD_MASK == 0:
            path ^= one << cell
            continue
        depth += one
        record_stack[depth] = record
        cell_stack[depth] = cell
        open_stack[depth] = free & letter_tiles
    columns.words[board] = words
    columns.score[board] = score
    columns.everyday_words[board] = everyday_words
    columns.everyday_score[board] = everyday_score
    columns.nodes[board] = nodes
    columns.longest[board] = longest
    columns.dead_tiles[board] = popcount(letter_tiles & ~used)


@kernel
def solve_boards(boards, neighbours, trie, words, points, node_limit, columns, frequency):  # type: ignore[no-untyped-def]
    """Search every row of boards, uint8[n, cells]; `words` is the length of the word list."""
    seen = np.full(words, -1, np.int64)
    for board in range(len(boards)):
        solve_board(
            boards[board], neighbours, trie, points, np.int64(board), seen, node_limit, columns, board, frequency
        )

"""The plain compiled solver: the reference's search with an explicit stack over the flat trie."""

import numpy as np

from solvers.bits import lowest_bit, popcount
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import FIRST_CHILD, WORD_FLAG
from solvers.jit import kernel


@kernel
def solve_board(cells, neighbours, trie, letters, points, stamp, seen, columns, board, frequency):  # type: ignore[no-untyped-def]
    """Search one board and write row `board` of `columns`.

    cells: uint8[cells] symbol ids; neighbours: uint64[cells]; letters: uint8[words]; points: uint16[256] by letters;
    seen: int64[words], words whose entry equals `stamp` were found on this board; frequency: uint32[words], or empty.
    """
    one = np.uint64(1)
    count = len(cells)
    node_stack = np.empty(count + 1, np.uint64)
    cell_stack = np.empty(count + 1, np.int64)
    open_stack = np.empty(count + 1, np.uint64)
    letter_tiles = np.uint64(0)
    used = np.uint64(0)
    words = np.uint32(0)
    score = np.uint32(0)
    longest = np.uint8(0)
    nodes = np.uint64(count)
    by_length = columns.by_length[board]
    by_length[:] = 0
    for cell in range(count):
        if cells[cell] != BLANK:
            letter_tiles |= one << np.uint64(cell)
    path = np.uint64(0)
    depth = 0
    node_stack[0] = 0
    open_stack[0] = letter_tiles
    while depth >= 0:
        if open_stack[depth] == 0:
            depth -= 1
            if depth >= 0:
                path ^= one << np.uint64(cell_stack[depth + 1])
            continue
        cell = np.int64(lowest_bit(open_stack[depth]))
        open_stack[depth] &= open_stack[depth] - one
        record = trie.records[node_stack[depth]]
        symbol = one << np.uint64(cells[cell])
        if record & symbol == 0:
            continue
        child_mask = record & np.uint64(0xFFFFFFFF)
        child = (record >> np.uint64(FIRST_CHILD)) + popcount(child_mask & (symbol - one))
        path |= one << np.uint64(cell)
        free = neighbours[cell] & ~path
        nodes += popcount(free)
        depth += 1
        node_stack[depth] = child
        cell_stack[depth] = cell
        child_record = trie.records[child]
        open_stack[depth] = free & letter_tiles if child_record & np.uint64(0xFFFFFFFF) != 0 else np.uint64(0)
        if child_record >> np.uint64(WORD_FLAG) & one:
            used |= path
            word = trie.word_ids[child]
            if seen[word] != stamp:
                seen[word] = stamp
                length = letters[word]
                words += np.uint32(1)
                score += points[length]
                longest = max(longest, length)
                by_length[max(0, min(np.int64(length), 16) - 2)] += np.uint16(1 if length >= 2 else 0)
                if len(frequency) > 0:
                    frequency[word] += np.uint32(1)
    columns.words[board] = words
    columns.score[board] = score
    columns.nodes[board] = nodes
    columns.longest[board] = longest
    columns.dead_tiles[board] = popcount(letter_tiles & ~used)


@kernel
def solve_boards(boards, neighbours, trie, letters, points, columns, frequency):  # type: ignore[no-untyped-def]
    """Search every row of boards, uint8[n, cells]."""
    seen = np.full(len(letters), -1, np.int64)
    for board in range(len(boards)):
        solve_board(boards[board], neighbours, trie, letters, points, np.int64(board), seen, columns, board, frequency)

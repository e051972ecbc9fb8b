"""The plain compiled solver: the reference's search with an explicit stack over the flat trie."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit, popcount
from solvers.boggle.alphabet import BLANK
from solvers.boggle.lexicon import CHILD_MASK, EVERYDAY, FIRST_CHILD, LENGTH, NODE_MASK, WORD_FLAG, Lexicon, child_of
from solvers.boggle.ways import NO_WAYS, Ways
from solvers.jit import kernel


@lru_cache(maxsize=2)
def compiled(wide: bool) -> Callable[..., Any]:
    """Return the kernel that searches many boards, for tries with child masks or for wide ones; compiled at its first
    call.
    """

    @kernel
    def solve_boards(  # type: ignore[no-untyped-def]
        boards, neighbours, trie, words, points, node_limit, columns, frequency, ways, counts_ways
    ):
        """Search every row of boards, uint8[n, cells], and write its row of `columns`, and of `ways` where asked.

        neighbours: uint64[cells]; words: length of the word list; points: uint16[256] by letters; frequency:
        uint32[words], or empty. A board stops once it has passed `node_limit` nodes.
        """
        one = np.uint64(1)
        count = boards.shape[1]
        seen = np.full(words, -1, np.int64)
        record_stack = np.empty(count + 1, np.uint64)
        cell_stack = np.empty(count + 1, np.uint64)
        open_stack = np.empty(count + 1, np.uint64)
        counters = len(trie.records) if counts_ways else 0
        finds = np.zeros(counters, np.uint64)
        found_nodes = np.empty(counters, np.int64)
        for board in range(len(boards)):
            cells = boards[board]
            letter_tiles = np.uint64(0)
            used = np.uint64(0)
            found = np.uint32(0)
            score = np.uint32(0)
            everyday_words = np.uint32(0)
            everyday_score = np.uint32(0)
            longest = np.uint8(0)
            nodes = np.uint64(count)
            by_length = columns.by_length[board]
            by_length[:] = 0
            different = 0
            if counts_ways:
                ways.ways[board, :] = 0
                ways.pairs[board, :] = 0
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
                if wide:
                    child = child_of(trie, parent, cells[cell])
                    if child == 0:
                        continue
                else:
                    symbol = one << np.uint64(cells[cell])
                    if parent & symbol == 0:
                        continue
                    child = (parent >> np.uint64(FIRST_CHILD) & NODE_MASK) + popcount(parent & (symbol - one))
                record = trie.records[child]
                path |= one << cell
                free = neighbours[cell] & ~path
                nodes += popcount(free)
                if record >> np.uint64(WORD_FLAG) & one:
                    used |= path
                    word = trie.word_ids[child]
                    if counts_ways:
                        length = np.int64(record >> np.uint64(LENGTH) & np.uint64(255))
                        ways.ways[board, min(length, ways.ways.shape[1]) - 1] += one
                        if length - ways.shortest < ways.pairs.shape[1]:
                            ways.pairs[board, length - ways.shortest] += finds[child]
                        if finds[child] == 0:
                            found_nodes[different] = child
                            different += 1
                        finds[child] += one
                    if seen[word] != board:
                        seen[word] = board
                        length = np.int64(record >> np.uint64(LENGTH) & np.uint64(255))
                        found += np.uint32(1)
                        score += points[length]
                        everyday = np.uint32(record >> np.uint64(EVERYDAY) & one)
                        everyday_words += everyday
                        everyday_score += everyday * points[length]
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
            for node in found_nodes[:different]:
                finds[node] = np.uint64(0)
            columns.words[board] = found
            columns.score[board] = score
            columns.everyday_words[board] = everyday_words
            columns.everyday_score[board] = everyday_score
            columns.nodes[board] = nodes
            columns.longest[board] = longest
            columns.dead_tiles[board] = popcount(letter_tiles & ~used)

    return solve_boards


def solve_boards(
    boards: npt.NDArray[np.uint8],
    neighbours: npt.NDArray[np.uint64],
    lexicon: Lexicon,
    points: npt.NDArray[np.uint16],
    node_limit: int,
    columns: Any,
    frequency: npt.NDArray[np.uint32],
    ways: Ways | None = None,
) -> None:
    """Solve boards, uint8[n, cells], into `columns`, and their ways into `ways`."""
    compiled(lexicon.alphabet.wide)(
        boards,
        neighbours,
        lexicon.tree,
        len(lexicon.words),
        points,
        np.uint64(node_limit),
        columns,
        frequency,
        NO_WAYS if ways is None else ways,
        ways is not None,
    )

"""The row of a board, from the words that the fast solver has found: counts by length, points, frequencies, ways."""

import numpy as np

from solvers.bits import prefetch
from solvers.boggle.lexicon import LENGTH
from solvers.boggle.ways import MOST_FINDS, NOT_COUNTED, PAIR_LENGTHS, WAYS_LENGTHS
from solvers.boggle.workspace import FOUND, HISTOGRAM, PAIRS, SEEN, WAYS
from solvers.jit import kernel

SEEN_WORD = np.uint64(0x3FFFFFF)
"""A word's bit among the words seen: its low six bits, and the bits of its low half above those."""


@kernel
def write_row(found, trie, one_cut, points, work, columns, board, frequency):  # type: ignore[no-untyped-def]
    """Write words, score, longest, counts by length and everyday words of a board, and count its words in `frequency`.

    With a frequency table the words found become plain word ids.
    """
    one = np.uint64(1)
    zero = np.uint64(0)
    longest = zero
    counting = len(frequency) > 0
    for at in range(FOUND, found):
        word = work[at]
        work[SEEN + (word >> np.uint64(6) & SEEN_WORD)] = zero
        node = word if one_cut else word >> np.uint64(32)
        mark = trie.records[node] >> np.uint64(LENGTH) & np.uint64(511)
        work[HISTOGRAM + mark] += one
        longest = max(longest, mark & np.uint64(255))
        if counting:
            word_id = np.uint64(trie.word_ids[word]) if one_cut else word & np.uint64(0xFFFFFFFF)
            work[at] = word_id
            prefetch(frequency, word_id)
    _write_counts(found, longest, points, work, columns, board, frequency)


@kernel
def _write_counts(found, longest, points, work, columns, board, frequency):  # type: ignore[no-untyped-def]
    one = np.uint64(1)
    zero = np.uint64(0)
    score = zero
    everyday_words = zero
    everyday_score = zero
    by_length = columns.by_length[board]
    by_length[:] = 0
    for length in range(one, longest + one):
        known = work[HISTOGRAM + np.uint64(256) + length]
        work[HISTOGRAM + np.uint64(256) + length] = zero
        everyday_words += known
        everyday_score += known * np.uint64(points[length])
        count = work[HISTOGRAM + length] + known
        work[HISTOGRAM + length] = zero
        score += count * np.uint64(points[length])
        by_length[min(length, np.uint64(len(by_length))) - one] += np.uint32(count)
    columns.words[board] = found - FOUND
    columns.score[board] = score
    columns.longest[board] = longest
    columns.everyday_words[board] = everyday_words
    columns.everyday_score[board] = everyday_score
    if len(frequency) > 0:
        for at in range(FOUND, found):
            frequency[work[at]] += np.uint32(1)


@kernel
def write_row_and_ways(found, trie, one_cut, points, work, columns, board, frequency, finds, ways):  # type: ignore[no-untyped-def]
    """Write the same, and the ways, from the nodes of all words found, each listed once, and `finds`, how often each
    was found; sets those to zero. Where one has reached MOST_FINDS, the first of the pairs becomes NOT_COUNTED.

    Returns the end of the words, fewer where some end at several nodes."""
    one = np.uint64(1)
    zero = np.uint64(0)
    longest = zero
    counting = len(frequency) > 0
    full = False
    pending = FOUND
    for at in range(FOUND, found):
        node = work[at]
        times = np.uint64(finds[node])
        finds[node] = np.uint16(0)
        full |= times == np.uint64(MOST_FINDS)
        mark = trie.records[node] >> np.uint64(LENGTH) & np.uint64(511)
        length = mark & np.uint64(255)
        longest = max(longest, length)
        work[WAYS + length] += times
        work[PAIRS + length] += times * (times - one)
        if one_cut:
            work[HISTOGRAM + mark] += one
            if counting:
                word = np.uint64(trie.word_ids[node])
                work[at] = word
                prefetch(frequency, word)
        else:
            word = np.uint64(trie.word_ids[node])
            seen = SEEN + (word >> np.uint64(6))
            bits = work[seen]
            new = bits >> (word & np.uint64(63)) & one ^ one
            work[seen] = bits | one << (word & np.uint64(63))
            work[HISTOGRAM + mark] += new
            work[pending] = word
            pending += new
            prefetch(frequency, word)
    if not one_cut:
        found = pending
        for at in range(FOUND, found):
            work[SEEN + (work[at] >> np.uint64(6))] = zero
    _write_counts(found, longest, points, work, columns, board, frequency)
    ways.ways[board, :] = 0
    for length in range(one, longest + one):
        ways.ways[board, min(length, np.uint64(WAYS_LENGTHS)) - one] += work[WAYS + length]
        work[WAYS + length] = zero
    for place in range(np.uint64(PAIR_LENGTHS)):
        ways.pairs[board, place] = work[PAIRS + np.uint64(ways.shortest) + place] >> one
    for length in range(one, longest + one):
        work[PAIRS + length] = zero
    if full:
        ways.pairs[board, 0] = NOT_COUNTED
    return found

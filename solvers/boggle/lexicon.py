"""Words to flat trie arrays: every word is cut into symbols of the alphabet, the cuts are sorted and merged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.boggle.alphabet import MAX_FACE_LETTERS, MAX_SYMBOLS, Alphabet
from solvers.boggle.words import WordList
from solvers.errors import InputError
from solvers.grid import MAX_CELLS
from solvers.jit import kernel

PAIRS_ROW = MAX_SYMBOLS + 1
MAX_NODES = 1 << 22
"""Trie nodes that a kernel's work item can number."""
NODE_MASK = np.uint64(MAX_NODES - 1)
CHILD_MASK = np.uint64(0xFFFFFFFF)
LENGTH = 32
FIRST_CHILD = 41
WORD_FLAG = 63
"""Bits of a trie record: 0-31 child mask, 32-39 letters of the word, 41-62 first child, 63 word flag."""


class Trie(NamedTuple):
    """Flat prefix tree; node 0 is the root, nodes are numbered by level and in order of their symbols.

    records: uint64[nodes], child mask | letters of the word << 32 | first child << 41 | word flag << 63; the child
    for symbol s is first + popcount(mask & ((1 << s) - 1)).
    word_ids: int32[nodes], the word that ends at the node, or -1.
    pairs: uint32[33 * 33], the node of symbols a, b at a * 33 + b, or 0 where no word starts so; symbol 32 is a blank.
    """

    records: npt.NDArray[np.uint64]
    word_ids: npt.NDArray[np.int32]
    pairs: npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A word list made ready for one alphabet, minimum length and number of cells.

    `usable`: bool[words], letters only, long enough and cuttable. `letters`: uint8[words].
    `one_cut`: every usable word ends at one node, so a node stands for a word.
    """

    words: Sequence[str]
    alphabet: Alphabet
    min_length: int
    cells: int
    trie: Trie
    letters: npt.NDArray[np.uint8]
    usable: npt.NDArray[np.bool_]
    one_cut: bool

    @cached_property
    def nodes(self) -> int:
        return len(self.trie.records)


def build_lexicon(words: WordList, alphabet: Alphabet, min_length: int, cells: int) -> Lexicon:
    """Build the trie of all usable words; of words that are longer than the board the first `cells` tiles stay.

    Raises InputError where no word is usable, the trie would pass 4,194,304 nodes, or, with faces by which a word can
    be cut in several ways, the list has more words than that.
    """
    if not 1 <= cells <= MAX_CELLS:
        raise InputError(f"{cells} cells; a board has 1 to {MAX_CELLS}")
    if min_length < 1:
        raise InputError(f"minimum length {min_length}: must be 1 or more")
    text, offsets = _encode(words.words, alphabet)
    letters = np.minimum(np.diff(offsets) - 1, 255).astype(np.uint8)
    rows_of_word, total, cuts, word_of_cut, ends, in_order = _cut(
        text, offsets, *_symbol_tables(alphabet), min_length, cells, MAX_NODES
    )
    if total == 0:
        raise InputError(
            f"none of the {len(words.words):,} words is usable",
            f"a usable word has {min_length} or more letters and can be written with {' '.join(alphabet.symbols)}",
        )
    if total > MAX_NODES:
        worst = int(rows_of_word.argmax())
        raise InputError(
            f"the word list needs more than {MAX_NODES:,} trie nodes with these faces",
            f"use a shorter list or fewer multi-letter faces; {words.words[worst][:40]!r} alone can be cut in "
            f"{rows_of_word[worst]:,} ways or more",
        )
    if not in_order:
        order = _sort_order(cuts)
        cuts, word_of_cut, ends = cuts[order], word_of_cut[order], ends[order]
    nodes, *arrays = _grow(cuts, word_of_cut, ends, letters, MAX_NODES)
    if nodes > MAX_NODES:
        raise InputError(
            f"the trie has {nodes:,} nodes, at most {MAX_NODES:,} can be searched", "use a shorter word list"
        )
    one_cut = bool(rows_of_word.max() == 1)
    if not one_cut and len(words.words) > MAX_NODES:
        # The fast solver then knows a word by its id, in a bit set of as many places as there may be nodes.
        raise InputError(
            f"the word list has {len(words.words):,} words, at most {MAX_NODES:,} can be searched with these faces",
            "use a shorter list or no multi-letter faces",
        )
    return Lexicon(words.words, alphabet, min_length, cells, Trie(*arrays), letters, rows_of_word > 0, one_cut)


def _encode(words: Sequence[str], alphabet: Alphabet) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """All words as one uint8 array, a byte a letter, and the offset of each (newlines are skipped)."""
    text = "\n".join(words) + "\n"
    buffer = _translator(alphabet)(text)
    array = np.frombuffer(buffer, np.uint8)
    ends = np.flatnonzero(array == ord("\n"))
    offsets = np.empty(len(ends) + 1, np.int64)
    offsets[0] = 0
    offsets[1:] = ends + 1
    return array, offsets


def _translator(alphabet: Alphabet) -> Callable[[str], bytes]:
    """Letters to bytes: a-z as ASCII, letters that only the faces show as 128 and up, any other letter unlike both."""
    extra = {ord(letter): 128 + number for number, letter in enumerate(sorted(alphabet.extra_letters))}
    return lambda text: (text if text.isascii() else text.translate(extra)).encode("latin-1", "replace")


def _symbol_tables(
    alphabet: Alphabet,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]]:
    """Bytes of each symbol, its length, and by first byte the symbols that start with it (-1 ends a row)."""
    encode = _translator(alphabet)
    symbols = np.zeros((len(alphabet.symbols), MAX_FACE_LETTERS), np.uint8)
    lengths = np.empty(len(alphabet.symbols), np.uint8)
    starters = np.full((256, MAX_SYMBOLS + 1), -1, np.int16)
    for number, symbol in enumerate(alphabet.symbols):
        code = encode(symbol)
        symbols[number, : len(code)] = np.frombuffer(code, np.uint8)
        lengths[number] = len(code)
        row = starters[code[0]]
        row[int((row >= 0).sum())] = number
    return symbols, lengths, starters


@kernel
def _fits(text, at, end, symbols, lengths, symbol):  # type: ignore[no-untyped-def]
    length = np.int64(lengths[symbol])
    if at + length > end:
        return False
    for letter in range(length):
        if text[at + letter] != symbols[symbol, letter]:
            return False
    return True


@kernel
def _only_cut(text, start, end, symbols, lengths, starters, cut):  # type: ignore[no-untyped-def]
    """Cut a word whose letters leave no choice into `cut`, symbol ids plus one, as far as it goes; returns the tiles.

    0: the word cannot be cut; -1: some letter starts several symbols, so there may be a choice.
    """
    tiles = 0
    at = start
    while at < end:
        symbol = starters[text[at], 0]
        if starters[text[at], 1] >= 0:
            return -1
        if symbol < 0 or not _fits(text, at, end, symbols, lengths, symbol):
            return 0
        if tiles < len(cut):
            cut[tiles] = symbol + 1
        tiles += 1
        at += np.int64(lengths[symbol])
    return tiles


@kernel
def _cut(text, offsets, symbols, lengths, starters, min_length, cells, limit):  # type: ignore[no-untyped-def]
    """All cuts of all words: rows that each word needs, their sum, and, unless that passes `limit`, for each row its
    symbol ids plus one, its word, and whether the word ends within it; last, whether the rows are in order.

    One kernel for it all, as each costs every start of the program some milliseconds to load.
    """
    counts = np.empty(len(offsets) - 1, np.int64)
    _count_cuts(text, offsets, symbols, lengths, starters, min_length, cells, limit, counts)
    total = counts.sum()
    rows = total if total <= limit else 0
    cuts = np.zeros((rows, cells), np.uint8)
    word_of_cut = np.empty(rows, np.int32)
    ends = np.empty(rows, np.bool_)
    if rows > 0:
        _write_cuts(text, offsets, symbols, lengths, starters, counts, cuts, word_of_cut, ends)
    return counts, total, cuts, word_of_cut, ends, _is_sorted(cuts)


@kernel
def _count_cuts(text, offsets, symbols, lengths, starters, min_length, cells, limit, counts):  # type: ignore[no-untyped-def]
    """Rows that each word needs (0: not usable): its cuts, cut off after `cells` tiles. Saturates above `limit`."""
    longest = 0
    for word in range(len(counts)):
        longest = max(longest, offsets[word + 1] - offsets[word] - 1)
    ways = np.zeros((longest + 1, cells + 1), np.int64)
    usable = np.zeros(longest + 1, np.bool_)
    nowhere = np.empty(0, np.uint8)
    for word in range(len(counts)):
        start, end = offsets[word], offsets[word + 1] - 1
        letters = end - start
        counts[word] = 0
        if letters < min_length:
            continue
        tiles = _only_cut(text, start, end, symbols, lengths, starters, nowhere)
        if tiles >= 0:
            counts[word] = min(tiles, 1)
            continue
        usable[letters] = True
        ways[letters, :] = 1
        for place in range(letters - 1, -1, -1):
            usable[place] = False
            for left in range(cells + 1):
                ways[place, left] = 0
            row = starters[text[start + place]]
            choice = 0
            while row[choice] >= 0:
                symbol = row[choice]
                choice += 1
                if _fits(text, start + place, end, symbols, lengths, symbol):
                    after = place + np.int64(lengths[symbol])
                    if usable[after]:
                        usable[place] = True
                        for left in range(1, cells + 1):
                            ways[place, left] = min(ways[place, left] + ways[after, left - 1], limit + 1)
            if usable[place]:
                ways[place, 0] = 1
        counts[word] = ways[0, cells]


@kernel
def _write_cuts(text, offsets, symbols, lengths, starters, counts, cuts, word_of_cut, ends):  # type: ignore[no-untyped-def]
    """Enumerate the cuts of every usable word in order; symbol ids are stored plus one, 0 ends a cut."""
    cells = cuts.shape[1]
    place = np.zeros(cells + 1, np.int64)
    choice = np.zeros(cells + 1, np.int64)
    longest = 0
    for word in range(len(counts)):
        longest = max(longest, offsets[word + 1] - offsets[word] - 1)
    usable = np.zeros(longest + 1, np.bool_)
    out = 0
    for word in range(len(counts)):
        if counts[word] == 0:
            continue
        start, end = offsets[word], offsets[word + 1] - 1
        letters = end - start
        tiles = _only_cut(text, start, end, symbols, lengths, starters, cuts[out])
        if tiles >= 0:
            word_of_cut[out] = word
            ends[out] = tiles <= cells
            out += 1
            continue
        cuts[out, :] = 0
        usable[letters] = True
        for position in range(letters - 1, -1, -1):
            usable[position] = False
            row = starters[text[start + position]]
            index = 0
            while row[index] >= 0:
                if (
                    _fits(text, start + position, end, symbols, lengths, row[index])
                    and usable[position + np.int64(lengths[row[index]])]
                ):
                    usable[position] = True
                index += 1
        depth = 0
        place[0] = 0
        choice[0] = 0
        while depth >= 0:
            if place[depth] == letters or depth == cells:
                word_of_cut[out] = word
                ends[out] = place[depth] == letters
                out += 1
                if out < len(cuts):
                    for level in range(depth):
                        cuts[out, level] = cuts[out - 1, level]
                depth -= 1
                continue
            symbol = starters[text[start + place[depth]], choice[depth]]
            if symbol < 0:
                depth -= 1
                continue
            choice[depth] += 1
            if _fits(text, start + place[depth], end, symbols, lengths, symbol):
                after = place[depth] + np.int64(lengths[symbol])
                if usable[after]:
                    cuts[out, depth] = symbol + 1
                    for level in range(depth + 1, cells):
                        cuts[out, level] = 0
                    depth += 1
                    place[depth] = after
                    choice[depth] = 0
        if out < len(cuts):
            cuts[out, :] = 0


@kernel
def _is_sorted(cuts):  # type: ignore[no-untyped-def]
    for row in range(1, len(cuts)):
        for level in range(cuts.shape[1]):
            if cuts[row, level] != cuts[row - 1, level]:
                if cuts[row, level] < cuts[row - 1, level]:
                    return False
                break
    return True


def _sort_order(cuts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Order of the rows, by sorting on ten symbols at a time, last ones first."""
    keys = np.zeros((-(-cuts.shape[1] // 10), len(cuts)), np.uint64)
    _pack(cuts, keys)
    used = keys[keys.any(axis=1)]
    order: npt.NDArray[np.int64] = np.lexsort(used[::-1])
    return order


@kernel
def _pack(cuts, keys):  # type: ignore[no-untyped-def]
    for row in range(len(cuts)):
        for level in range(cuts.shape[1]):
            keys[level // 10, row] |= np.uint64(cuts[row, level]) << np.uint64(54 - level % 10 * 6)


@kernel
def _grow(cuts, word_of_cut, ends, letters, limit):  # type: ignore[no-untyped-def]
    """From sorted rows the number of nodes and, unless that passes `limit`, the arrays of the trie."""
    level_sizes = np.zeros(cuts.shape[1] + 1, np.int64)
    shared = np.empty(len(cuts), np.uint8)
    _measure(cuts, shared, level_sizes)
    nodes = level_sizes.sum()
    size = nodes if nodes <= limit else 0
    records = np.zeros(size, np.uint64)
    word_ids = np.full(size, -1, np.int32)
    pairs = np.zeros(PAIRS_ROW**2, np.uint32)
    if size > 0:
        _fill(cuts, shared, word_of_cut, ends, level_sizes, letters, records, word_ids, pairs)
    return nodes, records, word_ids, pairs


@kernel
def _measure(cuts, shared, level_sizes):  # type: ignore[no-untyped-def]
    """Length of the prefix that each sorted row shares with the one before, and the nodes of each level."""
    cells = cuts.shape[1]
    level_sizes[0] = 1
    for row in range(len(cuts)):
        level = 0
        if row > 0:
            while level < cells and cuts[row, level] == cuts[row - 1, level] and cuts[row, level] != 0:
                level += 1
        shared[row] = level
        while level < cells and cuts[row, level] != 0:
            level += 1
            level_sizes[level] += 1


@kernel
def _fill(cuts, shared, word_of_cut, ends, level_sizes, letters, records, word_ids, pairs):  # type: ignore[no-untyped-def]
    cells = cuts.shape[1]
    free = np.zeros(cells + 1, np.int64)
    for level in range(1, cells + 1):
        free[level] = free[level - 1] + level_sizes[level - 1]
    path = np.zeros(cells + 1, np.int64)
    one = np.uint64(1)
    for row in range(len(cuts)):
        level = np.int64(shared[row])
        while level < cells and cuts[row, level] != 0:
            parent = path[level]
            node = free[level + 1]
            free[level + 1] += 1
            if records[parent] >> np.uint64(FIRST_CHILD) & NODE_MASK == 0:
                records[parent] |= np.uint64(node) << np.uint64(FIRST_CHILD)
            records[parent] |= one << np.uint64(cuts[row, level] - 1)
            level += 1
            path[level] = node
            if level == 2:
                pairs[(np.int64(cuts[row, 0]) - 1) * PAIRS_ROW + cuts[row, 1] - 1] = node
        if ends[row]:
            word = word_of_cut[row]
            records[path[level]] |= one << np.uint64(WORD_FLAG) | np.uint64(letters[word]) << np.uint64(LENGTH)
            word_ids[path[level]] = word

"""Words to flat trie arrays: every word is cut into symbols of the alphabet, the cuts are sorted and merged."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.bits import popcount
from solvers.boggle.alphabet import MAX_SYMBOLS, Alphabet
from solvers.boggle.cuts import cut_words
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
EVERYDAY = 40
WORD_FLAG = 63
"""Bits of a trie record: 0-31 child mask, 32-39 letters of the word, 40 whether it is an everyday one, 41-62 first
child, 63 word flag."""


class Trie(NamedTuple):
    """Flat prefix tree; node 0 is the root, nodes are numbered by level and in order of their symbols.

    records: uint64[nodes], child mask | letters of the word << 32 | everyday word << 40 | first child << 41 | word
    flag << 63; the child
    for symbol s is first + popcount(mask & ((1 << s) - 1)).
    word_ids: int32[nodes], the word that ends at the node, or -1.
    pairs: uint32[33 * 33], the node of symbols a, b at a * 33 + b, or 0 where no word starts so; symbol 32 is a blank.
    symbols: empty, or for a wide trie, of more than 32 symbols, uint8[nodes], the symbol that leads to the node; its
    records hold the number of children where others hold the mask, and it has no pairs.
    """

    records: npt.NDArray[np.uint64]
    word_ids: npt.NDArray[np.int32]
    pairs: npt.NDArray[np.uint32]
    symbols: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A word list made ready for one alphabet, minimum length and number of cells.

    `tree`: the trie, a wide one where the alphabet has more than 32 tiles; `usable`: bool[words], letters only, long
    enough and cuttable, whether or not these tiles show it; `letters`: uint8[words]; `one_cut`: every usable word ends
    at one node, so a node stands for a word; `everyday`: bool[words], see `build_lexicon`.
    """

    words: Sequence[str]
    alphabet: Alphabet
    min_length: int
    cells: int
    tree: Trie
    letters: npt.NDArray[np.uint8]
    usable: npt.NDArray[np.bool_]
    one_cut: bool
    everyday: npt.NDArray[np.bool_]

    @cached_property
    def nodes(self) -> int:
        return len(self.tree.records)

    @property
    def trie(self) -> Trie:
        """The trie for code that reads child masks.

        Raises InputError for a wide one.
        """
        if self.alphabet.wide:
            raise InputError(
                f"{len(self.alphabet.symbols)} different tiles, and this takes at most {MAX_SYMBOLS}",
                "use fewer different tiles; solver dfs takes any number",
            )
        return self.tree


def build_lexicon(
    words: WordList,
    alphabet: Alphabet,
    min_length: int,
    cells: int,
    everyday: npt.NDArray[np.bool_] | None = None,
) -> Lexicon:
    """Build the trie of all usable words; of words that are longer than the board the first `cells` tiles stay.

    `everyday`, bool[words]: words that the columns `everyday_words` and `everyday_score` count; none by default.

    Raises InputError where no word is usable, the trie would pass 4,194,304 nodes, or, with faces by which a word can
    be cut in several ways, the list has more words than that.
    """
    if not 1 <= cells <= MAX_CELLS:
        raise InputError(f"{cells} cells; a board has 1 to {MAX_CELLS}")
    if min_length < 1:
        raise InputError(f"minimum length {min_length}: must be 1 or more")
    cuts, letters = cut_words(words.words, alphabet, min_length, cells, MAX_NODES)
    rows_of_word = cuts.rows_of_word
    if cuts.total == 0:
        raise InputError(
            f"none of the {len(words.words):,} words is usable",
            f"a usable word has {min_length} or more letters and can be written with {' '.join(alphabet.written)}",
        )
    if cuts.total > MAX_NODES:
        worst = int(rows_of_word.argmax())
        raise InputError(
            f"the word list needs more than {MAX_NODES:,} trie nodes with these faces",
            f"use a shorter list or fewer multi-letter faces; {words.words[worst][:40]!r} alone can be cut in "
            f"{rows_of_word[worst]:,} ways or more",
        )
    symbols, word, ends = cuts.symbols, cuts.word, cuts.ends
    if not cuts.sorted:
        order = _sort_order(symbols, len(alphabet.written))
        symbols, word, ends = symbols[order], word[order], ends[order]
    if len(alphabet.written) > len(alphabet.symbols):
        _hide(symbols, ends, np.array([0, *(alphabet.index.get(one, -1) + 1 for one in alphabet.written)], np.uint8))
    everyday = np.zeros(len(letters), np.bool_) if everyday is None else everyday
    marks = letters + (everyday.astype(np.uint16) << np.uint16(EVERYDAY - LENGTH))
    nodes, *arrays = _grow(symbols, word, ends, marks, MAX_NODES, alphabet.wide)
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
    return Lexicon(
        words.words, alphabet, min_length, cells, Trie(*arrays), letters, rows_of_word > 0, one_cut, everyday
    )


def _sort_order(cuts: npt.NDArray[np.uint8], symbols: int) -> npt.NDArray[np.int64]:
    """Order of the rows, by sorting on as many symbols at a time as a number holds, last ones first."""
    bits = symbols.bit_length()
    keys = np.zeros((-(-cuts.shape[1] // (64 // bits)), len(cuts)), np.uint64)
    _pack(cuts, keys, bits)
    used = keys[keys.any(axis=1)]
    order: npt.NDArray[np.int64] = np.lexsort(used[::-1])
    return order


@kernel
def _pack(cuts, keys, bits):  # type: ignore[no-untyped-def]
    packed = 64 // bits
    for row in range(len(cuts)):
        for level in range(cuts.shape[1]):
            place = packed - 1 - level % packed
            keys[level // packed, row] |= np.uint64(cuts[row, level]) << np.uint64(place * bits)


@kernel
def _hide(cuts, ends, shown):  # type: ignore[no-untyped-def]
    """Ids of `written` become ids of tiles; a row ends before the first symbol that no tile shows.

    shown: uint8[written + 1], for each id plus one that of the tile plus one, or 0. Rows in ascending order stay such
    that equal beginnings are together, which is all that the trie needs.
    """
    for row in range(len(cuts)):
        hidden = False
        for level in range(cuts.shape[1]):
            if cuts[row, level] == 0:
                break
            cuts[row, level] = 0 if hidden else shown[cuts[row, level]]
            hidden = cuts[row, level] == 0
        if hidden:
            ends[row] = False


@kernel
def _grow(cuts, word_of_cut, ends, marks, limit, wide):  # type: ignore[no-untyped-def]
    """From sorted rows the number of nodes and, unless that passes `limit`, the arrays of the trie."""
    level_sizes = np.zeros(cuts.shape[1] + 1, np.int64)
    shared = np.empty(len(cuts), np.uint8)
    _measure(cuts, shared, level_sizes)
    nodes = level_sizes.sum()
    size = nodes if nodes <= limit else 0
    records = np.zeros(size, np.uint64)
    word_ids = np.full(size, -1, np.int32)
    pairs = np.zeros(PAIRS_ROW**2, np.uint32)
    symbols = np.zeros(size if wide else 0, np.uint8)
    if size > 0:
        _fill(cuts, shared, word_of_cut, ends, level_sizes, marks, records, word_ids, pairs, symbols)
    return nodes, records, word_ids, pairs, symbols


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
def _fill(cuts, shared, word_of_cut, ends, level_sizes, marks, records, word_ids, pairs, symbols):  # type: ignore[no-untyped-def]
    wide = len(symbols) > 0
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
            if wide:
                records[parent] += one
                symbols[node] = cuts[row, level] - 1
            else:
                records[parent] |= one << np.uint64(cuts[row, level] - 1)
            level += 1
            path[level] = node
            if level == 2 and not wide:
                pairs[(np.int64(cuts[row, 0]) - 1) * PAIRS_ROW + cuts[row, 1] - 1] = node
        if ends[row]:
            word = word_of_cut[row]
            records[path[level]] |= one << np.uint64(WORD_FLAG) | np.uint64(marks[word]) << np.uint64(LENGTH)
            word_ids[path[level]] = word


@kernel
def child_of(trie, record, symbol):  # type: ignore[no-untyped-def]
    """Return the child of a record's node for a symbol id below 255, or 0 where no word goes on so."""
    first = record >> np.uint64(FIRST_CHILD) & NODE_MASK
    if len(trie.symbols) == 0:
        bit = np.uint64(1) << np.uint64(symbol)
        return first + popcount(record & (bit - np.uint64(1))) if record & bit != 0 else np.uint64(0)
    for node in range(first, first + (record & CHILD_MASK)):
        if trie.symbols[node] == symbol:
            return np.uint64(node)
    return np.uint64(0)

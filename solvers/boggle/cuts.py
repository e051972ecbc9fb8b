"""Words cut into symbols: every way to write a word with letters and tiles, as rows of symbol ids."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.boggle.alphabet import MAX_FACE_LETTERS, Alphabet
from solvers.errors import InputError
from solvers.jit import kernel

_NEWLINE = 10
_UNKNOWN = 0
"""Byte of a letter that no symbol has."""


class Cuts(NamedTuple):
    """Rows, in any order, each one cut of a usable word as far as it fits the board.

    rows_of_word: int64[words], 0 for a word that is not usable; symbols: uint8[rows, cells], ids plus one of
    `Alphabet.written`, 0 behind the last; word: int32[rows]; ends: bool[rows], the word ends within its row;
    total: the sum of `rows_of_word`, above the limit only a lower bound, and then there are no rows; sorted: whether
    the rows are in ascending order.
    """

    rows_of_word: npt.NDArray[np.int64]
    total: int
    symbols: npt.NDArray[np.uint8]
    word: npt.NDArray[np.int32]
    ends: npt.NDArray[np.bool_]
    sorted: bool


def cut_words(
    words: Sequence[str], alphabet: Alphabet, min_length: int, cells: int, limit: int
) -> tuple[Cuts, npt.NDArray[np.uint8]]:
    """Return the cuts of all words of `min_length` and more letters, and the letters of each word, at most 255:
    uint8[words].

    Raises InputError for more different letters than a byte can tell apart.
    """
    codes = _codes(alphabet)
    text, offsets = _encode(words, codes)
    letters = np.minimum(np.diff(offsets) - 1, 255).astype(np.uint8)
    return Cuts(*_cut(text, offsets, *_symbol_tables(alphabet, codes), min_length, cells, limit)), letters


def _codes(alphabet: Alphabet) -> npt.NDArray[np.uint8]:
    """The byte of each character that a symbol has, by code point; ASCII stays as it is."""
    letters = sorted({letter for symbol in alphabet.written for letter in symbol if not letter.isascii()})
    free = [*range(128, 256), *(byte for byte in range(1, 97) if byte != _NEWLINE)]
    if len(letters) > len(free):
        raise InputError(
            f"{len(letters)} different letters beyond a-z, at most {len(free)} can be searched",
            "use fewer different faces, or a language with fewer letters",
        )
    codes = np.full(max(map(ord, ["z", *letters])) + 2, _UNKNOWN, np.uint8)
    codes[_NEWLINE] = _NEWLINE
    codes[ord("a") : ord("z") + 1] = np.arange(ord("a"), ord("z") + 1)
    for byte, letter in zip(free, letters, strict=False):
        codes[ord(letter)] = byte
    return codes


def _encode(words: Sequence[str], codes: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """All words as one uint8 array, a byte a letter, and the offset of each (newlines are skipped)."""
    text = "\n".join(words) + "\n"
    if text.isascii():
        array = np.frombuffer(text.encode(), np.uint8)
    else:
        points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        array = codes[np.minimum(points, len(codes) - 1)]
    ends = np.flatnonzero(array == _NEWLINE)
    offsets = np.empty(len(ends) + 1, np.int64)
    offsets[0] = 0
    offsets[1:] = ends + 1
    return array, offsets


def _symbol_tables(
    alphabet: Alphabet, codes: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]]:
    """Bytes of each symbol, its length, and by first byte the symbols that start with it (-1 ends a row)."""
    symbols = np.zeros((len(alphabet.written), MAX_FACE_LETTERS), np.uint8)
    lengths = np.empty(len(alphabet.written), np.uint8)
    starting: dict[int, list[int]] = {}
    for number, symbol in enumerate(alphabet.written):
        code = codes[[ord(letter) for letter in symbol]]
        symbols[number, : len(code)] = code
        lengths[number] = len(code)
        starting.setdefault(int(code[0]), []).append(number)
    starters = np.full((256, max(map(len, starting.values()), default=0) + 1), -1, np.int16)
    for byte, numbers in starting.items():
        starters[byte, : len(numbers)] = numbers
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

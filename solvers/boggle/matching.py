"""Dice to tiles: can these dice show a word or a board, which die where, and in how many ways.

Dice are tuples of faces (`A`, `Qu`, or empty for a blank). All answers are exact: a maximum bipartite matching for
yes and no, a permanent for the number of ways.
"""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from solvers.bits import lowest_bit, popcount
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import CHILD_MASK, FIRST_CHILD, NODE_MASK, WORD_FLAG, Lexicon
from solvers.errors import InputError
from solvers.jit import kernel

MAX_DICE = 64
"""Dice that show a symbol are one 64-bit mask."""
MAX_STATES = 4_000_000
"""States that `count_rolls` reaches from one die to the next, each a number still to be shown of every face."""
_LIMB = 40

Dice = Sequence[Sequence[str]]


def can_show_word(dice: Dice, word: str) -> bool:
    """Whether some arrangement of the dice shows the word, each die used at most once; see `assign_word`."""
    return assign_word(dice, word) is not None


def assign_word(dice: Dice, word: str) -> list[tuple[str, int]] | None:
    """Return the word as (face, index of the die that shows it), or None where no arrangement of the dice shows it.

    Every way to cut the word into faces is considered; the case of word and faces does not matter. Which cells touch
    does not matter either.

    Raises InputError for an empty word or more than 64 dice.
    """
    _check_dice(dice)
    if not word:
        raise InputError("the word is empty", "give at least one letter")
    word = word.lower()
    shown = {face.lower(): face for die in dice for face in die if face}
    holders = {tile: [number for number, die in enumerate(dice) if face in die] for tile, face in shown.items()}
    tile_of_die: dict[int, int] = {}
    tiles: list[str] = []
    failed: set[tuple[int, tuple[str, ...]]] = set()

    def place_tile(tile: int, tried: set[int]) -> bool:
        for die in holders[tiles[tile]]:
            if die not in tried:
                tried.add(die)
                if die not in tile_of_die or place_tile(tile_of_die[die], tried):
                    tile_of_die[die] = tile
                    return True
        return False

    def cut(place: int) -> bool:
        if place == len(word):
            return True
        state = (place, tuple(sorted(tiles)))
        if state in failed:
            return False
        for tile in holders:
            if word.startswith(tile, place):
                tiles.append(tile)
                if place_tile(len(tiles) - 1, set()):
                    if cut(place + len(tile)):
                        return True
                    del tile_of_die[next(die for die, held in tile_of_die.items() if held == len(tiles) - 1)]
                tiles.pop()
        failed.add(state)
        return False

    if not cut(0):
        return None
    die_of_tile = {tile: die for die, tile in tile_of_die.items()}
    return [(shown[tile], die_of_tile[number]) for number, tile in enumerate(tiles)]


def showable_words(lexicon: Lexicon, dice: Dice) -> npt.NDArray[np.bool_]:
    """Return which words some arrangement of the dice can show: bool[words], False for words that are not usable.

    One pass over the trie: a node's matching extends its parent's. A word with several cuts needs one that fits.

    Raises InputError where the lexicon was built for fewer cells than there are dice, or for a face that is outside
    its alphabet.
    """
    _check_dice(dice)
    if lexicon.cells < len(dice):
        raise InputError(
            f"the lexicon was built for {lexicon.cells} cells, there are {len(dice)} dice",
            "build it for as many cells as dice",
        )
    showable = np.zeros(len(lexicon.words), np.bool_)
    _show_trie(lexicon.tree, _holders(dice, lexicon.alphabet), len(dice), showable)
    return showable


def assign_board(dice: Dice, faces: Sequence[str]) -> list[int] | None:
    """Return the index of the die for each cell, or None where the dice cannot show these faces, one of each cell.

    Raises InputError where there are not as many dice as cells.
    """
    _check_board(dice, faces)
    index = {face: number for number, face in enumerate(dict.fromkeys(faces))}
    holders = np.zeros(len(index), np.uint64)
    for number, die in enumerate(dice):
        for face in set(die) & index.keys():
            holders[index[face]] |= np.uint64(1) << np.uint64(number)
    die_of_cell = np.empty(len(faces), np.int64)
    cells = np.array([index[face] for face in faces], np.uint8)
    return die_of_cell.tolist() if _match_board(cells, holders, die_of_cell) else None


def rollable_boards(boards: npt.NDArray[np.uint8], dice: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Return which boards the dice can show: bool[n].

    boards: uint8[n, cells]; dice: uint8[dice, faces], the same ids (of faces or of symbols) in both.

    Raises InputError where there are not as many dice as cells.
    """
    _check_dice(dice.tolist())
    if boards.ndim != 2 or boards.shape[1] != len(dice):
        raise InputError(f"boards of shape {boards.shape}, but {len(dice)} dice", "a board has one cell for each die")
    holders = np.zeros(256, np.uint64)
    for number, die in enumerate(dice):
        holders[np.unique(die)] |= np.uint64(1) << np.uint64(number)
    rollable = np.empty(len(boards), np.bool_)
    _match_boards(boards, holders, rollable)
    return rollable


def count_rolls(dice: Dice, faces: Sequence[str]) -> int:
    """In how many of the n! * product of faces equally likely rolls (die to cell, then face up) this board is shown.

    That is the permanent of the matrix whose entry (die, cell) is the number of the die's faces that equal the cell's.
    Equal cells are interchangeable, so the sum runs over how many of each face are still to be shown, die by die.

    Raises InputError where there are not as many dice as cells, or where a die leads to more than 4,000,000 states.
    """
    _check_board(dice, faces)
    if assign_board(dice, faces) is None:
        return 0
    need = Counter(faces)
    shown = [{face: count for face, count in Counter(die).items() if face in need} for die in dice]
    order = _order(shown)
    weights, place = {}, 1
    for face, count in need.items():
        weights[face] = place
        place *= count + 1
    if place >= 1 << 62:
        raise _too_many()
    limbs = math.prod(sum(die.values()) for die in shown).bit_length() // _LIMB + 1
    keys = np.array([place - 1], np.int64)
    ways = np.zeros((limbs, 1), np.uint64)
    ways[0, 0] = 1
    for step, die in enumerate(order):
        later = Counter(face for other in order[step + 1 :] for face in shown[other])
        keys, ways = _show_die(keys, ways, shown[die], need, weights, later)
    total = sum(int(limb) << _LIMB * number for number, limb in enumerate(ways[:, 0].tolist()))
    return total * math.prod(math.factorial(count) for count in need.values())


def roll_probability(dice: Dice, faces: Sequence[str]) -> Fraction:
    """Return the probability that a roll of the dice shows exactly this board; raises InputError as `count_rolls`
    does.
    """
    return Fraction(count_rolls(dice, faces), math.factorial(len(dice)) * math.prod(map(len, dice)))


def _check_dice(dice: Dice) -> None:
    if not 1 <= len(dice) <= MAX_DICE:
        raise InputError(f"{len(dice)} dice; 1 to {MAX_DICE} can be matched")


def _check_board(dice: Dice, faces: Sequence[str]) -> None:
    _check_dice(dice)
    if len(faces) != len(dice):
        raise InputError(f"{len(faces)} cells, but {len(dice)} dice", "a board has one cell for each die")


def _too_many() -> InputError:
    return InputError(
        f"counting the rolls of this board takes more than {MAX_STATES:,} states",
        "ask only whether it can be rolled; fewer dice or fewer different faces can be counted",
    )


def _holders(dice: Dice, alphabet: Alphabet) -> npt.NDArray[np.uint64]:
    """Bit d of entry s is set where die d shows symbol s: uint64[256]."""
    holders = np.zeros(256, np.uint64)
    known = {*alphabet.symbols, ""}
    for number, die in enumerate(dice):
        if strange := sorted(face for face in set(die) if alphabet.symbol(face) not in known):
            raise InputError(f"die {number + 1}: face {strange[0]!r} is outside the alphabet")
        for symbol in alphabet.ids(die):
            holders[symbol] |= np.uint64(1) << np.uint64(number)
    return holders


def _order(shown: Sequence[dict[str, int]]) -> list[int]:
    """Dice in an order that opens few faces and closes them soon."""
    left = set(range(len(shown)))
    opened: set[str] = set()
    order: list[int] = []

    def cost(die: int) -> tuple[int, int, int]:
        faces = set(shown[die])
        others = {face for other in left - {die} for face in shown[other]}
        return (len(faces - opened) - len(faces - others), len(faces), die)

    while left:
        die = min(left, key=cost)
        left.remove(die)
        opened |= set(shown[die])
        order.append(die)
    return order


def _show_die(
    keys: npt.NDArray[np.int64],
    ways: npt.NDArray[np.uint64],
    die: dict[str, int],
    need: Counter[str],
    weights: dict[str, int],
    later: Counter[str],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """States after one more die has shown one of its faces; only those that the later dice can finish.

    keys: int64[states], the numbers still to be shown in mixed radix; ways: uint64[limbs, states], 40 bits a limb.
    """
    reached_keys, reached_ways = [], []
    reached = 0
    for face, count in die.items():
        able = keys // weights[face] % (need[face] + 1) > 0
        reached += int(able.sum())
        if reached > MAX_STATES:
            raise _too_many()
        reached_keys.append(keys[able] - weights[face])
        reached_ways.append(ways[:, able] * np.uint64(count))
    keys = np.concatenate(reached_keys)
    ways = np.concatenate(reached_ways, axis=1)
    for face in die:
        kept = keys // weights[face] % (need[face] + 1) <= later[face]
        keys, ways = keys[kept], ways[:, kept]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    ways = np.add.reduceat(ways[:, order], firsts, axis=1)
    for limb in range(len(ways) - 1):
        ways[limb + 1] += ways[limb] >> np.uint64(_LIMB)
        ways[limb] &= np.uint64((1 << _LIMB) - 1)
    return keys[firsts], ways


@kernel
def _augment(tile, tiles, holders, tile_of_die, used, held, before, queue):  # type: ignore[no-untyped-def]
    """Find a die for `tile`, moving earlier tiles to other dice where needed; returns the dice used, 0 if impossible.

    tiles: uint8[n], symbols; tile_of_die: int64[64]; used: mask of dice in use; held, before, queue: scratch, the die
    of a tile that may move and the tile it would move for. Breadth-first, each die once.
    """
    one = np.uint64(1)
    tried = np.uint64(0)
    queue[0] = tile
    size = 1
    at = 0
    while at < size:
        here = queue[at]
        at += 1
        options = holders[tiles[here]] & ~tried
        tried |= options
        if options & ~used != 0:
            die = np.int64(lowest_bit(options & ~used))
            used |= one << np.uint64(die)
            while True:
                tile_of_die[die] = here
                if here == tile:
                    return used
                die = held[here]
                here = before[here]
        while options != 0:
            die = np.int64(lowest_bit(options))
            options &= options - one
            other = tile_of_die[die]
            held[other] = die
            before[other] = here
            queue[size] = other
            size += 1
    return np.uint64(0)


@kernel
def _match_board(cells, holders, die_of_cell):  # type: ignore[no-untyped-def]
    tile_of_die = np.empty(64, np.int64)
    held = np.empty(64, np.int64)
    before = np.empty(64, np.int64)
    queue = np.empty(65, np.int64)
    used = np.uint64(0)
    for cell in range(len(cells)):
        used = _augment(cell, cells, holders, tile_of_die, used, held, before, queue)
        if used == 0:
            return False
    while used != 0:
        die = np.int64(lowest_bit(used))
        used &= used - np.uint64(1)
        die_of_cell[tile_of_die[die]] = die
    return True


@kernel
def _match_boards(boards, holders, rollable):  # type: ignore[no-untyped-def]
    die_of_cell = np.empty(boards.shape[1], np.int64)
    for board in range(len(boards)):
        rollable[board] = _match_board(boards[board], holders, die_of_cell)


@kernel
def _show_trie(trie, holders, dice, showable):  # type: ignore[no-untyped-def]
    """Depth-first over the trie; level d holds the matching of the first d tiles."""
    one = np.uint64(1)
    records = trie.records
    wide = len(trie.symbols) > 0
    tile_of_die = np.empty((dice + 1, 64), np.int64)
    tiles = np.empty(dice, np.uint8)
    held = np.empty(64, np.int64)
    before = np.empty(64, np.int64)
    queue = np.empty(65, np.int64)
    used = np.zeros(dice + 1, np.uint64)
    node_stack = np.zeros(dice + 1, np.int64)
    open_stack = np.zeros(dice + 1, np.uint64)
    open_stack[0] = records[0] & CHILD_MASK
    depth = 0
    while depth >= 0:
        if open_stack[depth] == 0:
            depth -= 1
            continue
        record = records[node_stack[depth]]
        first = record >> np.uint64(FIRST_CHILD) & NODE_MASK
        if wide:
            # what is open is a number of children, the last ones
            child = np.int64(first + (record & CHILD_MASK) - open_stack[depth])
            open_stack[depth] -= one
            tiles[depth] = trie.symbols[child]
        else:
            symbol = lowest_bit(open_stack[depth])
            open_stack[depth] &= open_stack[depth] - one
            tiles[depth] = symbol
            child = np.int64(first + popcount(record & ((one << symbol) - one)))
        tile_of_die[depth + 1] = tile_of_die[depth]
        matched = _augment(depth, tiles, holders, tile_of_die[depth + 1], used[depth], held, before, queue)
        if matched == 0:
            continue
        depth += 1
        used[depth] = matched
        node_stack[depth] = child
        open_stack[depth] = records[child] & CHILD_MASK if depth < dice else np.uint64(0)
        if records[child] >> np.uint64(WORD_FLAG) & one:
            showable[trie.word_ids[child]] = True

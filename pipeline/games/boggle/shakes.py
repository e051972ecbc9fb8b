"""Seeded shakes through a counter-based generator: rolls depend on (seed, i) alone and are applied to any dice.

So board i of two sets of the same number of dice has its dice in the same order, showing faces of the same numbers:
common random numbers, by which sets that differ little are compared with little noise (P. Glasserman, D. D. Yao, Some
guidelines and guarantees for common random numbers, Management Science 38, 1992).
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet
from solvers.jit import kernel
from solvers.philox import key_words, philox4x32

MAX_SEED = 2**63 - 1
MAX_BOARD_ID = 2**63 - 1


def shake(dice: DiceSet, seed: int, start: int, count: int) -> npt.NDArray[np.uint8]:
    """Return the boards start .. start + count - 1 as face ids (indices into `dice.faces`): uint8[count, cells].

    The dice are shuffled into the cells by Fisher-Yates, then each shows one of its six faces; both draws map a 32-bit
    word to a range by multiply-shift (the bias is below 2^-26).

    Raises PipelineError for a seed or a range outside 0 .. 2^63 - 1.
    """
    if not 0 <= seed <= MAX_SEED:
        raise PipelineError(f"seed {seed} is out of range", "a seed is a whole number from 0 to 2^63 - 1")
    if start < 0 or count < 0 or start + count > MAX_BOARD_ID:
        raise PipelineError(f"boards {start} to {start + count} are out of range", "ids run from 0 to 2^63 - 1")
    boards = np.empty((count, dice.cells), np.uint8)
    _shake(_die_faces(dice), *_key(seed), np.uint64(start), boards)
    return boards


@lru_cache(maxsize=64)
def _key(seed: int) -> tuple[np.uint64, np.uint64]:
    """The generator's key, two 32-bit words: a hash of the seed."""
    first, second = key_words("rolls", seed)
    return np.uint64(first), np.uint64(second)


@lru_cache(maxsize=64)
def _die_faces(dice: DiceSet) -> npt.NDArray[np.uint8]:
    ids = {face: number for number, face in enumerate(dice.faces)}
    return np.array([[ids[face] for face in die] for die in dice.dice], np.uint8)


@kernel
def _shake(die_faces, key_0, key_1, start, boards):  # type: ignore[no-untyped-def]
    dice = len(die_faces)
    low = np.uint64(0xFFFFFFFF)
    wide = np.uint64(32)
    draws = np.empty(2 * dice + 3, np.uint64)
    order = np.empty(dice, np.int64)
    for row in range(len(boards)):
        board = start + np.uint64(row)
        for block in range((2 * dice + 2) // 4):
            at = 4 * block
            draws[at], draws[at + 1], draws[at + 2], draws[at + 3] = philox4x32(
                board & low, board >> wide, np.uint64(block), np.uint64(0), key_0, key_1
            )
        for die in range(dice):
            order[die] = die
        for left in range(dice - 1, 0, -1):
            pick = np.int64((draws[left] * np.uint64(left + 1)) >> wide)
            order[left], order[pick] = order[pick], order[left]
        for cell in range(dice):
            face = (draws[dice + cell] * np.uint64(6)) >> wide
            boards[row, cell] = die_faces[order[cell], np.int64(face)]

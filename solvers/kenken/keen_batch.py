"""Keen ids of a whole batch in one call: the text form costs no more than the solving."""

from typing import Any

import numpy as np
import numpy.typing as npt

from solvers.jit import kernel
from solvers.kenken.batch import PuzzleBatch
from solvers.kenken.keen_id import CLUE_LETTERS

_COLON, _COMMA, _UNDERSCORE, _ZERO, _A, _Z = (ord(sign) for sign in ":,_0az")
_LETTERS = np.frombuffer(CLUE_LETTERS.encode(), np.uint8)


@kernel
def put_number(data: Any, at: Any, number: Any) -> Any:
    """Write a decimal number that is not negative at data[at:]; returns where the text goes on."""
    digits = 1
    rest = number // 10
    while rest:
        digits += 1
        rest //= 10
    for i in range(at + digits - 1, at - 1, -1):
        data[i] = _ZERO + number % 10
        number //= 10
    return at + digits


@kernel
def put_run(data: Any, at: Any, letter: Any, copies: Any) -> Any:
    """Write so many copies of a letter, with a number where there are more than two."""
    if copies == 0:
        return at
    data[at] = letter
    if copies == 2:
        data[at + 1] = letter
        return at + 2
    return put_number(data, at + 1, copies) if copies > 2 else at + 1


@kernel
def write_ids(n: Any, cages: Any, cage_of: Any, operator: Any, target: Any, data: Any, offsets: Any) -> None:
    """Write the ids one after the other to `data` (uint8), where each begins and the last ends to `offsets`."""
    across = n * (n - 1)
    at = np.int64(0)
    for i in range(len(cages)):
        offsets[i] = at
        at = put_number(data, at, n)
        data[at] = _COLON
        at += 1
        gaps = copies = letter = 0
        for edge in range(2 * across + 1):
            if edge < across:
                first = edge // (n - 1) * n + edge % (n - 1)
                second = first + 1
            else:
                first = (edge - across) % (n - 1) * n + (edge - across) // (n - 1) if edge < 2 * across else 0
                second = first + n
            if edge < 2 * across and cage_of[i, first] == cage_of[i, second]:
                gaps += 1
                continue
            while gaps >= 0:
                told = _Z if gaps > 25 else (_UNDERSCORE if gaps == 0 else _A + gaps - 1)
                if told != letter:
                    at = put_run(data, at, letter, copies)
                    letter, copies = told, 0
                copies += 1
                gaps = gaps - 25 if gaps > 25 else -1
            gaps = 0
        at = put_run(data, at, letter, copies)
        data[at] = _COMMA
        at += 1
        for cage in range(cages[i]):
            data[at] = _LETTERS[operator[i, cage]]
            at = put_number(data, at + 1, target[i, cage])
    offsets[len(cages)] = at


def keen_id_arrays(batch: PuzzleBatch) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return all ids as ASCII in one uint8 array, and int64[length + 1] offsets: puzzle i is data[offsets[i]:offsets[i
    + 1]].

    The same text as keen_id.write_keen for each puzzle.
    """
    n = batch.size
    number = len(str(int(batch.target.max(initial=0))))
    room = 2 * n * (n - 1) + 8 + batch.operator.shape[1] * (1 + number)
    data = np.zeros(batch.length * room, np.uint8)
    offsets = np.zeros(batch.length + 1, np.int64)
    write_ids(n, batch.cages, batch.cage_of, batch.operator, batch.target, data, offsets)
    return data[: offsets[-1]], offsets


def keen_ids(batch: PuzzleBatch) -> list[str]:
    """Return the Keen id of every puzzle of the batch."""
    data, offsets = keen_id_arrays(batch)
    text = data.tobytes().decode("ascii")
    return [text[start:end] for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]

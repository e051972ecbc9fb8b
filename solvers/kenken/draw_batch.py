"""Drawings of a whole batch in one call: the text of `draw.draw_text` by a kernel, at less than the cost of solving."""

from typing import Any

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.jit import kernel
from solvers.kenken.batch import PuzzleBatch
from solvers.kenken.codes import UNKNOWN_DIGIT
from solvers.kenken.draw import CORNERS, SIGNS
from solvers.kenken.keen_batch import put_number

_SPACE, _NEWLINE = ord(" "), ord("\n")
_WIDEST = max(len(sign.encode()) for sign in SIGNS)
_SIGN_BYTES = np.array([list(sign.encode().ljust(_WIDEST)) for sign in SIGNS], np.uint8)
_SIGN_SIZES = np.array([[len(sign), len(sign.encode())] for sign in SIGNS], np.int64)
"""Characters and bytes of the sign of each operator."""
_CORNER_BYTES = np.array([list(corner.encode().ljust(3)) for corner in CORNERS], np.uint8)
_ACROSS, _DOWN = (np.frombuffer(sign.encode(), np.uint8) for sign in "─│")


@kernel
def digits_of(number: Any) -> Any:
    """Return how many digits a number that is not negative has."""
    digits = np.int64(1)
    while number >= 10:
        number //= 10
        digits += 1
    return digits


@kernel
def put_sign(data: Any, at: Any, sign: Any, size: Any) -> Any:
    """Write the bytes of a sign; returns where the text goes on."""
    for i in range(size):
        data[at + i] = sign[i]
    return at + size


@kernel
def put_spaces(data: Any, at: Any, count: Any) -> Any:
    """Write so many spaces; returns where the text goes on."""
    for i in range(count):
        data[at + i] = _SPACE
    return at + count


@kernel
def cage_at(cage_of: Any, n: Any, row: Any, column: Any) -> Any:
    """Return the cage of a cell, -1 outside the grid."""
    if 0 <= row < n and 0 <= column < n:
        return np.int64(cage_of[row * n + column])
    return np.int64(-1)


@kernel
def draw_many(
    n: Any, cages: Any, cage_of: Any, operator: Any, target: Any, solution: Any, signs: Any, sign_sizes: Any,
    corners: Any, across: Any, down: Any, data: Any, offsets: Any,
) -> None:  # fmt: skip
    """Write the drawings one after the other to `data`; where each begins and the last ends to `offsets`."""
    at = np.int64(0)
    first = np.zeros(n * n, np.bool_)
    for i in range(len(cages)):
        offsets[i] = at
        width = np.int64(4)
        seen = np.int64(0)
        for cell in range(n * n):
            # Cages are numbered in the order of their first cells.
            first[cell] = cage_of[i, cell] == seen
            if first[cell]:
                width = max(width, digits_of(target[i, seen]) + sign_sizes[operator[i, seen], 0])
                seen += 1
        for row in range(n + 1):
            for column in range(n + 1):
                above_left, above = cage_at(cage_of[i], n, row - 1, column - 1), cage_at(cage_of[i], n, row - 1, column)
                below_left, below = cage_at(cage_of[i], n, row, column - 1), cage_at(cage_of[i], n, row, column)
                arms = (above_left != above) + 2 * (above != below)
                arms += 4 * (below_left != below) + 8 * (above_left != below_left)
                at = put_sign(data, at, corners[arms], np.int64(3 if arms else 1))
                if column < n:
                    if above != below:
                        for _ in range(width):
                            at = put_sign(data, at, across, np.int64(3))
                    else:
                        at = put_spaces(data, at, width)
            while data[at - 1] == _SPACE:
                at -= 1
            data[at] = _NEWLINE
            at += 1
            if row == n:
                break
            for line in range(2):
                for column in range(n + 1):
                    if cage_at(cage_of[i], n, row, column - 1) != cage_at(cage_of[i], n, row, column):
                        at = put_sign(data, at, down, np.int64(3))
                    else:
                        at = put_spaces(data, at, np.int64(1))
                    if column == n:
                        break
                    cell = row * n + column
                    left = width
                    if line == 0 and first[cell]:
                        cage = np.int64(cage_of[i, cell])
                        code = operator[i, cage]
                        left -= digits_of(target[i, cage]) + sign_sizes[code, 0]
                        at = put_number(data, at, target[i, cage])
                        at = put_sign(data, at, signs[code], sign_sizes[code, 1])
                    elif line == 1 and solution[i, cell] != UNKNOWN_DIGIT:
                        digit = np.int64(solution[i, cell])
                        left -= digits_of(digit)
                        before = left // 2
                        at = put_number(data, put_spaces(data, at, before), digit)
                        left -= before
                    at = put_spaces(data, at, left)
                data[at] = _NEWLINE
                at += 1
    offsets[len(cages)] = at


def draw_texts(batch: PuzzleBatch, solution: npt.NDArray[np.uint8] | None = None) -> list[str]:
    """Return the drawing of every puzzle, as draw.draw_text gives it; `solution` as in solve.Results, or none.

    Raises InputError for solutions of another shape.
    """
    n = batch.size
    if solution is None:
        solution = np.full((batch.length, n * n), UNKNOWN_DIGIT, np.uint8)
    if solution.shape != (batch.length, n * n):
        raise InputError(f"solutions of shape {solution.shape}", f"the batch has {batch.length} grids of {n * n} cells")
    width = max(4, len(str(int(batch.target.max(initial=0)))) + _WIDEST)
    room = (3 * n + 1) * (3 * (n + 1) + 3 * n * width + 1)
    data = np.zeros(batch.length * room, np.uint8)
    offsets = np.zeros(batch.length + 1, np.int64)
    draw_many(
        n, batch.cages, batch.cage_of, batch.operator, batch.target, solution, _SIGN_BYTES, _SIGN_SIZES, _CORNER_BYTES,
        _ACROSS, _DOWN, data, offsets,
    )  # fmt: skip
    whole = data[: offsets[-1]].tobytes()
    return [whole[a:b].decode() for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]

"""Boards in bulk: face ids become canonical text or symbol ids without a Python loop over boards."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers.boggle.alphabet import Alphabet
from solvers.grid import format_board
from solvers.jit import kernel


def symbols_of_faces(boards: npt.NDArray[np.uint8], faces: Sequence[str], alphabet: Alphabet) -> npt.NDArray[np.uint8]:
    """Return the face ids to symbol ids of the alphabet, 255 for a blank: uint8, same shape."""
    return np.array(alphabet.ids(faces), np.uint8)[boards]


def board_texts(
    boards: npt.NDArray[np.uint8], faces: Sequence[str]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return the canonical text of each board, uint8[n, cells] of face ids, as UTF-8 bytes and int32[n + 1] offsets."""
    codes = [format_board([face]).encode() for face in faces]
    table = np.zeros((len(codes), max(map(len, codes))), np.uint8)
    for number, code in enumerate(codes):
        table[number, : len(code)] = np.frombuffer(code, np.uint8)
    lengths = np.array([len(code) for code in codes], np.int32)
    offsets = np.empty(len(boards) + 1, np.int32)
    text = np.empty(boards.size * table.shape[1], np.uint8)
    _write_texts(boards, table, np.ascontiguousarray(table[:, 0]), lengths, text, offsets)
    return text[: offsets[-1]], offsets


@kernel
def _write_texts(boards, table, first, lengths, text, offsets):  # type: ignore[no-untyped-def]
    at = 0
    for row in range(len(boards)):
        offsets[row] = at
        for cell in range(boards.shape[1]):
            face = boards[row, cell]
            text[at] = first[face]
            length = lengths[face]
            if length > 1:
                for letter in range(1, length):
                    text[at + letter] = table[face, letter]
            at += length
    offsets[len(boards)] = at

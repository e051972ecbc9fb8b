"""Grids of cells: which cells touch, and how a board is read from text and written as text.

Cells are numbered row by row from 0. A face is a string as printed on a die: `A`, `Qu`, `Th`, or empty for a blank.
"""

import unicodedata
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.languages import Language

_BLANKS = (".", "_", "-")
MAX_CELLS = 36
"""Largest board of the solvers: 6 x 6."""
PLACES = ("corner", "edge", "middle")


def neighbour_masks(rows: int, cols: int, neighbours: int = 8) -> npt.NDArray[np.uint64]:
    """Return the cells that touch each cell: uint64[rows * cols], bit c of mask i set where i and c touch; to 64 cells.

    `neighbours` is 8 (sides and corners) or 4 (sides).
    """
    if neighbours not in (4, 8):
        raise InputError(f"{neighbours} neighbours: a cell has 8 (with corners) or 4 (sides only)")
    masks = np.zeros(rows * cols, np.uint64)
    for row in range(rows):
        for col in range(cols):
            for down in (-1, 0, 1):
                for right in (-1, 0, 1):
                    other_row, other_col = row + down, col + right
                    touches = abs(down) + abs(right) in ((1,) if neighbours == 4 else (1, 2))
                    if touches and 0 <= other_row < rows and 0 <= other_col < cols:
                        masks[row * cols + col] |= np.uint64(1) << np.uint64(other_row * cols + other_col)
    return masks


def place_of_cells(rows: int, cols: int) -> npt.NDArray[np.int64]:
    """Return the place of each cell as an index of PLACES: int64[rows * cols]."""
    down, right = np.divmod(np.arange(rows * cols), cols)
    return 2 - (((down == 0) | (down == rows - 1)).astype(np.int64) + ((right == 0) | (right == cols - 1)))


def format_board(faces: Sequence[str]) -> str:
    """Return the canonical text: each tile starts with an upper-case letter, lower-case letters continue it, `.` is a
    blank.
    """
    return "".join([face[:1].upper() + face[1:].lower() if face else "." for face in faces])


def layout(faces: Sequence[str], cols: int) -> str:
    """Return the board as lines of aligned tiles, for people."""
    width = max(len(face) or 1 for face in faces)
    tiles = [(face or ".").ljust(width) for face in faces]
    return "\n".join(" ".join(tiles[start : start + cols]).rstrip() for start in range(0, len(tiles), cols))


def parse_board(
    text: str,
    rows: int,
    cols: int,
    faces: Collection[str] | None = None,
    language: Language | None = None,
    bare_q: bool = False,
) -> list[str]:
    """Read a board of rows x cols cells into faces (`A`, `Qu`, or empty for a blank).

    The first rule that fits decides: as many space-separated tokens as cells (each a tile); as many letters as cells
    (rows split by spaces, `/` or newlines; q means Qu unless `faces` holds a bare Q or `bare_q` is given); else
    canonical text. A tile is folded as the language says; without one it stays as it is. With `faces`, each tile has to
    be one of them.

    Raises InputError that names the first wrong cell.
    """
    cells = rows * cols
    bare_q = bare_q or (faces is not None and "Q" in faces)
    as_it_stands = language is None or language.plain_capitals
    if as_it_stands and (simple := _simple_board(text, cells, faces, bare_q)) is not None:
        return simple
    plain = unicodedata.normalize("NFC", text).strip()
    tokens = plain.replace("/", " ").split()
    letters = "".join(tokens)
    if len(tokens) == cells:
        tiles = tokens
    elif len(letters) == cells and _all_letters(letters):
        tiles = list(letters)
    else:
        tiles = _canonical_tiles(letters, text)
        if len(tiles) != cells:
            raise InputError(
                f"board {_shown(text)}: {len(tiles)} tiles, but {rows} x {cols} cells",
                "give one letter a cell, tiles split by spaces, or canonical text such as QuAT.",
            )
    board = [_face(tile, bare_q, language) for tile in tiles]
    for cell, (tile, face) in enumerate(zip(tiles, board, strict=True)):
        where = f"row {cell // cols + 1}, column {cell % cols + 1}"
        if (face and not face.isalpha()) or (not face and tile not in _BLANKS):
            raise InputError(f"board {_shown(text)}: {tile!r} at {where} is not a letter", "a blank is written .")
        if faces is not None and face not in faces:
            known = " ".join(sorted(known_face or "." for known_face in faces))
            raise InputError(f"board {_shown(text)}: no die shows {tile!r} ({where})", f"the faces are {known}")
    return board


def _simple_board(text: str, cells: int, faces: Collection[str] | None, bare_q: bool) -> list[str] | None:
    """A board of a plain letter a cell, by far the most frequent way to write one; None for any other text."""
    if len(text) != cells or not (text.isascii() and text.isalpha()):
        return None
    board = list(text.upper())
    if "Q" in board and not bare_q:
        board = ["Qu" if face == "Q" else face for face in board]
    return board if faces is None or all(face in faces for face in board) else None


def _all_letters(letters: str) -> bool:
    return all(letter.isalpha() or letter == "." for letter in letters)


def _canonical_tiles(letters: str, text: str) -> list[str]:
    tiles: list[str] = []
    for letter in letters:
        if letter.islower() and tiles and tiles[-1] != ".":
            tiles[-1] += letter
        elif letter.islower():
            raise InputError(
                f"board {_shown(text)}: tile {len(tiles) + 1} starts with {letter!r}, not with an upper-case letter",
                "give one letter a cell, or split the tiles by spaces",
            )
        else:
            tiles.append(letter)
    return tiles


def _face(tile: str, bare_q: bool, language: Language | None) -> str:
    if tile in _BLANKS:
        return ""
    face = tile[:1].upper() + tile[1:].lower() if language is None else language.face(tile)
    return "Qu" if face == "Q" and not bare_q else face


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")

"""Where a word lies on a dictionary board, whose tiles may hold several letters or none."""

from collections.abc import Sequence
from functools import lru_cache

from solvers.grid import neighbour_masks


def tile_paths(faces: Sequence[str], rows: int, cols: int, word: str, most: int = 1) -> list[tuple[int, ...]]:
    """Return up to `most` paths of cells whose faces, read in order, spell the word; ascending, empty if there is none.

    faces: one of each cell, row by row, an empty face is a blank; the case of faces and word does not matter. Eight
    neighbours. However many ways there are to cut the word into tiles, each path is listed once.
    """
    word = word.lower()
    tiles = [face.lower() for face in faces]
    masks = _masks(rows, cols)
    spots: dict[str, int] = {}
    for cell, tile in enumerate(tiles):
        if tile:
            spots[tile] = spots.get(tile, 0) | 1 << cell
    starts = _starts(word, spots, masks)
    found: list[tuple[int, ...]] = []
    if not word or not starts[0] or most < 1:
        return found

    def visit(cell: int, place: int, path: tuple[int, ...], used: int) -> bool:
        """True once enough paths are found."""
        place += len(tiles[cell])
        path = (*path, cell)
        if place == len(word):
            found.append(path)
            return len(found) == most
        used |= 1 << cell
        free = masks[cell] & starts[place] & ~used
        while free:
            other = (free & -free).bit_length() - 1
            free &= free - 1
            if visit(other, place, path, used):
                return True
        return False

    for cell in range(len(tiles)):
        if starts[0] >> cell & 1 and visit(cell, 0, (), 0):
            break
    return found


@lru_cache(maxsize=64)
def _masks(rows: int, cols: int) -> tuple[int, ...]:
    return tuple(neighbour_masks(rows, cols).tolist())


def _starts(word: str, spots: dict[str, int], masks: Sequence[int]) -> list[int]:
    """For each place in the word, the cells from which a walk that may use cells twice spells the rest: bit masks."""
    starts = [0] * (len(word) + 1)
    for place in range(len(word) - 1, -1, -1):
        for tile, cells in spots.items():
            if word.startswith(tile, place):
                after = place + len(tile)
                if after == len(word):
                    starts[place] |= cells
                elif starts[after]:
                    while cells:
                        cell = (cells & -cells).bit_length() - 1
                        cells &= cells - 1
                        if masks[cell] & starts[after]:
                            starts[place] |= 1 << cell
    return starts

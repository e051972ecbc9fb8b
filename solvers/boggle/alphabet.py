"""The alphabet of a dice set: the symbols that tiles show and that words are cut into."""

import string
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from solvers.errors import InputError

BLANK = 255
"""Symbol id of a blank tile in arrays of cells."""
MAX_SYMBOLS = 32
"""Children of a trie node are one 32-bit mask."""
MAX_FACE_LETTERS = 4


@dataclass(frozen=True)
class Alphabet:
    """Lower-case symbols in ascending order; the index of a symbol is its id in arrays of cells and in tries."""

    symbols: tuple[str, ...]

    @classmethod
    def of_faces(cls, faces: Iterable[str]) -> "Alphabet":
        """a-z without q, the unit `qu`, and whatever else the faces show: bare q, other letters, multi-letter tiles.

        Raises InputError where that makes more than 32 symbols or a face is too long.
        """
        shown = {face.lower() for face in faces if face}
        if long := sorted(face for face in shown if len(face) > MAX_FACE_LETTERS):
            raise InputError(
                f"face {long[0].title()!r} has {len(long[0])} letters; at most {MAX_FACE_LETTERS} fit a tile"
            )
        symbols = tuple(sorted((set(string.ascii_lowercase) - {"q"}) | {"qu"} | shown))
        if len(symbols) > MAX_SYMBOLS:
            extra = " ".join(face.title() for face in sorted(shown - set(string.ascii_lowercase) - {"qu"}))
            raise InputError(
                f"{len(symbols)} different symbols, at most {MAX_SYMBOLS} can be solved",
                f"beyond a-z and Qu the faces show {extra}",
            )
        return cls(symbols)

    @property
    def extra_letters(self) -> frozenset[str]:
        """Letters beyond a-z; folding a word list keeps them (N with tilde)."""
        return frozenset(letter for symbol in self.symbols for letter in symbol) - frozenset(string.ascii_lowercase)

    def ids(self, faces: Iterable[str]) -> list[int]:
        """Symbol ids of the tiles of a board, BLANK for a blank."""
        return [self.index[face.lower()] if face else BLANK for face in faces]

    @cached_property
    def index(self) -> dict[str, int]:
        """Id of each symbol."""
        return {symbol: number for number, symbol in enumerate(self.symbols)}

    @cached_property
    def longest(self) -> int:
        """Letters of the longest symbol."""
        return max(map(len, self.symbols))

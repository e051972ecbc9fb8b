"""The alphabet of dice or of a board: the tiles at hand, and what words are cut into besides."""

import string
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from solvers.errors import InputError
from solvers.languages import PLAIN, Language

BLANK = 255
"""Symbol id of a blank tile in arrays of cells."""
MAX_SYMBOLS = 32
"""Tiles whose children of a trie node are one 32-bit mask; with more the trie is a wide one."""
MAX_WRITTEN = 250
"""Symbols that words are cut into: an id is a byte, with room for a blank."""
MAX_FACE_LETTERS = 4


@dataclass(frozen=True)
class Alphabet:
    """Symbols are faces in small letters, in ascending order.

    `symbols`: the tiles at hand; the index of a symbol is its id in arrays of cells and in tries. `written`: what
    words are cut into, the tiles among it; by default the tiles alone. `cases`: see `Language`, for reading faces.
    """

    symbols: tuple[str, ...]
    written: tuple[str, ...] = ()
    cases: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        written = tuple(sorted({*self.symbols, *self.written}))
        if long := [symbol for symbol in written if len(symbol) > MAX_FACE_LETTERS]:
            raise InputError(
                f"face {long[0].title()!r} has {len(long[0])} letters; at most {MAX_FACE_LETTERS} fit a tile"
            )
        if len(written) > MAX_WRITTEN:
            raise InputError(f"{len(written)} different letters and faces, at most {MAX_WRITTEN} can be solved")
        object.__setattr__(self, "written", written)

    @classmethod
    def at_hand(
        cls, faces: Iterable[str], language: Language = PLAIN, cases: tuple[tuple[str, str], ...] | None = None
    ) -> "Alphabet":
        """Return the tiles that these faces show, for words of a language.

        A word that they cannot finish still gives its beginnings, and a word is cut into letters and Qu of the language
        and into the faces. `cases` are those of the dice where their language is another one.
        """
        cases = language.cases if cases is None else cases
        shown = {symbol_of(face, cases) for face in faces if face}
        return cls(tuple(sorted(shown)), tuple(sorted(shown.union(language.cut_letters))), cases)

    @classmethod
    def of_language(cls, language: Language, faces: Iterable[str] = ()) -> "Alphabet":
        """Return all letters of a language, Qu, and these faces besides: for boards that are not known yet."""
        return cls.at_hand([*map(language.upper, language.cut_letters), *faces], language)

    @classmethod
    def of_faces(cls, faces: Iterable[str]) -> "Alphabet":
        """Return a-z without q, the unit `qu`, and whatever else the faces show: bare q, other letters, multi-letter
        tiles.

        Raises InputError where a face is too long.
        """
        shown = {face.lower() for face in faces if face}
        return cls(tuple(sorted((set(string.ascii_lowercase) - {"q"}) | {"qu"} | shown)))

    @property
    def wide(self) -> bool:
        """More tiles than the records of the fast solver hold."""
        return len(self.symbols) > MAX_SYMBOLS

    def symbol(self, face: str) -> str:
        """Return the symbol of a face in any case."""
        return symbol_of(face, self.cases)

    def ids(self, faces: Iterable[str]) -> list[int]:
        """Return the symbol ids of the tiles of a board, BLANK for a blank."""
        return [self.index[symbol_of(face, self.cases)] if face else BLANK for face in faces]

    @cached_property
    def index(self) -> dict[str, int]:
        """Id of each symbol at hand."""
        return {symbol: number for number, symbol in enumerate(self.symbols)}

    @cached_property
    def written_ids(self) -> dict[str, int]:
        """Ids of all that words are cut into: those of the tiles, then numbers that no tile has."""
        others = [symbol for symbol in self.written if symbol not in self.index]
        return self.index | {symbol: number for number, symbol in enumerate(others, len(self.symbols))}

    @cached_property
    def longest(self) -> int:
        """Letters of the longest symbol that words are cut into."""
        return max(map(len, self.written), default=0)


def symbol_of(face: str, cases: Iterable[tuple[str, str]] = ()) -> str:
    """Return a face in small letters, with a language's `cases`."""
    for capital, small in cases:
        face = face.replace(capital, small)
    return face.lower()

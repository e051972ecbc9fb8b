"""What a run keeps of each chunk: rows, or only what rows add up to.

`boards`        one row a board, and how many boards show each word
`histograms`    exact histograms of every column a report needs, the word counts, and the best rows
`none-but-top`  the same without the word counts: the smallest

The mode is no part of a run's identity, as it changes no figure; a folder keeps the mode it was begun with.
"""

from dataclasses import dataclass

from pipeline.errors import PipelineError, nearest
from pipeline.store.parts import HISTOGRAMS, SUMS, TOP, WORDS


@dataclass(frozen=True)
class Mode:
    """A way of keeping: `rows`, `words` and `top` say which kinds of part there are where the game has them.

    A chunk holds at most `largest_chunk` rows, or more where there would otherwise be more than `most_parts` of them.
    """

    name: str
    rows: bool
    words: bool
    top: bool
    largest_chunk: int
    most_parts: int | None = None

    def main_kind(self, rows: str) -> str:
        """Return the kind of part that tells which ranges are there; `rows` is the game's name of its rows."""
        return rows if self.rows else HISTOGRAMS

    def kinds(self, rows: str) -> tuple[str, ...]:
        """Return every kind of part that a run in this mode may hold, the main one first."""
        companions = ((TOP, self.top), (WORDS, self.words), (SUMS, True))
        return (self.main_kind(rows), *(kind for kind, kept in companions if kept))

    def lacks(self) -> str:
        """Return what runs in this mode do not have, for people; empty where nothing is missing."""
        return " and ".join(
            f"no {name}" for name, kept in (("rows", self.rows), ("word counts", self.words)) if not kept
        )


ROWS = Mode("boards", rows=True, words=True, top=False, largest_chunk=250_000)
MODES: dict[str, Mode] = {
    mode.name: mode
    for mode in (
        ROWS,
        Mode("histograms", rows=False, words=True, top=True, largest_chunk=1_000_000, most_parts=4_000),
        Mode("none-but-top", rows=False, words=False, top=True, largest_chunk=1_000_000, most_parts=4_000),
    )
}


def mode_named(name: str) -> Mode:
    """Return the mode of a name.

    Raises PipelineError with the nearest names.
    """
    if name not in MODES:
        raise PipelineError(f"--keep {name!r} is not known", nearest(name, MODES))
    return MODES[name]

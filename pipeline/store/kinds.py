"""What a run stores of each chunk: rows, or only what rows add up to.

`boards`        one row a board, and how many boards show each word
`histograms`    exact histograms of every column a report needs, the word counts, and the best boards
`none-but-top`  the same without the word counts: the smallest

The mode is no part of a run's identity, as it changes no figure; a folder keeps the mode it was begun with.
"""

from collections.abc import Mapping

import pyarrow as pa

from pipeline.store.parts import HISTOGRAMS, HISTOGRAMS_SCHEMA, TOP, WORDS

BOARDS = "boards"
NONE_BUT_TOP = "none-but-top"
KEEPS = (BOARDS, HISTOGRAMS, NONE_BUT_TOP)
RANKED_BY = "score"
"""A game without this column has no best rows."""


def main_kind(keep: str, rows: str) -> str:
    """The kind of part that tells which ranges are there; `rows` is the game's name of its rows."""
    return rows if keep == BOARDS else HISTOGRAMS


def kinds(keep: str, rows: str) -> tuple[str, ...]:
    """Every kind of part that a run in this mode may hold, the main one first."""
    return {BOARDS: (rows, WORDS), HISTOGRAMS: (HISTOGRAMS, TOP, WORDS), NONE_BUT_TOP: (HISTOGRAMS, TOP)}[keep]


def schemas(keep: str, rows: str, of_chunks: Mapping[str, pa.Schema]) -> dict[str, pa.Schema]:
    """Columns of each kind of part in this mode; `of_chunks`: those that a workload's chunks have."""
    known = {**of_chunks, HISTOGRAMS: HISTOGRAMS_SCHEMA}
    if RANKED_BY in of_chunks[rows].names:
        known[TOP] = of_chunks[rows]
    return {kind: known[kind] for kind in kinds(keep, rows) if kind in known}

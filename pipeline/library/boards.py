"""Single boards, shakes and simulations as plain calls."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.config import available_cores
from pipeline.defaults import DEFAULTS
from pipeline.errors import PipelineError
from pipeline.games.boggle import one_board
from pipeline.games.boggle import words as lists
from pipeline.games.boggle.dice import DiceSet
from pipeline.games.boggle.one_board import SolvedBoard
from pipeline.games.boggle.shakes import shake as shake_faces
from pipeline.games.boggle.workload import BoggleWorkload, Rules
from pipeline.library.inputs import as_pipeline_error, dice_set
from pipeline.store.parts import Part
from solvers.boggle import trace as tracing
from solvers.boggle.boards import board_texts
from solvers.boggle.trace import Trace
from solvers.boggle.words import WordList

if TYPE_CHECKING:
    import polars as pl

CHUNK = 5_000
"""Boards that a thread solves at a time."""
WORDS: str = DEFAULTS["words"]


@as_pipeline_error
def solve(
    board: str,
    *,
    dice: str | None = None,
    rows: int | None = None,
    columns: int | None = None,
    words: str = WORDS,
    language: str | None = None,
    min_length: int | None = None,
    scoring: str | None = None,
    paths: bool = False,
    solver: str = "numba",
) -> SolvedBoard:
    """Return every word of one board, alphabetically, with score, longest word, dead tiles and nodes of the search.

    board: letters row by row; lower-case letters continue a tile (`Qu`), `.` is a blank, `/` or a line's end splits
    rows. dice: id or file of the set that the board is of; without it the letters say the size, or `rows` and
    `columns` do. words: id or file of a word list. paths: also give for each word the cells of one path, row by row
    from 0. solver: numba, dfs or reference.

    Raises PipelineError for a board, dice, list or scoring that cannot be read.
    """
    rules = one_board.make_rules(board, dice, rows, columns, words, language, min_length, scoring)
    return one_board.solve_board(rules, board, paths, solver)


@as_pipeline_error
def trace(
    grid: str | Sequence[str],
    word: str,
    *,
    neighbours: int = 8,
    case_sensitive: bool = False,
    paths: int = 0,
    limit: int = tracing.WORK_LIMIT,
) -> Trace:
    """Return whether a word can be traced on a grid, one such path, and in how many ways.

    grid: rows of equal length, or text with a row a line; one character is one cell, up to 64 x 64. neighbours: 8, or
    4 for sides alone. paths: how many paths to list. limit: steps of the search; `ways` is None where they do not
    reach.

    Raises PipelineError for a ragged grid, an empty word, and where the steps do not decide the answer.
    """
    return tracing.trace(grid, word, neighbours, case_sensitive, paths=paths, limit=limit)


@as_pipeline_error
def shake(dice: "str | DiceSet" = "new", boards: int = 1, seed: int = 1, first: int = 0) -> list[str]:
    """Return the boards first .. first + boards - 1 of a seed as text, as a run of that seed holds them.

    dice: id or file of a set, or one from load_dice. Raises PipelineError for dice that cannot be read, or numbers out
    of range.
    """
    one = dice_set(dice)
    text, offsets = board_texts(shake_faces(one, seed, first, boards), one.faces)
    ends = offsets.tolist()
    whole = bytes(text)
    return [whole[start:end].decode() for start, end in pairwise(ends)]


@as_pipeline_error
def simulate(
    dice: "str | DiceSet | Sequence[str | DiceSet]" = "new",
    boards: int = 10_000,
    words: str = WORDS,
    seed: int = 1,
    *,
    language: str | None = None,
    min_length: int | None = None,
    scoring: str | None = None,
    solver: str = "numba",
    threads: int | None = None,
) -> "pl.DataFrame":
    """Return one row a board, all in memory: the rows that `pipeline run` stores for these dice, words and seed.

    dice: one set or several, each an id, a file or a DiceSet; boards of each. threads: how many solve at a time
    (default: the cores at hand); they change no row.

    Columns: board_id uint64, board text, words, score, nodes, longest, dead_tiles, words of each length words_3 .. and
    the set's id `dice`; unsigned integers. A board takes some 100 bytes of memory.

    Raises PipelineError for dice, list, scoring or numbers that cannot be used.
    """
    import polars as pl
    import pyarrow as pa

    sets = tuple(map(dice_set, [dice] if isinstance(dice, str | DiceSet) else dice))
    if not sets:
        raise PipelineError("no dice set is given", "name one, such as new")
    if boards < 1:
        raise PipelineError(f"{boards} boards", "give 1 or more")
    source = lists.find_words(words, language, None, sets[0].rules)
    rules = Rules(min_length, scoring)
    workload = BoggleWorkload(sets, lists.load_words(source), source.id, seed, rules, solver, counts_words=False)
    workload.prepare()
    parts = [Part(start, min(start + CHUNK, boards)) for start in range(0, boards, CHUNK)]
    with ThreadPoolExecutor(threads or available_cores()) as pool:
        tables = {
            one.id: list(pool.map(lambda part, name=one.id: workload.solve_chunk(name, part).rows, parts))
            for one in sets
        }
    frames = []
    for name, rows in tables.items():
        frame = pl.from_arrow(pa.concat_tables(rows))
        assert isinstance(frame, pl.DataFrame)
        frames.append(frame.with_columns(pl.lit(name).alias(workload.layout.partition)))
    return pl.concat(frames)


def load_words(reference: str = WORDS, *, language: str | None = None, column: str | None = None) -> WordList:
    """Return a word list, folded and sorted: a shipped one by id, or a file by path. column: of a table.

    Raises PipelineError for a list that is not there, of no form that is understood, or without a word.
    """
    return lists.load_words(lists.find_words(reference, language, column))

"""What `pipeline boards` shows: single boards laid out with their words, as data and as text."""

import itertools
import textwrap
from collections.abc import Sequence
from typing import Any

from pipeline.errors import PipelineError, nearest
from pipeline.games.boggle.game import board_run
from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs.ranking import nearest_to, worst_first
from pipeline.runs.reading import Reader
from pipeline.tables import number
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.matching import count_rolls, roll_probability
from solvers.boggle.scoring import points_table
from solvers.boggle.solve import find_words
from solvers.errors import InputError
from solvers.grid import layout

COLUMNS = ("board_id", "board", "words", "score", "nodes", "longest", "dead_tiles")


def chosen(
    reader: Reader, dice: str | None, best: int | None, worst: int | None, near: int | None, ids: Sequence[int]
) -> list[dict[str, Any]]:
    """Return the boards asked for, of each dice set asked for; without a wish the best board.

    Raises PipelineError for a dice set or an id that the run does not hold, and for a run of another game.
    """
    store = reader.store
    board_run(store)
    if dice is not None and dice not in store.variants:
        raise PipelineError(f"dice set {dice!r} is not in this run", nearest(dice, store.variants))
    if best is worst is near is None and not ids:
        best = 1
    workload = reader.workload
    found = []
    for variant in [dice] if dice is not None else store.variants:
        groups: list[tuple[str, list[dict[str, Any]]]] = []
        if best:
            groups.append(("best", reader.best(variant, store.boards, best)))
        if worst:
            groups.append(("worst", reader.ranked(variant, store.boards, worst_first(worst, "score"))))
        if near is not None:
            nearest_one = reader.ranked(variant, store.boards, nearest_to(near, 1, "score"))
            groups.append((f"nearest to {near} points", nearest_one))
        if ids:
            groups.append(("by id", reader.by_id(variant, store.boards, ids)))
        for why, rows in groups:
            found += [{"why": why, **solved(workload, variant, row)} for row in rows]
    return found


def solved(maker: BoggleWorkload, variant: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its board laid out, its words (best first), and in how many of all rolls the dice show it.

    `rolls` is None where counting them would take too long. Raises PipelineError where solving the board again does
    not give the stored figures.
    """
    dice, lexicon = maker.dice_set(variant), maker.lexicon(variant)
    points = points_table(maker.scoring(dice))
    shaken = shake(dice, maker.seed, row["board_id"], 1)
    faces = [dice.faces[face] for face in shaken[0].tolist()]
    cells = symbols_of_faces(shaken, dice.faces, dice.alphabet)[0]
    ids, _ = find_words(cells.tolist(), dice.rows, dice.columns, lexicon)
    words = [lexicon.words[number] for number in ids]
    score = sum(int(points[min(len(word), 255)]) for word in words)
    if (len(words), score) != (row["words"], row["score"]):
        raise PipelineError(
            f"board {row['board_id']} of {variant} has {row['words']} words and {row['score']} points in the run, "
            f"solved again {len(words)} and {score}",
            "`pipeline verify` checks the run",
        )
    words.sort(key=lambda word: (-int(points[min(len(word), 255)]), -len(word), word))
    try:
        rolls: int | None = count_rolls(dice.dice, faces)
        chance: float | None = float(roll_probability(dice.dice, faces))
    except InputError:
        rolls = chance = None
    return {
        **{name: row[name] for name in COLUMNS},
        "dice": variant,
        "layout": layout(faces, dice.columns).splitlines(),
        "found": [{"word": word, "points": int(points[min(len(word), 255)])} for word in words],
        "rolls": rolls,
        "roll_probability": chance,
    }


def text(one: dict[str, Any], width: int = 100) -> str:
    """Return one board for a terminal: letters, figures, rolls, words by points."""
    lines = [f"{one['dice']}: board {one['board_id']} ({one['why']}): {one['board']}", ""]
    lines += [f"  {line}" for line in one["layout"]]
    lines += ["", f"{_many(one['words'], 'word')}, {_many(one['score'], 'point')}, {rolls(one)}"]
    for points, group in itertools.groupby(one["found"], key=lambda word: int(word["points"])):
        words = [word["word"] for word in group]
        heading = f"{_many(points, 'point')} ({len(words)}): "
        lines += textwrap.wrap(heading + " ".join(words), width, subsequent_indent="  ")
    return "\n".join(lines)


def rolls(one: dict[str, Any]) -> str:
    if one["rolls"] is None:
        return "the ways to roll it are too many to count"
    return f"{number(one['rolls'])} ways to roll it (1 roll in {_large(1 / one['roll_probability'])})"


def _large(value: float) -> str:
    """Up to a million as it is, beyond as 3.8·10²⁰."""
    if value < 1e6:
        return f"{value:,.0f}"
    digits, exponent = f"{value:.1e}".split("e+")
    return f"{digits}·10{str(int(exponent)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

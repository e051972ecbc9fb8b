"""What `pipeline boards` shows: single boards laid out with their words, as data and as text."""

import itertools
import textwrap
from collections.abc import Sequence
from typing import Any

from pipeline.errors import PipelineError
from pipeline.runs import ranking, rebuild
from pipeline.shipped import nearest
from pipeline.store.run_store import RunStore
from pipeline.tables import number


def chosen(
    store: RunStore, dice: str | None, best: int | None, worst: int | None, near: int | None, ids: Sequence[int]
) -> list[dict[str, Any]]:
    """The boards asked for, of each dice set asked for; without a wish the best board.

    Raises PipelineError for a dice set or an id that the run does not hold.
    """
    if dice is not None and dice not in store.variants:
        raise PipelineError(f"dice set {dice!r} is not in this run", nearest(dice, store.variants))
    if best is worst is near is None and not ids:
        best = 1
    workload = rebuild.boggle(store)
    found = []
    for variant in [dice] if dice is not None else store.variants:
        groups = [
            ("best", ranking.best(store, variant, store.boards, best) if best else []),
            ("worst", ranking.worst(store, variant, store.boards, worst) if worst else []),
            (
                f"nearest to {near} points",
                ranking.near(store, variant, store.boards, near, 1) if near is not None else [],
            ),
            ("by id", ranking.by_id(store, variant, store.boards, ids) if ids else []),
        ]
        for why, rows in groups:
            found += [{"why": why, **ranking.solved(workload, variant, row)} for row in rows]
    return found


def text(one: dict[str, Any], width: int = 100) -> str:
    """One board for a terminal: letters, figures, rolls, words by points."""
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

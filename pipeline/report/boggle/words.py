"""What `pipeline words` shows: chosen words of each dice set, as data and as tables."""

from collections.abc import Sequence
from typing import Any

from pipeline.report.boggle import atlas as atlases
from pipeline.report.boggle.atlas import Atlas
from pipeline.tables import Table, number, percent, percent_interval


def listing(
    atlas: Atlas,
    dice: str | None,
    top: int,
    length: int | None = None,
    pattern: str | None = None,
    rarest: bool = False,
    never: bool = False,
    impossible: bool = False,
    only_in: Sequence[str] = (),
    not_in: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """For each dice set asked for (with `only_in` alone: that set): an overview, and the first `top` words that fit.

    Raises PipelineError as `atlas.select` does.
    """
    variants = [dice] if dice is not None else list(only_in[:1]) or list(atlas.boards)
    found = []
    for variant in variants:
        ids = atlases.select(atlas, variant, length, pattern, rarest, never, impossible, only_in, not_in)
        what = [
            "never seen" if never else "impossible to show" if impossible else "rarest first" if rarest else "",
            f"of {length} letters" if length is not None else "",
            f"like {pattern}" if pattern is not None else "",
            f"that {' and '.join(only_in)} can show" if only_in else "",
            f"{'and ' if only_in else ''}that {' and '.join(not_in)} cannot show" if not_in else "",
        ]
        found.append(
            {
                "dice": variant,
                "what": " ".join(["words", *filter(None, what)]),
                "overview": atlases.overview(atlas, variant),
                "matching": len(ids),
                "words": atlases.entries(atlas, variant, ids[:top]),
            }
        )
    return found


def tables(shown: Sequence[dict[str, Any]]) -> list[Table]:
    return [table(one) for one in shown]


def table(one: dict[str, Any]) -> Table:
    rows = [
        [
            word["spelling"],
            str(word["length"]),
            str(word["points"]),
            number(word["boards"]),
            percent_interval(word["share"]),
        ]
        for word in one["words"]
    ]
    return Table(
        f"{one['dice']}: {one['what']} ({len(rows):,} of {one['matching']:,})",
        ["word", "letters", "points", "boards", "of boards [95 % interval]"],
        rows,
        frozenset({"word"}),
        overview_note(one["overview"]),
    )


def overview_note(overview: dict[str, Any]) -> str:
    """Return one line of what the whole list came to on these boards."""
    note = (
        f"on {overview['n']:,} boards: {overview['seen']:,} words seen of the {overview['showable']:,} that the dice "
        f"can show; {overview['never']:,} never seen; {overview['impossible']:,} of the {overview['usable']:,} usable "
        f"words cannot be shown"
    )
    if overview["core_share"] is not None:
        note += f"; the {overview['core']:,} commonest words are {percent(overview['core_share'])} of all finds"
    return note

"""Commands that answer exactly, without simulation: expect and effects."""

import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids, names, runs
from pipeline.cli.printing import print_json

if TYPE_CHECKING:
    from pipeline.games.boggle.dice import DiceSet
    from pipeline.games.boggle.exact_effects import ExactEffects
    from pipeline.games.boggle.expectations import Expectations
    from solvers.boggle.words import WordList

BY = ("set", "length", "die", "face", "letter")
LONG = 9
"""Letters from which on words share a column."""


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog="Example: pipeline expect --dice new --dice classic --words enable2k --by length")(expect)
    app.command(epilog="Example: pipeline effects --dice new --words enable2k --top 5")(effects)


def expect(
    dice: options.Dice = None,
    words: options.Words = None,
    language: options.Language = None,
    column: options.Column = None,
    min_length: options.MinLength = None,
    by: Annotated[
        str,
        typer.Option(metavar="WHAT", autocompletion=names(BY), help="set, length, die, face or letter."),
    ] = "set",
    json: options.Json = False,
) -> None:
    """Exact means of random boards, without simulation: ways to spell words by their letters, pairs of ways of short
    words, nodes of the search, letters, the chance of no vowel.

    A way is a path of tiles that spells a usable word. By die and by face: the ways through each, and what changing a
    face adds, for words of up to eight letters. They are worked out once and kept in the user's cache.
    """
    from pipeline import logs
    from pipeline.cli.progress import Compiling
    from pipeline.errors import PipelineError, nearest
    from pipeline.games.boggle.exact_effects import exact_effects
    from pipeline.games.boggle.expectations import expectations

    if by not in BY:
        raise PipelineError(f"--by {by!r} is not known", nearest(by, BY))
    logs.set_up()
    sets, words_id, listed = _read(dice, words, language, column)
    means: dict[str, Expectations] = {}
    found: dict[str, ExactEffects] = {}
    with Compiling():
        for one in sets:
            least = one.min_length if min_length is None else min_length
            means[one.id] = expectations(one, listed, least, words_id)
            if by in ("die", "face", "letter"):
                found[one.id] = exact_effects(one, listed, least, words_id)
    if json:
        print_json({one.id: _as_json(one, words_id, means[one.id], found.get(one.id), by) for one in sets})
    elif by == "set":
        _print_sets(words_id, means)
    elif by == "length":
        _print_lengths(words_id, means)
    else:
        print("\n\n".join(_effect_table(by, effect, words_id) for effect in found.values()))


def effects(
    run: Annotated[
        str | None,
        typer.Argument(metavar="[RUN]", autocompletion=runs, help="A run, for its dice, words and rules; or --dice."),
    ] = None,
    dice: Annotated[
        list[str] | None, typer.Option(metavar="ID|FILE", autocompletion=ids("dice"), help="Dice set; repeat for more.")
    ] = None,
    words: options.Words = None,
    language: options.Language = None,
    column: options.Column = None,
    min_length: options.MinLength = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="Rows of long tables.")] = 10,
    json: options.Json = False,
) -> None:
    """What each die, face, letter, pair of letters and cell does to the ways of a board, exactly; and which changes of
    one face add and take away most.

    For words of up to eight letters. `ways` is the mean number of paths a board that spell a word.
    """
    from pipeline import logs
    from pipeline.cli.progress import Compiling
    from pipeline.errors import PipelineError
    from pipeline.games.boggle.exact_effects import exact_effects

    logs.set_up()
    if run is None and not dice:
        raise PipelineError("effects of what?", "give a RUN, or --dice")
    if run is not None and (
        given := [name for name, value in _named(dice, words, language, column, min_length) if value]
    ):
        raise PipelineError(f"{given[0]} has no meaning with a run, which has its own", "leave it out, or the run")
    if run is not None:
        asked = _of_run(run)
    else:
        sets, words_id, listed = _read(dice, words, language, column)
        asked = [(one, listed, one.min_length if min_length is None else min_length, words_id, None) for one in sets]
    with Compiling():
        found = [exact_effects(*one) for one in asked]
    if json:
        print_json(
            {
                effect.dice.id: {"words": one[3], "min_length": one[2], **effect.as_dict()}
                for one, effect in zip(asked, found, strict=True)
            }
        )
        return
    for place, (one, effect) in enumerate(zip(asked, found, strict=True)):
        print(("\n\n" if place else "") + _effects_text(effect, one[3], top))


def _named(dice: Any, words: Any, language: Any, column: Any, min_length: Any) -> list[tuple[str, Any]]:
    """Options that a run has its own values for."""
    names = ("--dice", "--words", "--language", "--column", "--min-length")
    return list(zip(names, (dice, words, language, column, min_length), strict=True))


def _read(
    dice: list[str] | None, words: str | None, language: str | None, column: str | None
) -> tuple[list["DiceSet"], str, "WordList"]:
    """The dice sets, the id of the list and the list."""
    from pipeline.defaults import DEFAULTS
    from pipeline.games.boggle.dice import check_distinct, load_dice
    from pipeline.games.boggle.expectations import need_closed_form
    from pipeline.games.boggle.words import find_words, load_words, say_mismatch

    sets = [load_dice(one) for one in dice or DEFAULTS["dice"]]
    check_distinct(sets)
    for one in sets:
        need_closed_form(one)
    source = find_words(words or DEFAULTS["words"], language, column, sets[0].rules)
    say_mismatch(source, sets)
    return sets, source.id, load_words(source)


def _of_run(reference: str) -> list[tuple["DiceSet", "WordList", int, str, str | None]]:
    """Dice sets of a run, its list, the minimum length of each, the id of the list and the scoring of each."""
    from pipeline.cli.results import open_reader
    from pipeline.games.boggle.game import board_run

    reader = open_reader(reference)
    board_run(reader.store)
    workload = reader.workload
    return [
        (one, workload.words, workload.min_length(one), workload.words_id, workload.scoring(one))
        for one in workload.dice
    ]


def _as_json(
    dice: "DiceSet", words_id: str, means: "Expectations", effect: "ExactEffects | None", by: str
) -> dict[str, Any]:
    whole: dict[str, Any] = {"rows": dice.rows, "columns": dice.columns, "words": words_id, **means.as_dict()}
    if effect is None:
        return whole
    if by == "letter":
        return {**whole, "tiles": effect.letters()}
    if by == "die":
        return {**whole, "dice": effect.dice_rows()}
    return {**whole, "faces": effect.faces(), "changes": effect.changes_by_face()}


def _print_sets(words_id: str, means: dict[str, "Expectations"]) -> None:
    from pipeline.tables import Table, number, percent

    shown = range(min(one.min_length for one in means.values()), LONG)
    header = ["set", "ways", *map(str, shown), f"{LONG}+", "nodes", "no vowel"]
    rows = []
    for name, one in means.items():
        many = [sum(value for letters, value in one.ways.items() if letters >= LONG)]
        each = [number(one.ways.get(letters)) for letters in shown]
        rows.append([name, number(one.all_ways), *each, *map(number, many), number(one.nodes), percent(one.no_vowel)])
    title = f"exact means a board under {words_id}: ways to spell words, by letters of the word"
    print(Table(title, header, rows, frozenset({"set"})).text(), end="\n\n")
    lengths = sorted({letters for one in means.values() for letters in one.pairs})
    pairs = [[name, *(number(one.pairs.get(letters)) for letters in lengths)] for name, one in means.items()]
    if lengths:
        title = "pairs of ways of the same word, by letters of the word"
        print(Table(title, ["set", *map(str, lengths)], pairs, frozenset({"set"})).text(), end="\n\n")
    for name, one in means.items():
        letters = ", ".join(f"{face} {number(mean)}" for face, mean in one.letters.items())
        print(textwrap.fill(f"letters of {name}: {letters}", 120, subsequent_indent="  ", break_on_hyphens=False))
    _say_missing(means)


def _print_lengths(words_id: str, means: dict[str, "Expectations"]) -> None:
    from pipeline.tables import Table, number, percent

    for place, (name, one) in enumerate(means.items()):
        rows = [
            [
                str(letters),
                number(ways) if ways >= 1e-5 or ways == 0 else f"{ways:.2g}",
                percent(ways / one.all_ways if one.all_ways else 0),
                number(one.pairs.get(letters)),
            ]
            for letters, ways in one.ways.items()
        ]
        title = f"{name} under {words_id}: exact means a board"
        print(("\n" if place else "") + Table(title, ["letters", "ways", "of ways", "pairs"], rows).text())
    _say_missing(means)


def _say_missing(means: dict[str, "Expectations"]) -> None:
    """Name lengths whose pairs are not worked out."""
    for name, one in means.items():
        missing = [str(letters) for letters in one.pair_lengths if letters not in one.pairs]
        if missing:
            print(f"pairs of {name} are not worked out for words of {', '.join(missing)} letters: more than six tiles")


def _effect_table(by: str, effect: "ExactEffects", words_id: str) -> str:
    """Of --by die, face or letter."""
    table = {"die": _dice_table, "face": _faces_table, "letter": _letters_table}[by]
    return table(effect, f"{_about(effect, words_id)} by {by}")


def _about(effect: "ExactEffects", words_id: str) -> str:
    from pipeline.tables import number

    lengths = effect.lengths
    return (
        f"{effect.dice.id} under {words_id}: {number(effect.ways)} ways a board to spell words of {lengths[0]} to "
        f"{lengths[-1]} letters, exact"
    )


def _dice_table(effect: "ExactEffects", title: str) -> str:
    from pipeline.tables import Table, number, percent

    rows = [
        [str(one["die"]), " ".join(one["faces"]), number(one["ways"]), percent(one["share"]), *_change(one["best"])]
        for one in effect.dice_rows()
    ]
    header = ["die", "faces", "ways", "of ways", "best change", "adds"]
    return Table(title, header, rows, frozenset({"faces", "best change"})).text()


def _change(best: dict[str, Any]) -> list[str]:
    return [f"{best['face']} to {best['tile']}", signed(best["ways"])]


def signed(value: float) -> str:
    """Return a rise as text, with its sign."""
    from pipeline.tables import number

    return f"{'+' if value >= 0 else '-'}{number(abs(value))}"


def _faces_table(effect: "ExactEffects", title: str) -> str:
    from pipeline.tables import Table, number, percent

    rows = [
        [
            str(one["die"]), one["face"], str(one["faces"]), number(one["ways"]), percent(one["share"]),
            signed(one["given"]), signed(one["without"]), one["best"]["tile"], signed(one["best"]["ways"]),
            one["worst"]["tile"], signed(one["worst"]["ways"]),
        ]
        for one in effect.faces()
    ]  # fmt: skip
    header = ["die", "face", "of six", "ways", "of ways", "when shown", "blank adds", "best", "adds", "worst", "adds "]
    return Table(title, header, rows, frozenset({"face", "best", "worst"})).text()


def _letters_table(effect: "ExactEffects", title: str) -> str:
    from pipeline.tables import Table, number, percent

    rows = [
        [
            one["tile"], number(one["mean"]), number(one["ways"]), percent(one["share"]), number(one["uses"]),
            number(one["uses_a_tile"]),
        ]
        for one in effect.letters()
    ]  # fmt: skip
    header = ["letter", "tiles", "ways with it", "of ways", "uses", "uses a tile"]
    return Table(title, header, rows, frozenset({"letter"})).text()


def _effects_text(effect: "ExactEffects", words_id: str, top: int) -> str:
    """All tables of one set."""
    from pipeline.tables import Table, number, percent

    place = [
        [name, number(one["cells"]), number(one["ways"]), percent(one["share"])]
        for name, one in effect.places().items()
    ]
    pairs = [
        [" ".join(one["tiles"]), number(one["steps"]), number(one["adjacent"]), number(one["steps_a_pair"])]
        for one in effect.neighbours()[:top]
    ]
    vowels = [[str(number_of), percent(chance)] for number_of, chance in enumerate(effect.vowels()) if chance >= 1e-6]
    changes = effect.to_tiles
    shown = [*changes[:top], *changes[max(top, len(changes) - top) :]]
    moved = [[str(one.die + 1), one.old or ".", one.new or ".", signed(one.rise), signed(one.points)] for one in shown]
    tables = [
        Table("neighbouring letters", ["letters", "steps", "pairs", "steps a pair"], pairs, frozenset({"letters"})),
        Table("cells", ["place", "cells", "ways through one", "of ways"], place, frozenset({"place"})),
        Table("vowels", ["cells with a vowel", "of boards"], vowels),
        Table(
            f"one face changed: the best and the worst of {len(changes):,} changes",
            ["die", "face", "to", "ways", "their points"],
            moved,
            frozenset({"face", "to"}),
        ),
    ]
    first = [
        _dice_table(effect, f"{_about(effect, words_id)}\n\nways through each die"),
        _letters_table(effect, "letters"),
    ]
    return "\n\n".join([*first, *(table.text() for table in tables if table.rows)])

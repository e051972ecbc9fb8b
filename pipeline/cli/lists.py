"""Commands on word lists: which are shipped, and what a list of one's own would give."""

from typing import Annotated

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids
from pipeline.cli.printing import print_json

app = typer.Typer(help="Word lists: list, check.", rich_markup_mode=None, invoke_without_command=True)


def register(program: typer.Typer) -> None:
    """Add the commands to the program."""
    program.add_typer(app, name="lists")


@app.callback(epilog="Example: pipeline lists")
def lists(context: typer.Context, json: options.Json = False) -> None:
    """Show the shipped word lists; `pipeline lists check FILE` tries one of your own."""
    if context.invoked_subcommand is not None:
        return
    from pipeline.games.boggle.languages import language_name
    from pipeline.games.boggle.words import shipped_words
    from pipeline.tables import Table

    found = []
    for source in shipped_words():
        fields = {name: getattr(source, name) for name in ("id", "language", "name", "licence", "credit", "notes")}
        found.append({**fields, "words": source.count, "source": source.source, "everyday": source.everyday or None})
    if json:
        print_json(found)
        return
    rows = [
        [one["id"], language_name(one["language"]), f"{one['words']:,}", one["name"], one["licence"]] for one in found
    ]
    header = ["id", "language", "words", "name", "licence"]
    print(Table("", header, rows, frozenset(header) - {"words"}).text())


@app.command("check", epilog="Example: pipeline lists check /usr/share/dict/words --language en")
def check(
    words: Annotated[
        str, typer.Argument(metavar="FILE|ID", autocompletion=ids("words"), help="A file of words, or a shipped list.")
    ],
    language: options.Language = None,
    column: options.Column = None,
    min_length: Annotated[int, typer.Option(metavar="M", min=1, max=255, help="Shortest word.")] = 3,
    dice: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID|FILE", autocompletion=ids("dice"), help="Dice to try, again and again.  [default: all shipped]"
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Say what a word list would give: usable words, foldings, what is skipped and why, letters, and how many words
    each dice set can show.
    """
    from pipeline.games.boggle.dice import load_dice, shipped_dice
    from pipeline.games.boggle.languages import language_name
    from pipeline.games.boggle.list_check import check_list
    from pipeline.games.boggle.words import find_words
    from pipeline.tables import Table

    sets = [load_dice(one) for one in dice] if dice else shipped_dice()
    source = find_words(words, language, column)
    found = check_list(source, min_length, sets)
    if json:
        print_json({"list": source.id, "min_length": min_length, **found.as_dict()})
        return
    packed = "" if found.packing == "not packed" else f", {found.packing}"
    print(f"{source.path.name}: {found.form}, {found.encoding}{packed}, read as {language_name(source.language)}")
    print(f"{found.entries:,} entries, {len(found.words.words):,} words, {found.usable:,} of them usable")
    for count, what in _notes(found, min_length):
        if count:
            print(f"  {count:>9,} {what}")
    print("letters: " + " ".join(found.letters))
    rows = [
        [one.id, one.language, f"{shown:,}" if isinstance(shown, int) else "-", "" if isinstance(shown, int) else shown]
        for one, shown in zip(sets, found.shown.values(), strict=True)
    ]
    print(Table("", ["dice", "language", "words shown", ""], rows, frozenset({"dice", "language", ""})).text())


def _notes(found, min_length: int) -> list[tuple[int, str]]:  # type: ignore[no-untyped-def]
    words = found.words
    pairs = ", ".join(f"{one} and {other}" for one, other in words.pair_examples)
    notes = [
        (found.too_short, f"words shorter than {min_length} letters"),
        (
            found.not_written,
            f"words that letters and Qu cannot write, such as {', '.join(found.not_written_examples)}",
        ),
        (words.merged - words.folded_pairs, "entries that repeat a word"),
        (words.folded_pairs, f"entries that are played as another word, such as {pairs}"),
    ]
    notes += [
        (one.entries, f"entries skipped for {one.reason}, such as {', '.join(one.examples)}") for one in words.left_out
    ]
    if words.levels is not None:
        low, high = int(words.levels.min()), int(words.levels.max())
        notes.append((len(words.levels), f"words with a number beside them, {low:,} to {high:,}"))
    return notes

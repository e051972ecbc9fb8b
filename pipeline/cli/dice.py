"""Commands on dice sets: list, show, check a board or words, and boards to order."""

from typing import Annotated

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids
from pipeline.cli.printing import print_json, say

app = typer.Typer(help="Dice sets: list, show, check.", rich_markup_mode=None, no_args_is_help=True)


def register(program: typer.Typer) -> None:
    """Add the commands to the program."""
    program.add_typer(app, name="dice")
    program.command(
        epilog='Example: pipeline shake --dice new --where "words between 100 and 150 and longest >= 8" --count 10'
    )(shake)


DiceArgument = Annotated[
    str, typer.Argument(metavar="ID|FILE", autocompletion=ids("dice"), help="A shipped dice set, or a TOML file.")
]


@app.command("list", epilog="Example: pipeline dice list")
def dice_list(json: options.Json = False) -> None:
    """List the shipped dice sets."""
    from pipeline.games.boggle.dice import shipped_dice
    from pipeline.tables import Table

    sets = shipped_dice()
    if json:
        print_json([one.model_dump(exclude={"dice"}) for one in sets])
        return
    rows = [
        [one.id, f"{one.rows} x {one.columns}", str(one.min_length), one.scoring, one.language, one.years, one.name]
        for one in sets
    ]
    header = ["id", "grid", "min", "scoring", "language", "years", "name"]
    print(Table("", header, rows, frozenset(header)).text())


@app.command("show", epilog="Example: pipeline dice show new")
def dice_show(
    dice: DiceArgument,
    json: options.Json = False,
) -> None:
    """Show the faces, rules and sources of a dice set."""
    from pipeline.games.boggle.dice import load_dice

    one = load_dice(dice)
    if json:
        print_json(one.model_dump())
        return
    official = "a product" if one.official_product else "not a documented product"
    print(f"{one.id}: {one.name} ({one.years}; {official})")
    print(
        f"{one.rows} x {one.columns}, words of {one.min_length} and more letters, scoring {one.scoring}, {one.language}"
    )
    for number, die in enumerate(one.dice, 1):
        print(f"  die {number:2}: {' '.join(face or '.' for face in die)}")
    print(f"faces: {' '.join(face or '.' for face in one.faces)}")
    for source in one.sources:
        print(f"source: {source}")
    if one.notes:
        print(f"notes: {one.notes}")


@app.command("check-board", epilog="Example: pipeline dice check-board new qaicdrneetasnnil")
def check_board(
    dice: DiceArgument,
    board: Annotated[str, typer.Argument(metavar="BOARD", help="Letters of the board.")],
    json: options.Json = False,
) -> None:
    """Can these dice show this board: which die for which cell, in how many ways, how likely? Exit code 1 for no."""
    from pipeline.games.boggle.dice import load_dice
    from pipeline.tables import Table
    from solvers.boggle.matching import assign_board, count_rolls, roll_probability
    from solvers.grid import format_board, parse_board

    one = load_dice(dice)
    faces = parse_board(board, one.rows, one.columns, None, one.rules, "Q" in one.faces)
    dice_of_cells = assign_board(one.dice, faces)
    rolls = count_rolls(one.dice, faces) if dice_of_cells else 0
    chance = float(roll_probability(one.dice, faces)) if dice_of_cells else 0.0
    if json:
        numbers = [number + 1 for number in dice_of_cells or []]
        print_json(
            {"board": format_board(faces), "possible": bool(rolls), "dice": numbers, "ways": rolls, "chance": chance}
        )
    elif dice_of_cells is None:
        print(f"{one.id} cannot show {format_board(faces)}")
    else:
        rows = [
            [f"{cell // one.columns + 1},{cell % one.columns + 1}", face or ".", str(die + 1), " ".join(one.dice[die])]
            for cell, (face, die) in enumerate(zip(faces, dice_of_cells, strict=True))
        ]
        print(Table("", ["cell", "face", "die", "faces"], rows, frozenset({"face", "faces"})).text())
        print(f"{rolls:,} of all rolls show this board: a chance of {chance:.4g}")
    raise typer.Exit(0 if dice_of_cells else 1)


@app.command("check-word", epilog="Example: pipeline dice check-word classic jazz jerque powwow")
def check_word(
    dice: DiceArgument,
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look at.")],
    json: options.Json = False,
) -> None:
    """Can any arrangement of these dice show this word? Exit code 1 where one of the words cannot be shown."""
    from pipeline.errors import PipelineError
    from pipeline.games.boggle.dice import load_dice
    from solvers.boggle.matching import assign_word

    one = load_dice(dice)
    for word in words:
        if not word.isalpha():
            raise PipelineError(f"word {word[:40]!r} has something other than letters")
    symbols = {face: one.alphabet.symbol(face) for face in one.faces}
    printed = {symbol: face for face, symbol in symbols.items()}
    dice_of_symbols = [[symbols[face] for face in die] for die in one.dice]
    found = {}
    for word in words:
        tiles = assign_word(dice_of_symbols, one.rules.fold(word))
        found[word] = None if tiles is None else [(printed[symbol], die) for symbol, die in tiles]
    if json:
        print_json(
            {
                word: None if tiles is None else [{"face": face, "die": die + 1} for face, die in tiles]
                for word, tiles in found.items()
            }
        )
    else:
        for word, tiles in found.items():
            shown = "no" if tiles is None else "yes: " + " ".join(f"{face}({die + 1})" for face, die in tiles)
            print(f"{word}: {shown}")
    raise typer.Exit(0 if all(tiles is not None for tiles in found.values()) else 1)


def shake(
    dice: Annotated[
        str, typer.Option(metavar="ID|FILE", autocompletion=ids("dice"), help="A shipped dice set, or a TOML file.")
    ] = "new",
    seed: Annotated[int, typer.Option(metavar="S", help="Seed.")] = 1,
    index: Annotated[int, typer.Option(metavar="I", help="Id of the first board.")] = 0,
    count: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="How many boards.")] = 1,
    where: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="Only boards whose columns satisfy it.")
    ] = None,
    max_tries: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**10, help="With --where: look at most at so many boards.")
    ] = 1_000_000,
    words: options.Words = None,
    min_length: options.MinLength = None,
    scoring: options.Scoring = None,
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Show boards by their id: the same board as row I of any run with this seed and dice.

    With --where: boards to order, the first ones of the seed that satisfy a condition on the columns of a run, such as
    "words between 100 and 150 and longest >= 8 and dead_tiles = 0".
    """
    from pipeline.games.boggle.dice import load_dice
    from pipeline.games.boggle.shakes import shake as shake_boards
    from solvers.grid import format_board, layout

    one = load_dice(dice)
    if where is not None:
        _shake_to_order(dice, seed, index, count, where, max_tries, words, min_length, scoring, workers, json)
        return
    boards = shake_boards(one, seed, index, count).tolist()
    shown = [[one.faces[face] for face in board] for board in boards]
    if json:
        print_json([{"board_id": index + place, "board": format_board(faces)} for place, faces in enumerate(shown)])
        return
    for place, faces in enumerate(shown):
        print(f"board {index + place}: {format_board(faces)}\n{layout(faces, one.columns)}\n")


def _shake_to_order(
    dice: str, seed: int, index: int, count: int, where: str, max_tries: int, words: str | None, min_length: int | None,
    scoring: str | None, workers: int | None, json: bool,
) -> None:  # fmt: skip
    from pipeline import logs
    from pipeline.config import RunConfig, available_cores, load
    from pipeline.executors.base import Resources
    from pipeline.games.boggle.columns import SCHEMA
    from pipeline.games.boggle.game import GAME
    from pipeline.runs.to_order import find_boards
    from pipeline.runs.where import parse_where
    from pipeline.tables import Table, percent_interval

    logs.set_up()
    columns = [field.name for field in SCHEMA if field.name != "board"]
    condition = parse_where(where, columns)
    flags = {
        "dice": [dice], "words": words, "min_length": min_length, "scoring": scoring, "seed": seed, "boards": max_tries,
    }  # fmt: skip
    workload = GAME.workload(load(None, flags).config)
    resources = Resources("process", workers or available_cores(), RunConfig().worker_memory)
    found = find_boards(workload, condition, index, count, max_tries, resources)
    if json:
        print_json(
            {"boards": found.boards, "tried": found.tried, "share": found.share._asdict(), "complete": found.complete}
        )
    elif found.boards:
        names = ["board_id", "board", "words", "score", "longest", "dead_tiles", "nodes"]
        rows = [[str(board[name]) for name in names] for board in found.boards]
        print(Table("", names, rows, frozenset({"board"})).text())
        print(
            f"{len(found.boards):,} boards found among {found.tried:,}: "
            f"{percent_interval(found.share._asdict())} of all boards satisfy the condition"
        )
        if not found.complete:
            print(f"stopped at the limit of {max_tries:,} boards; --max-tries raises it")
    if not found.boards:
        share = percent_interval(found.share._asdict())
        say(f"none of {found.tried:,} boards satisfies {where!r} ({share} of all do); --max-tries looks at more")
        raise typer.Exit(1)

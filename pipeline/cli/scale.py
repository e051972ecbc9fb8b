"""Commands for runs past one machine: bench, plan, compact."""

from typing import Annotated

import typer

from pipeline.cli.boards import JsonOption, WordsOption, print_json

GameOption = Annotated[str | None, typer.Option(metavar="NAME", help="boggle or kenken.  [default: boggle]")]
DiceOption = Annotated[
    list[str] | None, typer.Option(metavar="ID|FILE", help="Dice set; repeat for more.  [default: new]")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog="Example: pipeline bench --dice new --words enable2k --workers 2")(bench)
    app.command(epilog="Example: pipeline plan --boards 1e12 --cores 1000 --keep histograms")(plan)
    app.command(epilog="Example: pipeline compact boggle-new-enable1-s1-histograms-0a1b2c3d")(compact)


def count(text: str) -> int:
    """A number of boards, as a person writes it."""
    from pipeline.counts import parse_count

    try:
        return parse_count(str(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def positive(text: str) -> int:
    """A number of boards or cores, 1 or more."""
    number = count(text)
    if number < 1:
        raise typer.BadParameter(f"{text} is not in the range x>=1")
    return number


def bench(
    dice: DiceOption = None,
    words: WordsOption = "enable1",
    boards: Annotated[int, typer.Option(metavar="N", parser=positive, help="Boards to measure on.")] = 60_000,
    solver: Annotated[str, typer.Option(metavar="NAME", help="What bare processes solve with.")] = "numba",
    workers: Annotated[
        int, typer.Option(metavar="W", min=1, max=1024, help="With 2 and more: so many bare processes side by side.")
    ] = 1,
    json: JsonOption = False,
) -> None:
    """Measure boards a second of the shakes and of every solver, on one thread, and of bare processes side by side."""
    from pipeline import config as configuration
    from pipeline.runs import bench as benches
    from pipeline.runs.run import boggle_workload

    flags = {"dice": dice, "words": words, "solver": solver}
    workload = boggle_workload(configuration.load(None, flags).config)
    done = [benches.bench(workload, variant, boards, workers) for variant in workload.variants]
    if json:
        print_json([one.as_dict() for one in done])
    else:
        print("\n\n".join(one.table().text() for one in done))


def plan(
    boards: Annotated[
        int,
        typer.Option(
            metavar="N", parser=positive, help="Boards of each dice set, puzzles of each spec, as 1e12 or 10M."
        ),
    ],
    cores: Annotated[
        int | None, typer.Option(metavar="C", parser=positive, help="Cores at work.  [default: those of this machine]")
    ] = None,
    game: GameOption = None,
    dice: DiceOption = None,
    spec: Annotated[
        list[str] | None,
        typer.Option(metavar="ID|FILE|SIZE", help="Spec of KenKen puzzles; repeat for more.  [default: 6x6]"),
    ] = None,
    words: Annotated[str | None, typer.Option(metavar="ID|FILE", help="Word list.  [default: enable1]")] = None,
    keep: Annotated[
        str, typer.Option(metavar="MODE", help="What is stored: boards, histograms or none-but-top.")
    ] = "histograms",
    chunk: Annotated[int | None, typer.Option(metavar="N", parser=positive, help="Boards of one part.")] = None,
    json: JsonOption = False,
) -> None:
    """Estimate core-hours, time, bytes and parts of a large run from a probe of some seconds on this machine."""
    from pipeline import config as configuration
    from pipeline.runs import plan as plans
    from pipeline.runs.run import make_workload

    flags = {
        "game": game, "dice": dice, "spec": spec, "words": words, "keep": keep, "boards": boards, "chunk": chunk,
    }  # fmt: skip
    config = configuration.load(None, flags).config
    wanted = plans.make_plan(
        make_workload(config, keep), keep, config.boards, cores or configuration.available_cores(), config.chunk
    )
    if json:
        print_json(wanted.as_dict())
    else:
        print("\n\n".join(table.text() for table in wanted.tables()))


def compact(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder, or its name under outputs/.")],
    boards: Annotated[
        int | None, typer.Option(metavar="N", parser=positive, help="Boards of a merged part, at most.  [default: any]")
    ] = None,
) -> None:
    """Merge the parts of a run that keeps histograms only. Stopped at any moment, the run stays whole.

    Afterwards the run can be reported up to the edges of the merged parts only.
    """
    from pipeline.runs.compact import compact as merge
    from pipeline.store.run_store import find_run, open_run

    done = merge(open_run(find_run(run)), boards)
    print(f"{done.parts[0]:,} parts with {done.bytes[0]:,} bytes are now {done.parts[1]:,} with {done.bytes[1]:,}")

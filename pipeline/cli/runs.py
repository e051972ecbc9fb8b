"""Commands that make runs, and prepare, plan or merge large ones: run, bench, plan, compact."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids
from pipeline.cli.printing import print_json, say
from pipeline.cli.results import open_reader, print_summary
from pipeline.stopping import Stopped, before_leaving, safe_point

if TYPE_CHECKING:
    from pipeline.cli.progress import RunProgress


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog="Example: pipeline bench --dice new --words enable2k --workers 2")(bench)
    app.command(epilog="Example: pipeline plan --boards 1e12 --cores 1000 --keep histograms")(plan)
    app.command(epilog="Example: pipeline compact boggle-new-enable1-s1-histograms-0a1b2c3d")(compact)
    app.command(epilog="Example: pipeline run --boards 1000000 --dice classic --dice new --words enable2k")(run)


def run(
    game: options.Game = None,
    boards: options.Boards = None,
    dice: options.Dice = None,
    spec: options.Spec = None,
    node_limit: options.NodeLimit = None,
    words: options.Words = None,
    language: options.Language = None,
    column: options.Column = None,
    min_length: options.MinLength = None,
    scoring: options.Scoring = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    worker_memory: options.WorkerMemory = None,
    out: options.Out = None,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", autocompletion=ids("runs"), help="TOML file with any of these options; flags win."
        ),
    ] = None,
    chunk: options.Chunk = None,
    until: options.Until = None,
    keep: options.Keep = None,
    solver: options.Solver = None,
    executor: options.Executor = None,
    scheduler: options.Scheduler = None,
    verbose: Annotated[int, typer.Option("--verbose", "-v", count=True, help="Say more.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the report alone.")] = False,
    no_html: options.NoHtml = False,
    json: options.Json = False,
) -> None:
    """Shake boards or make puzzles, solve them all, store one row each, and report.

    Started again with the same options it goes on where it stopped; with more boards it extends the run.
    """
    from pipeline import config as configuration
    from pipeline import logs

    logs.set_up(-1 if quiet else verbose)
    flags = {
        "boards": boards, "dice": dice, "words": words, "language": language, "column": column,
        "min_length": min_length,
        "scoring": scoring, "seed": seed, "workers": workers, "out": out, "chunk": chunk, "solver": solver,
        "executor": executor, "game": game, "spec": spec, "node_limit": node_limit, "worker_memory": worker_memory,
        "scheduler": scheduler, "keep": keep, "until": until,
    }  # fmt: skip
    resolved = configuration.load(config, flags)
    from pipeline.cli.progress import RunProgress, busy
    from pipeline.games import game as game_named
    from pipeline.runs.run import run as run_all

    rows = game_named(resolved.config.game).layout.rows
    progress = RunProgress(quiet, rows)
    with _way_to_go_on(progress):
        with progress:
            finished = run_all(resolved, progress.callbacks())
        from pipeline.report import write
        from pipeline.runs.opening import reader

        stored = reader(finished.store, finished.workload)
        summary = write.report(stored, finished.boards)
        safe_point()
        print_summary(stored, summary.figures, json)
        page = ""
        if not no_html:
            with busy("drawing the page", quiet):
                page = write.page(stored, summary)
    if quiet:
        return
    if page:
        say(f"\npage: {page}")
    rate = f", {finished.solved / finished.seconds:,.0f} {rows}/s" if finished.solved else " (nothing left to solve)"
    say(f"\n{finished.solved:,} {rows} solved in {finished.seconds:.1f} s{rate}; run: {finished.store.location}")


@contextlib.contextmanager
def _way_to_go_on(progress: "RunProgress") -> Iterator[None]:
    """Where the block is stopped, say what is kept and which command goes on."""
    from pipeline.runs.run import own_command

    def line() -> str:
        kept = f"{progress.done:,} {progress.rows} are kept" if progress.total else "what is stored is kept"
        return f"{kept}; the same command goes on: {own_command()}"

    try:
        with before_leaving(line):
            yield
            safe_point()
    except Stopped:
        say(line())
        raise


def bench(
    dice: options.Dice = None,
    words: options.Words = None,
    boards: Annotated[int, typer.Option(metavar="N", parser=options.positive, help="Boards to measure on.")] = 60_000,
    solver: Annotated[str, typer.Option(metavar="NAME", help="What bare processes solve with.")] = "numba",
    workers: Annotated[
        int, typer.Option(metavar="W", min=1, max=1024, help="With 2 and more: so many bare processes side by side.")
    ] = 1,
    json: options.Json = False,
) -> None:
    """Measure boards a second of the shakes and of every solver, on one thread, and of bare processes side by side."""
    from pipeline import config as configuration
    from pipeline.cli.progress import Compiling
    from pipeline.games.boggle.game import GAME
    from pipeline.runs import bench as benches

    flags = {"dice": dice, "words": words, "solver": solver}
    workload = GAME.workload(configuration.load(None, flags).config)
    with Compiling():
        done = [benches.bench(workload, variant, boards, workers) for variant in workload.variants]
    if json:
        print_json([one.as_dict() for one in done])
    else:
        print("\n\n".join(one.table().text() for one in done))


def plan(
    boards: Annotated[
        int,
        typer.Option(
            metavar="N", parser=options.positive, help="Boards of each dice set, puzzles of each spec, as 1e12 or 10M."
        ),
    ],
    cores: Annotated[
        int | None,
        typer.Option(metavar="C", parser=options.positive, help="Cores at work.  [default: those of this machine]"),
    ] = None,
    game: options.Game = None,
    dice: options.Dice = None,
    spec: options.Spec = None,
    words: options.Words = None,
    keep: Annotated[
        str, typer.Option(metavar="MODE", help="What is stored: boards, histograms or none-but-top.")
    ] = "histograms",
    chunk: options.Chunk = None,
    json: options.Json = False,
) -> None:
    """Estimate core-hours, time, bytes and parts of a large run from a probe of some seconds on this machine."""
    from pipeline import config as configuration
    from pipeline import games
    from pipeline.runs import plan as plans
    from pipeline.store.kinds import mode_named

    flags = {
        "game": game, "dice": dice, "spec": spec, "words": words, "keep": keep, "boards": boards, "chunk": chunk,
    }  # fmt: skip
    resolved = configuration.load(None, flags)
    games.check_options(resolved)
    config, mode = resolved.config, mode_named(keep)
    workload = games.game(config.game).workload(config, mode)
    wanted = plans.make_plan(workload, mode, config.boards, cores or configuration.available_cores(), config.chunk)
    if json:
        print_json(wanted.as_dict())
    else:
        print("\n\n".join(table.text() for table in wanted.tables()))


def compact(
    run: options.Run,
    boards: Annotated[
        int | None,
        typer.Option(metavar="N", parser=options.positive, help="Boards of a merged part, at most.  [default: any]"),
    ] = None,
) -> None:
    """Merge the parts of a run that keeps histograms only. Stopped at any moment, the run stays whole.

    Afterwards the run can be reported up to the edges of the merged parts only.
    """
    from pipeline.runs.compact import compact as merge

    done = merge(open_reader(run), boards)
    print(f"{done.parts[0]:,} parts with {done.bytes[0]:,} bytes are now {done.parts[1]:,} with {done.bytes[1]:,}")

"""The command line: options, printing and exit codes. Everything heavy is imported inside the commands."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pipeline.cli import boards as board_commands
from pipeline.cli import dice as dice_commands
from pipeline.cli import kenken as kenken_commands
from pipeline.cli import scale as scale_commands
from pipeline.cli.boards import JsonOption, print_json
from pipeline.cli.scale import GameOption, count, positive

if TYPE_CHECKING:
    from pipeline.cli.progress import RunProgress
    from pipeline.store.run_store import RunStore

app = typer.Typer(
    name="pipeline",
    help="Batch analytics over millions of letter-dice boards and KenKen puzzles.",
    epilog="A RUN may also be s3://bucket/prefix or gs://bucket/prefix; endpoint and keys come from the environment or "
    "from --storage-option key=value.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
board_commands.register(app)
dice_commands.register(app)
scale_commands.register(app)
kenken_commands.register(app)

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run folder, or its name under outputs/.")]
ROWS = {"boggle": "boards", "kenken": "puzzles"}
NoHtmlOption = Annotated[bool, typer.Option("--no-html", help="Make no page and no charts.")]


class Stopped(BaseException):
    """A signal asked the program to end. Not KeyboardInterrupt, which typer would turn into an exit code of its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run_command_line() -> int:
    """Run `app`; every failure a person can mend is one line on standard error. Returns the exit code."""
    from solvers.errors import InputError

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _on_signal)
    sys.unraisablehook = _on_unraisable
    try:
        _check_encoding(sys.argv[1:])
        code = app(_take_storage_options(sys.argv[1:]), standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        _say(f"error: {error}")
        return getattr(error, "exit_code", 2)
    except typer.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        # The reader went away (`| head`): not an error, but Python must not flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Stopped as stop:
        _say("stopped by Ctrl-C" if stop.number == signal.SIGINT else "stopped by SIGTERM")
        return 128 + stop.number
    except Exception as error:
        return _click_error(error)
    return code if isinstance(code, int) else 0


def _check_encoding(words: list[str]) -> None:
    """What is typed is shown and stored again; bytes that are no text could not be."""
    from pipeline.errors import PipelineError

    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise PipelineError(f"argument {word[:80]!r} is not {sys.getfilesystemencoding()} text") from None


def _take_storage_options(words: list[str]) -> list[str]:
    """`--storage-option key=value` is understood anywhere in any command; returns the other words."""
    rest: list[str] = []
    pairs: list[str] = []
    waiting = False
    for word in words:
        if waiting:
            pairs.append(word)
        elif word.startswith("--storage-option="):
            pairs.append(word.removeprefix("--storage-option="))
        elif word != "--storage-option":
            rest.append(word)
        waiting = word == "--storage-option" and not waiting
    if waiting or pairs:
        from pipeline.store.object_store import set_options

        set_options([*pairs, *([""] if waiting else [])])
    return rest


def _click_error(error: Exception) -> int:
    if not (hasattr(error, "format_message") and hasattr(error, "exit_code")):
        raise error
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "pipeline"
    message = error.format_message()
    if message:
        _say(f"error: {message.splitlines()[0].rstrip('.')}; see `{command} --help`")
    return int(error.exit_code)


def _say(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        print(line, file=sys.stderr)


def _on_signal(number: int, frame: FrameType | None) -> NoReturn:
    """The first Ctrl-C or SIGTERM stops the work; cleaning up takes a moment and is not disturbed by a second one."""
    for every in (signal.SIGINT, signal.SIGTERM):
        signal.signal(every, signal.SIG_IGN)
    raise Stopped(number)


def _on_unraisable(unraisable: Any) -> None:
    """Where Python swallows what `_on_signal` raised (in a finalizer, say), raise it again a moment later."""
    stop = unraisable.exc_value
    if not isinstance(stop, Stopped) or not hasattr(signal, "setitimer"):
        sys.__unraisablehook__(unraisable)
        return
    signal.signal(signal.SIGALRM, lambda *_: _on_signal(stop.number, None))
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def _print_summary(figures: dict[str, Any], json: bool) -> None:
    """Written out at once, so that nobody waits for the page to read it."""
    if json:
        print_json(figures)
    else:
        from pipeline.report import text

        print(text.terminal(figures))
    sys.stdout.flush()


def _open(reference: str) -> "RunStore":
    from pipeline.store.run_store import find_run, open_run

    return open_run(find_run(reference))


@app.command(
    epilog="Example: pipeline run --boards 1000000 --dice classic --dice new --words enable2k",
)
def run(
    game: GameOption = None,
    boards: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=count,
            help="Boards of each dice set, puzzles of each spec; also 1e6 or 10M.  [default: 100000]",
        ),
    ] = None,
    dice: Annotated[
        list[str] | None, typer.Option(metavar="ID|FILE", help="Dice set; repeat to compare.  [default: new]")
    ] = None,
    spec: Annotated[
        list[str] | None,
        typer.Option(metavar="ID|FILE|SIZE", help="Spec of KenKen puzzles; repeat to compare.  [default: 6x6]"),
    ] = None,
    node_limit: Annotated[
        int | None, typer.Option(metavar="N", help="Nodes after which a puzzle is given up.  [default: 10000000]")
    ] = None,
    words: Annotated[str | None, typer.Option(metavar="ID|FILE", help="Word list.  [default: enable1]")] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="Language of a list given by path.")] = None,
    min_length: Annotated[
        int | None, typer.Option(metavar="M", help="Shortest word.  [default: the dice set's]")
    ] = None,
    scoring: Annotated[
        str | None, typer.Option(metavar="NAME", help="standard or super.  [default: the dice set's]")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Seed of the boards or puzzles.  [default: 1]")] = None,
    workers: Annotated[int | None, typer.Option(metavar="W", help="Processes.  [default: all cores]")] = None,
    worker_memory: Annotated[
        int | None, typer.Option(metavar="MB", help="Memory that one process may hold.  [default: 4096]")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|URI", help="Run folder, or s3://bucket/prefix.  [default: outputs/<a name that says what>]"
        ),
    ] = None,
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="TOML file with any of these options; flags win.")
    ] = None,
    chunk: Annotated[int | None, typer.Option(metavar="N", parser=count, help="Boards of one Parquet part.")] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="TARGET",
            help="Go on until an interval is narrow enough, such as 'mean(score) +- 0.05', median(...), p95(...), "
            "'share(words = 0) +- 0.1 %', difference(...) of two --dice; --boards is then the cap.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="MODE",
            help="boards: one row a board; histograms: exact histograms, word counts and the best boards, no rows; "
            "none-but-top: the same without word counts.  [default: boards, or what the folder was begun with]",
        ),
    ] = None,
    solver: Annotated[str | None, typer.Option(metavar="NAME", help="numba, dfs or reference.")] = None,
    executor: Annotated[str | None, typer.Option(metavar="NAME", help="process, serial or dask.")] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="TCP", help="Dask scheduler, tcp://host:8786.  [default: a local cluster]"),
    ] = None,
    verbose: Annotated[int, typer.Option("--verbose", "-v", count=True, help="Say more.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the report alone.")] = False,
    no_html: NoHtmlOption = False,
    json: JsonOption = False,
) -> None:
    """Shake boards or make puzzles, solve them all, store one row each, and report.

    Started again with the same options it goes on where it stopped; with more boards it extends the run.
    """
    from pipeline import config as configuration
    from pipeline import logs

    logs.set_up(-1 if quiet else verbose)
    flags = {
        "boards": boards, "dice": dice, "words": words, "language": language, "min_length": min_length,
        "scoring": scoring, "seed": seed, "workers": workers, "out": out, "chunk": chunk, "solver": solver,
        "executor": executor, "game": game, "spec": spec, "node_limit": node_limit, "worker_memory": worker_memory,
        "scheduler": scheduler, "keep": keep, "until": until,
    }  # fmt: skip
    resolved = configuration.load(config, flags)
    from pipeline.cli.progress import RunProgress
    from pipeline.runs.run import run as run_all

    rows = ROWS[resolved.config.game]
    progress = RunProgress(quiet, rows)
    with _way_to_go_on(progress):
        with progress:
            finished = run_all(resolved, progress.callbacks())
        from pipeline.report import write

        summary = write.report(finished.store, finished.boards)
        _print_summary(summary.figures, json)
        page = "" if no_html else write.page(finished.store, summary)
    if quiet:
        return
    if page:
        _say(f"\npage: {page}")
    rate = f", {finished.solved / finished.seconds:,.0f} {rows}/s" if finished.solved else " (nothing left to solve)"
    _say(f"\n{finished.solved:,} {rows} solved in {finished.seconds:.1f} s{rate}; run: {finished.store.location}")


@contextlib.contextmanager
def _way_to_go_on(progress: "RunProgress") -> Iterator[None]:
    """Where the block is stopped, say what is kept and which command goes on."""
    try:
        yield
    except Stopped:
        from pipeline.runs.run import own_command

        kept = f"{progress.done:,} {progress.rows} are kept" if progress.total else "what is stored is kept"
        _say(f"{kept}; the same command goes on: {own_command()}")
        raise


@app.command(epilog="Example: pipeline report outputs/boggle-new-enable1-s1-0a1b2c3d")
def report(
    run: RunArgument,
    boards: Annotated[
        int | None, typer.Option(metavar="N", parser=positive, help="Only the first N boards or puzzles.")
    ] = None,
    no_html: NoHtmlOption = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    json: JsonOption = False,
) -> None:
    """Print the report of a run, and write index.html, charts, report.md and summary.json into it."""
    from pipeline.report import write

    store = _open(run)
    summary = write.report(store, boards)
    _print_summary(summary.figures, json)
    if no_html:
        return
    page = write.page(store, summary)
    _say(f"\npage: {page}")
    if open_page:
        typer.launch(page)


@app.command(epilog="Example: pipeline words RUN --length 5 --pattern 're*' --top 10")
def words(
    run: RunArgument,
    dice: Annotated[str | None, typer.Option(metavar="ID", help="One of the run's dice sets.  [default: all]")] = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="Words to show.")] = 20,
    length: Annotated[int | None, typer.Option(metavar="L", min=1, help="Words of L letters.")] = None,
    pattern: Annotated[str | None, typer.Option(metavar="P", help="Letters, ? for any letter, * for any.")] = None,
    rarest: Annotated[bool, typer.Option("--rarest", help="The rarest found first.")] = False,
    never: Annotated[bool, typer.Option("--never", help="Words that could appear but never did.")] = False,
    impossible: Annotated[bool, typer.Option("--impossible", help="Words that no arrangement can show.")] = False,
    only_in: Annotated[list[str] | None, typer.Option(metavar="ID", help="Words that this set can show.")] = None,
    not_in: Annotated[list[str] | None, typer.Option(metavar="ID", help="Words that this set cannot show.")] = None,
    json: JsonOption = False,
) -> None:
    """Words of a run: the commonest, the rarest, never seen, impossible, and what one dice set has over another."""
    from pipeline.report.boggle import atlas as atlases
    from pipeline.report.boggle import words as tables

    atlas = atlases.load(_open(run))
    shown = tables.listing(
        atlas, dice, top, length=length, pattern=pattern, rarest=rarest, never=never, impossible=impossible,
        only_in=only_in or [], not_in=not_in or [],
    )  # fmt: skip
    if json:
        print_json(shown)
    else:
        print("\n\n".join(table.text() for table in tables.tables(shown)))


@app.command(epilog="Example: pipeline boards RUN --best 3")
def boards(
    run: RunArgument,
    best: Annotated[int | None, typer.Option(metavar="N", min=1, help="The N boards of most points.")] = None,
    worst: Annotated[int | None, typer.Option(metavar="N", min=1, help="The N boards of fewest points.")] = None,
    near: Annotated[int | None, typer.Option(metavar="SCORE", min=0, help="The board nearest to SCORE points.")] = None,
    id: Annotated[list[int] | None, typer.Option(metavar="I", help="The board of this id; repeat for more.")] = None,
    dice: Annotated[str | None, typer.Option(metavar="ID", help="One of the run's dice sets.  [default: all]")] = None,
    json: JsonOption = False,
) -> None:
    """Boards of a run laid out with their words, and in how many ways the dice roll them.  [default: --best 1]"""
    from pipeline.report.boggle import boards as board_pages

    shown = board_pages.chosen(_open(run), dice, best, worst, near, id or [])
    if json:
        print_json(shown)
    else:
        print("\n\n".join(board_pages.text(one) for one in shown))


@app.command(epilog="Example: pipeline compare boggle-new-enable1-s1-0a1b2c3d boggle-new-enable2k-s1-4e5f6a7b")
def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="One run with several sets, or several runs.")],
    json: JsonOption = False,
) -> None:
    """Compare dice sets or specs: differences with intervals, effect, distance, and who wins how often.

    Runs that hold the same rows (same dice or spec, and seed) are compared in pairs.
    """
    from pipeline.report import text
    from pipeline.runs.compare import compare_runs

    comparisons = compare_runs([_open(reference) for reference in runs])
    if json:
        print_json(comparisons)
    else:
        print("\n\n".join(table.text() for one in comparisons for table in text.comparison_tables(one)))


@app.command(epilog='Example: pipeline query RUN "SELECT dice, avg(score) FROM boards GROUP BY dice"')
def query(
    run: RunArgument,
    sql: Annotated[str, typer.Argument(metavar="SQL", help="Tables: boards and words, or puzzles.")],
    format: Annotated[str, typer.Option(metavar="NAME", help="table, csv, json or parquet.")] = "table",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write here instead of to the terminal.")] = None,
) -> None:
    """Ask the rows of a run in SQL."""
    from pipeline.errors import PipelineError
    from pipeline.runs import query as queries

    if format not in queries.FORMATS:
        raise PipelineError(f"format {format!r} is not known", f"known are {', '.join(queries.FORMATS)}")
    data = queries.write(queries.run_sql(_open(run), sql), format)
    if out is not None:
        queries.save(data, out)
    elif isinstance(data, bytes):
        sys.stdout.buffer.write(data)
    else:
        print(data, end="")


@app.command(epilog="Example: pipeline verify boggle-new-enable1-s1-0a1b2c3d")
def verify(
    run: RunArgument,
    sample: Annotated[int, typer.Option(metavar="N", min=0, help="Rows to solve again.")] = 1_000,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Which rows.")] = 0,
    json: JsonOption = False,
) -> None:
    """Check every part of a run (checksum, columns, ranges) and solve a sample of its rows again.

    Exit code 1 where anything is wrong; `pipeline run` computes broken parts again.
    """
    from pipeline.runs.verify import verify as check

    verdict = check(_open(run), sample, seed)
    if json:
        print_json(verdict.as_dict())
    else:
        for problem in verdict.problems:
            print(problem)
        found = len(verdict.problems)
        print(
            f"{verdict.parts:,} parts with {verdict.rows:,} rows checked, {verdict.solved_again:,} rows solved again: "
            + (f"{found:,} problem{'s' * (found > 1)}" if found else "all as they should be")
        )
    if verdict.problems:
        raise typer.Exit(1)


@app.command(epilog="Example: pipeline serve --port 8000")
def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    words: Annotated[
        list[str] | None, typer.Option(metavar="ID|FILE", help="A word list beside the shipped ones; repeatable.")
    ] = None,
    cors: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="Let pages of this origin use the API; repeatable.")
    ] = None,
) -> None:
    """Serve the page and the JSON API on this machine."""
    from pipeline.errors import PipelineError

    try:
        from pipeline.web import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "starlette", "uvicorn", "jinja2"):
            raise
        raise PipelineError(f"serve needs {error.name}", "pip install 'shakedown[web]'") from error
    server.serve(host, port, words or (), cors or ())

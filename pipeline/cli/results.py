"""Commands that read a run: report, words, boards, compare, query, export, verify."""

import io
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli import options
from pipeline.cli.completion import runs as run_names
from pipeline.cli.printing import print_json, say
from pipeline.defaults import QUERY_MEMORY
from pipeline.stopping import safe_point

if TYPE_CHECKING:
    from pipeline.runs.reading import Reader


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog="Example: pipeline report outputs/boggle-new-enable1-s1-0a1b2c3d")(report)
    app.command(epilog="Example: pipeline words RUN --length 5 --pattern 're*' --top 10")(words)
    app.command(epilog="Example: pipeline boards RUN --best 3")(boards)
    app.command(epilog="Example: pipeline compare boggle-new-enable1-s1-0a1b2c3d boggle-new-enable2k-s1-4e5f6a7b")(
        compare
    )
    app.command(epilog='Example: pipeline query RUN "SELECT dice, avg(score) FROM boards GROUP BY dice"')(query)
    app.command(epilog="Example: pipeline export latest --format csv --columns board,score --out boards.csv")(export)
    app.command(epilog="Example: pipeline verify boggle-new-enable1-s1-0a1b2c3d")(verify)


def open_reader(reference: str) -> "Reader":
    """Return the reader of a run folder, or of a name under outputs/."""
    from pipeline.runs.opening import open_run, reader
    from pipeline.store.run_store import find_run

    return reader(open_run(find_run(reference)))


def print_summary(reader: "Reader", figures: dict[str, Any], json: bool, details: bool = False) -> None:
    """Print the report, written out at once, so that nobody waits for the page to read it."""
    if json:
        print_json(figures)
    else:
        from pipeline.report import text

        print(text.terminal(figures, reader.game, reader.store.location, details))
    sys.stdout.flush()


def report(
    run: options.Run,
    boards: options.FirstRows = None,
    no_html: options.NoHtml = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Of three sets and more, every set by itself too.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Print the report of a run, and write index.html, charts, report.md and summary.json into it."""
    from pipeline.cli.progress import busy
    from pipeline.report import write

    reader = open_reader(run)
    summary = write.report(reader, boards)
    safe_point()
    print_summary(reader, summary.figures, json, details)
    if no_html:
        return
    with busy("drawing the page"):
        page = write.page(reader, summary)
    say(f"\npage: {page}")
    if open_page:
        typer.launch(page)


def words(
    run: options.Run,
    dice: Annotated[str | None, typer.Option(metavar="ID", help="One of the run's dice sets.  [default: all]")] = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="Words to show.")] = 20,
    length: Annotated[int | None, typer.Option(metavar="L", min=1, help="Words of L letters.")] = None,
    pattern: Annotated[str | None, typer.Option(metavar="P", help="Letters, ? for any letter, * for any.")] = None,
    rarest: Annotated[bool, typer.Option("--rarest", help="The rarest found first.")] = False,
    never: Annotated[bool, typer.Option("--never", help="Words that could appear but never did.")] = False,
    impossible: Annotated[bool, typer.Option("--impossible", help="Words that no arrangement can show.")] = False,
    only_in: Annotated[list[str] | None, typer.Option(metavar="ID", help="Words that this set can show.")] = None,
    not_in: Annotated[list[str] | None, typer.Option(metavar="ID", help="Words that this set cannot show.")] = None,
    json: options.Json = False,
) -> None:
    """Words of a run: the commonest, the rarest, never seen, impossible, and what one dice set has over another."""
    from pipeline.report.boggle import atlas as atlases
    from pipeline.report.boggle import words as tables

    atlas = atlases.load(open_reader(run))
    shown = tables.listing(
        atlas, dice, top, length=length, pattern=pattern, rarest=rarest, never=never, impossible=impossible,
        only_in=only_in or [], not_in=not_in or [],
    )  # fmt: skip
    if json:
        print_json(shown)
    else:
        print("\n\n".join(table.text() for table in tables.tables(shown)))


def boards(
    run: options.Run,
    best: Annotated[int | None, typer.Option(metavar="N", min=1, help="The N boards of most points.")] = None,
    worst: Annotated[int | None, typer.Option(metavar="N", min=1, help="The N boards of fewest points.")] = None,
    near: Annotated[int | None, typer.Option(metavar="SCORE", min=0, help="The board nearest to SCORE points.")] = None,
    id: Annotated[list[int] | None, typer.Option(metavar="I", help="The board of this id; repeat for more.")] = None,
    dice: Annotated[str | None, typer.Option(metavar="ID", help="One of the run's dice sets.  [default: all]")] = None,
    json: options.Json = False,
) -> None:
    """Boards of a run laid out with their words, and in how many ways the dice roll them.  [default: --best 1]"""
    from pipeline.report.boggle import boards as board_pages

    shown = board_pages.chosen(open_reader(run), dice, best, worst, near, id or [])
    if json:
        print_json(shown)
    else:
        print("\n\n".join(board_pages.text(one) for one in shown))


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", autocompletion=run_names, help="One run with several sets, or several runs."),
    ],
    rank: Annotated[
        str | None,
        typer.Option(metavar="METRIC", help="Print all sets in order of this mean instead: score, words, ..."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare dice sets or specs: differences with intervals, effect, distance, and who wins how often.

    Sets of the same grid and seed come from the same rolls and are compared board by board.
    """
    from pipeline.report import text
    from pipeline.runs.compare import compare_runs

    readers = [open_reader(reference) for reference in runs]
    if rank is not None:
        from pipeline.runs.standings import rank_runs

        ranked = [table.as_dict() for table in rank_runs(readers, rank)]
        if json:
            print_json(ranked)
        else:
            print("\n\n".join(table.text() for table in text.standing_tables(ranked)))
        return
    comparisons = compare_runs(readers)
    if json:
        print_json(comparisons)
    else:
        print("\n\n".join(table.text() for one in comparisons for table in text.comparison_tables(one)))


def query(
    run: options.Run,
    sql: Annotated[str, typer.Argument(metavar="SQL", help="Tables: boards and words, or puzzles.")],
    format: Annotated[str, typer.Option(metavar="NAME", help="table, csv, json or parquet.")] = "table",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write here instead of to the terminal.")] = None,
    memory: options.Memory = QUERY_MEMORY,
) -> None:
    """Ask the rows of a run in SQL: that of DuckDB, reading the run alone.

    SHOW TABLES lists its tables, DESCRIBE and SUMMARIZE tell of one.
    """
    from pipeline.runs import answers
    from pipeline.runs import query as queries

    answers.check_format(format)
    with queries.answer(open_reader(run), sql, memory) as batches:
        if out is not None:
            answers.save(batches, format, out)
            return
        with answers.whole(batches, format) as data:
            if format == "parquet":
                shutil.copyfileobj(data, sys.stdout.buffer)
            else:
                shutil.copyfileobj(io.TextIOWrapper(data, "utf-8", newline=""), sys.stdout)


def export(
    run: options.Run,
    format: Annotated[
        str, typer.Option(metavar="NAME", help="csv, json (one object a line), parquet or arrow.")
    ] = "csv",
    columns: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="These columns, in this order.  [default: all]")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write here instead of to the terminal.")] = None,
) -> None:
    """Write all rows of a run as one table, for spreadsheets and other programs."""
    from pipeline.runs import export as exports

    reader = open_reader(run)
    wanted = [name.strip() for name in columns.split(",")] if columns else []
    if out is None:
        exports.export(reader, format, wanted, sys.stdout.buffer)
        sys.stdout.flush()
        return
    rows = exports.export_to(reader, format, wanted, out)
    say(f"{rows:,} rows written to {out}")


def verify(
    run: options.Run,
    sample: Annotated[int, typer.Option(metavar="N", min=0, help="Rows to solve again.")] = 1_000,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Which rows.")] = 0,
    json: options.Json = False,
) -> None:
    """Check every part of a run (checksum, columns, ranges) and solve a sample of its rows again.

    Exit code 1 where anything is wrong; `pipeline run` computes broken parts again.
    """
    from pipeline.runs.verify import verify as check

    verdict = check(open_reader(run), sample, seed)
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
        if verdict.farthest:
            print(verdict.farthest)
    if verdict.problems:
        raise typer.Exit(1)

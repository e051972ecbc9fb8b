"""Commands for one board at a time: solve, trace, paths."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids
from pipeline.cli.printing import print_json, say
from pipeline.defaults import DEFAULTS

if TYPE_CHECKING:
    from pipeline.games.boggle.one_board import Rules

NeighboursOption = Annotated[int, typer.Option(metavar="8|4", help="8: corners touch too; 4: sides only.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog="Example: pipeline solve ADQPNLEMOSRTVKJH --words enable2k --sort points")(solve)
    app.command(epilog="Example: pipeline trace --row ILAW --row BNGE --row IUAO --row ASRL BINGO")(trace)
    app.command(epilog="Example: pipeline paths 4 4")(paths)


def solve(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="Letters of the board, or - for one board a line.")],
    dice: Annotated[
        str | None, typer.Option(metavar="ID|FILE", autocompletion=ids("dice"), help="Dice set that the board is of.")
    ] = None,
    rows: Annotated[int | None, typer.Option(metavar="R", min=1, help="Rows, for free letters.")] = None,
    cols: Annotated[int | None, typer.Option(metavar="C", min=1, help="Columns, for free letters.")] = None,
    words: options.Words = None,
    language: options.Language = None,
    column: options.Column = None,
    bare_q: Annotated[bool, typer.Option("--bare-q", help="A typed Q is Q, not Qu.")] = False,
    min_length: options.MinLength = None,
    scoring: options.Scoring = None,
    sort: Annotated[str, typer.Option(metavar="NAME", help="alphabetical, length or points.")] = "alphabetical",
    paths: Annotated[bool, typer.Option("--paths", help="Show for each word the cells that spell it.")] = False,
    solver: Annotated[str, typer.Option(metavar="NAME", help="numba, dfs or reference.")] = "numba",
    strict: Annotated[bool, typer.Option("--strict", help="With -: stop at the first line that is no board.")] = False,
    json: options.Json = False,
) -> None:
    """Find every word on a board: number, score, longest, nodes and time.

    With - each line of standard input is a board and gets one line as soon as it has come: board, words, score, letters
    of the longest word, dead tiles and nodes, split by tabs. A line that is no board is named on standard error (with
    --json as an object with line and error), the others are answered, and the exit code is 2.
    """
    from pipeline.cli.progress import Compiling
    from pipeline.errors import PipelineError, nearest
    from pipeline.games.boggle.one_board import SORTS, make_rules, solve_board

    if sort not in SORTS:
        raise PipelineError(f"--sort {sort!r} is not known", nearest(sort, SORTS))
    text = None if board == "-" else board
    words = words or DEFAULTS["words"]
    rules = make_rules(text, dice, rows, cols, words, language, min_length, scoring, column, bare_q)
    if board == "-":
        raise typer.Exit(_solve_lines(rules, solver, json, strict))
    with Compiling():
        solved = solve_board(rules, board, paths, solver)
    found = sorted(solved.found, key=SORTS[sort])
    if json:
        print_json({**solved.as_dict(), "found": [vars(word) for word in found]})
        return
    from pipeline.tables import Table, counted
    from solvers.grid import layout

    print(layout(solved.faces, solved.columns), end="\n\n")
    header = ["word", "letters", "points"] + (["cells (row,column)"] if paths else [])
    lines = [
        [word.word, str(word.letters), str(word.points)]
        + ([" ".join(f"{c // solved.columns + 1},{c % solved.columns + 1}" for c in word.path)] if word.path else [])
        for word in found
    ]
    if found:
        print(Table("", header, lines, frozenset({"word", "cells (row,column)"})).text(), end="\n\n")
    print(
        f"{counted(len(found), 'word')}, {counted(solved.score, 'point')}, longest {solved.longest or '-'}, "
        f"{counted(solved.dead_tiles, 'dead tile')}; {counted(solved.nodes, 'node')} in {solved.seconds * 1e6:,.0f} "
        "microseconds"
    )


def _solve_lines(rules: "Rules", solver: str, json: bool, strict: bool) -> int:
    """Answer the boards of standard input; returns the exit code."""
    from json import dumps

    from pipeline.cli.progress import Compiling
    from pipeline.cli.reading import batches_of_lines
    from pipeline.games.boggle.one_board import FIGURES, ManyBoards

    boards = ManyBoards(rules, solver)
    wrong = answered = 0
    with Compiling():
        for lines in batches_of_lines():
            for answer in boards.answers(lines):
                if answer.error:
                    wrong += 1
                    # In order with the answers, where both go to the same place.
                    sys.stdout.flush()
                    error = {"line": answer.line, "error": answer.error}
                    say(dumps(error) if json else f"error: line {answer.line}: {answer.error}")
                    if strict:
                        return 2
                    continue
                answered += 1
                if json:
                    print(dumps({"board": answer.board, **dict(zip(FIGURES, answer.figures, strict=True))}))
                else:
                    print(answer.board, *answer.figures, sep="\t")
            sys.stdout.flush()
    if wrong and not json:
        say(f"{wrong:,} of {wrong + answered:,} lines {'is no board' if wrong == 1 else 'are no boards'}")
    return 2 if wrong else 0


def trace(
    arguments: Annotated[
        list[str], typer.Argument(metavar="[BOARD] WORD", help="The grid (rows split by newlines) and the word.")
    ],
    row: Annotated[list[str] | None, typer.Option(metavar="ROW", help="A row of the grid; instead of BOARD.")] = None,
    neighbours: NeighboursOption = 8,
    case_sensitive: Annotated[bool, typer.Option("--case-sensitive", help="`a` is not `A`.")] = False,
    all: Annotated[bool, typer.Option("--all", help="List every way (up to 1,000).")] = False,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="Search steps, some millions a second; more decide more.")
    ] = 5_000_000,
    json: options.Json = False,
) -> None:
    """Can this word be traced on this grid, by which cells, and in how many ways?

    One character is one cell, and any character may stand in the grid. Exit code 0 for yes, 1 for no.
    """
    from pipeline.errors import PipelineError
    from solvers.boggle.trace import trace as trace_word

    wanted = 1 if row else 2
    if len(arguments) != wanted:
        given = f"{len(arguments)} arguments" + (" beside --row" if row else "")
        raise PipelineError(
            f"{given}; give a grid and a word", "rows may be given as --row, then only the word is left"
        )
    grid = row or arguments[0].split("\n")
    word = arguments[-1]
    answer = trace_word(grid, word, neighbours, case_sensitive, paths=1_000 if all else 0, limit=limit)
    columns = len(grid[0])
    if json:
        print_json(
            {
                "word": word, "found": answer.found, "ways": answer.ways, "ways_at_least": answer.ways_at_least,
                "path": answer.path, "paths": answer.paths,
            }
        )  # fmt: skip
    elif not answer.found:
        print(f"{word} cannot be traced")
    else:
        ways = f"{answer.ways:,}" if answer.ways is not None else f"at least {answer.ways_at_least:,}"
        print(f"{word} can be traced in {ways} way{'' if answer.ways == 1 else 's'}", end="\n\n")
        for path in answer.paths or (answer.path,):
            print(_drawn(grid, path, columns), end="\n\n")
    raise typer.Exit(0 if answer.found else 1)


def _drawn(grid: list[str], path: tuple[int, ...], columns: int) -> str:
    """The grid with the number of each step beside its character."""
    step = {cell: str(number) for number, cell in enumerate(path, 1)}
    width = len(str(len(path))) + 1
    lines = []
    for number, text in enumerate(grid):
        cells = [character + step.get(number * columns + place, "") for place, character in enumerate(text)]
        lines.append("  ".join(cell.ljust(width) for cell in cells).rstrip())
    return "\n".join(lines)


MOST_SECONDS = 60.0
"""Counting that would take longer does not start without --force."""


def paths(
    rows: Annotated[int, typer.Argument(metavar="ROWS", min=1)],
    cols: Annotated[int, typer.Argument(metavar="COLS", min=1)],
    neighbours: NeighboursOption = 8,
    method: Annotated[str, typer.Option(metavar="NAME", help="auto, brute or frontier.")] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Start however long it may take.")] = False,
    json: options.Json = False,
) -> None:
    """Count the simple paths of a grid by number of cells, with no dictionary: exact whole numbers.

    A path and its reverse count as two. `brute` walks every path; `frontier` adds them up cell by cell.
    """
    from pipeline.errors import PipelineError
    from pipeline.tables import Table, duration
    from solvers.boggle.paths import count_paths, estimate_paths_cost

    cost = estimate_paths_cost(rows, cols, neighbours)
    seconds = {"brute": cost.brute_seconds, "frontier": cost.frontier_seconds}.get(method, cost.seconds)
    if seconds > MOST_SECONDS and not force:
        raise PipelineError(
            f"{rows} x {cols} has about {cost.paths:.2g} paths: counting them would take about {duration(seconds)}",
            "--force starts it all the same",
        )
    counts = count_paths(rows, cols, neighbours, method)
    if json:
        print_json({"by_cells": dict(enumerate(counts, 1)), "total": sum(counts)})
        return
    lines = [[str(cells), f"{count:,}"] for cells, count in enumerate(counts, 1)]
    print(Table("", ["cells", "paths"], lines).text())
    print(f"total {sum(counts):,}")

"""`pipeline kenken`: solve and make puzzles. Everything heavy is imported inside the commands."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids
from pipeline.stopping import safe_point

if TYPE_CHECKING:
    from pipeline.games.kenken.id_stream import IdStream
    from solvers.kenken import Rules

app = typer.Typer(help="KenKen puzzles: solve, generate.", rich_markup_mode=None, no_args_is_help=True)
FORMATS = ("grid", "keen", "map", "json")
BATCH = 100
"""Puzzles made in one call, so that the first of many are printed soon."""


def register(program: typer.Typer) -> None:
    """Add the commands to the program."""
    program.add_typer(app, name="kenken")


@app.command(epilog="Example: pipeline kenken solve 3:_a_aa_3a,a5a4a2m2s2")
def solve(
    puzzle: Annotated[
        str, typer.Argument(metavar="FILE|ID|-", help="A Keen id, a file with a Keen id, cage map or JSON, or -.")
    ],
    format: Annotated[str, typer.Option(metavar="NAME", help="Show it as grid, keen, map or json.")] = "grid",
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it with its solution into this file.")] = None,
    workers: Annotated[int, typer.Option(metavar="W", min=1, help="Processes that share one search.")] = 1,
    limit: Annotated[int, typer.Option(metavar="N", help="Stop counting solutions here; 2 at least.")] = 2,
    node_limit: Annotated[int, typer.Option(metavar="N", help="Give up after so many nodes.")] = 10_000_000,
    hidden: Annotated[bool, typer.Option("--hidden", help="Cages may hide their operator.")] = False,
    wide: Annotated[bool, typer.Option("--wide", help="- and / may have more than two cells.")] = False,
    from_zero: Annotated[bool, typer.Option("--from-zero", help="The digits are 0 to n-1.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first id that is wrong.")] = False,
    json: options.Json = False,
) -> None:
    """Solve a puzzle: its solution, whether it is the only one, what the search took, and a grade.

    A text may hold several puzzles: Keen ids or JSON objects one a line, or cage maps two blank lines apart. Ids are
    answered as they come; those that are wrong are named on standard error, and the exit code is 2 then.
    """
    import json as json_text

    from pipeline import logs
    from pipeline.cli.progress import Compiling
    from pipeline.errors import PipelineError
    from pipeline.games.kenken import puzzles
    from pipeline.games.kenken.id_stream import IdStream
    from solvers.kenken import Rules, draw_svg, write_puzzle

    _check_format(format, FORMATS)
    logs.set_up()
    rules = Rules(hidden, wide, from_zero)
    text = None
    if workers == 1 and svg is None and not puzzles.is_id(puzzle):
        with puzzles.open_stream(puzzle) as stream:
            ids = IdStream(stream)
            if ids.has_ids:
                _answer_ids(ids, puzzle, rules, limit, node_limit, format, json, strict)
                return
            text = ids.rest(puzzles.MAX_TEXT_BYTES + 1)
    found = puzzles.read_puzzles(puzzle, rules, text)
    if svg is not None and len(found) > 1:
        raise PipelineError(f"--svg {svg} takes one puzzle, the text holds {len(found)}", "give them one by one")
    for place, one in enumerate(found):
        safe_point()
        with Compiling():
            answer = puzzles.solve_puzzle(one, limit, node_limit, workers)
        if svg is not None:
            puzzles.save_svg(svg, draw_svg(one, answer.solution))
        if json:
            print(json_text.dumps(puzzles.as_dict(one, answer, limit, node_limit)))
            continue
        drawn = None if format == "grid" else write_puzzle(one, format).rstrip("\n")
        print(("\n" if place else "") + puzzles.as_text(one, answer, limit, drawn))


def _answer_ids(
    ids: "IdStream",
    reference: str,
    rules: "Rules",
    limit: int,
    node_limit: int,
    format: str,
    json: bool,
    strict: bool,
) -> None:
    """Print the answer to each id of a stream; exit with 2 if one was wrong."""
    from json import dumps

    from pipeline.cli.printing import say
    from pipeline.errors import PipelineError
    from pipeline.games.kenken.id_stream import answers
    from solvers.errors import InputError

    place = "standard input" if reference == "-" else reference
    first, alone, wrong = True, False, 0

    def tell(line: int, error: InputError) -> None:
        nonlocal wrong
        where = place if alone else f"{place}, line {line}"
        if strict or alone:
            raise PipelineError(f"{where}: {error.message}", error.hint)
        wrong += 1
        hint = f"; {error.hint}" if error.hint else ""
        say(dumps({"line": line, "error": error.message}) if json else f"error: {where}: {error.message}{hint}")

    for block in ids.blocks():
        safe_point()
        alone = first and not wrong and len(block) == 1 and ids.ended
        texts = answers(block, rules, limit, node_limit, format, json, tell)
        if texts:
            between = "\n" if json else "\n\n"
            print(("" if first or json else "\n") + between.join(texts), flush=True)
            first = False
    if wrong:
        raise typer.Exit(2)


@app.command(epilog="Example: pipeline kenken generate --size 6 --count 10 --grade hard")
def generate(
    size: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=16, help="Rows and columns.  [default: 6]")
    ] = None,
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="ID|FILE|SIZE",
            autocompletion=ids("kenken"),
            help="Spec: size, cages, operators, rules.  [default: 6x6]",
        ),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many puzzles.")] = 1,
    grade: Annotated[
        str | None, typer.Option(metavar="NAME", help="easy, normal, hard, extreme or unreasonable.  [default: any]")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed.")] = 1,
    index: Annotated[int, typer.Option(metavar="I", min=0, help="Number of the first puzzle.")] = 0,
    format: Annotated[str, typer.Option(metavar="NAME", help="keen, map, json or grid.")] = "keen",
    svg: Annotated[
        Path | None, typer.Option(metavar="DIR|FILE", help="Draw them too: one .svg file, or files in a folder.")
    ] = None,
) -> None:
    """Make puzzles with exactly one solution: without --grade the same as rows I, I + 1, ... of a run of the spec."""
    from dataclasses import replace

    from pipeline.cli.progress import Compiling
    from pipeline.errors import PipelineError
    from pipeline.games.kenken import puzzles
    from pipeline.games.kenken.specs import load_spec
    from solvers.kenken import STANDARD, draw_svg, draw_texts, keen_ids, parse_grade, write_puzzle
    from solvers.kenken import generate as generate_batch

    _check_format(format, FORMATS)
    if size is not None and spec is not None:
        raise PipelineError(f"--size {size} and --spec {spec} both tell the size", "give one of them")
    one_file = svg is not None and svg.suffix.lower() == ".svg"
    if one_file and count > 1:
        raise PipelineError(f"--svg {svg} takes one puzzle, not {count}", "give a folder")
    chosen = load_spec(spec or f"{size or 6}x{size or 6}")
    if grade is not None:
        chosen = replace(chosen, grade=parse_grade(grade))
    if chosen.rules != STANDARD and format == "keen":
        typer.echo(f"rules: {puzzles.rules_text(chosen.rules)} (a Keen id carries none)", err=True)
    last = index + count
    gap = "" if format in ("keen", "json") else "\n\n"
    for start in range(index, last, BATCH):
        safe_point()
        with Compiling():
            batch = generate_batch(chosen, seed, start, min(BATCH, last - start))
        if format == "keen":
            texts = [f"{text}\n" for text in keen_ids(batch)]
        elif format == "grid":
            texts = draw_texts(batch)
        else:
            texts = [write_puzzle(batch.puzzle(place, trusted=True), format) for place in range(batch.length)]
        print(("" if start == index else gap) + gap.join(texts), end="", flush=True)
        if svg is None:
            continue
        for place in range(batch.length):
            name = f"{chosen.id}-s{seed}-{start + place}.svg"
            puzzles.save_svg(svg if one_file else svg / name, draw_svg(batch.puzzle(place, trusted=True)))


def _check_format(format: str, known: tuple[str, ...]) -> None:
    from pipeline.errors import PipelineError, nearest

    if format not in known:
        raise PipelineError(f"format {format!r} is not known", nearest(format, known))

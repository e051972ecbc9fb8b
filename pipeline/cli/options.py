"""Options and arguments that commands share: each is said once, with the default that a run has."""

from typing import Annotated, Any

import typer

from pipeline.cli.completion import ids, runs
from pipeline.defaults import DEFAULTS


def count(text: str) -> int:
    """Return a number of boards, as a person writes it; raises typer.BadParameter for what is none."""
    from pipeline.config import parse_count

    try:
        return parse_count(str(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def positive(text: str) -> int:
    """Return a number of boards or cores, 1 or more."""
    number = count(text)
    if number < 1:
        raise typer.BadParameter(f"{text} is not in the range x>=1")
    return number


def _option(name: str, help: str, default: str = "", **settings: Any) -> Any:
    """An option of `run`, with the default that a run has for it unless another text is given."""
    if not default:
        value = DEFAULTS[name]
        default = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return typer.Option(help=f"{help}  [default: {default}]", **settings)


Game = Annotated[str | None, _option("game", "boggle or kenken.", metavar="NAME")]
Boards = Annotated[
    int | None,
    _option("boards", "Boards of each dice set, puzzles of each spec; also 1e6 or 10M.", metavar="N", parser=count),
]
Dice = Annotated[
    list[str] | None, _option("dice", "Dice set; repeat to compare.", metavar="ID|FILE", autocompletion=ids("dice"))
]
Spec = Annotated[
    list[str] | None,
    _option("spec", "Spec of KenKen puzzles; repeat to compare.", metavar="ID|FILE|SIZE", autocompletion=ids("kenken")),
]
NodeLimit = Annotated[int | None, _option("node_limit", "Nodes after which a puzzle is given up.", metavar="N")]
Words = Annotated[str | None, _option("words", "Word list.", metavar="ID|FILE", autocompletion=ids("words"))]
Language = Annotated[
    str | None,
    _option(
        "language",
        "Language of the words.",
        "that of the list, or of the dice",
        metavar="ID|FILE",
        autocompletion=ids("languages"),
    ),
]
Column = Annotated[
    str | None, typer.Option(metavar="NAME", help="Column of the words, for a list that is a table: name or number.")
]
MinLength = Annotated[int | None, _option("min_length", "Shortest word.", "the dice set's, or 3", metavar="M", min=1)]
Scoring = Annotated[str | None, _option("scoring", "standard or super.", "the dice set's, or standard", metavar="NAME")]
Seed = Annotated[int | None, _option("seed", "Seed of the boards or puzzles.", metavar="S")]
Workers = Annotated[int | None, _option("workers", "Processes.", "all cores", metavar="W")]
WorkerMemory = Annotated[int | None, _option("worker_memory", "Memory that one process may hold.", metavar="MB")]
Out = Annotated[
    str | None,
    _option("out", "Run folder, or s3://bucket/prefix.", "outputs/<a name that says what>", metavar="DIR|URI"),
]
Chunk = Annotated[int | None, typer.Option(metavar="N", parser=count, help="Boards of one Parquet part.")]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="TARGET",
        help="Go on until an interval is narrow enough, such as 'mean(score) +- 0.05', median(...), p95(...), "
        "'share(words = 0) +- 0.1 %', difference(...) of two --dice; --boards is then the cap.",
    ),
]
Keep = Annotated[
    str | None,
    _option(
        "keep",
        "boards: one row a board; histograms: exact histograms, word counts and the best boards, no rows; "
        "none-but-top: the same without word counts.",
        "boards, or what the folder was begun with",
        metavar="MODE",
    ),
]
Solver = Annotated[str | None, typer.Option(metavar="NAME", help="numba, dfs or reference.")]
Executor = Annotated[str | None, typer.Option(metavar="NAME", help="process, thread, serial or dask.")]
Scheduler = Annotated[
    str | None, _option("scheduler", "Dask scheduler, tcp://host:8786.", "a local cluster", metavar="TCP")
]
Memory = Annotated[
    int,
    typer.Option(metavar="MB", min=50, help="Memory of the query; sorts and groups go on in temporary files beyond."),
]
Run = Annotated[
    str, typer.Argument(metavar="RUN", autocompletion=runs, help="A run folder, its name under outputs/, or latest.")
]
FirstRows = Annotated[
    int | None, typer.Option(metavar="N", parser=positive, help="Only the first N boards or puzzles.")
]
NoHtml = Annotated[bool, typer.Option("--no-html", help="Make no page and no charts.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]

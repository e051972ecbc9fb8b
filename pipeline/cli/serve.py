"""The command that serves the page and the API."""

from typing import Annotated

import typer

from pipeline.cli import options
from pipeline.cli.completion import ids


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog="Example: pipeline serve --port 8000")(serve)


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    words: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID|FILE", autocompletion=ids("words"), help="A word list beside the shipped ones; repeatable."
        ),
    ] = None,
    cors: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="Let pages of this origin use the API; repeatable.")
    ] = None,
    allow_runs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=options.positive,
            help="Let the page start runs of up to N boards a dice set, one at a time.  [default: none]",
        ),
    ] = None,
) -> None:
    """Serve the page and the JSON API on this machine."""
    from pipeline.errors import PipelineError

    try:
        from pipeline.web import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "starlette", "uvicorn", "jinja2"):
            raise
        raise PipelineError(f"serve needs {error.name}", "pip install 'shakedown-boards[web]'") from error
    server.serve(host, port, words or (), cors or (), allow_runs or 0)

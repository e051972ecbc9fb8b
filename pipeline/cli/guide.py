"""The command that shows the guide."""

import sys
from typing import Annotated

import typer

from pipeline.cli.completion import topics


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog="Example: pipeline guide comparing")(guide)


def guide(
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", autocompletion=topics, help="A topic.  [default: list them]")
    ] = None,
) -> None:
    """Show a topic of the guide, or list the topics."""
    from pipeline import guide as pages

    if topic is None:
        width = max(map(len, pages.ORDER))
        print("\n".join(f"{one:{width}}  {pages.title(one)}" for one in pages.ORDER))
        return
    text = pages.text(topic)
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(text))

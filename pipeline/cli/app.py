"""The command line as a whole: commands put together, exit codes, options of any command.

Everything heavy is imported inside the commands.
"""

import os
import sys
from typing import Annotated

import typer

from pipeline.cli import boards, dice, expectations, guide, kenken, lists, results, runs, serve
from pipeline.cli.printing import give_up_output, replace_what_cannot_be_shown, replaced, say
from pipeline.stopping import Stopped, safe_point

app = typer.Typer(
    name="pipeline",
    help="Batch analytics over millions of letter-dice boards and KenKen puzzles.",
    epilog="A RUN may also be s3://bucket/prefix or gs://bucket/prefix; endpoint and keys come from the environment or "
    "from --storage-option key=value. Exit codes: 0 done, and yes where a command asks; 1 no, nothing found, a fault "
    "found, or work that ended early; 2 wrong input, or a file that cannot be read or written; 130 stopped by Ctrl-C, "
    "143 by SIGTERM.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from pipeline.versions import own_version

        print(f"shakedown {own_version()}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Say which version this is.")
    ] = False,
) -> None:
    """Options of the program itself; its help is that of `app`."""


for commands in (runs, results, boards, dice, lists, expectations, kenken, serve, guide):
    commands.register(app)


def run_command_line() -> int:
    """Run `app`; every failure a person can mend is one line on standard error. Returns the exit code."""
    from solvers.errors import InputError

    replace_what_cannot_be_shown()
    try:
        safe_point()
        code = _answer(sys.argv[1:])
        safe_point()
    except InputError as error:
        say(f"error: {error}")
        code = getattr(error, "exit_code", 2)
    except BrokenPipeError:
        # The reader went away (`| head`): not an error.
        give_up_output()
        return 0
    except Stopped as stop:
        say(stop.line)
        return stop.exit_code
    except OSError as error:
        give_up_output()
        say(f"error: {_os_problem(error)}")
        code = 2
    except Exception as error:
        code = _click_error(error)
    if said := replaced():
        say(said)
    return code


def _answer(words: list[str]) -> int:
    """Run the command and see that its whole answer is out; returns the exit code."""
    _check_encoding(words)
    try:
        code = app(_take_storage_options(words), standalone_mode=False)
    except typer.Exit as done:
        code = done.exit_code
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _os_problem(error: OSError) -> str:
    """An error of the operating system that no command expected: a full disk behind standard output, say."""
    try:
        os.getcwd()
    except OSError:
        return "the current folder was removed; go to one that exists"
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else f"cannot read or write: {reason}"


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
        say(f"error: {message.splitlines()[0].rstrip('.')}; see `{command} --help`")
    return int(error.exit_code)

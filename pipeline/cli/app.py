"""The command line as a whole: commands put together, exit codes, options of any command.

Everything heavy is imported inside the commands.
"""

import os
import signal
import sys

import typer

from pipeline.cli import boards, dice, kenken, lists, results, runs, serve
from pipeline.cli.printing import say
from pipeline.cli.stopping import Stopped, listen

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
for commands in (runs, results, boards, dice, lists, kenken, serve):
    commands.register(app)


def run_command_line() -> int:
    """Run `app`; every failure a person can mend is one line on standard error. Returns the exit code."""
    from solvers.errors import InputError

    listen()
    try:
        _check_encoding(sys.argv[1:])
        code = app(_take_storage_options(sys.argv[1:]), standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        say(f"error: {error}")
        return getattr(error, "exit_code", 2)
    except typer.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        # The reader went away (`| head`): not an error, but Python must not flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Stopped as stop:
        say("stopped by Ctrl-C" if stop.number == signal.SIGINT else "stopped by SIGTERM")
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
        say(f"error: {message.splitlines()[0].rstrip('.')}; see `{command} --help`")
    return int(error.exit_code)

"""Entry point of the `pipeline` command."""

import gc
import os
import sys

from pipeline import stopping

GARBAGE = 1_000_000
"""Objects made before Python looks for garbage among them: more than a command makes until its work begins, as nearly
all of those live to the end. What runs for days sets it lower."""


def main() -> None:
    """Run the command line; a PipelineError becomes one line and its exit code."""
    _open_closed_streams()
    stopping.listen()
    gc.set_threshold(GARBAGE)
    # Pydantic would read what every installed package declares, in search of plugins for itself.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from pipeline.cli.app import run_command_line

    code = run_command_line()
    # Nor does Python look through all of them once more before it ends.
    gc.freeze()
    sys.exit(code)


def _open_closed_streams() -> None:
    """Standard streams that are closed lead nowhere: else the first files to be opened would take their places."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
        setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    main()

"""Entry point of the `pipeline` command."""

import gc
import os
import signal
import sys

GARBAGE = 1_000_000
"""Objects made before Python looks for garbage among them: more than a command makes until its work begins, as nearly
all of those live to the end. What runs for days sets it lower."""


def main() -> None:
    """Run the command line; a PipelineError becomes one line and its exit code."""
    # Until the command line can say it in words, Ctrl-C ends the program without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(GARBAGE)
    # Pydantic would read what every installed package declares, in search of plugins for itself.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from pipeline.cli.app import run_command_line

    code = run_command_line()
    # Nor does Python look through all of them once more before it ends.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()

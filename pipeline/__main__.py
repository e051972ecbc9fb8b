"""Entry point of the `pipeline` command."""

import gc
import signal
import sys

GARBAGE = 100_000
"""Objects made before Python looks for garbage among them. Imports make some hundred thousand that live to the end."""


def main() -> None:
    """Run the command line; a PipelineError becomes one line and its exit code."""
    # Until the command line can say it in words, Ctrl-C ends the program without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(GARBAGE)
    from pipeline.cli import run_command_line

    code = run_command_line()
    # Nor does Python look through all of them once more before it ends.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()

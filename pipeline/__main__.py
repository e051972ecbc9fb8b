"""Entry point of the `pipeline` command."""

import signal
import sys


def main() -> None:
    """Run the command line; a PipelineError becomes one line and its exit code."""
    # Until the command line can say it in words, Ctrl-C ends the program without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from pipeline.cli import run_command_line

    sys.exit(run_command_line())


if __name__ == "__main__":
    main()

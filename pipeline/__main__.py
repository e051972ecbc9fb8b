"""Entry point of the `pipeline` command."""

import sys


def main() -> None:
    """Run the command line; a PipelineError becomes one line and its exit code."""
    from pipeline.cli import run_command_line

    sys.exit(run_command_line())


if __name__ == "__main__":
    main()

"""How commands print: answers on standard output, all else on standard error."""

import contextlib
import sys
from typing import Any


def print_json(value: Any) -> None:
    """Print an answer for a program."""
    import json

    print(json.dumps(value, indent=2, ensure_ascii=False))


def say(line: str) -> None:
    """Print a line on standard error, if somebody still reads it."""
    with contextlib.suppress(BrokenPipeError):
        print(line, file=sys.stderr)

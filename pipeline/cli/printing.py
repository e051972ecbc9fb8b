"""How commands print: answers on standard output, all else on standard error."""

import codecs
import contextlib
import os
import sys
from typing import Any

_REPLACED: dict[str, None] = {}
"""Characters that could not be shown, in order."""


def print_json(value: Any) -> None:
    """Print an answer for a program."""
    print(as_json(value, indent=2))


def as_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that standard output can show: characters that its encoding lacks are written as escapes."""
    import json

    text = json.dumps(value, indent=indent, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text


def say(line: str) -> None:
    """Print a line on standard error, if somebody still reads it."""
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def replace_what_cannot_be_shown() -> None:
    """Let characters that a stream's encoding lacks be printed as `?`; `replaced` tells of them."""
    codecs.register_error("shown-as-question-mark", _question_mark)
    for stream, errors in ((sys.stdout, "shown-as-question-mark"), (sys.stderr, "backslashreplace")):
        # Tests have streams of their own, of which there is nothing to set.
        if getattr(stream, "errors", None) in ("strict", "surrogateescape") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def _question_mark(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    _REPLACED.update(dict.fromkeys(lost))
    return "?" * len(lost), error.end


def replaced() -> str:
    """Return a line about characters that were printed as `?` since it was last asked; empty if there were none."""
    lost = list(_REPLACED)
    _REPLACED.clear()
    if not lost:
        return ""
    shown = ", ".join(f"U+{ord(character):04X}" for character in lost[:3]) + (", ..." if len(lost) > 3 else "")
    return (
        f"warning: printed as ?, as standard output takes {sys.stdout.encoding} alone: {shown}; "
        "PYTHONIOENCODING=utf-8 prints them"
    )


def give_up_output() -> None:
    """Nobody takes standard output any more: what is left goes nowhere, lest Python fails on it at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)

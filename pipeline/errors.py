"""What a person sees when something cannot be done: one line, with the remedy."""

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from solvers.errors import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


class PipelineError(InputError):
    """Shown by the command line without traceback; `exit_code` is 2 unless said otherwise."""

    def __init__(self, message: str, hint: str = "", exit_code: int = 2) -> None:
        super().__init__(message, hint)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[type, tuple[str, str, int]]:  # type: ignore[override]
        return (type(self), (self.message, self.hint, self.exit_code))


def os_error(action: str, error: OSError) -> PipelineError:
    """Return an operating system error as one line: what was tried, on which path, why it failed."""
    path = f" {error.filename}" if error.filename else ""
    return PipelineError(f"cannot {action}{path}: {error.strerror or error}")


SHORTEST_BEGINNING = 3
"""Letters from which on the beginning of a name stands for it in a suggestion."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `did you mean ...` with the closest names, those of which it is the beginning, or else all of them."""
    known = list(known)
    close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.6)
    if not close and len(name) >= SHORTEST_BEGINNING:
        close = [one for one in known if one.lower().startswith(name.lower())]
    return f"did you mean {' or '.join(close)}?" if close else f"known are {', '.join(known)}"


def unknown_key(error: "ValidationError") -> str:
    """Return the key that the first problem of a pydantic error calls unknown; empty where it is another problem."""
    problem = _first(error)
    return ".".join(str(part) for part in problem["loc"]) if problem["type"] == "extra_forbidden" else ""


def _first(error: "ValidationError") -> "ErrorDetails":
    """The problem to begin with: a key that is unknown explains one that is missing."""
    problems = error.errors()
    return next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])


def first_problem(error: "ValidationError") -> str:
    """Return the first problem of a pydantic error as one clause that names the field."""
    problem = _first(error)
    field = ".".join(str(part) for part in problem["loc"])
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        return f"unknown key {field!r}"
    if problem["type"] == "missing":
        return f"key {field!r} is missing"
    if problem["type"] in ("value_error", "assertion_error"):
        return message
    shown = repr(problem["input"])
    reason = message[0].lower() + message[1:].replace("should be", "must be")
    return f"{field} {shown if len(shown) <= 40 else shown[:37] + '...'}: {reason.replace('input must', 'must')}"

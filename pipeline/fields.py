"""What pydantic finds wrong with a file or an option, as a person is told."""

from pydantic import ValidationError


def first_problem(error: ValidationError) -> str:
    """The first problem of a pydantic error as one clause that names the field."""
    problem = error.errors()[0]
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

"""What calls are given, and one kind of error for everything that a caller can mend."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet, load_dice
from solvers.errors import InputError

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def as_pipeline_error(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return the function with what solvers refuse raised as PipelineError."""

    @functools.wraps(function)
    def checked(*arguments: Given.args, **named: Given.kwargs) -> Answer:
        try:
            return function(*arguments, **named)
        except PipelineError:
            raise
        except InputError as error:
            raise PipelineError(error.message, error.hint) from error

    return checked


def dice_set(given: "str | Path | DiceSet") -> DiceSet:
    """Return a dice set by id or file, or the one that is given."""
    return given if isinstance(given, DiceSet) else load_dice(str(given))

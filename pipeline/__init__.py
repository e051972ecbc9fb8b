"""Letter-dice boards and KenKen puzzles from Python: the names below are the whole interface.

    import pipeline

    pipeline.solve("ADQPNLEMOSRTVKJH", words="enable2k").score
    pipeline.expect("new", words="enable2k").ways[8]
    frame = pipeline.simulate("new", 100_000)
    run = pipeline.run(boards=1_000_000, dice=["classic", "new"])
    run.query("SELECT dice, avg(score) FROM boards GROUP BY dice")

Whatever a person can mend raises PipelineError. Nothing is imported before it is used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.errors import PipelineError
    from pipeline.games.boggle.dice import DiceSet, load_dice
    from pipeline.games.boggle.expectations import Expectations
    from pipeline.games.boggle.one_board import FoundWord, SolvedBoard
    from pipeline.library import kenken
    from pipeline.library.boards import load_words, shake, simulate, solve, trace
    from pipeline.library.expectations import expect
    from pipeline.library.runs import Run, open_run, run
    from solvers.boggle.trace import Trace
    from solvers.boggle.words import WordList

_PLACES = {
    "DiceSet": "pipeline.games.boggle.dice",
    "Expectations": "pipeline.games.boggle.expectations",
    "FoundWord": "pipeline.games.boggle.one_board",
    "PipelineError": "pipeline.errors",
    "Run": "pipeline.library.runs",
    "SolvedBoard": "pipeline.games.boggle.one_board",
    "Trace": "solvers.boggle.trace",
    "WordList": "solvers.boggle.words",
    "expect": "pipeline.library.expectations",
    "kenken": "pipeline.library",
    "load_dice": "pipeline.games.boggle.dice",
    "load_words": "pipeline.library.boards",
    "open_run": "pipeline.library.runs",
    "run": "pipeline.library.runs",
    "shake": "pipeline.library.boards",
    "simulate": "pipeline.library.boards",
    "solve": "pipeline.library.boards",
    "trace": "pipeline.library.boards",
}
"""Public names, and the modules that hold them."""

__all__ = [
    "DiceSet",
    "Expectations",
    "FoundWord",
    "PipelineError",
    "Run",
    "SolvedBoard",
    "Trace",
    "WordList",
    "expect",
    "kenken",
    "load_dice",
    "load_words",
    "open_run",
    "run",
    "shake",
    "simulate",
    "solve",
    "trace",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'pipeline' has no attribute {name!r}")
    place = _PLACES[name]
    if name == "kenken":
        return importlib.import_module(f"{place}.{name}")
    found = getattr(importlib.import_module(place), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

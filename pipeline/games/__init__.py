"""What differs between games. Each is one object, loaded when it is asked for."""

import importlib
from functools import cache
from typing import Any

from pipeline.config import ANY_GAME, Resolved
from pipeline.errors import PipelineError, nearest
from pipeline.games.game import Game
from pipeline.store.run_file import REMEDY, RunFile

TABLE = {"boggle": "pipeline.games.boggle.game", "kenken": "pipeline.games.kenken.game"}
"""Module whose `GAME` it is, by the name that --game takes."""


@cache
def game(name: str) -> Game:
    """Return a game by its name; only the modules of that game are imported.

    Raises PipelineError for a name that is not known.
    """
    if name not in TABLE:
        raise PipelineError(f"--game {name!r} is not known", nearest(name, TABLE))
    found: Game = importlib.import_module(TABLE[name]).GAME
    return found


def check_options(resolved: Resolved) -> None:
    """Raises PipelineError for an option that is given and only means something for other games."""
    chosen = resolved.config.game
    for option, source in resolved.sources.items():
        if source == "default" or option in ANY_GAME or option in game(chosen).options:
            continue
        others = " or ".join(f"--game {name}" for name in TABLE if option in game(name).options)
        place = f"--{option.replace('_', '-')}" if source == "flag" else f"{option} (in {source})"
        raise PipelineError(f"{place} has no meaning for --game {chosen}", f"leave it out, or give {others}")


def read_run(run: dict[str, Any], place: str) -> RunFile:
    """Return the content of a run.json as the model of its game.

    Raises PipelineError that names what is wrong with it.
    """
    name = run.get("game")
    if not isinstance(name, str) or name not in TABLE:
        raise PipelineError(f"{place} is broken: its game is {name!r:.40}", REMEDY)
    return game(name).checked(run, place)

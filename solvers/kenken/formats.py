"""Read and write puzzles: Keen id, cage map or JSON, told apart by how the text begins.

JSON: `{"size": 3, "cages": [{"op": "+", "target": 5, "cells": [0, 3]}, ...]}` with cells row by row from 0; op `=` or
absent: a given, `?`: hidden. `"rules": {"wide": true}` tells rules; id, name, source, note, notes and solution may
stand beside and are not read.
"""

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from solvers.errors import InputError
from solvers.kenken.cage_map import read_map, write_map
from solvers.kenken.codes import MAX_TARGET, SYMBOLS
from solvers.kenken.keen_id import write_keen
from solvers.kenken.keen_parse import read_keen
from solvers.kenken.model import STANDARD, Cage, Puzzle, Rules
from solvers.kenken.spec import read_rules

_KEEN = re.compile(r"\d+[a-z]*:", re.ASCII)
_BESIDE = ("id", "name", "source", "note", "notes", "solution")


def read_puzzle(text: str, rules: Rules | None = None) -> Puzzle:
    """Return the puzzle that a text holds in any of the formats; `rules` hold where the text tells none.

    Raises InputError naming the place where the text breaks, or what is wrong with the puzzle.
    """
    start = text.strip()
    if not start:
        raise InputError("no puzzle: the text is empty", "give a Keen id, a cage map or JSON")
    if start.startswith(("{", "[")):
        return read_json(text, rules)
    if _KEEN.match(start):
        return read_keen(text, rules or STANDARD)
    return read_map(text, rules)


def read_json(text: str, rules: Rules | None = None) -> Puzzle:
    """Return the puzzle of a JSON object; raises InputError naming line and column, or the entry that is wrong."""
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise InputError("JSON is nested too deeply", "give one object with size and cages") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"JSON breaks at line {error.lineno}, column {error.colno}: {error.msg}",
            "give one object with size and cages",
        ) from None
    except InputError:
        raise
    except ValueError:
        raise InputError("JSON holds a number too long to read", f"targets are 0..{MAX_TARGET}") from None
    return puzzle_from_dict(value, rules)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"JSON: entry {twice!r} is there twice in one object", "leave one")
    return value


def puzzle_from_dict(value: object, rules: Rules | None = None) -> Puzzle:
    """Return the puzzle of a parsed JSON object; raises InputError naming the entry that is missing, unknown or
    wrong.
    """
    if not isinstance(value, Mapping):
        raise InputError(f"JSON holds {type(value).__name__}, no object", "give one object with size and cages")
    for name in value:
        if name not in ("size", "cages", "rules", *_BESIDE):
            raise InputError(f"JSON: entry {name!r}", "entries are size, cages and rules")
    for name in ("size", "cages"):
        if name not in value:
            raise InputError(f"JSON has no {name}", "give size and cages")
    if not isinstance(value["cages"], list):
        raise InputError(f"JSON: cages is {value['cages']!r:.40}", "give a list of objects")
    cages = [_cage(number, entry) for number, entry in enumerate(value["cages"], 1)]
    if "rules" in value:
        rules = read_rules(value["rules"], "JSON")
    elif rules is None:
        rules = Rules(hidden=any(cage.operator == "?" for cage in cages))
    return Puzzle(value["size"], tuple(cages), rules)


def _cage(number: int, entry: object) -> Cage:
    if not isinstance(entry, Mapping):
        raise InputError(f"JSON: cage {number} is {entry!r:.40}", "give an object with op, target and cells")
    for name in entry:
        if name not in ("op", "target", "cells"):
            raise InputError(f"JSON: cage {number} has entry {name!r}", "entries are op, target and cells")
    for name in ("target", "cells"):
        if name not in entry:
            raise InputError(f"JSON: cage {number} has no {name}", "entries are op, target and cells")
    operator, cells = entry.get("op", "="), entry["cells"]
    if not isinstance(operator, str):
        raise InputError(f"JSON: cage {number} has op {operator!r}", f"operators are {' '.join(SYMBOLS)}")
    if not isinstance(cells, list):
        raise InputError(f"JSON: cage {number} has cells {cells!r:.40}", "give a list of numbers")
    return Cage(operator, entry["target"], tuple(cells))


def puzzle_to_dict(puzzle: Puzzle) -> dict[str, Any]:
    """Return the JSON object of a puzzle; rules are left out where they are standard."""
    value: dict[str, Any] = {
        "size": puzzle.size,
        "cages": [{"op": cage.operator, "target": cage.target, "cells": list(cage.cells)} for cage in puzzle.cages],
    }
    if puzzle.rules != STANDARD:
        value["rules"] = puzzle.rules.told()
    return value


def write_json(puzzle: Puzzle) -> str:
    """Return one line of JSON, with a newline at its end."""
    return json.dumps(puzzle_to_dict(puzzle)) + "\n"


def _write_keen_line(puzzle: Puzzle) -> str:
    return write_keen(puzzle) + "\n"


WRITERS: Mapping[str, Callable[[Puzzle], str]] = MappingProxyType(
    {"keen": _write_keen_line, "map": write_map, "json": write_json}
)


def write_puzzle(puzzle: Puzzle, format: str = "keen") -> str:
    """Return the puzzle as `keen`, `map` or `json` text, with a newline at its end; raises InputError for another
    format.
    """
    if format not in WRITERS:
        raise InputError(f"format {format!r}", f"formats are {', '.join(WRITERS)}")
    return WRITERS[format](puzzle)

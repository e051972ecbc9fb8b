"""What a run is asked to do: from a TOML file, from flags, from defaults, with the source of each value."""

import os
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pipeline.defaults import DEFAULTS
from pipeline.errors import PipelineError, first_problem, nearest
from pipeline.shipped import find, looks_like_path, read_toml

MAX_BOARDS = 10**13
ANY_GAME = frozenset(
    (
        "game",
        "boards",
        "seed",
        "workers",
        "worker_memory",
        "out",
        "chunk",
        "keep",
        "until",
        "solver",
        "executor",
        "scheduler",
    )
)
"""Options that mean something whatever the game; each game says which others are its own."""
_COUNT = re.compile(r"(-?\d[\d_]*(?:\.\d+)?)(?:[eE]\+?(\d{1,2}))?\s*([kKMGBT]?)")
_UNITS = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "B": 9, "T": 12}


def parse_count(text: str) -> int:
    """Return a whole number; k, M, G (or B) and T stand for thousand, million, billion and a thousand billions.

    Raises ValueError for anything that is not a whole number written so.
    """
    match = _COUNT.fullmatch(text.strip().replace(",", "_"))
    if match is None:
        raise ValueError(f"{text!r} is not a whole number such as 250000, 1_000_000, 1e6 or 10M")
    digits, exponent, unit = match.groups()
    value = Decimal(digits.replace("_", "")).scaleb(int(exponent or 0) + _UNITS[unit])
    if value != value.to_integral_value():
        raise ValueError(f"{text!r} is not a whole number")
    return int(value)


def _as_count(value: Any) -> Any:
    """A text such as 10M as a number; what cannot be one is left for the check that follows."""
    if not isinstance(value, str):
        return value
    try:
        return parse_count(value)
    except ValueError:
        return value


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class RunConfig(BaseModel):
    """Every option of `pipeline run` but the ones that only concern the terminal."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    game: str = DEFAULTS["game"]
    boards: Annotated[int, BeforeValidator(_as_count), Field(ge=1, le=MAX_BOARDS)] = DEFAULTS["boards"]
    dice: Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1, max_length=64)] = DEFAULTS["dice"]
    spec: Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1, max_length=64)] = DEFAULTS["spec"]
    node_limit: Annotated[int, Field(ge=0, le=2**63 - 1)] = DEFAULTS["node_limit"]
    """Nodes after which the search of one puzzle gives up."""
    words: str = DEFAULTS["words"]
    language: str | None = None
    column: str | None = None
    """Column of the words, for a list that is a table."""
    min_length: Annotated[int, Field(ge=1, le=255)] | None = None
    scoring: str | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = DEFAULTS["seed"]
    workers: Annotated[int, Field(ge=1, le=1024)] | None = None
    worker_memory: Annotated[int, Field(ge=64, le=1 << 20)] = DEFAULTS["worker_memory"]
    """MB of data that one worker may hold."""
    out: str | None = None
    chunk: Annotated[int, BeforeValidator(_as_count), Field(ge=1, le=10**9)] | None = None
    keep: str | None = None
    """None: as the folder was begun with, and rows for a new one."""
    until: str | None = None
    solver: str = DEFAULTS["solver"]
    executor: str = DEFAULTS["executor"]
    scheduler: str | None = None


@dataclass(frozen=True)
class Resolved:
    """A config and, for each of its values, `flag`, the file's name, or `default`."""

    config: RunConfig
    sources: dict[str, str]


def load(file: str | None, flags: dict[str, Any]) -> Resolved:
    """Merge flags (those not None or empty) over the file over the defaults.

    Raises PipelineError that names the key or flag, the value and what is wrong.
    """
    values: dict[str, Any] = {}
    sources = dict.fromkeys(RunConfig.model_fields, "default")
    if file is not None:
        path = find_config(file)
        for key, value in read_toml(path, "config").items():
            if key not in RunConfig.model_fields:
                raise PipelineError(f"config file {path}: unknown key {key!r}", nearest(key, RunConfig.model_fields))
            values[key] = _from_folder(value, path.parent) if key in PATHS else value
            sources[key] = str(path)
        _validate(values, f"config file {path}: ")
    for key, value in flags.items():
        if value is not None and value != []:
            values[key] = value
            sources[key] = "flag"
    return Resolved(_validate(values, "--"), sources)


PATHS = ("dice", "spec", "words", "language")
"""Options whose relative paths, in a config file, begin at that file's folder."""


def _from_folder(value: Any, folder: Path) -> Any:
    if isinstance(value, list):
        return [_from_folder(one, folder) for one in value]
    if not isinstance(value, str) or not looks_like_path(value) or value.startswith("~"):
        return value
    return str(folder / value)


def _validate(values: dict[str, Any], place: str) -> RunConfig:
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        key, space, rest = first_problem(error).partition(" ")
        option = key.replace("_", "-") if place == "--" else key
        raise PipelineError(place + option + space + rest) from error


def find_config(reference: str) -> Path:
    return find(reference, "runs", "config")


def available_cores() -> int:
    """Return the cores that this process may use: its affinity, and no more than a cgroup's quota grants."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        if quota != "max":
            cores = min(cores, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):
        return cores
    return max(1, cores)

"""run.json as a model: what makes a run that run, how it is laid out, what is planned; checked once, when it is opened.

A game types what it stores in `settings` by a model of its own; `identity` stays as it was written, as its hash names
the run.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.errors import PipelineError, first_problem
from pipeline.shipped import is_id
from pipeline.store.kinds import MODES

SEMANTICS = 2
"""Raised whenever the meaning of a column or the way a board follows from its seed changes."""
FORMAT = 3
"""Version of the folder's layout, of run.json and of the columns."""
REMEDY = "restore it, or start a new run"
Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
Positive = Annotated[int, Field(ge=1, le=2**63 - 1)]


class Entry(BaseModel):
    """Part of run.json; other keys than those of the model are passed over."""

    # Built at the first check: a new run has nothing to check.
    model_config = ConfigDict(strict=True, defer_build=True)


class FolderLayout(Entry):
    """Names of folders and columns, so that anyone can read the folder without the program."""

    rows: str
    partition: str
    item: str
    id_column: str
    text_column: str
    variant_key: str
    """Where the identity lists the variants."""


class Plan(Entry):
    boards: Positive
    """Rows of each variant."""
    chunk: Positive


class Interval(Entry):
    """None: it has no end there."""

    value: float
    low: float | None = None
    high: float | None = None


class Stop(Entry):
    """Why and where a run with --until ended."""

    target: str
    boards: Positive
    reached: bool
    estimates: dict[str, Interval]


class RunFile(Entry):
    """The content of run.json. `settings`: names and rules for people; `items`: what the items of a variant hang on."""

    format: int
    run_id: str
    game: str
    variants: Annotated[list[str], Field(min_length=1)]
    layout: FolderLayout
    plan: Plan
    keep: str
    settings: Any
    items: dict[str, str]
    identity: dict[str, Any]
    command: str
    versions: dict[str, str]
    started: str = ""
    begun: str
    """Drawn when the folder was made: another run that is begun in the same place has another."""
    until: Stop | None = None
    checksum: str = ""
    """Of all but the identity, which the run id proves: see `checksum`."""

    @property
    def entries(self) -> dict[str, Any]:
        """Return what the identity says of each variant."""
        return dict(zip(self.variants, self.identity[self.layout.variant_key], strict=True))

    def contradiction(self) -> str:
        """Return what in the file contradicts the rest of it, as a clause; empty for a sound one."""
        variants = self.variants
        if self.keep not in MODES:
            return f"it keeps {self.keep!r:.40}"
        if not all(map(is_id, variants)) or len(set(variants)) != len(variants):
            return f"its variants are {variants!r:.60}"
        entries = self.identity.get(self.layout.variant_key)
        if not (isinstance(entries, list) and len(entries) == len(variants) and list(self.items) == variants):
            return "its settings, items and identity are not of the same variants"
        return ""

    def text(self) -> bytes:
        """Return the file as it is written."""
        content = self.model_dump(exclude_none=True)
        content["checksum"] = checksum(json.loads(json.dumps(content)))
        return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def parse(text: bytes, place: str) -> dict[str, Any]:
    """Return the content of a run.json of this format whose identity is that of its run id.

    Raises PipelineError that names what is broken, edited, or of another version.
    """
    try:
        run = json.loads(text)
        # Python's JSON can hold half a character and infinity, which no report can show or store.
        json.dumps(run, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise PipelineError(f"{place} is broken: {error}", REMEDY) from error
    version = run.get("format") if isinstance(run, dict) else None
    if version != FORMAT:
        raise PipelineError(f"{place} has format {version!r}; this version reads format {FORMAT}", "make the run again")
    if "identity" in run and run_id(run["identity"]) != run.get("run_id"):
        raise PipelineError(f"{place} was edited: its identity does not match its run id", REMEDY)
    return run


def check(model: type[RunFile], run: Mapping[str, Any], layout: FolderLayout, place: str) -> RunFile:
    """Return the content of run.json as the model of its game, which lays its folders out as `layout`.

    Raises PipelineError that names what is missing, wrong, in contradiction to the rest of the file, or changed.
    """
    try:
        read = model.model_validate(run)
        what = f"its layout is not that of {read.game}" if read.layout != layout else read.contradiction()
        if not what and read.checksum != checksum(run):
            what = "it is not what was written (its checksum differs)"
    except ValidationError as error:
        raise PipelineError(f"{place} is broken: {first_problem(error)}", REMEDY) from error
    if what:
        raise PipelineError(f"{place} is broken: {what}", REMEDY)
    return read


def checksum(run: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what run.json says beside its format, its identity and the hash of that, in hex."""
    apart = ("format", "run_id", "identity", "checksum")
    return run_id({key: value for key, value in run.items() if key not in apart})


def run_id(identity: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON of an identity, in hex."""
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def difference(stored: Any, wanted: Any, path: str = "") -> str:
    """Return the first thing that differs between two identities, in words."""
    if isinstance(stored, dict) and isinstance(wanted, dict):
        for key in [*stored, *(key for key in wanted if key not in stored)]:
            place = f"{path}.{key}" if path else str(key)
            if key not in wanted:
                return f"it has {place}, this one has not"
            if key not in stored:
                return f"it has no {place}"
            if stored[key] != wanted[key]:
                return difference(stored[key], wanted[key], place)
    if isinstance(stored, list) and isinstance(wanted, list) and len(stored) == len(wanted):
        for number, (one, other) in enumerate(zip(stored, wanted, strict=True), 1):
            if one != other:
                return difference(one, other, f"{path} {number}")
    return f"its {path} is {_short(stored)}, not {_short(wanted)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."

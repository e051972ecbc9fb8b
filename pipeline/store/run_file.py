"""What run.json must hold: checked when a run is opened, so that no one else has to.

`identity` is proved by the run's id; all else in the file is what reports and later commands rely upon.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.errors import PipelineError
from pipeline.fields import first_problem
from pipeline.shipped import is_id

REMEDY = "restore it, or start a new run"
Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
Positive = Annotated[int, Field(ge=1, le=2**63 - 1)]


class _Entry(BaseModel):
    # Built at the first check: a new run has nothing to check.
    model_config = ConfigDict(strict=True, defer_build=True)


class _Layout(_Entry):
    rows: str
    partition: str
    variant_key: str


class _Plan(_Entry):
    boards: Positive
    chunk: Positive


class _Estimate(_Entry):
    value: float
    low: float
    high: float


class _Until(_Entry):
    target: str
    boards: Positive
    reached: bool
    estimates: dict[str, _Estimate]


class _Run(_Entry):
    run_id: str
    variants: Annotated[list[str], Field(min_length=1)]
    layout: _Layout
    plan: _Plan
    keep: Literal["boards", "histograms", "none-but-top"] = "boards"
    items: dict[str, str]
    command: str
    versions: dict[str, str]
    started: str = ""
    until: _Until | None = None


class _DiceSettings(_Entry):
    name: str
    min_length: Positive
    scoring: str


class _BoardSettings(_Entry):
    words: str
    word_count: Count
    seed: Count
    dice: dict[str, _DiceSettings]


class _DiceIdentity(_Entry):
    rows: Positive
    columns: Positive
    dice: list[list[str]]
    minimum_length: Annotated[Positive, Field(alias="minimum length")]
    scoring: str
    word_list: Annotated[str, Field(alias="word list")]


class _BoardIdentity(_Entry):
    seed: Count
    language: Annotated[str, Field(alias="word list language")]
    sets: Annotated[list[_DiceIdentity], Field(alias="dice set")]


class _Boggle(_Run):
    game: Literal["boggle"]
    settings: _BoardSettings
    identity: _BoardIdentity


class _SpecSettings(_Entry):
    size: Positive
    cage_sizes: dict[str, Count]
    operators: dict[str, Count]
    rules: list[str]
    grade: str | None


class _PuzzleSettings(_Entry):
    seed: Count
    spec: dict[str, _SpecSettings]


class _PuzzleIdentity(_Entry):
    seed: Count
    node_limit: Annotated[Count, Field(alias="node limit")]
    sets: Annotated[list[dict[str, Any]], Field(alias="spec")]


class _KenKen(_Run):
    game: Literal["kenken"]
    settings: _PuzzleSettings
    identity: _PuzzleIdentity


_GAMES: Mapping[str, tuple[type[_Boggle | _KenKen], dict[str, str]]] = {
    "boggle": (_Boggle, {"rows": "boards", "partition": "dice", "variant_key": "dice set"}),
    "kenken": (_KenKen, {"rows": "puzzles", "partition": "spec", "variant_key": "spec"}),
}


def check(run: dict[str, Any], place: str) -> None:
    """Raises PipelineError that names what is missing, wrong, or in contradiction to the rest of the file."""
    game = run.get("game")
    if not isinstance(game, str) or game not in _GAMES:
        raise PipelineError(f"{place} is broken: its game is {game!r:.40}", REMEDY)
    model, layout = _GAMES[game]
    try:
        read = model.model_validate(run)
    except ValidationError as error:
        raise PipelineError(f"{place} is broken: {first_problem(error)}", REMEDY) from error
    if what := _contradiction(read, layout):
        raise PipelineError(f"{place} is broken: {what}", REMEDY)


def _contradiction(run: _Boggle | _KenKen, layout: dict[str, str]) -> str:
    variants = run.variants
    if run.layout.model_dump() != layout:
        return f"its layout is not that of {run.game}"
    if not all(map(is_id, variants)) or len(set(variants)) != len(variants):
        return f"its variants are {variants!r:.60}"
    if isinstance(run, _Boggle):
        settings: Any = run.settings.dice
        same = [(one.min_length, one.scoring) for one in settings.values()] == [
            (one.minimum_length, one.scoring) for one in run.identity.sets
        ]
    else:
        settings, same = run.settings.spec, True
    if not (list(settings) == variants == list(run.items) and len(run.identity.sets) == len(variants)):
        return "its settings, items and identity are not of the same variants"
    if not same or run.settings.seed != run.identity.seed:
        return "its settings contradict its identity"
    return ""

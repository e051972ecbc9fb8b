"""Dice sets: read from TOML and checked once."""

from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from pipeline.errors import PipelineError, first_problem, nearest, unknown_key
from pipeline.games.boggle.languages import DEFAULT, find_language
from pipeline.shipped import check_id, find, read_toml, shipped_ids
from solvers.boggle.alphabet import MAX_FACE_LETTERS, Alphabet
from solvers.boggle.scoring import points_table
from solvers.errors import InputError
from solvers.grid import MAX_CELLS
from solvers.languages import PLAIN, Language

FACES_PER_DIE = 6


class DiceSet(BaseModel):
    """A set of letter dice for a grid. A face is printed text such as `A` or `Qu`; an empty face is blank.

    `letters`: the language by whose letters the faces are meant, where that is not `language` itself, as for Czech dice
    without signs; `rules` are that language.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: str
    name: str = ""
    years: str = ""
    language: str = DEFAULT
    letters: str = ""
    rules: Language = Field(default=PLAIN, exclude=True, repr=False)
    rows: Annotated[int, Field(ge=1, le=MAX_CELLS)]
    columns: Annotated[int, Field(ge=1, le=MAX_CELLS)]
    min_length: Annotated[int, Field(ge=1, le=MAX_CELLS)] = 3
    scoring: str = "standard"
    official_product: bool = False
    dice: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...] = ()
    notes: str = ""

    @field_validator("dice", mode="before")
    @classmethod
    def _read_dice(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, list) or not all(isinstance(die, str) for die in value):
            raise ValueError('dice is a list of texts, one a die, such as "A A E E G N"')
        rules = info.data.get("rules", PLAIN)
        return tuple(
            tuple(_face(face, number, die, rules) for face in die.split()) for number, die in enumerate(value, 1)
        )

    @field_validator("sources", mode="before")
    @classmethod
    def _read_sources(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _check(self) -> "DiceSet":
        for number, die in enumerate(self.dice, 1):
            if len(die) != FACES_PER_DIE:
                shown = " ".join(face or "." for face in die[:8]) + (" ..." if len(die) > 8 else "")
                raise ValueError(f"die {number} ({shown}) has {len(die)} faces, not six")
        if self.rows * self.columns > MAX_CELLS:
            raise ValueError(f"a grid of {self.rows} x {self.columns} has more than {MAX_CELLS} cells")
        if len(self.dice) != self.rows * self.columns:
            raise ValueError(
                f"{len(self.dice)} dice do not fill a grid of {self.rows} x {self.columns} = {self.rows * self.columns}"
            )
        points_table(self.scoring)
        _ = self.alphabet
        return self

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """The distinct faces in ascending order; the index of a face is its id in a shake."""
        return tuple(sorted({face for die in self.dice for face in die}))

    @cached_property
    def alphabet(self) -> Alphabet:
        """The tiles of the set, for words of its own language."""
        return self.alphabet_for(self.rules)

    def alphabet_for(self, words: Language) -> Alphabet:
        """Return the tiles of the set, for words of a language: symbols have the same ids whatever it is."""
        return Alphabet.at_hand(self.faces, words, self.rules.cases)

    def identity(self) -> dict[str, Any]:
        """Return what makes the shakes what they are: never the id, the name or the notes."""
        return {"rows": self.rows, "columns": self.columns, "dice": [list(die) for die in self.dice]}


def _face(text: str, number: int, die: str, rules: Language) -> str:
    if text == ".":
        return ""
    face = rules.face(text)
    if not face.isalpha():
        raise ValueError(f"die {number} ({die[:40]}): face {text[:12]!r} is not a letter; a blank face is a dot")
    if len(face) > MAX_FACE_LETTERS:
        raise ValueError(f"die {number} ({die[:40]}): face {text[:12]!r} has more than {MAX_FACE_LETTERS} letters")
    return face


def load_dice(reference: str) -> DiceSet:
    """Return a shipped set by id, or a set from a TOML file, whose name becomes the id.

    Raises PipelineError that names the file, the field and what is wrong.
    """
    path = find(reference, "dice", "dice set")
    return dice_from_dict(read_toml(path, "dice set"), check_id(path.stem, "dice set"), str(path))


def dice_from_dict(fields: dict[str, Any], dice_id: str, place: str, rules: Language | None = None) -> DiceSet:
    """Return a dice set from the fields of its file; `rules` are those of its language where they are known already.

    Raises PipelineError that names the place, the field and what is wrong.
    """
    if "rules" in fields:
        raise PipelineError(f"dice set {place}: unknown key 'rules'", "known is language")
    language = fields.get("letters") or fields.get("language", DEFAULT)
    try:
        if rules is None:
            rules = find_language(language) if isinstance(language, str) else PLAIN
        return DiceSet.model_validate({**fields, "id": dice_id, "rules": rules})
    except PipelineError as error:
        raise PipelineError(f"dice set {place}: {error.message}", error.hint) from error
    except InputError as error:
        raise PipelineError(f"dice set {place}: {error.message}", error.hint) from error
    except ValidationError as error:
        strange, known = unknown_key(error), [name for name in DiceSet.model_fields if name not in ("id", "rules")]
        raise PipelineError(
            f"dice set {place}: {first_problem(error)}", nearest(strange, known) if strange else ""
        ) from error


def shipped_dice() -> list[DiceSet]:
    return [load_dice(dice_id) for dice_id in shipped_ids("dice")]


def check_distinct(dice: list[DiceSet]) -> None:
    """Raises PipelineError where two sets share an id: their rows could not be told apart."""
    seen: set[str] = set()
    for one in dice:
        if one.id in seen:
            raise PipelineError(f"dice set {one.id!r} is given twice", "name each set once, or rename the file")
        seen.add(one.id)

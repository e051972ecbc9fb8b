"""What requests hold and what answers hold: the API's schema."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pipeline.web.hints import Kind
from pipeline.web.settings import (
    DEFAULT_WORDS,
    MAX_BOARD_TEXT,
    MAX_KENKEN,
    MAX_MIN_LENGTH,
    MAX_PATHS,
    MAX_PUZZLE_TEXT,
    MAX_SIDE,
    MAX_WORD,
    MIN_KENKEN,
    MIN_SIDE,
)
from solvers.kenken.codes import GRADES

Id = Annotated[str, Field(max_length=64, pattern=r"^[a-z][a-z0-9_]*$")]
Side = Annotated[int, Field(ge=MIN_SIDE, le=MAX_SIDE)]
Number = Annotated[int, Field(ge=0, lt=2**63 - 1_000)]
"""A seed or the id of an item."""
Grade = Literal["easy", "normal", "hard", "extreme", "unreasonable"]
Order = Literal["alphabet", "length", "points"]
assert Grade.__args__ == GRADES  # type: ignore[attr-defined]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class BoardRequest(Request):
    board: str = Field(
        min_length=1,
        max_length=MAX_BOARD_TEXT,
        description="Row by row: one letter a cell (q is Qu), tiles split by spaces, or canonical text as `QuATThE.`; "
        "`.` is a blank tile.",
        examples=["perslatgsineters"],
    )
    dice: Id | None = Field(
        default=None, description="A dice set of /dice; it sets size, faces and rules. Free letters without."
    )
    rows: Side | None = Field(default=None, description="Free letters: rows, 4 if not given.")
    columns: Side | None = Field(default=None, description="Free letters: columns, 4 if not given.")


class SolveRequest(BoardRequest):
    words: Id = Field(default=DEFAULT_WORDS, description="A word list of /words.")
    min_length: Annotated[int, Field(ge=1, le=MAX_MIN_LENGTH)] | None = Field(
        default=None, description="Letters of the shortest word; the dice set's rule, or 3, if not given."
    )
    order: Order = Field(
        default="alphabet", description="By length and by points the largest come first, then by alphabet."
    )
    paths: bool = Field(default=False, description="Give a path of each word too.")


class TraceRequest(BoardRequest):
    word: str = Field(min_length=1, max_length=MAX_WORD, examples=["plaster"])
    neighbours: Literal[4, 8] = Field(default=8, description="8: sides and corners touch; 4: sides only.")
    words: Id | None = Field(default=None, description="Tell too whether this list holds the word.")
    paths: Annotated[int, Field(ge=0, le=MAX_PATHS)] = Field(default=0, description="List up to so many tracings.")


class GenerateRequest(Request):
    size: Annotated[int, Field(ge=MIN_KENKEN, le=MAX_KENKEN)] = 6
    grade: Grade | None = Field(default=None, description="Any grade if not given.")
    operators: list[Literal["+", "-", "*", "/"]] | None = Field(
        default=None, min_length=1, max_length=4, description="Only these; all four if not given."
    )
    hidden: bool = Field(default=False, description="Hide the operators of the cages.")
    seed: Number = 1
    index: Number = Field(default=0, description="Number of the puzzle under this seed.")


EXAMPLE_PUZZLE = "abb\na2c\nddc\n\na: 5+\nb: 4+\nc: 2*\nd: 2-\n"


class PuzzleRequest(Request):
    puzzle: str = Field(
        min_length=1,
        max_length=MAX_PUZZLE_TEXT,
        description="A Keen id, a cage map, or JSON with size and cages.",
        examples=[EXAMPLE_PUZZLE],
    )


class HintRequest(PuzzleRequest):
    digits: list[Annotated[int, Field(ge=0, le=MAX_KENKEN)] | None] = Field(
        max_length=MAX_KENKEN * MAX_KENKEN,
        description="What is filled in, row by row; null for an empty cell.",
        examples=[[None] * 9],
    )


class FoundWord(BaseModel):
    word: str
    letters: int
    points: int
    path: list[int] = Field(description="Cells of one path, numbered row by row from 0; empty unless asked for.")


class SolveAnswer(BaseModel):
    board: str = Field(description="The board as canonical text.")
    tiles: list[str] = Field(description="Row by row; a blank is empty.")
    rows: int
    columns: int
    dice: str | None
    words: str
    min_length: int
    count: int = Field(description="Distinct words.")
    score: int
    longest: str | None = Field(description="The longest word, the first by alphabet of equal ones.")
    dead_tiles: int = Field(description="Letter tiles on no path of any word.")
    nodes: int = Field(description="Calls of the plain prefix-pruned search.")
    milliseconds: float = Field(description="Time of the search alone.")
    dead: list[int] = Field(description="Cells of the dead tiles; empty unless paths are asked for.")
    found: list[FoundWord]


class TraceAnswer(BaseModel):
    board: str
    tiles: list[str]
    rows: int
    columns: int
    word: str
    found: bool
    path: list[int] = Field(description="Cells of one tracing, numbered row by row from 0.")
    ways: int | None = Field(description="Distinct tracings; null where there are more than were counted.")
    ways_at_least: int
    paths: list[list[int]] = Field(description="Tracings, as many as were asked for.")
    in_list: bool | None = Field(description="Whether the list holds the word; null where none was named.")


class DiceAnswer(BaseModel):
    id: str
    name: str
    years: str
    language: str
    rows: int
    columns: int
    min_length: int
    scoring: str
    faces: list[str] = Field(description="Distinct faces; a blank is empty.")
    dice: list[list[str]]


class WordsAnswer(BaseModel):
    id: str
    name: str
    language: str
    count: int
    licence: str
    credit: str


class ShakenBoard(BaseModel):
    index: int
    board: str
    tiles: list[str]


class ShakeAnswer(BaseModel):
    dice: str
    seed: int
    rows: int
    columns: int
    boards: list[ShakenBoard]


class CageAnswer(BaseModel):
    operator: Literal["+", "-", "*", "/", "=", "?"] = Field(description="`=` is a given digit, `?` is hidden.")
    target: int
    cells: list[int] = Field(description="Numbered row by row from 0.")


class PuzzleAnswer(BaseModel):
    size: int
    status: Literal["none", "unique", "multiple"]
    solutions: int = Field(description="0, 1, or 2 for two and more.")
    grade: Grade | None = Field(description="The weakest rules that solve it; null unless the solution is unique.")
    nodes: int
    solution: list[int] = Field(description="Digits row by row of the first solution; empty without one.")
    milliseconds: float
    lowest: int = Field(description="The lowest digit: 1, or 0.")
    wide: bool = Field(description="Whether - and / may stand on more than two cells.")
    cages: list[CageAnswer]
    keen: str | None = Field(description="The puzzle as a Keen id, where that format can hold it.")
    map: str = Field(description="The puzzle as a cage map.")
    svg: str = Field(description="The puzzle as a drawing.")
    svg_solved: str | None = Field(description="With the solution, where there is one.")


class HintAnswer(BaseModel):
    kind: Kind = Field(
        description="wrong: this digit is not that of the solution; contradiction: what is filled in leaves no "
        "solution; cell: no other digit fits the cell; row, column: the line has no other place for the digit; "
        "search: no rule places any cell, this one is right; stuck: no rule places any, and there are several "
        "solutions; solved: nothing is left."
    )
    cell: int | None = Field(description="Numbered row by row from 0.")
    digit: int | None


class GeneratedAnswer(PuzzleAnswer):
    seed: int
    index: int


class HealthAnswer(BaseModel):
    status: Literal["ok"]
    version: str
    seconds: float = Field(description="Since the server started.")
    kenken: bool = Field(description="Whether the KenKen solver is compiled; its requests wait until then.")
    allow_runs: int = Field(description="Boards of a run that may be started; 0: none.")

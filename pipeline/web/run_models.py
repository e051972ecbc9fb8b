"""What requests and answers about runs hold."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from pipeline.web.models import Id, Number, Request

State = Literal["running", "stopped", "done", "broken"]
Sort = Literal["date", "name", "boards", "size"]


class RunRequest(Request):
    boards: Annotated[int, Field(ge=1, le=10**13)] = Field(description="Boards of each dice set.", examples=[100_000])
    dice: list[Id] = Field(default=["new"], min_length=1, max_length=4, description="Dice sets of /dice.")
    words: Id = Field(default="enable1", description="A word list of /words.")
    seed: Number = 1
    workers: Annotated[int, Field(ge=1, le=1024)] | None = Field(default=None, description="Cores; all if not given.")
    keep: Literal["boards", "histograms"] = Field(
        default="boards", description="`histograms` stores exact figures instead of a row for each board."
    )


class StartedAnswer(BaseModel):
    name: str = Field(description="Name of the run; it is listed once it has begun to write.")


class RunAnswer(BaseModel):
    name: str
    game: str = Field(description="`boggle` or `kenken`; empty where the run is broken.")
    state: State = Field(description="stopped: not all planned rows are there, and nobody works on it.")
    boards: int = Field(description="Rows of each variant that the run is planned to hold.")
    stored: int = Field(description="Rows of all variants that are there.")
    planned: int = Field(description="Rows of all variants that are planned.")
    stored_by_variant: dict[str, int]
    variants: list[str]
    words: str | None
    seed: int | None
    started: str = Field(description="When the run was made, UTC; empty where it is not known.")
    changed: str = Field(description="When it last stored something, UTC.")
    bytes: int = Field(description="Size on disk.")
    report: bool = Field(description="Whether a report has been written.")
    problem: str | None = Field(description="What is wrong with a broken run.")


class RunsAnswer(BaseModel):
    runs: list[RunAnswer]
    total: int = Field(description="Runs that fit the search, on all pages.")
    left_out: int = Field(description="Older runs that are not looked at: there are more than the server lists.")


class RunDetailAnswer(RunAnswer):
    keep: str = Field(description="What the run stores.")
    command: str
    settings: dict[str, Any]
    versions: dict[str, str]
    summary: dict[str, Any] | None = Field(
        description="Figures of the last report, as its summary.json holds them; null without a report."
    )


class RankedBoard(BaseModel):
    board_id: int
    board: str
    words: int
    score: int
    nodes: int
    longest: int
    dead_tiles: int


class BoardsAnswer(BaseModel):
    variant: str
    boards: list[RankedBoard]
    total: int


class Share(BaseModel):
    value: float
    low: float
    high: float


class CountedWord(BaseModel):
    word: str
    spelling: str
    length: int
    points: int
    boards: int = Field(description="Boards that show the word.")
    share: Share = Field(description="Share of boards, with its 95 % interval.")


class RunWordsAnswer(BaseModel):
    variant: str
    words: list[CountedWord]
    total: int


class ComparedTable(BaseModel):
    title: str
    header: list[str]
    rows: list[list[str]]
    note: str


class CompareAnswer(BaseModel):
    comparisons: list[dict[str, Any]] = Field(description="The figures: differences, intervals, tests, by metric.")
    tables: list[ComparedTable] = Field(description="The same as text, as the command line shows it.")

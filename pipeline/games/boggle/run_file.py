"""What run.json holds of a run of boards."""

from typing import Annotated, Any

from pydantic import Field

from pipeline.games.boggle.languages import DEFAULT
from pipeline.store.run_file import Count, Entry, Positive, RunFile


class DiceSettings(Entry):
    """`language`: by whose letters the faces are read."""

    name: str
    years: str = ""
    language: str = DEFAULT
    min_length: Positive
    scoring: str


class Skipped(Entry):
    """Entries of a word list that are no words, for one reason."""

    entries: Count
    reason: str
    example: str


class BoardSettings(Entry):
    """`languages`: the rules of the languages of words and dice, as their files hold them."""

    words: str
    word_count: Count
    language: str
    skipped: list[Skipped] = Field(default_factory=list)
    seed: Count
    dice: dict[str, DiceSettings]
    languages: dict[str, dict[str, Any]] = Field(default_factory=dict)


class DiceIdentity(Entry):
    """What makes the boards of one dice set, and what counts on them."""

    rows: Positive
    columns: Positive
    dice: list[list[str]]
    min_length: Annotated[Positive, Field(alias="minimum length")]
    scoring: str
    words: Annotated[str, Field(alias="word list")]


class BoardIdentity(Entry):
    semantics: Count
    seed: Count
    language: Annotated[str, Field(alias="word list language")]
    sets: Annotated[list[DiceIdentity], Field(alias="dice set")]


class BoardRun(RunFile):
    """run.json of boards."""

    settings: BoardSettings

    @property
    def made_from(self) -> BoardIdentity:
        """The identity, typed."""
        return BoardIdentity.model_validate(self.identity)

    @property
    def sets(self) -> dict[str, DiceIdentity]:
        """The identity of each dice set, typed."""
        return dict(zip(self.variants, self.made_from.sets, strict=True))

    def contradiction(self) -> str:
        """Return what in the file contradicts the rest of it, as a clause; empty for a sound one."""
        if what := super().contradiction():
            return what
        made = self.made_from
        if list(self.settings.dice) != self.variants or self.settings.seed != made.seed:
            return "its settings contradict its identity"
        said = [(one.min_length, one.scoring) for one in self.settings.dice.values()]
        if said != [(one.min_length, one.scoring) for one in made.sets]:
            return "its settings contradict its identity"
        return ""

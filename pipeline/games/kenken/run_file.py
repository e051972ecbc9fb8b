"""What run.json holds of a run of puzzles."""

from typing import Annotated, Any

from pydantic import Field

from pipeline.store.run_file import Count, Entry, Positive, RunFile


class SpecSettings(Entry):
    size: Positive
    cage_sizes: dict[str, Count]
    operators: dict[str, Count]
    rules: list[str]
    grade: str | None = None
    notes: str = ""

    def line(self) -> str:
        """Return `6x6; cages of cells 1, 2, 3, 4 by weights 4 : 48 : 32 : 16; operators ...` and so on."""
        said = [f"{self.size}x{self.size}"]
        for title, weights in (("cages of cells", self.cage_sizes), ("operators", self.operators)):
            said.append(f"{title} {', '.join(weights)} by weights {' : '.join(map(str, weights.values()))}")
        if self.rules:
            said.append(f"rules {', '.join(self.rules)}")
        if self.grade:
            said.append(f"grade {self.grade}")
        return "; ".join(said)


class PuzzleSettings(Entry):
    seed: Count
    node_limit: Count
    spec: dict[str, SpecSettings]


class PuzzleIdentity(Entry):
    seed: Count
    node_limit: Annotated[Count, Field(alias="node limit")]
    specs: Annotated[list[dict[str, Any]], Field(alias="spec")]


class PuzzleRun(RunFile):
    """run.json of puzzles."""

    settings: PuzzleSettings

    @property
    def made_from(self) -> PuzzleIdentity:
        """The identity, typed."""
        return PuzzleIdentity.model_validate(self.identity)

    def contradiction(self) -> str:
        """Return what in the file contradicts the rest of it, as a clause; empty for a sound one."""
        if what := super().contradiction():
            return what
        made = self.made_from
        if list(self.settings.spec) != self.variants or self.settings.seed != made.seed:
            return "its settings contradict its identity"
        return ""

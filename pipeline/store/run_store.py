"""The folder of a run: run.json once, parts as they are committed, and what is still missing.

run.json                                   identity, plan, versions
boards/dice=<id>/part-<start>-<end>.parquet  one row a board (puzzles/spec=<id>/ for KenKen)
words/dice=<id>/part-<start>-<end>.parquet   how many boards of the part show each word
words/lexicon.parquet                        the words themselves
histograms/, top/                            instead of boards/ in a run that keeps no rows (see kinds.py)
report/                                      what `pipeline report` writes
run.log
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.errors import PipelineError, nearest
from pipeline.store.files import TEMPORARY, Files, exists, open_files
from pipeline.store.kinds import Mode, mode_named
from pipeline.store.parts import WORDS, Part, encode, parse_name, problem
from pipeline.store.run_file import RunFile, difference, parse

RUN_FILE = "run.json"
LEXICON = f"{WORDS}/lexicon.parquet"
"""The word list of a run that counts words."""


@dataclass(frozen=True)
class RunStore:
    """An opened run; `run` is the content of run.json."""

    files: Files
    run: RunFile
    location: str

    @property
    def rows_folder(self) -> str:
        return self.run.layout.rows

    @property
    def mode(self) -> Mode:
        """What the run keeps of each chunk."""
        return mode_named(self.run.keep)

    @property
    def main_kind(self) -> str:
        """The kind of part that is committed last: where it is, the others of its range are."""
        return self.mode.main_kind(self.rows_folder)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind of part that the run may hold, the main one first."""
        return self.mode.kinds(self.rows_folder)

    @property
    def partition(self) -> str:
        """`dice` or `spec`."""
        return self.run.layout.partition

    @property
    def variants(self) -> list[str]:
        return list(self.run.variants)

    @property
    def boards(self) -> int:
        """Rows a variant that the run is planned to hold."""
        return self.run.plan.boards

    @property
    def name(self) -> str:
        return self.location.rstrip("/").rsplit("/", 1)[-1]

    def folder(self, variant: str, kind: str | None = None) -> str:
        return f"{kind or self.main_kind}/{self.partition}={variant}"

    def path(self, variant: str, part: Part, kind: str | None = None) -> str:
        """Return where a part lies within the run."""
        return f"{self.folder(variant, kind)}/{part.name}"

    def owned(self, variant: str, kind: str | None = None) -> dict[Part, int]:
        """Return the files of a folder that are parts by their names, and their sizes; all others are not the run's."""
        sizes = self.files.sizes(self.folder(variant, kind))
        return {part: size for name, size in sizes.items() if (part := parse_name(name)) is not None}

    def parts(self, variant: str, kind: str | None = None) -> list[Part]:
        """Committed parts in order of their ids: those whose main part is there.

        Of a part and others within its range (left over when merging was interrupted) the large one counts; parts
        that overlap otherwise (never written by a run) are an error.
        """
        committed = self._parted(variant)[0]
        if kind is None or kind == self.main_kind:
            return committed
        stored = self.owned(variant, kind)
        return [part for part in committed if part in stored]

    def leftovers(self, variant: str) -> list[Part]:
        """Main parts within the range of a larger one."""
        return self._parted(variant)[1]

    def _parted(self, variant: str) -> tuple[list[Part], list[Part]]:
        """Main parts that count, and those within the range of a larger one."""
        committed: list[Part] = []
        within = []
        for part in sorted(self.owned(variant), key=lambda one: (one.start, -one.end)):
            if not committed or part.start >= committed[-1].end:
                committed.append(part)
            elif part.end <= committed[-1].end:
                within.append(part)
            else:
                raise PipelineError(
                    f"run {self.location}: parts {committed[-1].name} and {part.name} of {variant} overlap",
                    "remove one of them and run again",
                )
        return committed, within

    def missing(self, variant: str, boards: int) -> list[Part]:
        """Ranges of 0 .. boards that no committed part covers."""
        gaps, reached = [], 0
        for part in self.parts(variant):
            if part.start > reached:
                gaps.append(Part(reached, min(part.start, boards)))
            reached = part.end
            if reached >= boards:
                break
        if reached < boards:
            gaps.append(Part(reached, boards))
        return [gap for gap in gaps if gap.start < gap.end]

    def part_paths(self, variant: str, kind: str | None = None, boards: int | None = None) -> list[str]:
        """Return the addresses of committed parts, up to the one that holds row boards - 1."""
        return [
            self.files.url(self.path(variant, part, kind))
            for part in self.parts(variant, kind)
            if boards is None or part.start < boards
        ]

    def commit(self, variant: str, part: Part, tables: Mapping[str, pa.Table]) -> None:
        """Store the parts of one range, by kind. Where the main kind is among them, it is there only when all are."""
        kinds = sorted(tables, key=lambda kind: kind != self.main_kind)
        self.files.write_all(
            (self.path(variant, part, kind), encode(tables[kind], self.label(variant, part, kind))) for kind in kinds
        )

    def label(self, variant: str, part: Part, kind: str | None = None) -> str:
        """What the footer of a part says it holds: a part of another run or range is not taken for this one."""
        place = self.variants.index(variant)
        return f"run {self.run.run_id} {kind or self.main_kind} {place} rows {part.start}-{part.end}"

    def problems(self, schemas: Mapping[str, pa.Schema]) -> dict[str, str]:
        """Path and fault of every file among the parts that is not a sound part; `schemas` by kind (rows, words)."""
        found = {}
        for kind, schema in schemas.items():
            for variant in self.variants:
                folder = self.folder(variant, kind)
                for name in sorted(self.files.sizes(folder)):
                    part, path = parse_name(name), f"{folder}/{name}"
                    if part is None:
                        fault = "is no part of a run"
                    else:
                        fault = problem(self.files.read(path), self.label(variant, part, kind), schema)
                    if fault:
                        found[path] = fault
        return found

    def sweep(self) -> None:
        """Remove what an interrupted run leaves: temporary files, and parts without their main part."""
        for kind in self.kinds:
            for variant in self.variants:
                folder = self.folder(variant, kind)
                main = set(self.files.sizes(self.folder(variant)))
                for name in self.files.sizes(folder):
                    orphan = kind != self.main_kind and parse_name(name) is not None and name not in main
                    if name.startswith(TEMPORARY) or orphan:
                        self.files.delete(f"{folder}/{name}")
        for folder in ("", WORDS, "report"):
            for name in self.files.sizes(folder):
                if name.startswith(TEMPORARY):
                    self.files.delete(f"{folder}/{name}" if folder else name)

    def drop_broken(self, schemas: Mapping[str, pa.Schema]) -> dict[str, str]:
        """Delete parts that are not sound, and their companions of other kinds, so that they are computed again."""
        dropped = self.problems(schemas)
        for variant in self.variants:
            folders = [self.folder(variant, kind) for kind in schemas]
            names = {folder: set(self.files.sizes(folder)) for folder in folders}
            sound = [{name for name in names[folder] if f"{folder}/{name}" not in dropped} for folder in folders]
            whole = set.intersection(*sound)
            for folder in folders:
                for name in sorted(names[folder] - whole):
                    dropped.setdefault(f"{folder}/{name}", "goes with a part that is broken or gone")
        for path in dropped:
            self.files.delete(path)
        self.drop_merged(schemas)
        return dropped

    def drop_merged(self, kinds: Iterable[str]) -> None:
        """Delete parts within the range of a larger one: main parts last, so that none stands without its companions.

        The large part is whole by then: its main part is written after its companions.
        """
        for variant in self.variants:
            within = self.leftovers(variant)
            for kind in sorted(kinds, key=lambda kind: kind == self.main_kind):
                for part in within:
                    self.files.delete(self.path(variant, part, kind))

    def extend(self, boards: int) -> "RunStore":
        """Return the same run planned for more boards; run.json is rewritten whole."""
        if boards <= self.boards:
            return self
        return self.rewritten(plan=self.run.plan.model_copy(update={"boards": boards}))

    def rewritten(self, **changes: Any) -> "RunStore":
        """Return the same run with other entries of run.json, which is written whole."""
        run = self.run.model_copy(update=changes)
        self.files.write(RUN_FILE, run.text())
        return RunStore(self.files, run, self.location)


Check = Callable[[dict[str, Any], str], RunFile]
"""Makes the model of a run from the content of run.json and the place to name; raises PipelineError."""


def create_or_open(location: str, run: RunFile, check: Check) -> RunStore:
    """Open the run at `location` if it is the same one, else create it.

    Raises PipelineError where the folder holds another run (saying what differs) or something else altogether.
    """
    files = open_files(location)
    if not files.exists(RUN_FILE):
        files.make()
        files.write(RUN_FILE, run.text())
        return RunStore(files, run, location)
    store = open_store(location, check)
    if store.run.run_id != run.run_id:
        what = difference(store.run.identity, run.identity)
        raise PipelineError(
            f"{location} holds another run: {what}", "give another --out, or the same settings as before"
        )
    if store.run.keep != run.keep:
        raise PipelineError(
            f"{location} was made with --keep {store.run.keep}, not --keep {run.keep}",
            "leave --keep out to go on with it, or give another --out",
        )
    return store.extend(run.plan.boards)


def check_free(root: Path) -> None:
    """Raises PipelineError where a local folder is in other use."""
    if exists(root) and not root.is_dir():
        raise PipelineError(f"cannot write a run to {root}: it is a file", "give a folder to --out")
    if root.is_dir() and any(entry.name not in _OWN_FILES for entry in root.iterdir()):
        raise PipelineError(f"{root} is not empty and holds no run", "give a new folder to --out")


_OWN_FILES = {"run.log", "run.lock", "report"}


def open_store(location: str, check: Check) -> RunStore:
    """Open an existing run folder.

    Raises PipelineError where there is none, or run.json is broken, edited, or of another format version.
    """
    files = open_files(location)
    if not files.exists(RUN_FILE):
        raise PipelineError(
            f"no run at {location}: there is no {RUN_FILE}", "give a run folder or its name under outputs/"
        )
    place = f"{location}/{RUN_FILE}"
    return RunStore(files, check(parse(files.read(RUN_FILE), place), place), location)


def find_run(reference: str) -> str:
    """A run folder as given, or its name under outputs/.

    Raises PipelineError with the nearest names.
    """
    if "://" in reference or exists(Path(reference) / RUN_FILE):
        return reference
    named = Path("outputs") / reference
    if exists(named / RUN_FILE):
        return str(named)
    known = [path.parent.name for path in sorted(Path("outputs").glob(f"*/{RUN_FILE}"))]
    hint = nearest(reference, known) if known else "there is no run under outputs/ yet; make one with `pipeline run`"
    raise PipelineError(f"no run {reference!r}", hint)

"""The folder of a run: run.json once, parts as they are committed, and what is still missing.

run.json                                   identity, plan, versions
boards/dice=<id>/part-<start>-<end>.parquet  one row a board (puzzles/spec=<id>/ for KenKen)
words/dice=<id>/part-<start>-<end>.parquet   how many boards of the part show each word
words/lexicon.parquet                        the words themselves
histograms/, top/                            instead of boards/ in a run that keeps no rows (see kinds.py)
report/                                      what `pipeline report` writes
run.log
"""

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.errors import PipelineError, nearest
from pipeline.store.files import Files, exists, is_abandoned, is_temporary, open_files, read_if_there
from pipeline.store.kinds import Mode, mode_named
from pipeline.store.lock import Lease, check_lease
from pipeline.store.parts import WORDS, Part, encode, parse_name, problem
from pipeline.store.run_file import RunFile, difference, parse

RUN_FILE = "run.json"
LATEST = "latest"
LEXICON = f"{WORDS}/lexicon.parquet"
"""The word list of a run that counts words."""


@dataclass(frozen=True)
class RunStore:
    """An opened run; `run` is the content of run.json."""

    files: Files
    run: RunFile
    location: str
    holder: str = ""
    """Token of the lease under which parts may be committed, in an object store; empty where a lock does that."""

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
        """Return the committed parts in order of their ids: those whose main part is there.

        Where parts overlap, those count that hold most of the planned rows together: a large one and not those within
        its range, which are left when merging was interrupted; of those that a straggler wrote the larger. Their rows
        are equal.
        """
        committed = self._parted(variant)[0]
        if kind is None or kind == self.main_kind:
            return committed
        stored = self.owned(variant, kind)
        return [part for part in committed if part in stored]

    def leftovers(self, variant: str) -> list[Part]:
        """Return the main parts that do not count, as they overlap others that do."""
        return self._parted(variant)[1]

    def _parted(self, variant: str) -> tuple[list[Part], list[Part]]:
        """Main parts that count, and those that overlap them."""
        stored = sorted(self.owned(variant))
        if all(one.end <= other.start for one, other in pairwise(stored)):
            return stored, []
        counted = most_rows(stored, self.boards)
        return counted, sorted(set(stored) - set(counted))

    def missing(self, variant: str, boards: int) -> list[Part]:
        """Return the ranges of 0 .. boards that no committed part covers."""
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
            ((self.path(variant, part, kind), encode(tables[kind], self.label(variant, part, kind))) for kind in kinds),
            self.check_own,
        )

    def check_own(self) -> None:
        """Raises PipelineError where the folder is no longer that of this run, or another process has taken it over."""
        if f'"begun": "{self.run.begun}"'.encode() not in read_if_there(self.files, RUN_FILE):
            raise PipelineError(
                f"run {self.location} is no longer the one that this process works for: its folder was removed or "
                "begun anew",
                "start it again",
                exit_code=1,
            )
        if self.holder:
            check_lease(self.files, self.holder)

    def write(self, path: str, data: bytes) -> None:
        """Store a file that belongs to this run; raises PipelineError where the folder is no longer this run's."""
        self.files.write_all([(path, data)], self.check_own)

    def _delete(self, path: str) -> None:
        self.check_own()
        self.files.delete(path)

    def label(self, variant: str, part: Part, kind: str | None = None) -> str:
        """Return what the footer of a part says it holds: a part of another run or range is not taken for this one."""
        place = self.variants.index(variant)
        return f"run {self.run.run_id} {kind or self.main_kind} {place} rows {part.start}-{part.end}"

    @property
    def lexicon_label(self) -> str:
        """What the footer of the word list says it holds."""
        return f"run {self.run.run_id} lexicon"

    def problems(self, schemas: Mapping[str, pa.Schema]) -> dict[str, str]:
        """Return the path and fault of every file among the parts that is not a sound part; `schemas` by kind (rows,
        words).
        """
        found = {}
        for kind, schema in schemas.items():
            for variant in self.variants:
                folder = self.folder(variant, kind)
                for name in sorted(name for name in self.files.sizes(folder) if not is_temporary(name)):
                    part, path = parse_name(name), f"{folder}/{name}"
                    if part is None:
                        fault = "is no part of a run"
                    else:
                        fault = problem(self.files.read(path), self.label(variant, part, kind), schema)
                    if fault:
                        found[path] = fault
        return found

    def sweep(self) -> None:
        """Remove what an interrupted run leaves: temporary files of ended writers, parts without their main part.

        Raises PipelineError where there is something to remove and the folder is no longer this run's.
        """
        for kind in self.kinds:
            for variant in self.variants:
                folder = self.folder(variant, kind)
                main = set(self.files.sizes(self.folder(variant)))
                for name in self.files.sizes(folder):
                    orphan = kind != self.main_kind and parse_name(name) is not None and name not in main
                    if is_abandoned(name) or orphan:
                        self._delete(f"{folder}/{name}")
        for folder in ("", WORDS, "report"):
            for name in self.files.sizes(folder):
                if is_abandoned(name):
                    self._delete(f"{folder}/{name}" if folder else name)

    def drop_broken(self, schemas: Mapping[str, pa.Schema]) -> dict[str, str]:
        """Delete parts that are not sound, and their companions of other kinds, so that they are computed again.

        Returns what was deleted and why; files that are no parts by their names stay, as they are not the run's.
        """
        faults = self.problems(schemas)
        dropped: dict[str, str] = {}
        for variant in self.variants:
            stored = {kind: self.owned(variant, kind) for kind in schemas}
            for part in sorted(set().union(*stored.values())):
                paths = {kind: self.path(variant, part, kind) for kind in schemas}
                if all(part in stored[kind] and paths[kind] not in faults for kind in schemas):
                    continue
                for kind, path in paths.items():
                    if part in stored[kind]:
                        dropped[path] = faults.get(path, "goes with a part that is broken or gone")
        for path in dropped:
            self._delete(path)
        for variant in self.variants:
            dropped |= {
                self.path(variant, part): "overlaps others with the same rows" for part in self.leftovers(variant)
            }
        self.drop_merged(schemas)
        return dropped

    def drop_merged(self, kinds: Iterable[str]) -> None:
        """Delete parts that overlap those that count: main parts last, so that none stands without its companions.

        A large part is whole by then: its main part is written after its companions.
        """
        for variant in self.variants:
            within = self.leftovers(variant)
            for kind in sorted(kinds, key=lambda kind: kind == self.main_kind) if within else ():
                self.check_own()
                for part in within:
                    self.files.delete(self.path(variant, part, kind))

    def incomplete(self, kinds: Iterable[str]) -> dict[str, str]:
        """Return the parts that count and lack a companion of some kind, by path, with what they lack."""
        found: dict[str, str] = {}
        for variant in self.variants:
            counted = self.parts(variant)
            for kind in kinds:
                stored = self.owned(variant, kind)
                found |= {self.path(variant, part): f"lacks its {kind}/" for part in counted if part not in stored}
        return found

    def drop_incomplete(self, kinds: Iterable[str]) -> dict[str, str]:
        """Delete the parts that lack a companion, so that they are computed again; returns which and what they lack."""
        found = self.incomplete(kinds)
        for path in found:
            self._delete(path)
        return found

    def extend(self, boards: int) -> "RunStore":
        """Return the same run planned for more boards; run.json is rewritten whole."""
        if boards <= self.boards:
            return self
        return self.rewritten(plan=self.run.plan.model_copy(update={"boards": boards}))

    def rewritten(self, **changes: Any) -> "RunStore":
        """Return the same run with other entries of run.json, which is written whole."""
        run = self.run.model_copy(update=changes)
        self.write(RUN_FILE, run.text())
        return replace(self, run=run)


def most_rows(parts: Sequence[Part], boards: int) -> list[Part]:
    """Return the those of some parts that hold most of the first `boards` rows without overlapping.

    Of equal choices the one of most rows in all, then of fewest parts: where some parts hold all that is planned, no
    part that goes beyond takes their place. Weighted interval scheduling: by their ends, each part is taken or left.
    """
    ordered = sorted(parts, key=lambda part: (part.end, part.start))
    ends = [part.end for part in ordered]
    # (planned rows, rows, minus parts, chosen so far as a linked list) for the first k parts.
    best: list[tuple[int, int, int, Any]] = [(0, 0, 0, None)]
    for place, part in enumerate(ordered):
        planned, rows, fewest, chain = best[bisect_right(ends, part.start, 0, place)]
        inside = max(0, min(part.end, boards) - part.start)
        taken = (planned + inside, rows + part.rows, fewest - 1, (part, chain))
        best.append(max(best[-1], taken, key=lambda one: one[:3]))
    chosen = []
    chain = best[-1][3]
    while chain is not None:
        part, chain = chain
        chosen.append(part)
    return chosen[::-1]


Check = Callable[[dict[str, Any], str], RunFile]
"""Makes the model of a run from the content of run.json and the place to name; raises PipelineError."""


def create_or_open(location: str, run: RunFile, check: Check, lease: Lease | None = None) -> RunStore:
    """Open the run at `location` if it is the same one, else create it, while `lease` is held.

    Raises PipelineError where the folder holds another run (saying what differs) or something else altogether.
    """
    files, lease = open_files(location), lease or Lease()
    if not files.exists(RUN_FILE):
        files.make()
        files.write_all([(RUN_FILE, run.text())], lease.check)
        return RunStore(files, run, location, lease.token)
    store = replace(open_store(location, check), holder=lease.token)
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
    if root.is_dir() and any(_holds_something(entry) for entry in root.iterdir() if entry.name not in _OWN_FILES):
        raise PipelineError(f"{root} is not empty and holds no run", "give a new folder to --out")


def _holds_something(entry: Path) -> bool:
    """Return whether a file, or any below a folder, is more than what a write that came to nothing leaves."""
    if not entry.is_dir() or entry.is_symlink():
        return not is_temporary(entry.name)
    return any(not is_temporary(name) for _, _, names in os.walk(entry) for name in names)


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


def run_names() -> list[str]:
    """Return the names of the runs under outputs/."""
    return [path.parent.name for path in sorted(Path("outputs").glob(f"*/{RUN_FILE}"))]


def find_run(reference: str) -> str:
    """Return a run folder as given, or its name under outputs/; `latest` is the one there that was changed last.

    Raises PipelineError with the nearest names.
    """
    if "://" in reference or exists(Path(reference) / RUN_FILE):
        return reference
    named = Path("outputs") / reference
    if exists(named / RUN_FILE):
        return str(named)
    known = run_names()
    if reference == LATEST and known:
        return str(max((named.parent / name for name in known), key=lambda folder: (folder / RUN_FILE).stat().st_mtime))
    hint = nearest(reference, known) if known else "there is no run under outputs/ yet; make one with `pipeline run`"
    raise PipelineError(f"no run {reference!r}", hint)

"""`pipeline run` from a config to a finished report: open the store, run what is missing, summarize."""

import importlib
import json
import logging
import os
import platform
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import logs
from pipeline.config import Resolved, RunConfig, available_cores
from pipeline.errors import PipelineError
from pipeline.executors.process import Executor, Resources, SerialExecutor, make_executor
from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.words import find_words, load_words
from pipeline.games.boggle.workload import BoggleWorkload, Rules
from pipeline.games.game import ChunkResult, Workload
from pipeline.runs import chunks
from pipeline.runs.condensed import check_edge
from pipeline.store import lock
from pipeline.store.files import is_remote, local_folder, open_files
from pipeline.store.identity import run_id
from pipeline.store.kinds import BOARDS, NONE_BUT_TOP, schemas
from pipeline.store.run_store import FORMAT, RUN_FILE, RunStore, check_free, create_or_open, open_run

if TYPE_CHECKING:
    from pipeline.runs import until

log = logging.getLogger("shakedown")
CHUNKS_OF_BLOCK = 8
REPORTED_PACKAGES = ("shakedown", "numba", "numpy", "pyarrow", "polars")


@dataclass(frozen=True)
class Progress:
    """What the terminal is told while a run goes on."""

    started: Callable[[int, int], None]
    """(rows already there, rows in all), called once workers exist."""
    advanced: Callable[[ChunkResult], None]


@dataclass(frozen=True)
class Finished:
    store: RunStore
    boards: int
    solved: int
    seconds: float


def make_workload(config: RunConfig, keep: str = BOARDS) -> Workload:
    """The workload that a config asks for.

    Raises PipelineError for anything in it that does not exist or does not fit together.
    """
    if config.game == "kenken":
        from pipeline.games.kenken.specs import load_spec
        from pipeline.games.kenken.workload import KenKenWorkload

        specs = tuple(load_spec(reference) for reference in config.spec)
        return KenKenWorkload(specs, config.seed, config.node_limit, config.solver)
    return boggle_workload(config, keep)


def boggle_workload(config: RunConfig, keep: str = BOARDS) -> BoggleWorkload:
    """Boards of the config's dice sets under its word list; raises PipelineError as `make_workload` does."""
    dice = tuple(load_dice(reference) for reference in config.dice)
    source = find_words(config.words, config.language)
    kept = [one.alphabet.extra_letters for one in dice]
    lists = {letters: load_words(source, letters) for letters in dict.fromkeys(kept)}
    return BoggleWorkload(
        dice=dice,
        word_lists=tuple(lists[letters] for letters in kept),
        words_id=source.id,
        seed=config.seed,
        rules=Rules(config.min_length, config.scoring),
        solver=config.solver,
        counts_words=keep != NONE_BUT_TOP,
    )


def describe_run(workload: Workload, boards: int, chunk: int, keep: str = BOARDS) -> dict[str, Any]:
    """The content of run.json."""
    identity = workload.identity()
    return {
        "format": FORMAT,
        "run_id": run_id(identity),
        "game": workload.layout.game,
        "variants": list(workload.variants),
        "layout": workload.layout.as_dict(),
        "plan": {"boards": boards, "chunk": chunk},
        "keep": keep,
        "settings": workload.settings(),
        "items": workload.items(),
        "identity": identity,
        "command": own_command(),
        "versions": versions(),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def own_command() -> str:
    """The command line as typed, without the values of storage options, which may be secrets."""
    shown = list(sys.argv[1:])
    for place, word in enumerate(shown):
        if word.startswith("--storage-option="):
            shown[place] = "=".join([*word.split("=")[:2], "..."])
        elif place and shown[place - 1] == "--storage-option":
            shown[place] = word.split("=")[0] + "=..."
    return shlex.join(["pipeline", *shown])


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in REPORTED_PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def default_location(workload: Workload, keep: str = BOARDS) -> str:
    mode = "" if keep == BOARDS else f"-{keep}"
    return f"outputs/{workload.short_name()}{mode}-{run_id(workload.identity())[:8]}"


def stored_keep(location: str | None) -> str:
    """The mode of the run that is there; rows where there is none."""
    return open_run(location).keep if location and open_files(location).exists(RUN_FILE) else BOARDS


def run(resolved: Resolved, progress: Progress) -> Finished:
    """Run what is missing of the config's boards and leave a whole run folder.

    Raises PipelineError; what was committed before stays and is used by the next call.
    """
    config = resolved.config
    keep = config.keep or stored_keep(config.out)
    workload = make_workload(config, keep)
    boards = planned = config.boards
    target = None
    if config.until is not None:
        from pipeline.runs import until

        target = until.parse(config.until, config.game, workload.variants)
        boards = until.CAP if resolved.sources["boards"] == "default" else boards
        planned = next(until.checkpoints(boards))
    location = config.out or default_location(workload, keep)
    chunk = config.chunk or chunks.default_chunk(boards, workload.smallest_chunk, keep)
    description = describe_run(workload, planned, chunk, keep)
    remote = is_remote(location)
    if not open_files(location).exists(RUN_FILE):
        # What cannot be solved is refused before anything is written.
        workload.build()
        if not remote:
            check_free(local_folder(location))
    log_path = (local_folder(location) if not remote else Path(default_location(workload))) / "run.log"
    try:
        with lock.hold(local_folder(location)) if not remote else nullcontext():
            store = create_or_open(location, description)
            with logs.log_file(log_path):
                started = time.monotonic()
                clean(resolved, workload, store)
                with closing(Work(resolved, workload, chunk, progress, boards)) as work:
                    if target is None:
                        check_edge(store, boards)
                        solved = work.solve_missing(store, boards, last=True)
                    else:
                        store, boards, solved = work.solve_until(store, target)
                return Finished(store, boards, solved, time.monotonic() - (work.started or started))
    except PipelineError as error:
        if not os.path.exists(log_path):
            raise
        hint = f"{error.hint}; " if error.hint else ""
        raise PipelineError(error.message, f"{hint}log: {log_path}", error.exit_code) from error


def _import_report() -> None:
    """What takes two tenths of a second, while this process has nothing else to do.

    Polars comes last of all: a process that has used it cannot fork workers that do. Importing it is not using it, and
    workers that a pool is renewed with from here on do not use it either.
    """
    importlib.import_module("pipeline.report.write")
    importlib.import_module("polars")


def _sweep_quietly(store: RunStore) -> None:
    """Tidy up after a stop; where even that fails, the reason for the stop is what counts."""
    try:
        store.sweep()
    except PipelineError as error:
        log.warning("could not tidy up: %s", error)


def clean(resolved: Resolved, workload: Workload, store: RunStore) -> None:
    """Log what is asked for; remove what an interrupted run left, and parts that are broken."""
    log.info("run %s: %s", store.run["run_id"][:8], json.dumps(store.run["settings"], ensure_ascii=False))
    for name, source in resolved.sources.items():
        log.debug("option %s = %r (%s)", name, getattr(resolved.config, name), source)
    store.sweep()
    for path, fault in store.drop_broken(schemas(store.keep, store.rows_folder, workload.schemas)).items():
        log.warning("part %s %s: computed again", path, fault)


@dataclass
class Work:
    """Solving what is missing of a run. `boards`: rows of each variant that it will hold in the end, at most."""

    resolved: Resolved
    workload: Workload
    chunk: int
    progress: Progress
    boards: int
    started: float = 0.0
    """When solving began: after all was built and compiled."""

    @cached_property
    def executor(self) -> Executor:
        """What the config asks for; a Dask cluster is kept from block to block."""
        config = self.resolved.config
        return make_executor(Resources(config.executor, self.workers, config.worker_memory, config.scheduler))

    @property
    def workers(self) -> int:
        return self.resolved.config.workers or available_cores()

    def close(self) -> None:
        """Close the executor, if there was anything for it to do."""
        if "executor" in vars(self):
            self.executor.close()

    def solve_missing(
        self, store: RunStore, boards: int, chunk: int | None = None, alone: int = 0, last: bool = False
    ) -> int:
        """Solve and commit what is missing of the first `boards` rows; returns how many rows that were.

        Up to `alone` rows are solved in this process. Where no other rows come after these (`last`), the modules of
        the report are imported while the last chunks are solved.
        """
        plan = chunks.plan_chunks(store, boards, chunk or self.chunk)
        todo = sum(one.part.end - one.part.start for one in plan)
        if not plan:
            chunks.store_words(self.workload, store)
            return 0
        config = self.resolved.config
        first = not self.started
        if first:
            self.workload.prepare()
        total = self.boards * len(store.variants)
        done = boards * len(store.variants) - todo
        # A pool would take longer to start than so few rows take to solve.
        executor = SerialExecutor() if todo <= alone else self.executor
        if first and not executor.inherits:
            chunks.store_words(self.workload, store)

        left = len(plan)

        def workers_exist() -> None:
            self.progress.started(done, total)
            if first and executor.inherits:
                chunks.store_words(self.workload, store)
            if last and left <= self.workers:
                _import_report()

        log.info("%s rows in %s chunks to solve, %s executor", todo, len(plan), config.executor)
        started = time.monotonic()
        self.started = self.started or started
        try:
            task = chunks.RunChunk(self.workload, store)
            with closing(executor.run(task, plan, workers_exist)) as results:
                for result in results:
                    self.progress.advanced(result)
                    left -= 1
                    if last and left == self.workers:
                        _import_report()
        except BaseException as error:
            log.error(
                "stopped: %s",
                error if isinstance(error, PipelineError) else f"signal or error {error!r}",
                extra={"file_only": True},
            )
            raise
        finally:
            # A worker that was killed leaves its temporary file, whether the run went on or stopped.
            _sweep_quietly(store)
        log.info("%s rows solved in %.2f s", todo, time.monotonic() - started)
        return todo

    def solve_until(self, store: RunStore, target: "until.Target") -> tuple[RunStore, int, int]:
        """Go on from one check to the next until the target is met; returns the run, its rows, and those solved now."""
        from pipeline.runs import until

        prefix = until.Prefix(store, target.column)
        solved = 0
        for boards in until.checkpoints(self.boards):
            store = store.extend(boards)
            # Some chunks a block, so that workers share it; by the block's size, not by the number of workers.
            block = (boards - prefix.done) // CHUNKS_OF_BLOCK
            solved += self.solve_missing(
                store, boards, min(self.chunk, max(self.workload.smallest_chunk, block)), self.workload.smallest_chunk
            )
            histograms = prefix.advance(store, boards)
            if histograms is None:
                continue
            found = target.estimates(histograms)
            log.info("%s rows: %s", boards, {name: tuple(one) for name, one in found.items()})
            if target.met(found):
                break
        if histograms is None:
            check_edge(store, boards)
        return store.rewritten({"until": until.outcome(target, boards, found)}), boards, solved

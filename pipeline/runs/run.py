"""`pipeline run` from a config to a finished report: open the store, run what is missing, summarize."""

import json
import logging
import os
import secrets
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import logs
from pipeline.config import Resolved, RunConfig, available_cores
from pipeline.errors import PipelineError
from pipeline.executors import check_name, make_executor
from pipeline.executors.base import Executor, Resources, SerialExecutor
from pipeline.games import check_options, game, read_run
from pipeline.games.game import Workload
from pipeline.runs import chunks
from pipeline.runs.chunks import ChunkResult
from pipeline.runs.opening import open_run, reader
from pipeline.stopping import before_leaving
from pipeline.store import lock
from pipeline.store.files import is_remote, local_folder, open_files
from pipeline.store.kinds import ROWS, Mode, mode_named
from pipeline.store.run_file import FORMAT, Plan, RunFile, run_id
from pipeline.store.run_store import RUN_FILE, RunStore, check_free, create_or_open
from pipeline.versions import versions

if TYPE_CHECKING:
    from pipeline.runs import until

log = logging.getLogger("shakedown")
CHUNKS_OF_BLOCK = 8
TIMES_LOST = 3
"""Times that parts may be lost while a run goes on before it ends with that."""


@dataclass(frozen=True)
class Progress:
    """What the shell is told while a run goes on."""

    started: Callable[[int, int], None]
    """(rows already there, rows in all), called once workers exist."""
    advanced: Callable[[ChunkResult], None]
    finishing: Callable[[], None] = lambda: None
    """Called once while the last chunks are solved, when this process has nothing else to do."""
    preparing: Callable[[], AbstractContextManager[object]] = nullcontext
    """Entered while all is built and compiled; no thread of it may be left when workers are forked."""


@dataclass(frozen=True)
class Finished:
    store: RunStore
    workload: Workload
    boards: int
    solved: int
    seconds: float


def describe_run(workload: Workload, boards: int, chunk: int, mode: Mode = ROWS) -> RunFile:
    """Return the content of run.json."""
    identity = workload.identity()
    about = game(workload.layout.game)
    return about.run_file.model_construct(
        format=FORMAT,
        run_id=run_id(identity),
        game=workload.layout.game,
        variants=list(workload.variants),
        layout=workload.layout.folder(),
        plan=Plan(boards=boards, chunk=chunk),
        keep=mode.name,
        settings=workload.settings(),
        items=workload.items(),
        identity=identity,
        command=own_command(),
        versions=versions(),
        started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        begun=secrets.token_hex(16),
    )


def own_command() -> str:
    """Return the command line as typed, without the values of storage options, which may be secrets."""
    shown = list(sys.argv[1:])
    for place, word in enumerate(shown):
        if word.startswith("--storage-option="):
            shown[place] = "=".join([*word.split("=")[:2], "..."])
        elif place and shown[place - 1] == "--storage-option":
            shown[place] = word.split("=")[0] + "=..."
    return shlex.join(["pipeline", *shown])


def default_location(workload: Workload, mode: Mode = ROWS) -> str:
    """Return where a run goes that is given no --out."""
    kept = "" if mode is ROWS else f"-{mode.name}"
    return f"outputs/{workload.short_name()}{kept}-{run_id(workload.identity())[:8]}"


def mode_of(config: RunConfig) -> Mode:
    """Return the mode asked for; else that of the run that is there; rows where there is none."""
    if config.keep is not None:
        return mode_named(config.keep)
    if config.out and open_files(config.out).exists(RUN_FILE):
        return open_run(config.out).mode
    return ROWS


def run(resolved: Resolved, progress: Progress) -> Finished:
    """Run what is missing of the config's boards and leave a whole run folder.

    Raises PipelineError; what was committed before stays and is used by the next call.
    """
    check_options(resolved)
    config = resolved.config
    check_name(config.executor)
    mode = mode_of(config)
    workload = game(config.game).workload(config, mode)
    boards = planned = config.boards
    target = None
    if config.until is not None:
        from pipeline.runs import until

        target = until.parse(config.until, config.game, workload.variants)
        boards = until.CAP if resolved.sources["boards"] == "default" else boards
        planned = next(until.checkpoints(boards))
    location = config.out or default_location(workload, mode)
    chunk = config.chunk or chunks.default_chunk(boards, workload.smallest_chunk, mode)
    description = describe_run(workload, planned, chunk, mode)
    remote = is_remote(location)
    if not open_files(location).exists(RUN_FILE):
        # What cannot be solved is refused before anything is written.
        workload.build()
        if not remote:
            check_free(local_folder(location))
    log_path = (local_folder(location) if not remote else Path(default_location(workload))) / "run.log"
    logs.check_file(log_path)
    try:
        with lock.hold_run(location) as lease:
            store = create_or_open(location, description, read_run, lease)
            _check_names(store, workload)
            with logs.log_file(log_path):
                started = time.monotonic()
                clean(resolved, store)
                with closing(Work(resolved, workload, chunk, progress, boards, lease)) as work:
                    if target is None:
                        reader(store).check_edge(boards)
                        solved = work.solve_missing(store, boards, last=True)
                    else:
                        store, boards, solved = work.solve_until(store, target)
                    solved += work.solve_lost(store, boards)
                return Finished(store, workload, boards, solved, time.monotonic() - (work.started or started))
    except PipelineError as error:
        if not os.path.exists(log_path):
            raise
        hint = f"{error.hint}; " if error.hint else ""
        raise PipelineError(error.message, f"{hint}log: {log_path}", error.exit_code) from error


def _check_names(store: RunStore, workload: Workload) -> None:
    """Raises PipelineError where a run holds the same sets or specs under other names: files were renamed since."""
    stored, asked = store.variants, list(workload.variants)
    if stored != asked:
        raise PipelineError(
            f"{store.location} holds this run with {store.partition} {', '.join(stored)}, "
            f"which {'are' if len(asked) > 1 else 'is'} now called {', '.join(asked)}",
            "give the names as before, or another --out",
        )


def _sweep_quietly(store: RunStore) -> str:
    """Tidy up after a stop; where even that fails, the reason for the stop is what counts. Nothing is to be said."""
    try:
        store.sweep()
    except PipelineError as error:
        log.warning("could not tidy up: %s", error, extra={"file_only": True})
    return ""


def clean(resolved: Resolved, store: RunStore) -> None:
    """Log what is asked for; remove what an interrupted run left, and parts that are broken."""
    log.info("run %s: %s", store.run.run_id[:8], json.dumps(store.run.settings.model_dump(), ensure_ascii=False))
    for name, source in resolved.sources.items():
        log.debug("option %s = %r (%s)", name, getattr(resolved.config, name), source)
    store.sweep()
    for path, fault in store.drop_broken(game(store.run.game).schemas(store.mode)).items():
        log.warning("part %s %s: computed again", path, fault)


@dataclass
class Work:
    """Solving what is missing of a run. `boards`: rows of each variant that it will hold in the end, at most."""

    resolved: Resolved
    workload: Workload
    chunk: int
    progress: Progress
    boards: int
    lease: lock.Lease
    started: float = 0.0
    """When solving began: after all was built and compiled."""

    @cached_property
    def executor(self) -> Executor:
        """What the config asks for; a Dask cluster is kept from block to block."""
        return make_executor(self.resources)

    @property
    def resources(self) -> Resources:
        config = self.resolved.config
        return Resources(config.executor, self.workers, config.worker_memory, config.scheduler)

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

        Up to `alone` rows are solved in this process. Where no other rows come after these (`last`), the shell is told
        once this process has nothing else to do than to wait for the last chunks.
        """
        plan = chunks.plan_chunks(store, boards, chunk or self.chunk)
        todo = plan.rows
        if not plan:
            chunks.store_words(self.workload, store)
            return 0
        config = self.resolved.config
        first = not self.started
        if first:
            with self.progress.preparing():
                self.workload.prepare()
        total = self.boards * len(store.variants)
        done = boards * len(store.variants) - todo
        # A pool would take longer to start than so few rows take to solve.
        executor = SerialExecutor(self.resources) if todo <= alone else self.executor
        if first and not executor.inherits:
            chunks.store_words(self.workload, store)

        left = plan.count

        def workers_exist() -> None:
            self.progress.started(done, total)
            if first and executor.inherits:
                chunks.store_words(self.workload, store)
            if last and left <= self.workers:
                self.progress.finishing()

        log.info("%s rows in %s chunks to solve, %s executor", todo, plan.count, config.executor)
        started = time.monotonic()
        self.started = self.started or started
        try:
            task = chunks.RunChunk(self.workload, store)
            tidy = partial(_sweep_quietly, store)
            with before_leaving(tidy), closing(executor.run(task, plan, workers_exist)) as results:
                for result in results:
                    self.progress.advanced(result)
                    self.lease.renew()
                    left -= 1
                    if last and left == self.workers:
                        self.progress.finishing()
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

    def solve_lost(self, store: RunStore, boards: int) -> int:
        """Solve again what is not there although it was committed, as another took it away; returns how many rows.

        Raises PipelineError where that goes on and on.
        """
        kinds = list(game(store.run.game).schemas(store.mode))
        solved = 0
        for time_lost in range(TIMES_LOST + 1):
            lost = store.drop_incomplete(kinds)
            lost |= {
                f"{store.folder(variant)} rows {gap.start} to {gap.end - 1}": "were there and are gone"
                for variant in store.variants
                for gap in store.missing(variant, boards)
            }
            if not lost:
                return solved
            if time_lost == TIMES_LOST:
                break
            for what, how in lost.items():
                log.warning("%s %s: computed again", what, how)
            solved += self.solve_missing(store, boards)
        raise PipelineError(
            f"parts of run {store.location} are taken away while it goes on", "leave its folder alone", exit_code=1
        )

    def solve_until(self, store: RunStore, target: "until.Target") -> tuple[RunStore, int, int]:
        """Go on from one check to the next until the target is met; returns the run, its rows, and those solved now."""
        from pipeline.runs import until

        prefix = until.Prefix(store.variants, target)
        solved = 0
        for boards in until.checkpoints(self.boards):
            store = store.extend(boards)
            # Some chunks a block, so that workers share it; by the block's size, not by the number of workers.
            block = (boards - prefix.done) // CHUNKS_OF_BLOCK
            solved += self.solve_missing(
                store, boards, min(self.chunk, max(self.workload.smallest_chunk, block)), self.workload.smallest_chunk
            )
            stored = reader(store, self.workload)
            if not stored.ends_at(boards):
                continue
            known = prefix.advance(stored, boards)
            found = target.estimates(known)
            log.info("%s rows: %s", boards, {name: tuple(one) for name, one in found.items()})
            reached = target.enough(known.histograms) and target.met(found)
            if reached:
                break
        stored.check_edge(boards)
        return store.rewritten(until=until.outcome(target, boards, found, reached)), boards, solved

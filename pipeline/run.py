"""`pipeline run` from a config to a finished report: open the store, run what is missing, summarize."""

import json
import logging
import platform
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pipeline import lock, logs, runner
from pipeline.boggle import BoggleWorkload, Rules
from pipeline.config import Resolved, RunConfig, available_cores
from pipeline.dice import load_dice
from pipeline.errors import PipelineError
from pipeline.executors import Resources, make_executor
from pipeline.files import is_remote, local_folder, open_files
from pipeline.identity import run_id
from pipeline.kenken import KenKenWorkload
from pipeline.specs import load_spec
from pipeline.storage import FORMAT, RUN_FILE, RunStore, check_free, create_or_open
from pipeline.wordlists import find_words, load_words
from pipeline.workloads import ChunkResult, Workload

log = logging.getLogger("shakedown")
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


def make_workload(config: RunConfig) -> Workload:
    """The workload that a config asks for.

    Raises PipelineError for anything in it that does not exist or does not fit together.
    """
    if config.game == "kenken":
        specs = tuple(load_spec(reference) for reference in config.spec)
        return KenKenWorkload(specs, config.seed, config.node_limit, config.solver)
    return boggle_workload(config)


def boggle_workload(config: RunConfig) -> BoggleWorkload:
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
    )


def describe_run(workload: Workload, boards: int, chunk: int) -> dict[str, Any]:
    """The content of run.json."""
    identity = workload.identity()
    return {
        "format": FORMAT,
        "run_id": run_id(identity),
        "game": workload.layout.game,
        "variants": list(workload.variants),
        "layout": workload.layout.as_dict(),
        "plan": {"boards": boards, "chunk": chunk},
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


def default_location(workload: Workload) -> str:
    return f"outputs/{workload.short_name()}-{run_id(workload.identity())[:8]}"


def run(resolved: Resolved, progress: Progress) -> Finished:
    """Run what is missing of the config's boards and leave a whole run folder.

    Raises PipelineError; what was committed before stays and is used by the next call.
    """
    config = resolved.config
    workload = make_workload(config)
    location = config.out or default_location(workload)
    chunk = config.chunk or runner.default_chunk(config.boards, workload.smallest_chunk)
    description = describe_run(workload, config.boards, chunk)
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
                return _run(resolved, workload, store, chunk, progress)
    except PipelineError as error:
        if not log_path.exists():
            raise
        hint = f"{error.hint}; " if error.hint else ""
        raise PipelineError(error.message, f"{hint}log: {log_path}", error.exit_code) from error


def _sweep_quietly(store: RunStore) -> None:
    """Tidy up after a stop; where even that fails, the reason for the stop is what counts."""
    try:
        store.sweep()
    except PipelineError as error:
        log.warning("could not tidy up: %s", error)


def _run(resolved: Resolved, workload: Workload, store: RunStore, chunk: int, progress: Progress) -> Finished:
    config = resolved.config
    log.info("run %s: %s", store.run["run_id"][:8], json.dumps(store.run["settings"], ensure_ascii=False))
    for name, source in resolved.sources.items():
        log.debug("option %s = %r (%s)", name, getattr(config, name), source)
    started = time.monotonic()
    store.sweep()
    for path, fault in store.drop_broken(workload.schemas).items():
        log.warning("part %s %s: computed again", path, fault)
    chunks = runner.plan_chunks(store, config.boards, chunk)
    total = config.boards * len(store.variants)
    todo = sum(one.part.end - one.part.start for one in chunks)
    if chunks:
        runner.prepare(workload, store)
        workers = config.workers or available_cores()
        resources = Resources(config.executor, workers, config.worker_memory, config.scheduler)
        executor = make_executor(resources, lambda: progress.started(total - todo, total))
        log.info("%s rows in %s chunks to solve, %s executor, %s workers", todo, len(chunks), config.executor, workers)
        started = time.monotonic()
        try:
            with closing(runner.run_chunks(workload, store, chunks, executor)) as results:
                for result in results:
                    progress.advanced(result)
        except BaseException as error:
            log.error(
                "stopped: %s",
                error if isinstance(error, PipelineError) else f"signal or error {error!r}",
                extra={"file_only": True},
            )
            _sweep_quietly(store)
            raise
    seconds = time.monotonic() - started
    log.info("%s rows solved in %.2f s", todo, seconds)
    return Finished(store, config.boards, todo, seconds)

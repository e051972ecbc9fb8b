"""Open what is stored: a run by where it is, and its reader by what it keeps."""

from pipeline.games import read_run
from pipeline.games.game import Workload
from pipeline.runs.condensed import Condensed
from pipeline.runs.reading import Reader
from pipeline.runs.rows import Rows
from pipeline.store import run_store
from pipeline.store.run_store import RunStore


def open_run(location: str) -> RunStore:
    """Open an existing run folder.

    Raises PipelineError where there is none, or run.json is broken, edited, or of another format version.
    """
    return run_store.open_store(location, read_run)


def reader(store: RunStore, workload: Workload | None = None) -> Reader:
    """Return the reader of an opened run; `workload` where the run was made just now, and has one."""
    return Rows(store, workload) if store.mode.rows else Condensed(store, workload)

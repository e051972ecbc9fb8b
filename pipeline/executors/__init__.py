"""Where chunks run: in this process, in a pool of processes, on a Dask cluster."""

import importlib
import logging
import multiprocessing

from pipeline.errors import PipelineError, nearest
from pipeline.executors.base import Executor, Resources, SerialExecutor

TABLE: dict[str, str | type[Executor]] = {
    "process": "pipeline.executors.process:ProcessExecutor",
    "serial": SerialExecutor,
    "dask": "pipeline.executors.dask:DaskExecutor",
}
"""Class by the name that --executor takes, or where to find it once it is asked for."""
log = logging.getLogger("shakedown")


def check_name(name: str) -> None:
    """Raises PipelineError for an executor that is not known."""
    if name not in TABLE:
        raise PipelineError(f"--executor {name!r} is not known", nearest(name, TABLE))


def make_executor(resources: Resources) -> Executor:
    """Return the executor of a name; where this system has no fork, a process run goes on serially and says so.

    Raises PipelineError for a name that is not known.
    """
    name = resources.executor
    check_name(name)
    if name == "process" and "fork" not in multiprocessing.get_all_start_methods():
        log.warning("this system has no fork: going on with --executor serial")
        name = "serial"
    found = TABLE[name]
    if isinstance(found, str):
        module, _, attribute = found.partition(":")
        found = getattr(importlib.import_module(module), attribute)
    return found(resources)

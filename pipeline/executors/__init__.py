"""Where chunks run: in this process, in its threads, in a pool of processes, on a Dask cluster."""

import importlib

from pipeline.errors import PipelineError, nearest
from pipeline.executors.base import Executor, Resources, SerialExecutor

TABLE: dict[str, str | type[Executor]] = {
    "process": "pipeline.executors.process:ProcessExecutor",
    "thread": "pipeline.executors.thread:ThreadExecutor",
    "serial": SerialExecutor,
    "dask": "pipeline.executors.dask:DaskExecutor",
}
"""Class by the name that --executor takes, or where to find it once it is asked for."""


def check_name(name: str) -> None:
    """Raises PipelineError for an executor that is not known."""
    if name not in TABLE:
        raise PipelineError(f"--executor {name!r} is not known", nearest(name, TABLE))


def make_executor(resources: Resources) -> Executor:
    """Return the executor of a name.

    Raises PipelineError for a name that is not known.
    """
    check_name(resources.executor)
    found = TABLE[resources.executor]
    if isinstance(found, str):
        module, _, attribute = found.partition(":")
        found = getattr(importlib.import_module(module), attribute)
    return found(resources)

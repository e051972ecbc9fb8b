"""Chunks on a Dask cluster: any scheduler address, or a local cluster if none is given.

A chunk is a pure function of the run's description and its range, and writes its own part, so Dask may do one twice.
"""

import logging
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError
from typing import Any

from pipeline.errors import PipelineError
from pipeline.executors.base import Executor, Item, Resources, Result
from pipeline.executors.sliding import sliding

RETRIES = 2
_CONFIG = {
    "distributed.comm.timeouts.connect": "15s",
    "distributed.scheduler.allowed-failures": RETRIES,
    # For a local cluster, whose scheduler and workers share the cores with the work: by default Dask looks at every
    # worker's stack a hundred times a second, at its event loops fifty, at memory and for work to steal ten times.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.scheduler.work-stealing": False,
}
log = logging.getLogger("shakedown")


class DaskExecutor(Executor):
    """Runs tasks on `scheduler` (such as tcp://host:8786), or on `workers` processes of a local cluster.

    Connected at the first run and until `close`.
    """

    inherits = False

    def __init__(self, resources: Resources) -> None:
        self.scheduler = resources.scheduler
        self.workers = resources.workers
        self._client: Any = None

    def run(
        self, task: Callable[[Item], Result], items: Iterable[Item], on_start: Callable[[], None] | None = None
    ) -> Generator[Result]:
        """Yield results as they come.

        Raises PipelineError where Dask is not installed, cannot be reached, is lost, or a chunk ends its worker again
        and again; parts that were committed stay.
        """
        client = self._client = self._client or self._connect()
        try:
            threads = sum(client.nthreads().values())
            log.info("dask: %s threads at %s", threads, client.scheduler.address)
            executor = client.get_executor(pure=False, retries=RETRIES)
            plan = enumerate(items)
            submit: Any = lambda number, item: executor.submit(task, item)  # noqa: E731
            for _, result in sliding(submit, plan, 2 * max(1, threads), on_start):
                yield result
        except PipelineError:
            raise
        except (OSError, CancelledError, TimeoutError, RuntimeError) as error:
            raise PipelineError(
                f"lost the Dask cluster at {self.scheduler or 'the local address'} ({type(error).__name__})",
                "the parts so far are kept; start it again and run the same command",
                exit_code=1,
            ) from error

    def close(self) -> None:
        """Leave the cluster; end it where it is a local one."""
        client, self._client = self._client, None
        if client is not None:
            client.close(timeout=5)
            if self.scheduler is None:
                client.cluster.close(timeout=10)

    def _connect(self) -> Any:
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError as error:
            raise PipelineError("--executor dask needs Dask", "pip install 'shakedown-boards[dask]'") from error
        _silence()
        dask.config.set(_CONFIG)
        try:
            if self.scheduler is None:
                cluster = LocalCluster(
                    n_workers=self.workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
                )
                client = Client(cluster)
            else:
                client = Client(self.scheduler, timeout=15)
            if not client.nthreads():
                client.wait_for_workers(1, timeout=60)
            return client
        except (OSError, ValueError, TimeoutError) as error:
            raise PipelineError(
                f"no Dask scheduler answers at {self.scheduler}, or it has no worker",
                "start `dask scheduler` and `dask worker`",
            ) from error


def _silence() -> None:
    """What goes wrong is said in one line of ours; Dask and its event loop log tracebacks beside it."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)

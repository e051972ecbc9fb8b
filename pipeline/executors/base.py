"""What an executor is: it runs a task over items somewhere, and yields results as they come."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TypeVar

from pipeline.stopping import safe_point

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Resources:
    """Where and with how much a run is computed; none of it changes a row. `memory`: MB that a worker may hold."""

    executor: str
    workers: int
    memory: int
    scheduler: str | None = None


class Executor(ABC):
    """Made from the resources that a run asks for; closed when the run ends."""

    inherits = True
    """Workers know what this process knows; others make the workload from what the run has stored."""

    def __init__(self, resources: Resources) -> None:  # noqa: B027
        """Nothing is started yet; raises PipelineError where these resources cannot be had."""

    @abstractmethod
    def run(
        self, task: Callable[[Item], Result], items: Iterable[Item], on_start: Callable[[], None] | None = None
    ) -> Generator[Result]:
        """Yield results as they come, in any order. Closing the iterator stops the work.

        Items are asked for as they are needed. `on_start` is called once workers exist.
        """

    def close(self) -> None:  # noqa: B027
        """Let go of what is kept from one `run` to the next; here nothing is."""


class SerialExecutor(Executor):
    """One item after another in this process."""

    def run(
        self, task: Callable[[Item], Result], items: Iterable[Item], on_start: Callable[[], None] | None = None
    ) -> Generator[Result]:
        """Yield results in the order of the items."""
        if on_start:
            on_start()
        for item in items:
            safe_point()
            yield task(item)

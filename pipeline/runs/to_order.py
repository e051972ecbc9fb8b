"""Boards to order: the first boards of a seed that satisfy a condition, and the share of boards that do."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from pipeline.executors import make_executor
from pipeline.executors.base import Resources
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs.where import Condition
from pipeline.stats.estimates import Estimate, share_of_search
from pipeline.store.parts import Part

CHUNK = 10_000
"""Boards looked at in one go; the answer does not depend on it."""


@dataclass(frozen=True)
class Found:
    """`boards`: rows of the first boards that satisfy the condition; `tried`: how many boards were looked at."""

    boards: list[dict[str, Any]]
    tried: int
    share: Estimate
    complete: bool
    """False where the limit of tries came before the wanted number of boards."""


@dataclass(frozen=True)
class _Search:
    """The task of a worker: the first `count` rows of one part that satisfy the condition."""

    workload: BoggleWorkload
    condition: Condition
    count: int

    def __call__(self, part: Part) -> tuple[Part, list[dict[str, Any]]]:
        table = self.workload.solve_chunk(self.workload.variants[0], part).rows
        columns = {name: table.column(name).to_numpy() for name in self.condition.columns}
        mask = self.condition.mask(columns, table.num_rows)
        rows: list[dict[str, Any]] = table.filter(mask).slice(0, self.count).to_pylist()
        return part, rows


def find_boards(
    workload: BoggleWorkload, condition: Condition, first: int, count: int, most: int, resources: Resources
) -> Found:
    """Return the first `count` boards from id `first` on that satisfy the condition, among at most `most` boards."""
    workload = replace(workload, counts_words=False)
    workload.prepare()
    parts = [Part(start, min(start + CHUNK, first + most)) for start in range(first, first + most, CHUNK)]
    boards: list[dict[str, Any]] = []
    with closing(make_executor(resources).run(_Search(workload, condition, count), parts)) as results:
        for rows in _in_order(results, parts):
            boards += rows
            if len(boards) >= count:
                break
    complete = len(boards) >= count
    boards = boards[:count]
    tried = boards[-1]["board_id"] - first + 1 if complete else most
    return Found(boards, tried, share_of_search(len(boards), tried, complete), complete)


def _in_order(
    results: Iterator[tuple[Part, list[dict[str, Any]]]], parts: list[Part]
) -> Iterator[list[dict[str, Any]]]:
    held: dict[Part, list[dict[str, Any]]] = {}
    wanted = iter(parts)
    part = next(wanted, None)
    for done, rows in results:
        held[done] = rows
        while part in held:
            yield held.pop(part)
            part = next(wanted, None)

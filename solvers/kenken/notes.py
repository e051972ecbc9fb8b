"""What has changed and waits to be looked at: lines as bits, cages in a queue."""

from typing import Any

from solvers.jit import kernel
from solvers.kenken.layout import (
    CROSSING,
    LINES,
    QUEUE,
    QUEUED,
    WAITING,
)


@kernel
def forget_changes(work: Any) -> None:
    """Empty the list of what still has to be looked at, after a failure."""
    for i in range(work[QUEUED]):
        work[WAITING + work[QUEUE + i]] = 0
    work[QUEUED] = 0
    work[LINES] = 0


@kernel
def note_lines(work: Any, cell: Any) -> None:
    """The row and the column of `cell` have to be looked at."""
    work[LINES] |= work[CROSSING + cell]


@kernel
def note_cage(work: Any, cage: Any) -> None:
    """The cage has to be looked at."""
    if work[WAITING + cage] == 0:
        work[WAITING + cage] = 1
        work[QUEUE + work[QUEUED]] = cage
        work[QUEUED] += 1


@kernel
def keep(work: Any, domains: Any, cell: Any, allowed: Any) -> Any:
    """Keep the allowed digits of a cell; 0: none is left, 1: nothing changed, 2: changed."""
    mask = work[domains + cell]
    kept = mask & allowed
    if kept == mask:
        return 1
    work[domains + cell] = kept
    note_lines(work, cell)
    return 2 if kept else 0

"""Count the simple paths of a grid by number of cells, with no dictionary: by brute force, or by a frontier programme.

A path visits neighbouring cells, each at most once; a path and its reverse are two, a single cell is one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.bits import lowest_bit, popcount
from solvers.errors import InputError
from solvers.grid import neighbour_masks
from solvers.jit import kernel

MAX_PATH_CELLS = 64
METHODS = ("auto", "brute", "frontier")
BRUTE_CELLS = 20
"""Up to here `auto` counts by brute force."""
_BRUTE_RATE = 1.5e8
_FRONTIER_RATE = 4e5
_CLOSED, _END = -1, -2


@dataclass(frozen=True)
class PathsCost:
    """What counting would cost. `paths`: estimated number of paths; `method`: what `auto` would take.

    `seconds` of that method, `brute_seconds` and `frontier_seconds`: rough estimates for one core.
    """

    paths: float
    method: str
    brute_seconds: float
    frontier_seconds: float

    @property
    def seconds(self) -> float:
        return self.brute_seconds if self.method == "brute" else self.frontier_seconds


def count_paths(rows: int, cols: int, neighbours: int = 8, method: str = "auto") -> list[int]:
    """Return the number of simple paths of 1, 2, ... rows * cols cells, exact.

    `brute` walks every path of one start cell of each symmetry class; `frontier` sweeps the grid once and keeps how
    the path pieces are joined along the sweep line. `auto` takes brute force up to 20 cells.

    Raises InputError for an empty grid, more than 64 cells, other than 4 or 8 neighbours, or an unknown method.
    """
    _check(rows, cols, neighbours)
    if method not in METHODS:
        raise InputError(f"method {method!r} is not known", f"known are {', '.join(METHODS)}")
    if method == "auto":
        method = _pick(rows, cols)
    if method == "frontier":
        return frontier_counts([True] * (rows * cols), rows, cols, neighbours)
    masks = neighbour_masks(rows, cols, neighbours)
    counts = [0] * (rows * cols)
    for start, share in start_classes(rows, cols).items():
        for cells, paths in enumerate(_count_from(masks, start).tolist()):
            counts[cells] += share * paths
    return counts


def estimate_paths_cost(rows: int, cols: int, neighbours: int = 8) -> PathsCost:
    """Return the number of paths and seconds, estimated before counting: always the same answer, in a few milliseconds.

    The number is the mean of weighted random walks (D. E. Knuth, Estimating the efficiency of backtrack programs,
    1975).

    Raises InputError as `count_paths` does.
    """
    _check(rows, cols, neighbours)
    paths = float(_probe(neighbour_masks(rows, cols, neighbours), 4000))
    starts = len(start_classes(rows, cols))
    work = _frontier_states(min(rows, cols), neighbours) * rows * cols * neighbours / 2
    brute_seconds = paths * starts / (rows * cols) / _BRUTE_RATE
    return PathsCost(paths, _pick(rows, cols), brute_seconds, work / _FRONTIER_RATE)


def start_classes(rows: int, cols: int) -> dict[int, int]:
    """Return one start cell of each class of cells that a symmetry of the grid maps onto each other, and the class's
    size.
    """
    classes: dict[int, int] = {}
    for row in range(rows):
        for col in range(cols):
            up, left = min(row, rows - 1 - row), min(col, cols - 1 - col)
            if rows == cols:
                up, left = min(up, left), max(up, left)
            cell = up * cols + left
            classes[cell] = classes.get(cell, 0) + 1
    return classes


def _check(rows: int, cols: int, neighbours: int) -> None:
    if rows < 1 or cols < 1:
        raise InputError(f"{rows} x {cols} cells: a grid has at least one row and one column")
    if rows * cols > MAX_PATH_CELLS:
        raise InputError(f"{rows} x {cols} cells: paths are counted on at most {MAX_PATH_CELLS} cells")
    if neighbours not in (4, 8):
        raise InputError(f"{neighbours} neighbours: a cell has 8 (with corners) or 4 (sides only)")


def _pick(rows: int, cols: int) -> str:
    return "brute" if rows * cols <= BRUTE_CELLS else "frontier"


@kernel
def _count_from(masks, start):  # type: ignore[no-untyped-def]
    """Paths from one cell by number of cells minus one: int64[cells]. A cell that ends in a dead end is not entered."""
    one = np.uint64(1)
    cells = len(masks)
    counts = np.zeros(cells, np.int64)
    open_stack = np.zeros(cells + 1, np.uint64)
    cell_stack = np.zeros(cells + 1, np.int64)
    path = one << np.uint64(start)
    cell_stack[0] = start
    open_stack[0] = masks[start]
    counts[0] = 1
    if cells > 1:
        counts[1] = popcount(masks[start])
    depth = 0
    while depth >= 0:
        if open_stack[depth] == 0:
            path ^= one << np.uint64(cell_stack[depth])
            depth -= 1
            continue
        cell = np.int64(lowest_bit(open_stack[depth]))
        open_stack[depth] &= open_stack[depth] - one
        free = masks[cell] & ~path
        if free != 0:
            counts[depth + 2] += popcount(free)
            if depth + 3 < cells:
                depth += 1
                path |= one << np.uint64(cell)
                cell_stack[depth] = cell
                open_stack[depth] = free
    return counts


@kernel
def _probe(masks, walks):  # type: ignore[no-untyped-def]
    """Estimated number of paths: each random walk weighs every step with the number of ways it could have gone."""
    one = np.uint64(1)
    state = np.uint64(88172645463325252)
    total = 0.0
    for walk in range(walks):
        cell = walk % len(masks)
        path = one << np.uint64(cell)
        weight = np.float64(len(masks))
        total += weight
        free = masks[cell] & ~path
        while free != 0:
            ways = popcount(free)
            weight *= np.float64(ways)
            total += weight
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
            for _ in range((state >> np.uint64(20)) % ways):
                free &= free - one
            cell = np.int64(lowest_bit(free))
            path |= one << np.uint64(cell)
            free = masks[cell] & ~path
    return total / walks


def _frontier_states(width: int, neighbours: int) -> float:
    """Upper bound of the states: pairs of ends, up to two lone ends, the rest untouched or inside a piece."""
    line = width + (neighbours == 8)
    states = 0.0
    for pairs in range(line // 2 + 1):
        crossing = math.factorial(2 * pairs) // (2**pairs * math.factorial(pairs))
        joined = crossing if neighbours == 8 else math.comb(2 * pairs, pairs) // (pairs + 1)
        for ends in range(3):
            if 2 * pairs + ends <= line:
                rest = line - 2 * pairs
                states += math.comb(line, 2 * pairs) * joined * math.comb(rest, ends) * 2.0 ** (rest - ends)
    return states


def frontier_counts(
    allowed: Sequence[bool], rows: int, cols: int, neighbours: int = 8, longest: int | None = None
) -> list[int]:
    """Return the paths through the allowed cells by number of cells, 1 to `longest` (default: all cells), exact.

    Edges are decided cell by cell (D. E. Knuth, The Art of Computer Programming 4A, 7.1.4, algorithm Simpath). A state
    holds for each cell of the sweep line the other end of its piece: itself where untouched, _CLOSED inside a piece,
    _END where the other end is an end of the whole path. Its value is a polynomial in the number of edges, packed into
    one integer.
    """
    if cols > rows:
        allowed = [allowed[row * cols + col] for col in range(cols) for row in range(rows)]
        rows, cols = cols, rows
    cells = rows * cols
    longest = cells if longest is None else longest
    bits = 3 * longest + cells.bit_length() + 1
    kept = (1 << bits * longest) - 1
    window = cols + 2
    total = 0
    states: dict[tuple[int, ...], int] = {tuple(range(window)): 1}
    for cell in range(cells):
        for other in _later_neighbours(cell, rows, cols, neighbours):
            if allowed[cell] and allowed[other]:
                joined: dict[tuple[int, ...], int] = {}
                for state, ways in states.items():
                    longer = (ways << bits) & kept
                    after = _join(state, cell, other) if longer else None
                    if after == ():
                        total += longer
                    elif after is not None:
                        joined[after] = joined.get(after, 0) + longer
                for state, ways in joined.items():
                    states[state] = states.get(state, 0) + ways
        moved: dict[tuple[int, ...], int] = {}
        for state, ways in states.items():
            after = _leave(state, cell)
            if after == ():
                total += ways
            elif after is not None:
                moved[after] = moved.get(after, 0) + ways
        states = moved
    one = (1 << bits) - 1
    counts = [2 * (total >> bits * edges & one) for edges in range(longest)]
    counts[0] = sum(map(bool, allowed))
    return counts


def _later_neighbours(cell: int, rows: int, cols: int, neighbours: int) -> list[int]:
    row, col = divmod(cell, cols)
    steps = [(0, 1), (1, 0)] if neighbours == 4 else [(0, 1), (1, -1), (1, 0), (1, 1)]
    return [(row + down) * cols + col + right for down, right in steps if row + down < rows and 0 <= col + right < cols]


def _join(state: tuple[int, ...], first: int, second: int) -> tuple[int, ...] | None:
    """State (whose entry 0 is cell `first`) after an edge: () where the path is whole, None where it cannot be laid."""
    left, right = state[0], state[second - first]
    if left in (_CLOSED, second) or right == _CLOSED:
        return None
    after = list(state)
    after[0] = after[second - first] = _CLOSED
    if left == _END and right == _END:
        return None if _has_open_end(after, first) else ()
    if left == _END:
        after[right - first] = _END
    elif right == _END:
        after[left - first] = _END
    else:
        after[left - first], after[right - first] = right, left
    return tuple(after)


def _leave(state: tuple[int, ...], cell: int) -> tuple[int, ...] | None:
    """State after `cell` has left the line: () where that makes the path whole, None where it cannot leave."""
    mate = state[0]
    if mate == _END:
        return None if _has_open_end(state[1:], cell + 1) else ()
    after = (*state[1:], cell + len(state))
    if mate in (cell, _CLOSED):
        return after
    if after.count(_END) == 2:
        return None
    place = mate - cell - 1
    return (*after[:place], _END, *after[place + 1 :])


def _has_open_end(state: Sequence[int], first: int) -> bool:
    return any(mate not in (_CLOSED, first + place) for place, mate in enumerate(state))

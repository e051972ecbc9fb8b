"""Random Latin squares by the moves of Jacobson and Matthews.

Jacobson, Matthews: Generating uniformly distributed random Latin squares, J. Combin. Designs 4 (1996). The square is an
incidence cube (row, column, symbol) of zeros and ones. A move adds 1 at a zero and mends the sums of all lines, which
may leave one cell at -1 (an improper square); the next move starts there. The walk from one proper square to the next
is symmetric, so a square taken after a fixed number of proper squares is uniform in the limit. Rows, columns and
symbols are permuted at the end, so the walk need only mix over squares that differ in more than names.
"""

from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.philox import below


@kernel
def shuffle(stream: Any, values: Any, count: Any) -> None:
    """Put the first `count` values into random order (Fisher-Yates)."""
    for i in range(count - 1, 0, -1):
        j = below(stream, i + 1)
        values[i], values[j] = values[j], values[i]


@kernel
def find_in_line(stream: Any, cube: Any, place: Any, step: Any, n: Any, several: Any) -> Any:
    """An index with a 1 on the line place, place + step, ...: the only one, or one of two at random if `several`."""
    found = np.int64(-1)
    for i in range(n):
        if cube[place + i * step] == 1:
            if found < 0:
                found = i
                if not several:
                    return found
            else:
                return i if below(stream, 2) else found
    return found


@kernel
def move(stream: Any, cube: Any, n: Any, x: Any, y: Any, z: Any, improper: Any) -> Any:
    """One move at (x, y, z), a zero or the improper cell; returns the cell opposite, which may be improper now."""
    rows, columns = n * n, n
    x2 = find_in_line(stream, cube, y * columns + z, rows, n, improper)
    y2 = find_in_line(stream, cube, x * rows + z, columns, n, improper)
    z2 = find_in_line(stream, cube, x * rows + y * columns, np.int64(1), n, improper)
    cube[x * rows + y * columns + z] += 1
    cube[x * rows + y2 * columns + z2] += 1
    cube[x2 * rows + y * columns + z2] += 1
    cube[x2 * rows + y2 * columns + z] += 1
    cube[x2 * rows + y * columns + z] -= 1
    cube[x * rows + y2 * columns + z] -= 1
    cube[x * rows + y * columns + z2] -= 1
    cube[x2 * rows + y2 * columns + z2] -= 1
    return x2, y2, z2


@kernel
def draw_square(stream: Any, n: Any, cube: Any, square: Any) -> None:
    """Write a random Latin square of 0..n-1 to `square` (int64[n * n]); `cube` is int8[n ** 3 or more] of room.

    Walks over n * n proper squares from the cyclic one.
    """
    rows, columns = n * n, n
    for i in range(n * n * n):
        cube[i] = 0
    for x in range(n):
        for y in range(n):
            cube[x * rows + y * columns + (x + y) % n] = 1
    proper = 0 if n > 1 else n * n
    while proper < n * n:
        x, y, z = below(stream, n), below(stream, n), below(stream, n)
        if cube[x * rows + y * columns + z]:
            continue
        improper = False
        while True:
            x, y, z = move(stream, cube, n, x, y, z, improper)
            improper = cube[x * rows + y * columns + z] < 0
            if not improper:
                break
        proper += 1
    names = np.empty((3, n), np.int64)
    for kind in range(3):
        for i in range(n):
            names[kind, i] = i
        shuffle(stream, names[kind], n)
    for x in range(n):
        for y in range(n):
            for z in range(n):
                if cube[x * rows + y * columns + z]:
                    square[names[0, x] * n + names[1, y]] = names[2, z]

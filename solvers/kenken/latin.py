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
from solvers.kenken.listing import highest_digit, lowest_digit
from solvers.philox import below


@kernel
def shuffle(stream: Any, values: Any, count: Any) -> None:
    """Put the first `count` values into random order (Fisher-Yates)."""
    for i in range(count - 1, 0, -1):
        j = below(stream, i + 1)
        values[i], values[j] = values[j], values[i]


@kernel
def flip(ones: Any, n: Any, x: Any, y: Any, z: Any) -> None:
    """Turn a one of the cube into a zero or back, in the three families of lines."""
    ones[x * n + y] ^= np.int64(1) << z
    ones[(n + x) * n + z] ^= np.int64(1) << y
    ones[(2 * n + y) * n + z] ^= np.int64(1) << x


@kernel
def end_of(mask: Any, high: Any) -> Any:
    """Return the index of the highest or lowest one of a line that has one or two."""
    return highest_digit(mask) if high else lowest_digit(mask)


@kernel
def walk_to_proper(stream: Any, n: Any, ones: Any) -> None:
    """Move from a proper square to the next one (n is 2 or more)."""
    drawn = below(stream, n * n * (n - 1))
    x, drawn = drawn // (n * (n - 1)), drawn % (n * (n - 1))
    y, drawn = drawn // (n - 1), drawn % (n - 1)
    z = (lowest_digit(ones[x * n + y]) + 1 + drawn) % n
    flip(ones, n, x, y, z)
    choice = np.int64(0)
    while True:
        # The lines through (x, y, z) hold one other 1 each, or two of which one is drawn if the cell was at -1.
        x2 = end_of(ones[(2 * n + y) * n + z] & ~(np.int64(1) << x), choice & 1)
        y2 = end_of(ones[(n + x) * n + z] & ~(np.int64(1) << y), choice & 2)
        z2 = end_of(ones[x * n + y] & ~(np.int64(1) << z), choice & 4)
        flip(ones, n, x2, y, z)
        flip(ones, n, x, y2, z)
        flip(ones, n, x, y, z2)
        flip(ones, n, x, y2, z2)
        flip(ones, n, x2, y, z2)
        flip(ones, n, x2, y2, z)
        if (ones[x2 * n + y2] >> z2) & 1:
            flip(ones, n, x2, y2, z2)
            return
        x, y, z = x2, y2, z2
        choice = below(stream, 8)


@kernel
def draw_square(stream: Any, n: Any, ones: Any, square: Any) -> None:
    """Write a random Latin square of 0..n-1 to `square` (int64[n * n]) after a walk over n * n proper squares.

    `ones` is int64[3 * n * n] of room: where the cube holds ones, as bits over z for each (x, y), over y for each
    (x, z), over x for each (y, z).
    """
    for i in range(3 * n * n):
        ones[i] = 0
    for x in range(n):
        for y in range(n):
            flip(ones, n, x, y, (x + y) % n)
    if n > 1:
        for _ in range(n * n):
            walk_to_proper(stream, n, ones)
    names = np.empty((3, n), np.int64)
    for kind in range(3):
        for i in range(n):
            names[kind, i] = i
        shuffle(stream, names[kind], n)
    for x in range(n):
        for y in range(n):
            square[names[0, x] * n + names[1, y]] = names[2, lowest_digit(ones[x * n + y])]

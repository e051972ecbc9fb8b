"""Random cages over a grid, and a random operator for each."""

import math
from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.codes import DIVIDE, GCD, GIVEN, HIDDEN, LCM, MINUS, MODULO, OR, PLUS, POWER, TIMES
from solvers.kenken.latin import shuffle
from solvers.kenken.listing import lcm_of, power_of, times_capped
from solvers.philox import below

_FREE = -1
_TOO_LARGE = np.int64(1) << np.int64(62)


@kernel
def pick_weighted(stream: Any, weights: Any, usable: Any) -> Any:
    """Return an index drawn by weight among those whose bit is set in `usable`; -1 when their weights are all 0."""
    total = np.int64(0)
    for i in range(len(weights)):
        if (usable >> i) & 1:
            total += weights[i]
    if total == 0:
        return np.int64(-1)
    drawn = below(stream, total)
    for i in range(len(weights)):
        if (usable >> i) & 1:
            drawn -= weights[i]
            if drawn < 0:
                return np.int64(i)
    return np.int64(-1)


@kernel
def free_neighbours(owner: Any, n: Any, cage: Any, wanted: Any, found: Any) -> Any:
    """Write the cells beside `cage` whose owner is `wanted` (any other cage if `wanted` is the cage) to `found`."""
    count = 0
    for cell in range(n * n):
        if owner[cell] == cage or (wanted != cage and owner[cell] != wanted):
            continue
        row, column = cell // n, cell % n
        if (
            (row > 0 and owner[cell - n] == cage)
            or (row < n - 1 and owner[cell + n] == cage)
            or (column > 0 and owner[cell - 1] == cage)
            or (column < n - 1 and owner[cell + 1] == cage)
        ):
            found[count] = cell
            count += 1
    return count


@kernel
def draw_cages(stream: Any, n: Any, size_weights: Any, owner: Any, room: Any) -> Any:
    """Cut the grid into random cages; writes cage numbers by cell to `owner` (int64[n * n]), returns how many.

    From each free cell in random order a cage grows by random free neighbours to a size drawn from `size_weights`
    (int64, index = cells). A cage that could not grow to any size with a weight joins a random neighbour that stays
    within the largest size, where there is one. Cages are numbered in the order of their first cells. `room`:
    int64[3, n * n].
    """
    cells = n * n
    order, found, sizes = room[0], room[1], room[2]
    largest = len(size_weights) - 1
    for cell in range(cells):
        order[cell] = cell
        owner[cell] = _FREE
    shuffle(stream, order, cells)
    cages = np.int64(0)
    everything = (np.int64(1) << len(size_weights)) - 1
    for position in range(cells):
        cell = order[position]
        if owner[cell] != _FREE:
            continue
        wanted = pick_weighted(stream, size_weights, everything)
        owner[cell] = cages
        size = 1
        while size < wanted:
            count = free_neighbours(owner, n, cages, np.int64(_FREE), found)
            if count == 0:
                break
            owner[found[below(stream, count)]] = cages
            size += 1
        sizes[cages] = size
        cages += 1
    for cage in range(cages):
        if size_weights[sizes[cage]] > 0:
            continue
        count = free_neighbours(owner, n, cage, cage, found)
        fitting = 0
        for i in range(count):
            if sizes[owner[found[i]]] + sizes[cage] <= largest:
                found[fitting] = found[i]
                fitting += 1
        if fitting == 0:
            continue
        other = owner[found[below(stream, fitting)]]
        for cell in range(cells):
            if owner[cell] == cage:
                owner[cell] = other
        sizes[other] += sizes[cage]
        sizes[cage] = 0
    return number_cages(owner, cells, cages, order)


@kernel
def number_cages(owner: Any, cells: Any, cages: Any, names: Any) -> Any:
    """Rename cages 0, 1, ... in the order of their first cells; returns how many there are."""
    for cage in range(cages):
        names[cage] = -1
    count = 0
    for cell in range(cells):
        if names[owner[cell]] < 0:
            names[owner[cell]] = count
            count += 1
    for cell in range(cells):
        owner[cell] = names[owner[cell]]
    return count


@kernel
def draw_clues(
    stream: Any, n: Any, base: Any, wide: Any, hide: Any, weights: Any, square: Any, owner: Any, cages: Any,
    operator: Any, target: Any,
) -> Any:  # fmt: skip
    """Draw an operator for each cage among those its digits allow, and set its target; False: one allows none.

    `weights`: int64 by operator code. A difference or quotient needs two cells, or more if `wide`, and must be a whole
    number that is not negative; no quotient of 0 is drawn. A remainder or power of two cells is that of the first by
    the second. With `hide` every cage of two or more cells hides its operator.
    """
    for cage in range(cages):
        size = 0
        total = largest = first = divisor = union = np.int64(0)
        product = multiple = np.int64(1)
        for cell in range(n * n):
            if owner[cell] == cage:
                digit = square[cell] + base
                if size == 0:
                    first = digit
                size += 1
                total += digit
                product = times_capped(product, digit)
                largest = max(largest, digit)
                divisor = np.int64(math.gcd(divisor, digit))
                multiple = lcm_of(multiple, digit)
                union |= digit
        if size == 1:
            operator[cage], target[cage] = GIVEN, total
            continue
        usable = np.int64((1 << PLUS) | (1 << GCD) | (1 << LCM) | (1 << OR))
        if product < _TOO_LARGE:
            usable |= 1 << TIMES
        if size == 2 or wide:
            if 2 * largest >= total:
                usable |= 1 << MINUS
            if product > 0 and product < _TOO_LARGE and largest * largest % product == 0:
                usable |= 1 << DIVIDE
        second = total - first
        power = np.int64(0)
        if size == 2:
            power = power_of(first, second)
            if second > 0:
                usable |= 1 << MODULO
            if power < _TOO_LARGE:
                usable |= 1 << POWER
        chosen = pick_weighted(stream, weights, usable)
        if chosen < 0:
            return False
        if chosen == PLUS:
            target[cage] = total
        elif chosen == TIMES:
            target[cage] = product
        elif chosen == MINUS:
            target[cage] = 2 * largest - total
        elif chosen == DIVIDE:
            target[cage] = largest * largest // product
        elif chosen == MODULO:
            target[cage] = first % second
        elif chosen == POWER:
            target[cage] = power
        elif chosen == GCD:
            target[cage] = divisor
        elif chosen == LCM:
            target[cage] = multiple
        else:
            target[cage] = union
        operator[cage] = HIDDEN if hide else chosen
    return True

"""Which digits a cage's arithmetic allows: one cell at a time, and all fills of the cage.

Digits are bits: bit d of a candidate set stands for the digit d + base (base is 0 or 1). A fill of a cage is packed
one-hot into an int64: cell j of the cage holds bits j*n .. j*n+n-1, so a fill fits a cage's packed candidates C when
`fill & ~C == 0`, and the union of fills is the union of what each cell can hold. That needs cells * n <= 63.
"""

from typing import Any

import numpy as np

from solvers.jit import inlined, kernel
from solvers.kenken.codes import DIVIDE, GIVEN, HIDDEN, MINUS, PLUS, TIMES

ADD, MULTIPLY, SUBTRACT, QUOTIENT = 1, 2, 4, 8
"""Bits of the set of operators that may reach a cage's target."""

MAX_FILLS = 1 << 15
"""A cage with more fills than this is judged by its bounds alone."""
MAX_STEPS = 1 << 19
"""Digits tried while the fills of one cage are listed, at most; a cage that needs more is judged by its bounds."""
TOO_MANY = -1

_BITS = np.array([bin(value).count("1") for value in range(1 << 15)], dtype=np.int64)
_SATURATED = np.int64(1) << np.int64(62)


@inlined
def bit_count(mask: Any) -> Any:
    """Number of digits in a candidate set."""
    return _BITS[mask]


@inlined
def lowest_digit(mask: Any) -> Any:
    """Index of the lowest bit of a candidate set that is not empty."""
    return _BITS[(mask & -mask) - 1]


@inlined
def highest_digit(mask: Any) -> Any:
    """Index of the highest bit of a candidate set that is not empty."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    return _BITS[mask] - 1


@kernel
def operator_set(operator: Any, cells: Any, wide: Any) -> Any:
    """The operators (bits) by which a cage of `cells` cells may reach its target; a given counts as a sum of one."""
    if operator == GIVEN or cells == 1 or operator == PLUS:
        return ADD
    if operator == TIMES:
        return MULTIPLY
    if operator == MINUS:
        return SUBTRACT
    if operator == DIVIDE:
        return QUOTIENT
    if operator == HIDDEN and (cells == 2 or wide):
        return ADD | MULTIPLY | SUBTRACT | QUOTIENT
    return ADD | MULTIPLY


@inlined
def digits_between(low: Any, high: Any, base: Any, full: Any) -> Any:
    """The candidate set of the digits low..high."""
    low = max(low - base, 0)
    high = min(high - base, 15)
    if high < low:
        return 0
    return ((np.int64(2) << high) - (np.int64(1) << low)) & full


@kernel
def times_capped(a: Any, b: Any) -> Any:
    """a * b for values that are not negative, or 2**62 where that is smaller."""
    if a == 0 or b == 0:
        return np.int64(0)
    if a >= _SATURATED // b:
        return _SATURATED
    return a * b


@kernel
def next_digits(
    operators: Any,
    target: Any,
    last: Any,
    candidates: Any,
    base: Any,
    full: Any,
    total: Any,
    product: Any,
    largest: Any,
    rest_low: Any,
    rest_high: Any,
    rest_product_low: Any,
    rest_product_high: Any,
    rest_largest: Any,
) -> Any:
    """The candidates of the next cell after which some operator can still reach the target; exact for the last cell.

    `total`, `product`, `largest`: over the cells filled so far. `rest_*`: bounds over the cells that come after.
    """
    allowed = np.int64(0)
    if operators & ADD:
        allowed |= digits_between(target - total - rest_high, target - total - rest_low, base, full) & candidates
    if operators & MULTIPLY:
        if target == 0:
            if not last or product == 0:
                allowed |= candidates
            elif base == 0:
                allowed |= candidates & 1
        elif product > 0 and target % product == 0:
            open_product = target // product
            if last:
                if open_product <= 15:
                    allowed |= digits_between(open_product, open_product, base, full) & candidates
            else:
                left = candidates & ~allowed
                while left:
                    bit = left & -left
                    left ^= bit
                    value = lowest_digit(bit) + base
                    if value > 0 and open_product % value == 0:
                        open_rest = open_product // value
                        if rest_product_low <= open_rest <= rest_product_high:
                            allowed |= bit
    if operators & (SUBTRACT | QUOTIENT):
        left = candidates & ~allowed
        while left:
            bit = left & -left
            left ^= bit
            value = lowest_digit(bit) + base
            top = max(largest, value)
            if operators & SUBTRACT:
                if last:
                    if 2 * top - total - value == target:
                        allowed |= bit
                else:
                    high = 2 * max(top, rest_largest) - total - value - rest_low
                    low = 2 * top - total - value - rest_high
                    if low <= target <= high:
                        allowed |= bit
            if operators & QUOTIENT and product * value > 0 and 0 < target <= 15:
                all_product = product * value
                if last:
                    if top * top == target * all_product:
                        allowed |= bit
                else:
                    top = max(top, rest_largest)
                    if target * all_product * rest_product_low <= top * top:
                        allowed |= bit
    return allowed


@kernel
def list_fills(
    operators: Any, target: Any, cells: Any, domains: Any, n: Any, base: Any, fills: Any, start: Any, room: Any, work: Any
) -> Any:
    """Write every fill of a cage to `fills[start:start+room]`; returns their number, or TOO_MANY.

    `cells`: cell numbers (int64[k], k * n <= 63); `domains`: candidate sets by cell number; `work`: int64[11, 64].
    Cells in one row or column never hold the same digit.
    """
    k = len(cells)
    full = (np.int64(1) << n) - 1
    link, left, chosen = work[0], work[1], work[2]
    total, product, largest = work[3], work[4], work[5]
    rest_low, rest_high, rest_product_low, rest_product_high, rest_largest = work[6], work[7], work[8], work[9], work[10]
    for j in range(k):
        row, column = cells[j] // n, cells[j] % n
        link[j] = 0
        for i in range(j):
            if cells[i] // n == row or cells[i] % n == column:
                link[j] |= np.int64(1) << i
    rest_low[k - 1] = rest_high[k - 1] = rest_largest[k - 1] = 0
    rest_product_low[k - 1] = rest_product_high[k - 1] = 1
    for j in range(k - 1, 0, -1):
        mask = domains[cells[j]]
        low, high = lowest_digit(mask) + base, highest_digit(mask) + base
        rest_low[j - 1] = rest_low[j] + low
        rest_high[j - 1] = rest_high[j] + high
        rest_product_low[j - 1] = times_capped(rest_product_low[j], max(low, 1))
        rest_product_high[j - 1] = times_capped(rest_product_high[j], high)
        rest_largest[j - 1] = max(rest_largest[j], high)
    total[0], product[0], largest[0] = 0, 1, 0
    count = 0
    steps = 0
    j = 0
    entering = True
    while j >= 0:
        if entering:
            candidates = domains[cells[j]]
            for i in range(j):
                if (link[j] >> i) & 1:
                    candidates &= ~chosen[i]
            left[j] = next_digits(
                operators,
                target,
                j == k - 1,
                candidates,
                base,
                full,
                total[j],
                product[j],
                largest[j],
                rest_low[j],
                rest_high[j],
                rest_product_low[j],
                rest_product_high[j],
                rest_largest[j],
            )
            entering = False
            if j == k - 1:
                packed = np.int64(0)
                for i in range(k - 1):
                    packed |= chosen[i] << (i * n)
                last = left[j]
                while last:
                    bit = last & -last
                    last ^= bit
                    if count == room:
                        return TOO_MANY
                    fills[start + count] = packed | (bit << (j * n))
                    count += 1
                j -= 1
                continue
        if left[j] == 0:
            j -= 1
            continue
        bit = left[j] & -left[j]
        left[j] ^= bit
        chosen[j] = bit
        steps += 1
        if steps > MAX_STEPS:
            return TOO_MANY
        value = lowest_digit(bit) + base
        total[j + 1] = total[j] + value
        product[j + 1] = product[j] * value
        largest[j + 1] = max(largest[j], value)
        j += 1
        entering = True
    return count

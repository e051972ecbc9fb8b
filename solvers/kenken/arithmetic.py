"""The weakest cage rule: what bounds on the other cells of a cage leave for each of its cells."""

from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.layout import (
    BASE,
    FIRST,
    MEMBERS,
    OPERATORS,
    SIZE,
    STEPS,
    TARGET,
)
from solvers.kenken.listing import (
    ADD,
    FOLDED,
    QUOTIENT,
    VALUES,
    digits_between,
    folded_digits,
    highest_digit,
    lowest_digit,
    next_digits,
    second_digits,
    times_capped,
)
from solvers.kenken.notes import keep, note_cage


@kernel
def pair_partners(operators: Any, target: Any, mask: Any, base: Any, full: Any) -> Any:
    """Return the digits that reach the target of a two-cell cage beside some digit of `mask`."""
    allowed = np.int64(0)
    while mask:
        bit = mask & -mask
        mask ^= bit
        allowed |= second_digits(operators, target, lowest_digit(bit) + base, base, full) & ~bit
    return allowed


@kernel
def filter_by_arithmetic(work: Any, domains: Any, cage: Any) -> Any:
    """Keep in each cell the digits with which the others still allow the target; False: contradiction.

    Two cells: the digits with a partner. More: minimum and maximum of the rest for a sum, divisibility and bounds of
    the rest for a product, bounds for the others. A cage with one open cell is judged exactly.
    """
    n, base = work[SIZE], work[BASE]
    full = (np.int64(1) << n) - 1
    begin, end = work[FIRST + cage], work[FIRST + cage + 1]
    operators, target = work[OPERATORS + cage], work[TARGET + cage]
    changed = False
    if end - begin == 2:
        first, second = work[MEMBERS + begin], work[MEMBERS + begin + 1]
        outcome = keep(work, domains, first, pair_partners(operators, target, work[domains + second], base, full))
        if outcome:
            changed = outcome == 2
            outcome = keep(work, domains, second, pair_partners(operators, target, work[domains + first], base, full))
        if outcome == 0:
            return False
        if changed or outcome == 2:
            work[STEPS] += 1
        return True
    low_sum = high_sum = np.int64(0)
    for j in range(begin, end):
        mask = work[domains + work[MEMBERS + j]]
        low_sum += lowest_digit(mask) + base
        high_sum += highest_digit(mask) + base
    for j in range(begin, end):
        cell = work[MEMBERS + j]
        mask = work[domains + cell]
        low, high = lowest_digit(mask) + base, highest_digit(mask) + base
        if operators == ADD:
            allowed = digits_between(target - high_sum + high, target - low_sum + low, base, full)
        else:
            allowed = allowed_beside(work, domains, begin, end, j, operators, target, base, full)
        outcome = keep(work, domains, cell, allowed)
        if outcome == 0:
            return False
        if outcome == 2:
            changed = True
            mask = work[domains + cell]
            low_sum += lowest_digit(mask) + base - low
            high_sum += highest_digit(mask) + base - high
    if changed:
        work[STEPS] += 1
        note_cage(work, cage)
    return True


@kernel
def allowed_beside(
    work: Any, domains: Any, begin: Any, end: Any, j: Any, operators: Any, target: Any, base: Any, full: Any
) -> Any:
    """Return the digits of cell j of a cage with which bounds on its other cells still allow the target."""
    total = largest = rest_low = rest_high = rest_largest = np.int64(0)
    product = rest_product_low = rest_product_high = np.int64(1)
    opened = False
    placed = np.int64(0)
    for i in range(begin, end):
        if i == j:
            continue
        mask = work[domains + work[MEMBERS + i]]
        low = lowest_digit(mask) + base
        if mask & (mask - 1) == 0:
            total += low
            product = times_capped(product, low)
            largest = max(largest, low)
            work[VALUES + placed] = low
            placed += 1
        else:
            high = highest_digit(mask) + base
            opened = True
            rest_low += low
            rest_high += high
            rest_product_low = times_capped(rest_product_low, max(low, 1))
            rest_product_high = times_capped(rest_product_high, high)
            rest_largest = max(rest_largest, high)
    candidates = work[domains + work[MEMBERS + j]]
    allowed = next_digits(
        operators, target, not opened, candidates, base, full, total, product, largest,
        rest_low, rest_high, rest_product_low, rest_product_high, rest_largest,
    )  # fmt: skip
    if operators & FOLDED or (target == 0 and operators & QUOTIENT):
        allowed |= folded_digits(work, operators, target, placed, not opened, candidates, base)
    return allowed

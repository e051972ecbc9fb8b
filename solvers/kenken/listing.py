"""Which digits a cage's arithmetic allows: one cell at a time, and all fills of the cage.

Digits are bits: bit d of a candidate set stands for the digit d + base (base is 0 or 1). A fill of a cage is packed
one-hot into an int64: cell j of the cage holds bits j*n .. j*n+n-1, so a fill fits a cage's packed candidates C when
`fill & ~C == 0`, and the union of fills is the union of what each cell can hold. That needs cells * n <= 63.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.codes import (
    DIVIDE,
    GCD,
    HIDDEN,
    LCM,
    MAX_SIZE,
    MAX_TARGET,
    MINUS,
    MODULO,
    OR,
    POWER,
    TIMES,
)
from solvers.kenken.layout import BASE, CROSSING, FIRST, MEMBERS, OPERATORS, SCRATCH, SIZE, TARGET

ADD, MULTIPLY, SUBTRACT, QUOTIENT, REMAINDER, RAISE, DIVISOR, MULTIPLE_OF, UNION = (1 << bit for bit in range(9))
"""Bits of the set of operators that may reach a cage's target."""
BITS: Mapping[str, int] = MappingProxyType(
    {
        "+": ADD,
        "*": MULTIPLY,
        "-": SUBTRACT,
        "/": QUOTIENT,
        "%": REMAINDER,
        "^": RAISE,
        "gcd": DIVISOR,
        "lcm": MULTIPLE_OF,
        "|": UNION,
    }
)
PAIRS_ALONE = REMAINDER | RAISE
FOLDED = DIVISOR | MULTIPLE_OF | UNION
"""Operators that are judged by what the digits so far come to, one after the other."""

MAX_FILLS = 1 << 15
"""A cage with more fills than this is judged by its bounds alone."""
MAX_STEPS = 1 << 19
"""Digits tried while the fills of one cage are listed, at most; a cage that needs more is judged by its bounds."""
TOO_MANY = -1

_SATURATED = np.int64(MAX_TARGET)
_ROWS = tuple(SCRATCH + 64 * row for row in range(11))
_LINK, _LEFT, _CHOSEN, _TOTAL, _PRODUCT, _LARGEST, _LOW, _HIGH, _PRODUCT_LOW, _PRODUCT_HIGH, _REST_LARGEST = _ROWS
VALUES = SCRATCH + 64 * 11
"""REGION entries: more cells than a cage that is judged by bounds alone can have."""


@kernel
def bit_count(mask: Any) -> Any:
    """Return the number of digits in a candidate set."""
    pairs = mask - ((mask >> 1) & 0x5555)
    fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333)
    eights = (fours + (fours >> 4)) & 0x0F0F
    return (eights + (eights >> 8)) & 0x1F


@kernel
def lowest_digit(mask: Any) -> Any:
    """Return the index of the lowest bit of a candidate set that is not empty."""
    return bit_count((mask & -mask) - 1)


@kernel
def highest_digit(mask: Any) -> Any:
    """Return the index of the highest bit of a candidate set that is not empty."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    return bit_count(mask) - 1


@kernel
def operator_set(operator: Any, cells: Any, wide: Any, hidden: Any) -> Any:
    """Return the operators (bits) by which a cage of `cells` cells may reach its target; a given counts as a sum of
    one.

    `hidden`: those that a hidden operator stands for; - and / have two cells unless `wide`, % and ^ have two.
    """
    if cells == 1:
        return ADD
    if operator == HIDDEN:
        if cells == 2:
            return hidden
        if wide:
            return hidden & ~PAIRS_ALONE
        return hidden & ~(PAIRS_ALONE | SUBTRACT | QUOTIENT)
    if operator == TIMES:
        return MULTIPLY
    if operator == MINUS:
        return SUBTRACT
    if operator == DIVIDE:
        return QUOTIENT
    if operator == MODULO:
        return REMAINDER
    if operator == POWER:
        return RAISE
    if operator == GCD:
        return DIVISOR
    if operator == LCM:
        return MULTIPLE_OF
    if operator == OR:
        return UNION
    return ADD


@kernel
def digits_between(low: Any, high: Any, base: Any, full: Any) -> Any:
    """Return the candidate set of the digits low..high."""
    low = max(low - base, 0)
    high = min(high - base, 15)
    if high < low:
        return 0
    return ((np.int64(2) << high) - (np.int64(1) << low)) & full


@kernel
def times_capped(a: Any, b: Any) -> Any:
    """Return a * b for values that are not negative, or 2**63 - 1 where that is smaller."""
    if a == 0 or b == 0:
        return np.int64(0)
    if a > _SATURATED // b:
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
    """Return the candidates of the next cell after which some operator can still reach the target; exact for the last
    cell.

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
                if open_product <= MAX_SIZE:
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
            if operators & QUOTIENT and product > 0 and value > 0 and 0 < target <= MAX_SIZE:
                all_product = times_capped(product, value)
                if last:
                    if top * top == times_capped(target, all_product):
                        allowed |= bit
                else:
                    top = max(top, rest_largest)
                    if times_capped(times_capped(target, all_product), rest_product_low) <= top * top:
                        allowed |= bit
    return allowed


@kernel
def folded_digits(work: Any, operators: Any, target: Any, placed: Any, last: Any, candidates: Any, base: Any) -> Any:
    """Return next_digits for the operators whose state is what the digits so far come to: gcd, lcm, or, and a quotient
    of 0.

    The digits so far are the first `placed` of the scratch row VALUES. A quotient is 0 where one digit is 0, divided by
    the others, and none of those is.
    """
    zeros = divisor = union = np.int64(0)
    multiple = np.int64(1)
    for i in range(placed):
        value = work[VALUES + i]
        zeros += value == 0
        divisor = np.int64(math.gcd(divisor, value))
        multiple = lcm_of(multiple, value)
        union |= value
    allowed = np.int64(0)
    while candidates:
        bit = candidates & -candidates
        candidates ^= bit
        value = lowest_digit(bit) + base
        if operators & QUOTIENT and target == 0:
            nulls = zeros + (value == 0)
            if nulls == 1 or (nulls == 0 and not last):
                allowed |= bit
        if operators & DIVISOR:
            now = np.int64(math.gcd(divisor, value))
            if now == target or (not last and (now == 0 or (target > 0 and now % target == 0))):
                allowed |= bit
        if operators & MULTIPLE_OF:
            now = lcm_of(multiple, value)
            if now == target or (not last and (target == 0 or (now > 0 and target % now == 0))):
                allowed |= bit
        if operators & UNION:
            now = union | value
            if now == target or (not last and now & ~target == 0):
                allowed |= bit
    return allowed


@kernel
def lcm_of(a: Any, b: Any) -> Any:
    """Return the least common multiple of two numbers that are not negative; 0 where one is 0."""
    if a == 0 or b == 0:
        return np.int64(0)
    return a // np.int64(math.gcd(a, b)) * b


@kernel
def power_of(value: Any, exponent: Any) -> Any:
    """Return value ** exponent, 0 ** 0 being 1; 2**63 - 1 where that is smaller."""
    power = np.int64(1)
    for _ in range(exponent):
        power = times_capped(power, value)
    return power


@kernel
def pair_reaches(operators: Any, target: Any, a: Any, b: Any) -> Any:
    """Whether two different digits reach the target by one of %, ^, gcd, lcm, |; % and ^ take them in either order."""
    if operators & REMAINDER and ((b > 0 and a % b == target) or (a > 0 and b % a == target)):
        return True
    # 2**63 - 1 is no power of a digit: it stands for all that is too large
    if operators & RAISE and target < _SATURATED and (power_of(a, b) == target or power_of(b, a) == target):
        return True
    if operators & DIVISOR and np.int64(math.gcd(a, b)) == target:
        return True
    if operators & MULTIPLE_OF and lcm_of(a, b) == target:
        return True
    return operators & UNION != 0 and a | b == target


@kernel
def second_digits(operators: Any, target: Any, value: Any, base: Any, full: Any) -> Any:
    """Return the digits that reach the target of a two-cell cage beside `value`."""
    allowed = np.int64(0)
    if operators & ADD:
        allowed |= digits_between(target - value, target - value, base, full)
    if operators & SUBTRACT:
        allowed |= digits_between(value + target, value + target, base, full)
        allowed |= digits_between(value - target, value - target, base, full)
    if operators & MULTIPLY:
        if target == 0:
            allowed |= full if value == 0 else np.int64(1 - base)
        elif value > 0 and target <= MAX_SIZE * MAX_SIZE and target % value == 0:
            allowed |= digits_between(target // value, target // value, base, full)
    if operators & QUOTIENT and target <= MAX_SIZE:
        if target == 0:
            allowed |= full & ~np.int64(1 - base) if value == 0 else np.int64(1 - base)
        elif value > 0:
            allowed |= digits_between(value * target, value * target, base, full)
            if value % target == 0:
                allowed |= digits_between(value // target, value // target, base, full)
    if operators & (PAIRS_ALONE | FOLDED):
        left = full
        while left:
            bit = left & -left
            left ^= bit
            if pair_reaches(operators, target, value, lowest_digit(bit) + base):
                allowed |= bit
    return allowed


@kernel
def list_pairs(work: Any, cage: Any, domains: Any, start: Any, room: Any) -> Any:
    """Return list_fills for a cage of two cells."""
    n, base = work[SIZE], work[BASE]
    full = (np.int64(1) << n) - 1
    begin = MEMBERS + work[FIRST + cage]
    first, second = work[domains + work[begin]], work[domains + work[begin + 1]]
    operators, target = work[OPERATORS + cage], work[TARGET + cage]
    count = 0
    while first:
        bit = first & -first
        first ^= bit
        seconds = second_digits(operators, target, lowest_digit(bit) + base, base, full) & second & ~bit
        while seconds:
            other = seconds & -seconds
            seconds ^= other
            if count == room:
                return TOO_MANY
            work[start + count] = bit | (other << n)
            count += 1
    return count


@kernel
def bound_rests(work: Any, begin: Any, k: Any, domains: Any) -> None:
    """For each cell of a cage: which earlier ones share a line with it, and bounds over those that come after."""
    base = work[BASE]
    low_sum = high_sum = largest = np.int64(0)
    low_product = high_product = np.int64(1)
    for j in range(k - 1, -1, -1):
        crossing = work[CROSSING + work[begin + j]]
        link = np.int64(0)
        for i in range(j):
            if crossing & work[CROSSING + work[begin + i]]:
                link |= np.int64(1) << i
        work[_LINK + j] = link
        work[_LOW + j], work[_HIGH + j], work[_REST_LARGEST + j] = low_sum, high_sum, largest
        work[_PRODUCT_LOW + j], work[_PRODUCT_HIGH + j] = low_product, high_product
        mask = work[domains + work[begin + j]]
        low, high = lowest_digit(mask) + base, highest_digit(mask) + base
        low_sum += low
        high_sum += high
        low_product = times_capped(low_product, max(low, 1))
        high_product = times_capped(high_product, high)
        largest = max(largest, high)


@kernel
def list_fills(work: Any, cage: Any, domains: Any, start: Any, room: Any) -> Any:
    """Write every fill of a cage to `work[start:start+room]`; returns their number, or TOO_MANY.

    `domains` is where the candidate sets by cell start in `work`. The cage has at most 63 // size cells. Cells in one
    row or column never hold the same digit.
    """
    n, base = work[SIZE], work[BASE]
    begin = MEMBERS + work[FIRST + cage]
    k = work[FIRST + cage + 1] - work[FIRST + cage]
    if k == 2:
        return list_pairs(work, cage, domains, start, room)
    operators, target = work[OPERATORS + cage], work[TARGET + cage]
    full = (np.int64(1) << n) - 1
    bound_rests(work, begin, k, domains)
    total = largest = packed = np.int64(0)
    product = np.int64(1)
    count = steps = 0
    j = 0
    while True:
        candidates = work[domains + work[begin + j]]
        link = work[_LINK + j]
        for i in range(j):
            candidates &= ~(work[_CHOSEN + i] * ((link >> i) & 1))
        if operators == ADD:
            open_sum = target - total
            candidates &= digits_between(open_sum - work[_HIGH + j], open_sum - work[_LOW + j], base, full)
        else:
            candidates = next_digits(
                operators, target, j == k - 1, candidates, base, full, total, product, largest,
                work[_LOW + j], work[_HIGH + j], work[_PRODUCT_LOW + j], work[_PRODUCT_HIGH + j],
                work[_REST_LARGEST + j],
            ) | (
                folded_digits(work, operators, target, np.int64(j), j == k - 1, candidates, base)
                if operators & FOLDED or (target == 0 and operators & QUOTIENT)
                else np.int64(0)
            )  # fmt: skip
        if j == k - 1:
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                if count == room:
                    return TOO_MANY
                work[start + count] = packed | (bit << (j * n))
                count += 1
        while candidates == 0:
            j -= 1
            if j < 0:
                return count
            packed &= (np.int64(1) << (j * n)) - 1
            candidates = work[_LEFT + j]
            total, product, largest = work[_TOTAL + j], work[_PRODUCT + j], work[_LARGEST + j]
        steps += 1
        if steps > MAX_STEPS:
            return TOO_MANY
        bit = candidates & -candidates
        value = lowest_digit(bit) + base
        work[_LEFT + j] = candidates ^ bit
        work[_CHOSEN + j] = bit
        work[_TOTAL + j], work[_PRODUCT + j], work[_LARGEST + j] = total, product, largest
        packed |= bit << (j * n)
        total += value
        product *= value
        largest = max(largest, value)
        work[VALUES + j] = value
        j += 1

"""Propagation over candidate sets: lines, the arithmetic of a cage, its listed fills, and values forced into a line.

The rules run to a fixpoint, weakest first. Each removes only candidates that no solution holds, so the fixpoint does
not depend on the order. A rule that empties a cell, finds two equal singles in a line, or leaves a digit without a
place in a line fails at once; what it left behind lives in the caller's copy of the candidates and goes with it.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.jit import inlined, kernel
from solvers.kenken.codes import MAX_SIZE
from solvers.kenken.listing import (
    ADD,
    MAX_FILLS,
    MULTIPLY,
    QUOTIENT,
    SUBTRACT,
    TOO_MANY,
    digits_between,
    highest_digit,
    list_fills,
    lowest_digit,
    next_digits,
    operator_set,
    times_capped,
)

Ints = npt.NDArray[np.int64]

SINGLES, HIDDEN_SINGLES, CAGE_TUPLES, FORCED_LINES, SEARCH = range(5)

_ROOM = 1 << 18

N, BASE, CAGES, LINES, QUEUED, USED, STEPS, RUNG = range(8)
"""Places in Work.state: size, lowest digit, cages, changed lines (bits: rows, then columns), waiting cages, used room
in `fills`, rules that removed something, and the strongest rung in use."""


class Work(NamedTuple):
    """Room for one puzzle of up to `size` rows, used again for the next. All int64."""

    state: Ints  # see N..RUNG
    domains: Ints  # [depth, cell] candidate sets
    live: Ints  # [depth, cage] fills that still fit, the first ones of the cage's
    cage_of: Ints  # [cell]
    place: Ints  # [cell] bit offset of the cell inside a packed fill
    first: Ints  # [cage + 1] where the cage's cells start in `cells`
    cells: Ints  # cells by cage
    operators: Ints  # [cage] operator_set
    target: Ints  # [cage]
    start: Ints  # [cage] where its fills start, or -1: not listed
    fills: Ints  # packed fills
    queue: Ints  # waiting cages
    waiting: Ints  # [cage] 1 while in the queue
    thinned: Ints  # [cage] 1 after its fills became fewer, until the forced-line rule has looked
    choice: Ints  # [depth] cell that is branched on
    left: Ints  # [depth] digits not yet tried there
    scratch: Ints  # [11, 64]


def new_work(size: int) -> Work:
    """Room for puzzles of up to size x size cells."""
    cells = size * size

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    return Work(
        state=ints(8),
        domains=ints(cells + 2, cells),
        live=ints(cells + 2, cells),
        cage_of=ints(cells),
        place=ints(cells),
        first=ints(cells + 1),
        cells=ints(cells),
        operators=ints(cells),
        target=ints(cells),
        start=ints(cells),
        fills=ints(_ROOM),
        queue=ints(cells + 1),
        waiting=ints(cells),
        thinned=ints(cells),
        choice=ints(cells + 2),
        left=ints(cells + 2),
        scratch=ints(11, max(64, cells + 1)),
    )


@kernel
def load(work: Any, n: Any, base: Any, wide: Any, cages: Any, cage_of: Any, operator: Any, target: Any) -> None:
    """Set `work` to a puzzle: every digit in every cell, nothing listed, every cage waiting."""
    state = work.state
    state[N], state[BASE], state[CAGES] = n, base, cages
    state[USED] = state[STEPS] = state[RUNG] = 0
    first, cells = work.first, work.cells
    first[: cages + 1] = 0
    for cell in range(n * n):
        work.cage_of[cell] = cage_of[cell]
        first[np.int64(cage_of[cell]) + 1] += 1
        work.domains[0, cell] = (np.int64(1) << n) - 1
    for cage in range(cages):
        first[cage + 1] += first[cage]
        work.queue[cage] = 0
    for cell in range(n * n):
        cage = np.int64(cage_of[cell])
        j = work.queue[cage]
        cells[first[cage] + j] = cell
        work.place[cell] = j * n
        work.queue[cage] += 1
    for cage in range(cages):
        work.operators[cage] = operator_set(np.int64(operator[cage]), first[cage + 1] - first[cage], wide)
        work.target[cage] = target[cage]
        work.start[cage] = -1
        work.queue[cage] = cage
        work.waiting[cage] = 1
        work.thinned[cage] = 0
    state[QUEUED] = cages
    state[LINES] = 0


@kernel
def forget_changes(work: Any) -> None:
    """Empty the list of what still has to be looked at, after a failure."""
    for i in range(work.state[QUEUED]):
        work.waiting[work.queue[i]] = 0
    work.state[QUEUED] = 0
    work.state[LINES] = 0


@inlined
def note_lines(work: Any, cell: Any, n: Any) -> None:
    """The row and the column of `cell` have to be looked at."""
    work.state[LINES] |= (np.int64(1) << (cell // n)) | (np.int64(1) << (n + cell % n))


@inlined
def note_cage(work: Any, cage: Any) -> None:
    """The cage has to be looked at."""
    if work.waiting[cage] == 0:
        work.waiting[cage] = 1
        work.queue[work.state[QUEUED]] = cage
        work.state[QUEUED] += 1


@kernel
def filter_line(work: Any, domains: Any, line: Any) -> Any:
    """Take placed digits from the rest of a line, and place digits with one cell left; False: contradiction."""
    n = work.state[N]
    full = (np.int64(1) << n) - 1
    if line < n:
        begin, step = line * n, np.int64(1)
    else:
        begin, step = line - n, n
    once = twice = placed = np.int64(0)
    cell = begin
    for _ in range(n):
        mask = domains[cell]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            if placed & mask:
                return False
            placed |= mask
        cell += step
    if once != full:
        return False
    if placed == full:
        return True
    hidden = np.int64(0)
    if work.state[RUNG] >= HIDDEN_SINGLES:
        hidden = once & ~twice & ~placed
    changed = False
    cell = begin
    for _ in range(n):
        mask = domains[cell]
        if mask & (mask - 1):
            kept = mask & ~placed
            alone = kept & hidden
            if alone:
                kept = alone
            if kept != mask:
                if kept == 0 or alone & (alone - 1):
                    return False
                domains[cell] = kept
                changed = True
                note_lines(work, cell, n)
                note_cage(work, work.cage_of[cell])
        cell += step
    if changed:
        work.state[STEPS] += 1
    return True


@kernel
def filter_by_arithmetic(work: Any, domains: Any, cage: Any) -> Any:
    """Keep in each cell the digits with which bounds on the others still allow the target; False: contradiction.

    Sums: minimum and maximum of the rest; products: divisibility and bounds; differences and quotients of two cells:
    the partner's candidates. A cage with one open cell is judged exactly.
    """
    n, base = work.state[N], work.state[BASE]
    full = (np.int64(1) << n) - 1
    cells = work.cells[work.first[cage] : work.first[cage + 1]]
    k = len(cells)
    operators, target = work.operators[cage], work.target[cage]
    changed = False
    for j in range(k):
        total = largest = rest_low = rest_high = rest_largest = np.int64(0)
        product = rest_product_low = rest_product_high = np.int64(1)
        opened = 0
        partner = np.int64(0)
        for i in range(k):
            if i == j:
                continue
            partner = domains[cells[i]]
            low = lowest_digit(partner) + base
            if partner & (partner - 1) == 0:
                total += low
                product = times_capped(product, low)
                largest = max(largest, low)
            else:
                high = highest_digit(partner) + base
                opened += 1
                rest_low += low
                rest_high += high
                rest_product_low = times_capped(rest_product_low, max(low, 1))
                rest_product_high = times_capped(rest_product_high, high)
                rest_largest = max(rest_largest, high)
        mask = domains[cells[j]]
        if k == 2 and opened == 1 and operators & (SUBTRACT | QUOTIENT):
            kept = np.int64(0)
            if operators & SUBTRACT:
                if target < n:
                    kept |= (partner << target) | (partner >> target)
            if operators & QUOTIENT and 0 < target <= 15:
                for digit in range(n):
                    value = digit + base
                    if value > 0 and (partner >> digit) & 1:
                        kept |= digits_between(value * target, value * target, base, full)
                        if value % target == 0:
                            kept |= digits_between(value // target, value // target, base, full)
            simple = operators & (ADD | MULTIPLY)
            if simple:
                kept |= next_digits(
                    simple, target, False, mask, base, full, total, product, largest,
                    rest_low, rest_high, rest_product_low, rest_product_high, rest_largest,
                )  # fmt: skip
            kept &= mask
        else:
            kept = next_digits(
                operators, target, opened == 0, mask, base, full, total, product, largest,
                rest_low, rest_high, rest_product_low, rest_product_high, rest_largest,
            )  # fmt: skip
        if kept != mask:
            if kept == 0:
                return False
            domains[cells[j]] = kept
            changed = True
            note_lines(work, cells[j], n)
    if changed:
        work.state[STEPS] += 1
        note_cage(work, cage)
    return True


@kernel
def filter_by_fills(work: Any, domains: Any, live: Any, cage: Any) -> Any:
    """Drop the fills that no longer fit, and keep in each cell what some fill holds; False: no fill is left."""
    n = work.state[N]
    full = (np.int64(1) << n) - 1
    begin, end = work.first[cage], work.first[cage + 1]
    packed = np.int64(0)
    for j in range(begin, end):
        packed |= domains[work.cells[j]] << ((j - begin) * n)
    outside = ~packed
    fills = work.fills
    start = work.start[cage]
    stop = start + live[cage]
    union = np.int64(0)
    i = start
    while i < stop:
        fill = fills[i]
        if fill & outside:
            stop -= 1
            fills[i] = fills[stop]
            fills[stop] = fill
        else:
            union |= fill
            i += 1
    if stop - start != live[cage]:
        live[cage] = stop - start
        work.thinned[cage] = 1
    if stop == start:
        return False
    if union != packed:
        work.state[STEPS] += 1
        for j in range(begin, end):
            kept = (union >> ((j - begin) * n)) & full
            cell = work.cells[j]
            if kept != domains[cell]:
                domains[cell] = kept
                note_lines(work, cell, n)
    return True


@kernel
def remove_from_line(work: Any, domains: Any, cage: Any, line: Any, forced: Any) -> Any:
    """Take digits that the cage holds in this line from the line's other cells; False: a cell is left empty."""
    n = work.state[N]
    begin, step = (line * n, np.int64(1)) if line < n else (line - n, n)
    changed = False
    for i in range(n):
        cell = begin + i * step
        if work.cage_of[cell] != cage and domains[cell] & forced:
            domains[cell] &= ~forced
            if domains[cell] == 0:
                return False
            changed = True
            note_lines(work, cell, n)
            note_cage(work, work.cage_of[cell])
    if changed:
        work.state[STEPS] += 1
    return True


@kernel
def filter_by_forced(work: Any, domains: Any, live: Any, cage: Any) -> Any:
    """A digit that every fill of the cage puts into the same line cannot be elsewhere in it; False: contradiction."""
    n = work.state[N]
    full = (np.int64(1) << n) - 1
    begin, end = work.first[cage], work.first[cage + 1]
    start = work.start[cage]
    stop = start + live[cage]
    seen = np.int64(0)
    for j in range(begin, end):
        cell = work.cells[j]
        for direction in range(2):
            line = cell // n if direction == 0 else n + cell % n
            if (seen >> line) & 1:
                continue
            seen |= np.int64(1) << line
            inside = np.int64(0)
            many = 0
            for i in range(begin, end):
                other = work.cells[i]
                if (other // n if direction == 0 else n + other % n) == line:
                    inside |= full << ((i - begin) * n)
                    many += 1
            if many < 2:
                continue
            forced = full
            for f in range(start, stop):
                held = work.fills[f] & inside
                digits = np.int64(0)
                while held:
                    digits |= held
                    held >>= n
                forced &= digits
                if forced == 0:
                    break
            if forced and not remove_from_line(work, domains, cage, line, forced):
                return False
    return True


@kernel
def propagate(work: Any, domains: Any, live: Any) -> Any:
    """Run the rules up to state[RUNG] until nothing changes; False: contradiction (call forget_changes).

    `domains` int64[cells] and `live` int64[cages] are changed in place. Cages without listed fills are judged by
    their arithmetic at every rung.
    """
    state = work.state
    while True:
        while state[LINES] or state[QUEUED]:
            if state[LINES]:
                line = np.int64(0)
                lines = state[LINES]
                while (lines >> line) & 1 == 0:
                    line += 1
                state[LINES] = lines & (lines - 1)
                if not filter_line(work, domains, line):
                    return False
                continue
            state[QUEUED] -= 1
            cage = work.queue[state[QUEUED]]
            work.waiting[cage] = 0
            if work.start[cage] >= 0:
                if not filter_by_fills(work, domains, live, cage):
                    return False
            elif not filter_by_arithmetic(work, domains, cage):
                return False
        if state[RUNG] < FORCED_LINES:
            return True
        for cage in range(state[CAGES]):
            if work.thinned[cage]:
                work.thinned[cage] = 0
                if live[cage] > 0 and not filter_by_forced(work, domains, live, cage):
                    return False
                if state[LINES]:
                    break
        if state[LINES] == 0 and state[QUEUED] == 0:
            return True


@kernel
def raise_rung(work: Any, rung: Any) -> None:
    """Allow the rules up to `rung`, and let every line be looked at again."""
    state = work.state
    state[RUNG] = rung
    if rung == HIDDEN_SINGLES:
        state[LINES] = (np.int64(1) << (2 * state[N])) - 1


@kernel
def list_cages(work: Any, domains: Any, live: Any) -> Any:
    """List the fills of every open cage on the candidates left, smallest cages first, propagating after each size."""
    state = work.state
    n = state[N]
    for size in range(1, 63 // n + 1):
        listed = False
        for cage in range(state[CAGES]):
            begin, end = work.first[cage], work.first[cage + 1]
            if end - begin != size:
                continue
            opened = False
            for j in range(begin, end):
                mask = domains[work.cells[j]]
                opened |= mask & (mask - 1) != 0
            if not opened:
                continue
            room = min(MAX_FILLS, len(work.fills) - state[USED])
            count = list_fills(
                work.operators[cage], work.target[cage], work.cells[begin:end], domains, n, state[BASE],
                work.fills, state[USED], room, work.scratch,
            )  # fmt: skip
            if count == 0:
                return False
            if count == TOO_MANY:
                continue
            work.start[cage] = state[USED]
            live[cage] = count
            work.thinned[cage] = 1
            state[USED] += count
            note_cage(work, cage)
            listed = True
        if listed and not propagate(work, domains, live):
            return False
    return True


@kernel
def is_solved(domains: Any, cells: Any) -> Any:
    """Whether each of the first `cells` cells holds one digit."""
    for cell in range(cells):
        if domains[cell] & (domains[cell] - 1):
            return False
    return True


assert MAX_SIZE * 2 < 62, "changed lines are kept in one int64"

"""Propagation over candidate sets: lines, the arithmetic of a cage, its listed fills, and values forced into a line.

The rules run to a fixpoint, weakest first. Each removes only candidates that no solution holds, so the fixpoint does
not depend on the order. A rule that empties a cell, finds two equal singles in a line, or leaves a digit without a
place in a line fails at once; what it left behind lives in the caller's copy of the candidates and goes with it.
"""

from typing import Any

import numpy as np

from solvers.jit import kernel
from solvers.kenken.arithmetic import filter_by_arithmetic
from solvers.kenken.layout import (
    BASE,
    CAGE_OF,
    CAGES,
    CROSSING,
    DOMAINS,
    FILL_ROOM,
    FILLS,
    FIRST,
    LINES,
    LIVE,
    MEMBERS,
    OPERATORS,
    QUEUE,
    QUEUED,
    RUNG,
    RUNG_STEPS,
    SIZE,
    SPAN_INSIDE,
    SPAN_LINE,
    SPANS,
    START,
    STEPS,
    TARGET,
    THINNED,
    UNLISTED,
    USED,
    WAITING,
)
from solvers.kenken.listing import (
    MAX_FILLS,
    TOO_MANY,
    list_fills,
    operator_set,
)
from solvers.kenken.notes import note_cage, note_lines

SINGLES, HIDDEN_SINGLES, CAGE_TUPLES, FORCED_LINES, SEARCH = range(5)


@kernel
def load(
    work: Any, base: Any, wide: Any, hidden: Any, cages: Any, cage_of: Any, operator: Any, target: Any
) -> None:  # fmt: skip
    """Set the workspace to a puzzle: every digit in every cell, nothing listed, nothing noted.

    `hidden`: the operators (bits, as in `listing`) that a hidden one stands for.
    """
    cells = work[SIZE] * work[SIZE]
    work[BASE], work[CAGES] = base, cages
    work[STEPS] = work[RUNG] = work[LINES] = work[QUEUED] = 0
    work[USED] = FILLS
    for rung in range(SEARCH):
        work[RUNG_STEPS + rung] = 0
    for cage in range(cages + 1):
        work[FIRST + cage] = work[QUEUE + cage] = 0
    for cell in range(cells):
        own = np.int64(cage_of[cell])
        work[CAGE_OF + cell] = own
        work[DOMAINS + cell] = (np.int64(1) << work[SIZE]) - 1
        work[FIRST + own + 1] += 1
    for cage in range(cages):
        work[OPERATORS + cage] = operator_set(np.int64(operator[cage]), work[FIRST + cage + 1], wide, hidden)
        work[TARGET + cage] = target[cage]
        work[START + cage] = UNLISTED
        work[LIVE + cage] = work[WAITING + cage] = work[THINNED + cage] = 0
        work[FIRST + cage + 1] += work[FIRST + cage]
    for cell in range(cells):
        own = work[CAGE_OF + cell]
        work[MEMBERS + work[FIRST + own] + work[QUEUE + own]] = cell
        work[QUEUE + own] += 1


@kernel
def filter_line(work: Any, domains: Any, line: Any) -> Any:
    """Take placed digits from the rest of a line, and place digits with one cell left; False: contradiction."""
    n = work[SIZE]
    full = (np.int64(1) << n) - 1
    if line < n:
        begin, step = line * n, np.int64(1)
    else:
        begin, step = line - n, n
    once = twice = placed = np.int64(0)
    cell = begin
    for _ in range(n):
        mask = work[domains + cell]
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
    if work[RUNG] >= HIDDEN_SINGLES:
        hidden = once & ~twice & ~placed
    changed = False
    cell = begin
    for _ in range(n):
        mask = work[domains + cell]
        if mask & (mask - 1):
            kept = mask & ~placed
            alone = kept & hidden
            if alone:
                kept = alone
            if kept != mask:
                if kept == 0 or alone & (alone - 1):
                    return False
                work[domains + cell] = kept
                changed = True
                note_lines(work, cell)
                note_cage(work, work[CAGE_OF + cell])
        cell += step
    if changed:
        work[STEPS] += 1
    return True


@kernel
def filter_by_fills(work: Any, domains: Any, live: Any, cage: Any) -> Any:
    """Drop the fills that no longer fit, and keep in each cell what some fill holds; False: no fill is left."""
    n = work[SIZE]
    full = (np.int64(1) << n) - 1
    begin, end = work[FIRST + cage], work[FIRST + cage + 1]
    packed = np.int64(0)
    for j in range(begin, end):
        packed |= work[domains + work[MEMBERS + j]] << ((j - begin) * n)
    outside = ~packed
    start = work[START + cage]
    stop = start + work[live + cage]
    union = np.int64(0)
    i = start
    while i < stop:
        fill = work[i]
        if fill & outside:
            stop -= 1
            work[i] = work[stop]
            work[stop] = fill
        else:
            union |= fill
            i += 1
    if stop - start != work[live + cage]:
        work[live + cage] = stop - start
        work[THINNED + cage] = 1
    if stop == start:
        return False
    if union != packed:
        work[STEPS] += 1
        for j in range(begin, end):
            kept = (union >> ((j - begin) * n)) & full
            cell = work[MEMBERS + j]
            if kept != work[domains + cell]:
                work[domains + cell] = kept
                note_lines(work, cell)
    return True


@kernel
def find_spans(work: Any) -> None:
    """List for every cage with fills the lines that hold two or more of its cells."""
    n = work[SIZE]
    full = (np.int64(1) << n) - 1
    many = 0
    for cage in range(work[CAGES]):
        work[SPANS + cage] = many
        begin, end = work[FIRST + cage], work[FIRST + cage + 1]
        if work[START + cage] < 0:
            continue
        seen = seen_twice = np.int64(0)
        for j in range(begin, end):
            crossing = work[CROSSING + work[MEMBERS + j]]
            seen_twice |= seen & crossing
            seen |= crossing
        line = 0
        while seen_twice >> line:
            if (seen_twice >> line) & 1:
                inside = np.int64(0)
                for j in range(begin, end):
                    if (work[CROSSING + work[MEMBERS + j]] >> line) & 1:
                        inside |= full << ((j - begin) * n)
                work[SPAN_LINE + many], work[SPAN_INSIDE + many] = line, inside
                many += 1
            line += 1
    work[SPANS + work[CAGES]] = many


@kernel
def filter_by_forced(work: Any, domains: Any, live: Any, cage: Any) -> Any:
    """Take a digit that every fill of the cage puts into one line from the rest of that line.

    Returns False on a contradiction.
    """
    n = work[SIZE]
    start = work[START + cage]
    stop = start + work[live + cage]
    for span in range(work[SPANS + cage], work[SPANS + cage + 1]):
        line, inside = work[SPAN_LINE + span], work[SPAN_INSIDE + span]
        begin, step = (line * n, np.int64(1)) if line < n else (line - n, n)
        forced = np.int64(0)
        cell = begin
        for _ in range(n):
            if work[CAGE_OF + cell] != cage:
                forced |= work[domains + cell]
            cell += step
        for f in range(start, stop):
            held = work[f] & inside
            digits = np.int64(0)
            while held:
                digits |= held
                held >>= n
            forced &= digits
            if forced == 0:
                break
        if forced == 0:
            continue
        work[STEPS] += 1
        cell = begin
        for _ in range(n):
            if work[CAGE_OF + cell] != cage and work[domains + cell] & forced:
                work[domains + cell] &= ~forced
                if work[domains + cell] == 0:
                    return False
                note_lines(work, cell)
                note_cage(work, work[CAGE_OF + cell])
            cell += step
    return True


@kernel
def propagate(work: Any, domains: Any, live: Any) -> Any:
    """Run the rules up to work[RUNG] until nothing changes; False: contradiction (call forget_changes).

    `domains` and `live` are where the level's regions start in `work`. Cages without listed fills are judged by their
    arithmetic at every rung.
    """
    while True:
        while work[LINES] or work[QUEUED]:
            if work[LINES]:
                line = np.int64(0)
                lines = work[LINES]
                while (lines >> line) & 1 == 0:
                    line += 1
                work[LINES] = lines & (lines - 1)
                if not filter_line(work, domains, line):
                    return False
                continue
            work[QUEUED] -= 1
            cage = work[QUEUE + work[QUEUED]]
            work[WAITING + cage] = 0
            if work[START + cage] >= 0:
                if not filter_by_fills(work, domains, live, cage):
                    return False
            elif not filter_by_arithmetic(work, domains, cage):
                return False
        if work[RUNG] < FORCED_LINES:
            return True
        for cage in range(work[CAGES]):
            if work[THINNED + cage]:
                work[THINNED + cage] = 0
                if work[live + cage] > 0 and not filter_by_forced(work, domains, live, cage):
                    return False
                if work[LINES]:
                    break
        if work[LINES] == 0 and work[QUEUED] == 0:
            return True


@kernel
def raise_rung(work: Any, rung: Any) -> None:
    """Allow the rules up to `rung`, and let every line be looked at again."""
    work[RUNG] = rung
    if rung == HIDDEN_SINGLES:
        work[LINES] = (np.int64(1) << (2 * work[SIZE])) - 1
    if rung == FORCED_LINES:
        find_spans(work)


@kernel
def list_cages(work: Any, domains: Any, live: Any, size: Any) -> Any:
    """List the fills of every open cage of so many cells on the candidates left; False: one has none."""
    for cage in range(work[CAGES]):
        begin, end = work[FIRST + cage], work[FIRST + cage + 1]
        if end - begin != size:
            continue
        opened = False
        for j in range(begin, end):
            mask = work[domains + work[MEMBERS + j]]
            opened |= mask & (mask - 1) != 0
        if not opened:
            continue
        room = min(MAX_FILLS, FILLS + FILL_ROOM - work[USED])
        count = list_fills(work, cage, domains, work[USED], room)
        if count == 0:
            return False
        if count == TOO_MANY:
            continue
        work[START + cage] = work[USED]
        work[live + cage] = count
        work[THINNED + cage] = 1
        work[USED] += count
        note_cage(work, cage)
    return True


@kernel
def is_solved(work: Any, domains: Any) -> Any:
    """Whether each cell of a level holds one digit."""
    several = np.int64(0)
    for i in range(domains, domains + work[SIZE] * work[SIZE]):
        several |= work[i] & (work[i] - 1)
    return several == 0

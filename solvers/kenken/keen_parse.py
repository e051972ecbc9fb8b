"""Keen ids read by a kernel: many at once into arrays, or one. What an id means is told in `keen_id`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.jit import kernel
from solvers.kenken.batch import PuzzleBatch, empty_batch, pack, trimmed
from solvers.kenken.codes import GIVEN, HIDDEN, MAX_CAGES, MAX_SIZE, MAX_TARGET, PLUS
from solvers.kenken.keen_id import CLUE_LETTERS, read_keen_slowly
from solvers.kenken.layout import CAGES, DOMAINS, FILLS, FIRST, OPERATORS, SIZE, thread_work
from solvers.kenken.listing import PAIRS_ALONE, list_fills
from solvers.kenken.model import STANDARD, Puzzle, Rules
from solvers.kenken.propagate import load

_CODE_OF = np.full(256, -1, np.int64)
"""Operator code by the letter of a clue; `a` is a sum."""
for _code, _letter in enumerate(CLUE_LETTERS):
    _CODE_OF[ord(_letter)] = _code
_OTHER = -1


class ReadIds(NamedTuple):
    """What lines of ids hold.

    groups: for each size that occurs, the places of its puzzles among the lines (int64) and their batch. errors: what
    is wrong, by place.
    """

    groups: list[tuple[npt.NDArray[np.int64], PuzzleBatch]]
    errors: dict[int, InputError]


@kernel
def sizes_of_ids(data: Any, starts: Any, ends: Any, sizes: Any, blocks: Any) -> None:
    """Write the size that each id begins with, and where its block begins; -1 where it has no such beginning."""
    for i in range(len(starts)):
        at, end = starts[i], ends[i]
        size = digits = np.int64(0)
        while at < end and digits < 4 and 48 <= data[at] <= 57:
            size = 10 * size + data[at] - 48
            digits += 1
            at += 1
        if at + 1 < end and data[at] == 100:  # d, and one of e n h x u
            letter = data[at + 1]
            if letter == 101 or letter == 110 or letter == 104 or letter == 120 or letter == 117:
                at += 2
        if at < end and data[at] == 109:  # m
            at += 1
        fits = digits > 0 and 1 <= size <= MAX_SIZE and at < end and data[at] == 58
        sizes[i] = size if fits else _OTHER
        blocks[i] = at + 1


@kernel
def read_block(data: Any, at: Any, end: Any, n: Any, parent: Any) -> Any:
    """Join cells (int64[n * n], each its own parent) where edges without a line do; where the block ends, or -1."""
    for cell in range(n * n):
        parent[cell] = cell
    across = n * (n - 1)
    edges = 2 * across
    told = np.int64(0)
    while told <= edges:
        if at >= end:
            return -1
        letter = np.int64(data[at])
        if letter == 95:
            gaps = np.int64(0)
        elif 97 <= letter <= 122:
            gaps = min(letter - 96, np.int64(25))
        else:
            return -1
        line = letter != 122
        at += 1
        copies = digits = np.int64(0)
        while at < end and digits < 6 and 48 <= data[at] <= 57:
            copies = 10 * copies + data[at] - 48
            digits += 1
            at += 1
        if digits == 0:
            copies = np.int64(1)
        if copies == 0 or told + copies * (gaps + line) > edges + 1:
            return -1
        for _ in range(copies):
            for edge in range(told, told + gaps):
                if edge == edges:
                    return -1
                if edge < across:
                    first = edge // (n - 1) * n + edge % (n - 1)
                    second = first + 1
                else:
                    first = (edge - across) % (n - 1) * n + (edge - across) // (n - 1)
                    second = first + n
                while parent[first] != first:
                    first = parent[first]
                while parent[second] != second:
                    second = parent[second]
                parent[max(first, second)] = min(first, second)
            told += gaps + line
        if told == edges + 1 and not line:
            return -1
    return at


@kernel
def all_reach(work: Any, base: Any, wide: Any) -> Any:
    """Whether each cage of a loaded puzzle has an operator that fits its cells, and a fill; False also if unsure."""
    n = work[SIZE]
    for cage in range(work[CAGES]):
        cells = work[FIRST + cage + 1] - work[FIRST + cage]
        if cells * n > 63:
            return False
        if list_fills(work, cage, np.int64(DOMAINS), np.int64(FILLS), np.int64(1)) == 0:
            return False
    return True


@kernel
def parse_ids(
    work: Any, data: Any, blocks: Any, ends: Any, base: Any, wide: Any, hidden: Any, hide: Any, codes: Any,
    read: Any, cages: Any, cage_of: Any, operator: Any, target: Any,
) -> None:  # fmt: skip
    """Read ids of one size from where their blocks begin into the rows of a batch; read[i] tells whether one is right.

    `codes`: operator codes by letter. What is not right, or too large to be sure, is left to the plain reader.
    """
    n = work[SIZE]
    parent = np.zeros(n * n, np.int64)
    for i in range(len(blocks)):
        read[i] = 0
        end = ends[i]
        at = read_block(data, blocks[i], end, n, parent)
        if at < 0 or at >= end or data[at] != 44:
            continue
        at += 1
        count = np.int64(0)
        for cell in range(n * n):
            first = cell
            while parent[first] != first:
                first = parent[first]
            # The first cell of a cage is its smallest, so that its number is known before the others come.
            if first == cell:
                if count < MAX_CAGES:
                    cage_of[i, cell] = count
                count += 1
            else:
                cage_of[i, cell] = cage_of[i, first]
        if count > MAX_CAGES:
            continue
        cages[i] = count
        right = True
        for cage in range(count):
            code = codes[data[at]] if at < end else np.int64(-1)
            at += 1
            value = digits = np.int64(0)
            while at < end and 48 <= data[at] <= 57 and value <= (MAX_TARGET - 9) // 10:
                value = 10 * value + data[at] - 48
                digits += 1
                at += 1
            if code < 0 or digits == 0 or digits > 18 or (code == HIDDEN and not hide):
                right = False
                break
            operator[i, cage], target[i, cage] = PLUS if code == GIVEN else code, value
        if not right or at != end:
            continue
        load(work, base, wide, hidden, count, cage_of[i], operator[i], target[i])
        for cage in range(count):
            cells = work[FIRST + cage + 1] - work[FIRST + cage]
            code = operator[i, cage]
            if cells == 1:
                # Read as a sum of one cell, which a digit out of range cannot reach.
                right = right and code == PLUS
                operator[i, cage] = GIVEN
            elif cells > 2:
                right = right and (wide or (code != 2 and code != 4)) and not (work[OPERATORS + cage] & PAIRS_ALONE)
            right = right and work[OPERATORS + cage] != 0
        if right and all_reach(work, base, wide):
            read[i] = 1


def read_ids(lines: Sequence[bytes], rules: Rules = STANDARD) -> ReadIds:
    """Read Keen ids, one a line; those that are wrong stand among the errors."""
    data = np.frombuffer(b"\n".join(lines) or b"\n", np.uint8)
    lengths = np.array([len(line) for line in lines], np.int64)
    ends = np.cumsum(lengths + 1) - 1
    starts = ends - lengths
    sizes, blocks = np.zeros(len(lines), np.int64), np.zeros(len(lines), np.int64)
    sizes_of_ids(data, starts, ends, sizes, blocks)
    groups: list[tuple[npt.NDArray[np.int64], PuzzleBatch]] = []
    left = np.flatnonzero(sizes == _OTHER).tolist()
    for size in np.unique(sizes[sizes != _OTHER]).tolist():
        places = np.flatnonzero(sizes == size)
        batch = empty_batch(size, rules, len(places))
        read = np.zeros(len(places), np.bool_)
        parse_ids(
            thread_work(size), data, blocks[places], ends[places], rules.lowest, rules.wide, rules.hidden_bits,
            rules.hidden, _CODE_OF, read, batch.cages, batch.cage_of, batch.operator, batch.target,
        )  # fmt: skip
        left += places[~read].tolist()
        if not read.all():
            batch = batch._replace(
                cages=batch.cages[read],
                cage_of=batch.cage_of[read],
                operator=batch.operator[read],
                target=batch.target[read],
            )
        if batch.length:
            groups.append((places[read], trimmed(batch)))
    errors: dict[int, InputError] = {}
    for place in sorted(left):
        try:
            text = lines[place].decode("utf-8")
        except UnicodeDecodeError as error:
            errors[place] = InputError(f"byte {error.start + 1} is not UTF-8", "give a Keen id")
            continue
        try:
            groups.append((np.array([place]), pack([read_keen_slowly(text, rules)])))
        except InputError as error:
            errors[place] = error
    return ReadIds(groups, errors)


def read_keen(text: str, rules: Rules = STANDARD) -> Puzzle:
    """Return the puzzle of a Keen id; raises InputError naming the position (from 1) where the text breaks."""
    stripped = text.strip()
    if stripped.isascii() and len(stripped) < 1 << 20:
        found = read_ids([stripped.encode()], rules)
        if found.groups:
            return found.groups[0][1].puzzle(0, trusted=True)
        raise found.errors[0]
    return read_keen_slowly(text, rules)

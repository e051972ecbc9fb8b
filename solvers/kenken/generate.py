"""Seeded puzzles with one solution: a random Latin square, random cages over it, and a solver that says unique.

Puzzle i depends on (seed, identity of the spec, i) alone. It is the first of its drafts 0, 1, 2, ... that has one
solution (and the spec's grade); draft a of puzzle i is drawn from a Philox stream with i and a in the counter.
"""

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.jit import kernel
from solvers.kenken.batch import PuzzleBatch, empty_batch, trimmed
from solvers.kenken.cages import draw_cages, draw_clues
from solvers.kenken.codes import GRADES, MAX_CAGES, RUNGS, SYMBOLS
from solvers.kenken.latin import draw_square
from solvers.kenken.layout import thread_work
from solvers.kenken.propagate import load
from solvers.kenken.search import climb, search
from solvers.kenken.spec import Spec
from solvers.philox import STREAM_LENGTH, key_words, start_stream

DEFAULT_ATTEMPTS = 10_000
NODE_LIMIT = 5_000
"""A draft that the solver cannot decide within so many nodes is dropped."""
GENERATOR_VERSION = 1
"""Part of the key: raise it when the same seed would give other puzzles."""
_DRAFT_CELLS = 50_000
"""Cells of the drafts of one call of the kernel: some tens of milliseconds of work."""

Ints = npt.NDArray[np.int64]


@kernel
def draw_draft(
    stream: Any, ones: Any, square: Any, owner: Any, room: Any, n: Any, base: Any, wide: Any, hide: Any,
    size_weights: Any, operator_weights: Any, cage_of: Any, operator: Any, target: Any,
) -> Any:  # fmt: skip
    """Write one draft to rows of the batch arrays; returns its cages, 0 where no operator fits or there are too many.

    `ones` (int64[3 * cells]), `square`, `owner` (int64[cells]) and `room` (int64[3, cells]) are room to work in.
    """
    draw_square(stream, n, ones, square)
    count = draw_cages(stream, n, size_weights, owner, room)
    for cell in range(n * n):
        cage_of[cell] = owner[cell]
    if count > MAX_CAGES or not draw_clues(
        stream, n, base, wide, hide, operator_weights, square, owner, count, operator, target
    ):
        return np.int64(0)
    return count


@kernel
def find_puzzles(
    work: Any, n: Any, base: Any, wide: Any, hidden: Any, hide: Any, size_weights: Any, operator_weights: Any,
    key0: Any, key1: Any, items: Any, attempts: Any, lowest: Any, highest: Any, drafts: Any,
    tried: Any, found: Any, cages: Any, cage_of: Any, operator: Any, target: Any,
) -> Any:  # fmt: skip
    """Look for puzzles items[i] in their drafts from tried[i] on; True once all are found or out of attempts.

    Stops after so many `drafts` in all, to be called again. A puzzle is found (found[i] = 1, row i of the batch arrays)
    in the first draft that has one solution and a rung from `lowest` to `highest`; tried[i] counts its drafts.
    """
    cells = n * n
    stream = np.zeros(STREAM_LENGTH, np.uint64)
    ones = np.zeros(3 * cells, np.int64)
    square, owner = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    room = np.zeros((3, cells), np.int64)
    solution = np.zeros(cells, np.uint8)
    found_at = np.zeros(0, np.uint64)
    for i in range(len(items)):
        while found[i] == 0 and tried[i] < attempts:
            if drafts == 0:
                return False
            drafts -= 1
            start_stream(stream, items[i], tried[i], key0, key1)
            tried[i] += 1
            count = draw_draft(
                stream, ones, square, owner, room, n, base, wide, hide, size_weights, operator_weights,
                cage_of[i], operator[i], target[i],
            )  # fmt: skip
            if count == 0:
                continue
            load(work, base, wide, hidden, count, cage_of[i], operator[i], target[i])
            rung = climb(work)
            if rung < lowest or rung > highest:
                continue
            solutions, _, complete = search(work, np.int64(0), np.int64(2), np.int64(NODE_LIMIT), solution, found_at)
            if complete and solutions == 1:
                found[i] = 1
                cages[i] = count
                # What larger drafts left behind
                for cage in range(count, cells):
                    operator[i, cage] = 0
                    target[i, cage] = 0
    return True


def spec_key(spec: Spec, seed: int) -> tuple[int, int]:
    """Return the Philox key of a spec's puzzles under a seed."""
    identity = json.dumps(spec.identity(), sort_keys=True, separators=(",", ":"))
    return key_words("kenken", GENERATOR_VERSION, seed, identity)


def generate(spec: Spec, seed: int, start: int, count: int, attempts: int = DEFAULT_ATTEMPTS) -> PuzzleBatch:
    """Return the puzzles start..start+count-1 of the spec under the seed, each with exactly one solution and the spec's
    grade.

    Raises InputError naming the first puzzle of which none of `attempts` drafts fits, or a negative start or count.
    """
    return generate_counted(spec, seed, start, count, attempts)[0]


def generate_counted(
    spec: Spec, seed: int, start: int, count: int, attempts: int = DEFAULT_ATTEMPTS
) -> tuple[PuzzleBatch, Ints]:
    """As `generate`, and int64[count]: how many drafts each puzzle took."""
    if start < 0 or count < 0 or start + count > 2**63 - 1:
        raise InputError(f"puzzles {start}..{start + count - 1}", "give a start and a count that are not negative")
    if not 1 <= attempts < 2**32:
        raise InputError(f"{attempts} attempts", "give at least 1")
    batch = empty_batch(spec.size, spec.rules, count)
    items = np.arange(start, start + count, dtype=np.int64)
    tried, found = np.zeros(count, np.int64), np.zeros(count, np.uint8)
    lowest, highest = (0, len(RUNGS)) if spec.grade is None else (GRADES.index(spec.grade),) * 2
    first = 0
    while first < count:
        done = _find(spec, seed, items[first:], attempts, lowest, highest, tried[first:], found[first:], batch, first)
        first = count if done else int(found.argmin())
        if (tired := (found == 0) & (tried == attempts)).any():
            what = f"no unique puzzle of grade {spec.grade}" if spec.grade else "no unique puzzle"
            raise InputError(
                f"spec {spec.id}, puzzle {start + int(tired.argmax())}: {what} in {attempts} attempts",
                "choose smaller cages, more operators, another size, or another grade",
            )
    return trimmed(batch), tried


def _find(
    spec: Spec,
    seed: int,
    items: Ints,
    attempts: int,
    lowest: int,
    highest: int,
    tried: Ints,
    found: npt.NDArray[np.uint8],
    batch: PuzzleBatch,
    first: int,
) -> bool:
    """find_puzzles over a number of drafts small enough that an interrupt is soon noticed."""
    size_weights = np.zeros(max(cells for cells, _ in spec.cage_sizes) + 1, np.int64)
    for cells, weight in spec.cage_sizes:
        size_weights[cells] = weight
    operator_weights = np.zeros(len(SYMBOLS), np.int64)
    for symbol, weight in spec.operators:
        operator_weights[SYMBOLS.index(symbol)] = weight
    rules = spec.rules
    key0, key1 = (np.uint64(word) for word in spec_key(spec, seed))
    return bool(
        find_puzzles(
            thread_work(spec.size), spec.size, rules.lowest, rules.wide, rules.hidden_bits, rules.hidden, size_weights,
            operator_weights, key0, key1, items, attempts, lowest, highest, max(1, _DRAFT_CELLS // spec.size**2),
            tried, found, *(array[first:] for array in (batch.cages, batch.cage_of, batch.operator, batch.target)),
        )
    )  # fmt: skip

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
from solvers.kenken.codes import GRADES, SYMBOLS, UNIQUE
from solvers.kenken.latin import draw_square
from solvers.kenken.solve import solve_batch
from solvers.kenken.spec import Spec
from solvers.philox import STREAM_LENGTH, key_words, start_stream

DEFAULT_ATTEMPTS = 10_000
NODE_LIMIT = 5_000
"""A draft that the solver cannot decide within so many nodes is dropped."""
GENERATOR_VERSION = 1
"""Part of the key: raise it when the same seed would give other puzzles."""
_DRAFTS = 64
"""Drafts solved in one call when few puzzles are still sought."""

Ints = npt.NDArray[np.int64]


@kernel
def draft_many(
    n: Any,
    base: Any,
    wide: Any,
    hide: Any,
    size_weights: Any,
    operator_weights: Any,
    key0: Any,
    key1: Any,
    items: Any,
    attempts: Any,
    cages: Any,
    cage_of: Any,
    operator: Any,
    target: Any,
) -> None:
    """Write draft attempts[i] of puzzle items[i] to row i of the batch arrays; cages[i] is 0 where no operator fits."""
    cells = n * n
    stream = np.zeros(STREAM_LENGTH, np.uint64)
    ones = np.zeros(3 * cells, np.int64)
    square = np.zeros(cells, np.int64)
    owner = np.zeros(cells, np.int64)
    room = np.zeros((3, cells), np.int64)
    for i in range(len(items)):
        start_stream(stream, items[i], attempts[i], key0, key1)
        draw_square(stream, n, ones, square)
        count = draw_cages(stream, n, size_weights, owner, room)
        for cell in range(cells):
            cage_of[i, cell] = owner[cell]
        fits = draw_clues(
            stream, n, base, wide, hide, operator_weights, square, owner, count, operator[i], target[i]
        )  # fmt: skip
        cages[i] = count if fits else 0


def spec_key(spec: Spec, seed: int) -> tuple[int, int]:
    """The Philox key of a spec's puzzles under a seed."""
    identity = json.dumps(spec.identity(), sort_keys=True, separators=(",", ":"))
    return key_words("kenken", GENERATOR_VERSION, seed, identity)


def draft(spec: Spec, seed: int, items: Ints, attempts: Ints) -> PuzzleBatch:
    """Draft attempts[i] of puzzle items[i] (both int64), however many solutions; cages 0: no operator fits."""
    batch = empty_batch(spec.size, spec.rules, len(items))
    size_weights = np.zeros(max(cells for cells, _ in spec.cage_sizes) + 1, np.int64)
    for cells, weight in spec.cage_sizes:
        size_weights[cells] = weight
    operator_weights = np.zeros(5, np.int64)
    for symbol, weight in spec.operators:
        operator_weights[SYMBOLS.index(symbol)] = weight
    rules = spec.rules
    key0, key1 = (np.uint64(word) for word in spec_key(spec, seed))
    draft_many(
        spec.size, rules.lowest, rules.wide, rules.hidden, size_weights, operator_weights, key0, key1,
        items, attempts, batch.cages, batch.cage_of, batch.operator, batch.target,
    )  # fmt: skip
    return batch


def generate(spec: Spec, seed: int, start: int, count: int, attempts: int = DEFAULT_ATTEMPTS) -> PuzzleBatch:
    """Puzzles start..start+count-1 of the spec under the seed, each with exactly one solution and the spec's grade.

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
    tried = np.zeros(count, np.int64)
    sought = np.arange(count, dtype=np.int64)
    first = 0
    while len(sought) and first < attempts:
        # Several drafts of each at once when few are left; the lowest that fits is taken, so the answer is the same.
        together = min(max(1, _DRAFTS // len(sought)), attempts - first)
        index = np.repeat(sought, together)
        drafts = draft(spec, seed, start + index, first + np.tile(np.arange(together), len(sought)))
        fits = _fits(spec, drafts).reshape(len(sought), together)
        found = fits.any(axis=1)
        rows = np.flatnonzero(found) * together + fits[found].argmax(axis=1)
        for name in ("cages", "cage_of", "operator", "target"):
            getattr(batch, name)[sought[found]] = getattr(drafts, name)[rows]
        tried[sought[found]] = first + fits[found].argmax(axis=1) + 1
        sought = sought[~found]
        first += together
    if len(sought):
        graded = f" of grade {spec.grade}" if spec.grade else ""
        raise InputError(
            f"spec {spec.id}, puzzle {start + int(sought[0])}: no unique puzzle{graded} in {attempts} attempts",
            "allow more attempts, smaller cages, more operators, or another grade",
        )
    return trimmed(batch), tried


def _fits(spec: Spec, drafts: PuzzleBatch) -> npt.NDArray[np.bool_]:
    """Which drafts have one solution and the spec's grade."""
    results = solve_batch(drafts, node_limit=NODE_LIMIT)
    fits = (results.status == UNIQUE) & (drafts.cages > 0)
    return fits if spec.grade is None else fits & (results.grade == GRADES.index(spec.grade))

"""Puzzles and results as arrays: the form in which a pipeline handles millions of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError
from solvers.kenken.codes import MAX_SIZE, OPERATOR_CODES, SYMBOLS
from solvers.kenken.model import STANDARD, Cage, Puzzle, Rules


class PuzzleBatch(NamedTuple):
    """Puzzles of one size under one set of rules.

    cages: uint8[count] number of cages; cage_of: uint8[count, size * size] cage of each cell, numbered in the order of
    their first cells; operator: uint8[count, width] codes as in codes.SYMBOLS; target: int64[count, width]; entries
    past a puzzle's cages are 0, width is at least the largest number of cages.
    """

    size: int
    rules: Rules
    cages: npt.NDArray[np.uint8]
    cage_of: npt.NDArray[np.uint8]
    operator: npt.NDArray[np.uint8]
    target: npt.NDArray[np.int64]

    @property
    def length(self) -> int:
        """Number of puzzles (len() of a NamedTuple is its number of fields)."""
        return len(self.cages)

    def part(self, start: int, end: int) -> "PuzzleBatch":
        """Return the puzzles start..end-1, as views."""
        return self._replace(
            cages=self.cages[start:end],
            cage_of=self.cage_of[start:end],
            operator=self.operator[start:end],
            target=self.target[start:end],
        )

    def puzzle(self, index: int, trusted: bool = False) -> Puzzle:
        """Return the puzzle `index` as an object, checked unless it is `trusted` (generated, say, or read from an
        id).
        """
        cells: list[list[int]] = [[] for _ in range(int(self.cages[index]))]
        for cell, cage in enumerate(self.cage_of[index].tolist()):
            cells[cage].append(cell)
        operators, targets = self.operator[index].tolist(), self.target[index].tolist()
        cages = tuple(Cage(SYMBOLS[operators[i]], targets[i], tuple(own)) for i, own in enumerate(cells))
        return (Puzzle.trusted if trusted else Puzzle)(self.size, cages, self.rules)


def check_batch(batch: PuzzleBatch) -> None:
    """Raise InputError for shapes that differ, or naming the first puzzle that would lead a kernel out of bounds."""
    cells, count = batch.size * batch.size, batch.length
    width = batch.operator.shape[1] if batch.operator.ndim == 2 else -1
    if not 1 <= batch.size <= MAX_SIZE or batch.cage_of.shape != (count, cells):
        raise InputError(f"cage_of of shape {batch.cage_of.shape}", f"give {count} rows of size * size cells")
    if batch.operator.shape != (count, width) or batch.target.shape != (count, width):
        raise InputError("operator and target differ in shape", f"give {count} rows of one width each")
    # One pass over all cells decides for most batches; which puzzle is wrong is asked only where one is.
    if count and (batch.cages.max() > width or (batch.cage_of.max(axis=1) >= np.maximum(batch.cages, 1)).any()):
        wrong = (batch.cages > width) | ((batch.cage_of >= batch.cages[:, None]).any(axis=1) & (batch.cages > 0))
        if wrong.any():
            i = int(wrong.argmax())
            raise InputError(
                f"puzzle {i} has cells of cage {batch.cage_of[i].max()}, and {batch.cages[i]} cages in {width} columns",
                "number cages from 0, with a clue for each",
            )


def empty_batch(size: int, rules: Rules, count: int) -> PuzzleBatch:
    """Return the arrays for `count` puzzles, all zero."""
    cells = size * size
    return PuzzleBatch(
        size,
        rules,
        np.zeros(count, np.uint8),
        np.zeros((count, cells), np.uint8),
        np.zeros((count, cells), np.uint8),
        np.zeros((count, cells), np.int64),
    )


def trimmed(batch: PuzzleBatch) -> PuzzleBatch:
    """Return the same puzzles with no more columns for cages than the largest needs."""
    width = int(batch.cages.max(initial=0))
    return batch._replace(
        operator=np.ascontiguousarray(batch.operator[:, :width]), target=np.ascontiguousarray(batch.target[:, :width])
    )


def pack(puzzles: Sequence[Puzzle]) -> PuzzleBatch:
    """Return the batch of puzzles of one size and one set of rules; raises InputError naming the first that differs."""
    if not puzzles:
        return empty_batch(1, STANDARD, 0)
    first = puzzles[0]
    batch = empty_batch(first.size, first.rules, len(puzzles))
    for i, puzzle in enumerate(puzzles):
        if (puzzle.size, puzzle.rules) != (first.size, first.rules):
            raise InputError(
                f"puzzle {i} differs from puzzle 0 in size or rules", "solve each kind in a batch of its own"
            )
        batch.cages[i] = len(puzzle.cages)
        batch.cage_of[i] = puzzle.cage_of
        for j, cage in enumerate(puzzle.cages):
            batch.operator[i, j] = OPERATOR_CODES[cage.operator]
            batch.target[i, j] = cage.target
    return trimmed(batch)


def operator_counts(batch: PuzzleBatch) -> npt.NDArray[np.uint8]:
    """Return the number of cages by operator: uint8[length, 11], columns as in codes.SYMBOLS (the first counts given
    digits).
    """
    used = np.arange(batch.operator.shape[1]) < batch.cages[:, None]
    counts = [np.count_nonzero((batch.operator == code) & used, axis=1) for code in range(len(SYMBOLS))]
    return np.stack(counts, axis=1).astype(np.uint8)

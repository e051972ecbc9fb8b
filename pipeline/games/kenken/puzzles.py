"""Single KenKen puzzles for a person: read from wherever they are, solved on one core or several, and shown."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_bool
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.errors import PipelineError, os_error
from pipeline.executors import make_executor
from pipeline.executors.base import Resources
from solvers.errors import InputError
from solvers.kenken import (
    MEANINGS,
    STANDARD,
    Answer,
    Part,
    PartOutcome,
    Puzzle,
    Rules,
    draw_text,
    keen_ids,
    merge,
    pack,
    puzzle_to_dict,
    read_puzzle,
    solve,
    solve_part,
    split,
)

MAX_TEXT_BYTES = 1 << 24
PARTS_A_WORKER = 16
"""Parts of one search for each worker: many, because one part may hold nearly all of the work."""
WORKER_MEMORY = 4096
_KEEN = re.compile(r"\d+[a-z]*:", re.ASCII)


def read_puzzles(reference: str, rules: Rules = STANDARD, text: bytes | None = None) -> list[Puzzle]:
    """Return the puzzles of a Keen id, of a file, or of standard input (`-`), whose bytes `text` are if they were read.

    A text holds one puzzle in any format, or Keen ids or JSON objects one a line, or cage maps with two blank lines
    between. `rules` hold where the text tells none. Raises InputError naming the line and what is wrong.
    """
    place = "standard input" if reference == "-" else reference
    if text is not None:
        source = _decode(text, place)
    elif is_id(reference):
        source, place = reference, ""
    else:
        with open_stream(reference) as file:
            source = _decode(file.read(MAX_TEXT_BYTES + 1), place)
    found = []
    given = rules if rules != STANDARD else None
    pieces = _pieces(source)
    for number, piece in pieces:
        try:
            puzzle = read_puzzle(piece, given)
            _check_rules(puzzle, rules)
        except InputError as error:
            where = f"{place}: " if place and len(pieces) == 1 else f"{place}, line {number}: " if place else ""
            raise PipelineError(where + error.message, error.hint) from error
        found.append(puzzle)
    return found


def is_id(reference: str) -> bool:
    """Whether an argument is a Keen id itself, no file."""
    return _KEEN.match(reference.strip()) is not None


def _pieces(text: str) -> list[tuple[int, str]]:
    """Texts of single puzzles, each with the number of its first line."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for mark in (_KEEN.match, lambda line: line.startswith("{") and line.endswith("}")):
        if len(lines) > 1 and all(mark(line.strip()) for _, line in lines):
            return lines
    pieces = []
    first = 1
    for piece in re.split(r"(\n[ \t\r]*(?:\n[ \t\r]*){2,})", text):
        if piece.strip():
            pieces.append((first, piece))
        first += piece.count("\n")
    return pieces if len(pieces) > 1 and not text.lstrip().startswith(("{", "[")) else [(1, text)]


def _check_rules(puzzle: Puzzle, rules: Rules) -> None:
    for name in rules.flags:
        if name not in puzzle.rules.flags:
            raise PipelineError(
                f"the puzzle tells rules of its own, without {name}",
                f"leave --{name.replace('_', '-')} out, or change the puzzle's rules",
            )


@contextmanager
def open_stream(reference: str) -> Iterator[BinaryIO]:
    """Yield standard input (`-`) or a file of puzzles, open; raises PipelineError where it is not there or not
    readable.
    """
    if reference == "-":
        yield sys.stdin.buffer
        return
    path = Path(os.path.expanduser(reference))
    try:
        if not path.is_file():
            what = "is not a file" if path.exists() else "is no Keen id, and no file of that name exists"
            raise PipelineError(
                f"{reference[:80]!r} {what}", "give a Keen id such as 3:_a_aa_3a,a5a4a2m2s2, a file, or - for input"
            )
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise os_error("read", error) from error


def _decode(data: bytes, place: str) -> str:
    if len(data) > MAX_TEXT_BYTES:
        raise PipelineError(f"{place} is larger than {MAX_TEXT_BYTES:,} bytes", "give it in pieces")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PipelineError(
            f"{place} is not UTF-8 text (byte {error.start})", "give a Keen id, a map or JSON"
        ) from None


@dataclass(frozen=True)
class _SolvePart:
    """The task of a worker: (place, part) to (place, outcome), or None once the answer is `decided`."""

    puzzle: Puzzle
    limit: int
    node_limit: int
    decided: Any

    def __call__(self, item: tuple[int, Part]) -> tuple[int, PartOutcome | None]:
        place, part = item
        return place, None if self.decided.value else solve_part(self.puzzle, part, self.limit, self.node_limit)


def solve_in_parts(puzzle: Puzzle, limit: int, node_limit: int, workers: int) -> Answer:
    """Return the answer of solvers.kenken.solve, its search cut at the first branches and shared by worker processes.

    Once the parts done from the first on decide the answer, no other part is begun.
    """
    parts = split(puzzle, PARTS_A_WORKER * workers)
    outcomes: dict[int, PartOutcome] = {}
    executor = make_executor(Resources("process", workers, WORKER_MEMORY))
    # Shared with the workers: parts that run are waited for, because ending a worker that is sending much can hang.
    decided = RawValue(c_bool, False)
    ready = nodes = solutions = 0
    for place, outcome in executor.run(_SolvePart(puzzle, limit, node_limit, decided), list(enumerate(parts))):
        if outcome is not None:
            outcomes[place] = outcome
        while ready in outcomes and not decided.value:
            done = outcomes[ready]
            nodes += parts[ready].nodes_before + done.nodes
            solutions += len(done.found_at)
            decided.value = solutions >= limit or nodes > node_limit or not done.complete
            ready += 1
    return merge(parts[:ready], [outcomes[place] for place in range(ready)], limit, node_limit)


def solve_puzzle(puzzle: Puzzle, limit: int, node_limit: int, workers: int = 1) -> Answer:
    """Raises InputError for limits with which uniqueness cannot be decided."""
    return solve(puzzle, limit, node_limit) if workers == 1 else solve_in_parts(puzzle, limit, node_limit, workers)


def as_dict(puzzle: Puzzle, answer: Answer, limit: int, node_limit: int, id: str = "") -> dict[str, Any]:
    """Return the answer for a program; `solution` as rows of digits, None where none was found. `id`: its Keen id if
    known.
    """
    size = puzzle.size
    rows = [list(answer.solution[start : start + size]) for start in range(0, len(answer.solution), size)]
    return {
        "puzzle": id or keen_id(puzzle),
        **puzzle_to_dict(puzzle),
        **answer._asdict(),
        "cells": size * size,
        "limit": limit,
        "node_limit": node_limit,
        "solution": rows or None,
    }


def as_text(puzzle: Puzzle, answer: Answer, limit: int, drawn: str | None = None) -> str:
    """Return the grid (or the text in `drawn`) and one line for each thing that is known."""
    if drawn is None:
        drawn = draw_text(puzzle, answer.solution).rstrip("\n")
    return "\n".join([drawn, *facts(puzzle.size, puzzle.rules, keen_id(puzzle), answer, limit)])


def facts(size: int, rules: Rules, id: str, answer: Answer, limit: int) -> Iterator[str]:
    """Yield one line for each thing that is known of a puzzle."""
    counted = f"{answer.solutions:,}" if answer.solutions < limit else f"{limit:,} or more"
    said = {
        "unique": "unique: one solution and no other",
        "multiple": f"multiple: {counted} solutions, the first is shown",
        "none": "none: no digits satisfy every cage",
        "gave_up": f"gave up at the node limit with {answer.solutions} solution{'s' * (answer.solutions != 1)} found",
    }
    yield f"status   {said[answer.status]}"
    if answer.solution and size > 9:
        yield f"solution {' '.join(map(str, answer.solution))}"
    elif answer.solution:
        yield f"solution {''.join(map(str, answer.solution))}"
    yield f"nodes    {answer.nodes:,} (digits tried in cells)"
    yield f"placed   {answer.placed} of {size**2} cells by propagation, in {answer.steps:,} steps"
    if answer.rung is not None:
        yield f"grade    {answer.grade} ({answer.rung.replace('_', ' ')}: {MEANINGS[answer.rung]})"
    yield f"id       {id}"
    if rules != STANDARD:
        yield f"rules    {rules_text(rules)}"


def rules_text(rules: Rules) -> str:
    """Return the rules beyond the standard ones, as options: `--hidden --wide`."""
    said = [f"--{name.replace('_', '-')}" for name in rules.flags]
    if "hides" in (told := rules.told()):
        said.append(f"(hidden operators: {' '.join(told['hides'])})")
    return " ".join(said)


def keen_id(puzzle: Puzzle) -> str:
    return keen_ids(pack([puzzle]))[0]


def save_svg(path: Path, svg: str) -> None:
    """Raises PipelineError where the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, "utf-8")
    except OSError as error:
        raise os_error("write", error) from error

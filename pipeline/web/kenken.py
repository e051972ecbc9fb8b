"""KenKen for one request: generate a puzzle, solve one that was pasted."""

import time
from dataclasses import replace
from typing import Any

from pipeline.web.models import GenerateRequest, PuzzleRequest
from pipeline.web.problems import LIMIT, RefusalError, about
from pipeline.web.settings import MAX_KENKEN, Limits
from solvers.errors import InputError
from solvers.kenken import Puzzle, draw_svg, generate, read_puzzle, solve, spec_for_size, write_puzzle


def generate_puzzle(request: GenerateRequest, limits: Limits) -> dict[str, Any]:
    """Raises RefusalError 422 where no draft has the grade."""
    spec = replace(spec_for_size(f"{request.size}x{request.size}"), grade=request.grade)
    with about("grade"):
        batch = generate(spec, request.seed, request.index, 1, limits.kenken_attempts)
    return {**_answer(batch.puzzle(0), limits, "size"), "seed": request.seed, "index": request.index}


def solve_puzzle(request: PuzzleRequest, limits: Limits) -> dict[str, Any]:
    """Raises RefusalError 422 for a text that is no puzzle, one that is too large, or one that takes too long."""
    with about("puzzle"):
        puzzle = read_puzzle(request.puzzle)
        if puzzle.size > MAX_KENKEN:
            raise InputError(f"a grid of {puzzle.size} x {puzzle.size}", f"this server solves up to {MAX_KENKEN}")
    return _answer(puzzle, limits, "puzzle")


def _answer(puzzle: Puzzle, limits: Limits, field: str) -> dict[str, Any]:
    started = time.perf_counter()
    answer = solve(puzzle, node_limit=limits.kenken_nodes)
    seconds = time.perf_counter() - started
    if answer.status == "gave_up":
        raise RefusalError(422, f"this puzzle needs more than {limits.kenken_nodes:,} nodes", LIMIT, field)
    return {
        "size": puzzle.size,
        "status": answer.status,
        "solutions": answer.solutions,
        "grade": answer.grade,
        "nodes": answer.nodes,
        "solution": list(answer.solution),
        "milliseconds": round(1e3 * seconds, 4),
        "keen": _keen(puzzle),
        "map": write_puzzle(puzzle, "map"),
        "svg": draw_svg(puzzle),
        "svg_solved": draw_svg(puzzle, answer.solution) if answer.solution else None,
    }


def _keen(puzzle: Puzzle) -> str | None:
    """None for rules or clues that the format has no way to write."""
    try:
        return write_puzzle(puzzle, "keen").strip()
    except InputError:
        return None

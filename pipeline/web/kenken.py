"""KenKen for one request: generate a puzzle, solve one that was pasted."""

import time
from dataclasses import asdict, replace
from typing import Any

from pipeline.web.hints import next_step
from pipeline.web.models import GenerateRequest, HintRequest, PuzzleRequest
from pipeline.web.problems import INVALID, LIMIT, RefusalError, about
from pipeline.web.settings import MAX_KENKEN, Limits
from solvers.errors import InputError
from solvers.kenken import Answer, Puzzle, Rules, draw_svg, generate, read_puzzle, solve, spec_for_size, write_puzzle


def generate_puzzle(request: GenerateRequest, limits: Limits) -> dict[str, Any]:
    """Raises RefusalError 422 where no draft has the grade and operators."""
    spec = replace(
        spec_for_size(f"{request.size}x{request.size}"), grade=request.grade, rules=Rules(hidden=request.hidden)
    )
    if request.operators is not None:
        spec = replace(spec, operators=tuple((sign, n) for sign, n in spec.operators if sign in request.operators))
    try:
        batch = generate(spec, request.seed, request.index, 1, limits.kenken_attempts)
    except InputError as error:
        detail = f"none of {limits.kenken_attempts:,} drafts is such a puzzle; choose more operators or another grade"
        raise RefusalError(422, detail, LIMIT, "grade" if request.operators is None else "operators") from error
    return {**_answer(batch.puzzle(0), limits, "size"), "seed": request.seed, "index": request.index}


def solve_puzzle(request: PuzzleRequest, limits: Limits) -> dict[str, Any]:
    """Raises RefusalError 422 for a text that is no puzzle, one that is too large, or one that takes too long."""
    return _answer(_read(request), limits, "puzzle")


def give_hint(request: HintRequest, limits: Limits) -> dict[str, Any]:
    """Raises RefusalError 422 as `solve_puzzle` does, for a puzzle without solution, and for digits that do not fit."""
    puzzle = _read(request)
    if len(request.digits) != puzzle.size**2:
        detail = f"{len(request.digits)} digits for the {puzzle.size**2} cells of the puzzle"
        raise RefusalError(422, detail, INVALID, "digits")
    strange = [digit for digit in request.digits if digit is not None and digit not in puzzle.digits]
    if strange:
        detail = f"digit {strange[0]}: those of this puzzle are {puzzle.digits[0]} to {puzzle.digits[-1]}"
        raise RefusalError(422, detail, INVALID, "digits")
    answer = _solved(puzzle, limits, "puzzle")
    if answer.status == "none":
        raise RefusalError(422, "this puzzle has no solution", INVALID, "puzzle")
    return asdict(next_step(puzzle, request.digits, answer.solution if answer.status == "unique" else ()))


def _read(request: PuzzleRequest) -> Puzzle:
    with about("puzzle"):
        puzzle = read_puzzle(request.puzzle)
        if puzzle.size > MAX_KENKEN:
            raise InputError(f"a grid of {puzzle.size} x {puzzle.size}", f"this server solves up to {MAX_KENKEN}")
    return puzzle


def _solved(puzzle: Puzzle, limits: Limits, field: str) -> Answer:
    answer = solve(puzzle, node_limit=limits.kenken_nodes)
    if answer.status == "gave_up":
        raise RefusalError(422, f"this puzzle needs more than {limits.kenken_nodes:,} nodes", LIMIT, field)
    return answer


def _answer(puzzle: Puzzle, limits: Limits, field: str) -> dict[str, Any]:
    started = time.perf_counter()
    answer = _solved(puzzle, limits, field)
    seconds = time.perf_counter() - started
    return {
        "size": puzzle.size,
        "status": answer.status,
        "solutions": answer.solutions,
        "grade": answer.grade,
        "nodes": answer.nodes,
        "solution": list(answer.solution),
        "milliseconds": round(1e3 * seconds, 4),
        "lowest": puzzle.rules.lowest,
        "wide": puzzle.rules.wide,
        "cages": [
            {"operator": cage.operator, "target": cage.target, "cells": list(cage.cells)} for cage in puzzle.cages
        ],
        "keen": _keen(puzzle),
        "map": write_puzzle(puzzle, "map"),
        "svg": draw_svg(puzzle),
        "svg_solved": draw_svg(puzzle, answer.solution) if answer.solution else None,
    }


def _keen(puzzle: Puzzle) -> str | None:
    """None for rules or clues that the format cannot hold: the id must give the same puzzle again."""
    try:
        keen = write_puzzle(puzzle, "keen").strip()
        return keen if read_puzzle(keen) == puzzle else None
    except InputError:
        return None

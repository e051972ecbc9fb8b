"""KenKen over HTTP: what can be chosen, the example of the page, and hints that lead to the solution."""

import json
import random
from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient

from pipeline.web.hints import next_step
from pipeline.web.models import EXAMPLE_PUZZLE
from solvers.kenken import Puzzle, read_puzzle, solve_reference
from tests.golden_data import GOLDEN
from tests.web.test_api import problem

KENKEN = json.loads((GOLDEN / "kenken.json").read_text())
UNIQUE = [golden for golden in KENKEN if golden["solution"]]


def puzzle_of(golden: dict[str, Any]) -> tuple[Puzzle, list[int]]:
    rules = {"wide": "largest against" in golden["rules"], "hidden": "hidden" in golden["rules"]}
    text = json.dumps({"size": golden["size"], "cages": golden["cages"], "rules": rules})
    return read_puzzle(text), [int(digit) for row in golden["solution"] for digit in row]


def ask(client: TestClient, **request: Any) -> Response:
    return client.post("/api/v1/kenken/hint", json=request)


def test_the_example_of_the_page_and_of_the_reference_has_one_solution(client: TestClient) -> None:
    answer = solve_reference(read_puzzle(EXAMPLE_PUZZLE))
    assert answer.status == "unique"
    page = client.get("/kenken").text
    shown = page.partition('<pre id="example-text">')[2].partition("</pre>")[0]
    assert client.post("/api/v1/kenken/solve", json={"puzzle": shown}).json()["solution"] == list(answer.solution)
    schema = client.get("/openapi.json").json()["components"]["schemas"]["PuzzleRequest"]
    assert schema["properties"]["puzzle"]["examples"] == [EXAMPLE_PUZZLE]


@pytest.mark.parametrize("operators", [["+"], ["*"], ["+", "-"], ["-", "*", "/"], ["+", "-", "*", "/"]])
def test_only_chosen_operators_are_used(client: TestClient, operators: list[str]) -> None:
    for index in range(4):
        request = {"size": 4, "operators": operators, "seed": 3, "index": index}
        answer = client.post("/api/v1/kenken/generate", json=request).json()
        assert answer["status"] == "unique"
        assert {cage["operator"] for cage in answer["cages"]} <= {*operators, "="}
        assert sorted(cell for cage in answer["cages"] for cell in cage["cells"]) == list(range(16))


def test_all_four_operators_are_the_default(client: TestClient) -> None:
    request = {"size": 5, "seed": 9}
    plain = client.post("/api/v1/kenken/generate", json=request).json()
    assert (
        client.post("/api/v1/kenken/generate", json={**request, "operators": list("/*-+")}).json()["map"]
        == plain["map"]
    )


def test_operators_can_be_hidden(client: TestClient) -> None:
    answer = client.post("/api/v1/kenken/generate", json={"size": 4, "hidden": True, "seed": 2}).json()
    assert {cage["operator"] for cage in answer["cages"]} <= {"?", "="}
    assert answer["keen"] is None
    assert solve_reference(read_puzzle(answer["map"])).status == "unique"


def test_operators_without_a_unique_puzzle_are_refused(client: TestClient) -> None:
    answer = client.post("/api/v1/kenken/generate", json={"size": 6, "operators": ["/"], "seed": 1})
    assert "more operators" in problem(answer, 422, "operators")
    assert "at least 1" in problem(client.post("/api/v1/kenken/generate", json={"operators": []}), 422, "operators")


@pytest.mark.parametrize("golden", UNIQUE, ids=lambda golden: golden["id"])
def test_hints_lead_to_the_golden_solution_and_say_why(golden: dict[str, Any]) -> None:
    puzzle, solution = puzzle_of(golden)
    size = puzzle.size
    digits: list[int | None] = [None] * size**2
    for left in range(size**2, 0, -1):
        hint = next_step(puzzle, digits, solution)
        assert hint.kind in ("cell", "row", "column", "search")
        assert hint.cell is not None
        assert digits[hint.cell] is None
        assert hint.digit == solution[hint.cell], (left, hint)
        digits[hint.cell] = hint.digit
    assert next_step(puzzle, digits, solution).kind == "solved"


@pytest.mark.parametrize("golden", UNIQUE, ids=lambda golden: golden["id"])
def test_a_wrong_digit_is_named_and_what_follows_from_right_ones_needs_no_solution(golden: dict[str, Any]) -> None:
    puzzle, solution = puzzle_of(golden)
    source = random.Random(4)
    for _ in range(10):
        digits = [digit if source.random() < 0.5 else None for digit in solution]
        if None not in digits:
            continue
        without = next_step(puzzle, digits, ())
        if without.kind in ("cell", "row", "column"):
            assert without.cell is not None
            assert without.digit == solution[without.cell]
        else:
            assert without.kind == "stuck"
        place = source.randrange(len(digits))
        other = source.choice([digit for digit in puzzle.digits if digit != solution[place]])
        hint = next_step(puzzle, [*digits[:place], other, *digits[place + 1 :]], solution)
        assert (hint.kind, hint.cell, hint.digit) == ("wrong", place, other)


def test_hints_over_http(client: TestClient) -> None:
    solution = solve_reference(read_puzzle(EXAMPLE_PUZZLE)).solution
    assert ask(client, puzzle=EXAMPLE_PUZZLE, digits=list(solution)).json()["kind"] == "solved"
    first = ask(client, puzzle=EXAMPLE_PUZZLE, digits=[None] * 9).json()
    assert first["digit"] == solution[first["cell"]]
    sums = "aaa\nbbb\nccc\n\na: 6+\nb: 6+\nc: 6+\n"
    assert ask(client, puzzle=sums, digits=[None] * 9).json() == {"kind": "stuck", "cell": None, "digit": None}
    assert ask(client, puzzle=sums, digits=[1, 1, *[None] * 7]).json()["kind"] == "contradiction"
    assert "9 cells" in problem(ask(client, puzzle=EXAMPLE_PUZZLE, digits=[1]), 422, "digits")
    assert "1 to 3" in problem(ask(client, puzzle=EXAMPLE_PUZZLE, digits=[0] + [None] * 8), 422, "digits")
    none = "aab\ncbb\nccd\n\na: 3+\nb: 6*\nc: 6*\nd: 2\n"
    assert "no solution" in problem(ask(client, puzzle=none, digits=[None] * 9), 422, "puzzle")


def test_a_hint_for_large_cages_comes_in_time(client: TestClient) -> None:
    """One cage over three rows has far more fills than are looked through."""
    size = 9
    cages = [{"op": "+", "target": 135, "cells": list(range(row * size, row * size + 27))} for row in (0, 3, 6)]
    text = json.dumps({"size": size, "cages": cages})
    assert ask(client, puzzle=text, digits=[None] * 81).status_code in (200, 422)
    rows = [{"op": "+", "target": 45, "cells": list(range(row * size, row * size + 9))} for row in range(9)]
    answer = ask(client, puzzle=json.dumps({"size": size, "cages": rows}), digits=[*range(1, 9), *[None] * 73]).json()
    assert (answer["kind"], answer["cell"], answer["digit"]) == ("cell", 8, 9)

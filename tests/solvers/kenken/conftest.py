"""Golden puzzles for the KenKen tests; nobody who wrote the solver made them."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from solvers.kenken import Puzzle, Rules, puzzle_from_dict, read_keen

GOLDEN = Path(__file__).parents[2] / "golden"
RULES = {
    "standard": Rules(),
    "minus and divide on 3 cells: largest against all the rest": Rules(wide=True),
    "operator hidden: any of + - * / may reach the target": Rules(hidden=True),
}


@pytest.fixture(scope="session")
def keen_rows() -> list[dict[str, str]]:
    """Rows of keen_puzzles.csv.gz: size, difficulty, game_id, solution."""
    with gzip.open(GOLDEN / "keen_puzzles.csv.gz", "rt") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def keen_puzzles(keen_rows: list[dict[str, str]]) -> list[Puzzle]:
    """The puzzles of keen_rows, in order."""
    return [read_keen(row["game_id"]) for row in keen_rows]


@pytest.fixture(scope="session")
def cases() -> dict[str, tuple[Puzzle, tuple[int, ...]]]:
    """kenken.json: puzzle and solution by id; an empty solution for the one that has many."""
    found = {}
    for case in json.loads((GOLDEN / "kenken.json").read_text()):
        puzzle = puzzle_from_dict({"size": case["size"], "cages": case["cages"]}, RULES[case["rules"]])
        found[case["id"]] = puzzle, tuple(int(digit) for row in case["solution"] for digit in row)
    return found

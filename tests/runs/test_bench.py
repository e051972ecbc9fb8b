"""`pipeline bench`: every solver gets a line, and the counts beside the rates are right."""

import json

import numpy as np
import pytest

from pipeline.config import RunConfig
from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.shakes import shake
from pipeline.runs.bench import ROUNDS, bare_processes, measure
from solvers.boggle import reference
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.entered import count_entered
from solvers.boggle.solve import SOLVERS, solve
from solvers.grid import neighbour_masks
from tests.golden_data import lexicon, word_list
from tests.running import pipeline_inside
from tests.stored import workload_of


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("list") / "few.txt"
    path.write_text("\n".join(word_list("enable1").words[::40]))
    return str(path)


def entered_by_plain_search(cells: list[int], rows: int, cols: int, trie: reference.TrieNode) -> int:
    neighbours = neighbour_masks(rows, cols).tolist()

    def visit(cell: int, node: reference.TrieNode, path: frozenset[int]) -> int:
        child = node.children.get(cells[cell])
        if child is None:
            return 0
        free = [other for other in range(len(cells)) if neighbours[cell] >> other & 1 and other not in path]
        return 1 + sum(visit(other, child, path | {other}) for other in free)

    return sum(visit(cell, trie, frozenset({cell})) for cell in range(len(cells)))


@pytest.mark.parametrize("name", ["new", "deluxe_master", "super_big_2012"])
def test_entered_positions_are_the_calls_that_find_a_prefix(name: str) -> None:
    dice = load_dice(name)
    built = lexicon("enable1", dice.alphabet, dice.min_length, dice.cells)
    words = [word for word, usable in zip(built.words, built.usable, strict=True) if usable][::40]
    from solvers.boggle.lexicon import build_lexicon
    from solvers.boggle.words import WordList

    small = build_lexicon(WordList(words), dice.alphabet, dice.min_length, dice.cells)
    trie = reference.build_trie(words, dice.alphabet, dice.min_length)
    boards = symbols_of_faces(shake(dice, 5, 0, 12), dice.faces, dice.alphabet)
    entered = count_entered(boards, dice.rows, dice.columns, small)
    assert entered.tolist() == [entered_by_plain_search(one, dice.rows, dice.columns, trie) for one in boards.tolist()]
    nodes = solve(boards, dice.rows, dice.columns, small).nodes
    assert (entered < nodes).all()


def test_every_solver_is_measured_on_the_boards_asked_for(few: str) -> None:
    workload = workload_of(RunConfig(words=few))
    lines, nodes = measure(workload, "new", 480)
    by_name = {line.name: line for line in lines}
    assert set(by_name) == {
        "shake", "faces to symbols", *(f"solve, {name}" for name in SOLVERS), "solve, numba, with word counts",
    }  # fmt: skip
    assert by_name["solve, dfs"].ratio == 1
    assert all(line.cpu_rate > 0 and line.wall_rate > 0 and line.rounds == ROUNDS for line in lines)
    assert by_name["solve, numba"].boards == 480
    assert by_name["solve, reference"].boards == 2 * ROUNDS
    dice = workload.dice_set("new")
    boards = symbols_of_faces(shake(dice, 1, 0, 480), dice.faces, dice.alphabet)
    assert nodes == pytest.approx(float(np.mean(solve(boards, 4, 4, workload.lexicon("new")).nodes)))


def test_bare_processes_work_side_by_side(few: str) -> None:
    bare = bare_processes(workload_of(RunConfig(words=few)), "new", 2, 0.1)
    assert bare.workers == 2
    assert len(bare.rates) == 2
    assert all(rate > 0 for rate in bare.rates)


def test_one_table_or_json(few: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["bench", "--boards", "480", "--words", few]
    text = pipeline_inside(arguments, capsys, monkeypatch).out
    assert text.startswith("new, few\n")
    assert "positions entered and" in text
    (shown,) = json.loads(pipeline_inside([*arguments, "--json"], capsys, monkeypatch).out)
    assert shown["bare"] is None
    assert shown["boards"] == 480
    assert shown["entered_a_board"] < shown["nodes_a_board"]
    assert "boards/s of CPU time" in text


def test_too_few_boards_are_refused(
    few: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = pipeline_inside(["bench", "--boards", "3", "--words", few], capsys, monkeypatch).error_line
    assert "--boards 3 is too few to measure; give 24 or more" in line

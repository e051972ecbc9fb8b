"""Boards of a run: ranked by score, found by id, made again with their words."""

import pytest

from pipeline.errors import PipelineError
from pipeline.report.boggle import boards
from pipeline.runs.opening import reader
from pipeline.runs.ranking import nearest_to, worst_first
from pipeline.store.run_store import RunStore
from solvers.boggle.reference import build_trie, solve
from tests.golden_data import word_list
from tests.stored import rows

COUNT = 2_500


@pytest.mark.parametrize("count", [1, 3, 40, 2_500])
def test_best_and_worst_are_those_of_the_rows(two_sets: RunStore, count: int) -> None:
    stored = rows(two_sets, "new")
    best = sorted(stored, key=lambda row: (-row["score"], row["board_id"]))[:count]
    worst = sorted(stored, key=lambda row: (row["score"], row["board_id"]))[:count]
    assert [row["board_id"] for row in reader(two_sets).best("new", COUNT, count)] == [r["board_id"] for r in best]
    assert [row["board_id"] for row in reader(two_sets).ranked("new", COUNT, worst_first(count, "score"))] == [
        r["board_id"] for r in worst
    ]


def test_only_the_boards_asked_for_are_ranked(two_sets: RunStore) -> None:
    stored = rows(two_sets, "classic", 700)
    assert reader(two_sets).best("classic", 700, 1)[0]["score"] == max(row["score"] for row in stored)


def test_the_nearest_to_a_score(two_sets: RunStore) -> None:
    stored = rows(two_sets, "new")
    wanted = sorted(stored, key=lambda row: (abs(row["score"] - 123), row["board_id"]))[:5]
    found = reader(two_sets).ranked("new", COUNT, nearest_to(123, 5, "score"))
    assert [row["board_id"] for row in found] == [row["board_id"] for row in wanted]


def test_boards_by_id_have_the_stored_letters_and_figures(two_sets: RunStore) -> None:
    stored = rows(two_sets, "new")
    for row in reader(two_sets).by_id("new", COUNT, [2_499, 0, 1_000]):
        assert row == {name: stored[row["board_id"]][name] for name in row}


def test_an_id_outside_the_run_is_refused(two_sets: RunStore) -> None:
    with pytest.raises(PipelineError, match=r"board 2500 is not in run .*; its new boards are 0 to 2,499"):
        reader(two_sets).by_id("new", COUNT, [2_500])


def test_a_board_is_shown_with_the_words_the_reference_solver_finds(two_sets: RunStore) -> None:
    workload = reader(two_sets).workload
    dice = workload.dice_set("new")
    (row,) = reader(two_sets).best("new", COUNT, 1)
    letters = set(row["board"].lower())
    near = [word for word in word_list("enable1").words if set(word) <= letters]
    trie = build_trie(near, dice.alphabet, dice.min_length)
    found = boards.solved(workload, "new", row)
    faces = [face for line in found["layout"] for face in line.split()]
    assert {word["word"] for word in found["found"]} == solve(dice.alphabet.ids(faces), 4, 4, trie).words
    assert sum(word["points"] for word in found["found"]) == row["score"]
    assert found["rolls"] > 0
    text = boards.text({"why": "best", **found})
    assert "\n".join(f"  {line}" for line in found["layout"]) in text
    assert f"{row['words']} words, {row['score']} points" in text


def test_a_row_that_does_not_belong_to_its_board_is_found_out(two_sets: RunStore) -> None:
    (row,) = reader(two_sets).best("new", COUNT, 1)
    with pytest.raises(PipelineError, match="solved again"):
        boards.solved(reader(two_sets).workload, "new", {**row, "score": row["score"] + 1})


def test_the_workload_of_a_run_is_made_again_from_the_run_alone(two_sets: RunStore) -> None:
    workload = reader(two_sets).workload
    assert workload.identity() == two_sets.run.identity
    assert workload.items() == two_sets.run.items


def test_without_a_wish_the_best_board_of_each_set_is_shown(two_sets: RunStore) -> None:
    shown = boards.chosen(reader(two_sets), None, None, None, None, [])
    assert [(one["dice"], one["why"]) for one in shown] == [("classic", "best"), ("new", "best")]


def test_a_set_that_is_not_in_the_run_has_no_boards(two_sets: RunStore) -> None:
    with pytest.raises(PipelineError, match="'old' is not in this run"):
        boards.chosen(reader(two_sets), "old", None, None, None, [])

"""Effects: letters, vowels and places read off the boards as one would by hand."""

import numpy as np
import pytest

from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.report.boggle import effects
from pipeline.runs.opening import reader
from pipeline.store.run_store import RunStore
from tests.stored import column, rows


@pytest.fixture(scope="module")
def workload(two_sets: RunStore) -> BoggleWorkload:
    return reader(two_sets).workload


@pytest.fixture(scope="module")
def found(two_sets: RunStore, workload: BoggleWorkload) -> dict:
    return effects.sections(reader(two_sets), "new", 2_500)


def test_cells_have_corners_edges_and_a_middle() -> None:
    assert effects.place_of_cells(4, 4).tolist() == [0, 1, 1, 0, 1, 2, 2, 1, 1, 2, 2, 1, 0, 1, 1, 0]
    assert effects.place_of_cells(3, 3).tolist() == [0, 1, 0, 1, 2, 1, 0, 1, 0]


def test_a_letters_worth_is_the_mean_with_it_less_the_mean_without(two_sets: RunStore, found: dict) -> None:
    stored = rows(two_sets, "new")
    for letter in ("E", "S", "Z"):
        shown = next(one for one in found["letters"] if one["face"] == letter)
        with_it = [row["score"] for row in stored if letter in row["board"]]
        without = [row["score"] for row in stored if letter not in row["board"]]
        assert shown["boards"] == len(with_it)
        assert shown["difference"]["value"] == pytest.approx(np.mean(with_it) - np.mean(without))


def test_a_letters_place_is_where_it_lies(two_sets: RunStore, workload: BoggleWorkload, found: dict) -> None:
    dice = workload.dice_set("new")
    scores = np.array(column(two_sets, "new", "score"))
    boards = shake(dice, workload.seed, 0, 2_500)
    corner = (boards[:, [0, 3, 12, 15]] == dice.faces.index("E")).any(axis=1)
    shown = next(one for one in found["letters"] if one["face"] == "E")
    assert shown["corner"]["value"] == pytest.approx(scores[corner].mean())


def test_vowels_are_counted_and_a_qu_has_its_u(two_sets: RunStore, found: dict) -> None:
    stored = rows(two_sets, "new")
    counts = [sum(row["board"].lower().count(vowel) for vowel in "aeiou") for row in stored]
    for row in found["vowels"]:
        scores = [one["score"] for one, count in zip(stored, counts, strict=True) if count == row["vowels"]]
        assert row["boards"] == len(scores)
        assert row["score"]["value"] == pytest.approx(np.mean(scores))


def test_bins_of_nodes_hold_every_board_once(two_sets: RunStore, found: dict) -> None:
    bins = found["nodes"]["bins"]
    assert sum(one["boards"] for one in bins) == 2_500
    means = [one["score"]["value"] for one in bins]
    weights = [one["boards"] for one in bins]
    assert np.average(means, weights=weights) == pytest.approx(np.mean(column(two_sets, "new", "score")))
    wanted = np.corrcoef(column(two_sets, "new", "score"), column(two_sets, "new", "nodes"))[0, 1]
    assert found["nodes"]["correlation"] == pytest.approx(wanted)


def test_dead_cells_are_the_dead_tiles_of_the_rows(two_sets: RunStore, found: dict) -> None:
    shares = [cell["value"] for cell in found["cells"]["dead"]]
    assert sum(shares) == pytest.approx(np.mean(column(two_sets, "new", "dead_tiles")))
    by_face = found["cells"]["dead_by_face"]
    dead = sum(one["tiles"] * one["dead"]["value"] for one in by_face)
    assert dead == pytest.approx(sum(column(two_sets, "new", "dead_tiles")))
    assert sum(one["tiles"] for one in by_face) == 16 * 2_500


def test_the_middle_is_used_most(found: dict) -> None:
    words = np.array([cell["value"] for cell in found["cells"]["words"]])
    places = effects.place_of_cells(4, 4)
    assert words[places == 2].min() > words[places == 1].max()
    assert words[places == 1].min() > words[places == 0].max()


def test_few_boards_give_no_mean_rather_than_a_wild_one(two_sets: RunStore, workload: BoggleWorkload) -> None:
    few = effects.sections(reader(two_sets), "new", 10)
    assert all(letter["difference"] is None for letter in few["letters"])
    assert few["vowels"] == []
    assert few["nodes"]["bins"] == []

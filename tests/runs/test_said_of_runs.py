"""What is not alike in a run or a comparison is said wherever its figures are: printed, in run.json, on the page."""

import json
from pathlib import Path

import pytest

from pipeline.report.headline import headline
from pipeline.report.page import opening
from pipeline.report.summary import summarize
from pipeline.report.text import markdown, terminal
from pipeline.runs.compare import compare_runs
from pipeline.runs.opening import reader
from pipeline.store.run_store import RunStore
from tests.stored import make_run

WORDS = ["tea", "eat", "seat", "ratio", "stone"]


def told(store: RunStore) -> list[str]:
    """What the terminal, the report, the figures and the top of the page say, without the breaks of their lines."""
    about = reader(store)
    figures = summarize(about).figures
    printed = terminal(figures, about.game, store.location)
    beginning = opening(figures, headline(figures))
    outside = beginning[: beginning.find("<details")] if "<details" in beginning else beginning
    found = [printed, markdown(figures, about.game), " ".join(figures["run"]["notes"]), outside]
    return [" ".join(text.split()) for text in found]


@pytest.mark.parametrize("dice", [["big_1979", "new"], ["big_1979", "new", "classic"]])
def test_a_minimum_length_that_differs_is_said(tmp_path: Path, dice: list[str]) -> None:
    others = ", ".join(dice[1:])
    for text in told(make_run(tmp_path / "r", boards=100, dice=dice)):
        assert f"The rules differ: minimum length is 4 for big_1979, 3 for {others}." in text


def test_a_scoring_that_differs_is_said(tmp_path: Path) -> None:
    faces = ", ".join(['"A E I O S T"'] * 16)
    (tmp_path / "own.toml").write_text(f'rows = 4\ncolumns = 4\nscoring = "super"\ndice = [{faces}]\n')
    for text in told(make_run(tmp_path / "r", boards=100, dice=["new", str(tmp_path / "own.toml")])):
        assert "The rules differ: scoring is standard for new, super for own." in text


def test_equal_rules_and_whole_lists_are_not_worth_a_word(tmp_path: Path) -> None:
    for text in told(make_run(tmp_path / "r", boards=100, dice=["new", "classic"])):
        assert not any(said in text for said in ("rules differ", "skipped", "of language"))


def test_dice_of_another_language_than_the_list_are_said(tmp_path: Path) -> None:
    for text in told(make_run(tmp_path / "r", boards=100, dice=["new", "fr_4x4"], words="enable1")):
        assert "Word list enable1 is of language en, these dice are not: fr_4x4 (fr)." in text


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (["b4", "co-op", "x-ray"], "3 entries of word list own were skipped: 2 with a hyphen (co-op), 1 with a digit"),
        (["b4"], "1 entry of word list own was skipped: 1 with a digit (b4)."),
    ],
)
def test_entries_that_were_skipped_are_said_with_their_reasons(tmp_path: Path, entries: list[str], said: str) -> None:
    (tmp_path / "own.txt").write_text("\n".join([*WORDS, *entries]) + "\n")
    store = make_run(tmp_path / "r", boards=100, dice=["new"], words=str(tmp_path / "own.txt"))
    for text in told(store):
        assert said in text
    stored = json.loads((tmp_path / "r/run.json").read_text())["settings"]["skipped"]
    assert sum(one["entries"] for one in stored) == len(entries)
    assert {one["example"] for one in stored} <= set(entries)
    assert all(one["reason"] for one in stored)


def test_like_is_compared_with_like_over_the_boards_that_both_have(tmp_path: Path) -> None:
    sets = ["classic", "new"]
    a = reader(make_run(tmp_path / "a", boards=300, dice=sets))
    b = reader(make_run(tmp_path / "b", boards=200, dice=[*sets[::-1], "described_2012"], seed=2))
    compared = compare_runs([a, b])
    pairs = [(one["a"], one["b"]) for one in compared]
    assert sorted(pairs[:2]) == [("classic@a", "classic@b"), ("new@a", "new@b")]
    # What stands alone is compared with the first.
    assert sorted(pairs[2:]) == [("classic@a", "described_2012@b"), ("classic@a", "new@a")]
    for one in compared:
        cut = [label for label in (one["a"], one["b"]) if label.endswith("@a")]
        held = ", ".join(f"300 boards of {label}" for label in cut)
        assert f"of {held} the first 200 are compared, as the others have no more" in one["warnings"]
        assert one["n"] == 200
    same = reader(make_run(tmp_path / "c", boards=200, dice=["new"]))
    assert not any("the first" in warning for one in compare_runs([b, same]) for warning in one["warnings"])


def test_the_difference_of_a_pair_is_that_of_its_own_sets(tmp_path: Path) -> None:
    """Not that of the first set and the later one."""
    first, second = (
        reader(make_run(tmp_path / name, boards=200, dice=["classic", "new"], words=words))
        for name, words in (("a", "enable1"), ("b", "enable2k"))
    )
    means = {
        f"{variant}@{name}": one["metrics"]["words"]["mean"]["value"]
        for name, run in (("a", first), ("b", second))
        for variant, one in summarize(run).figures["variants"].items()
    }
    for one in compare_runs([first, second]):
        metric = one["metrics"]["words"]
        assert (metric["mean_a"], metric["mean_b"]) == pytest.approx((means[one["a"]], means[one["b"]]))

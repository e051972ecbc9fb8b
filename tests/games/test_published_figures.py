"""Published figures come out of a run: means, chances by length, and the commonest words."""

import math

import pytest

from pipeline.report.boggle import atlas as atlases
from pipeline.report.summary import Summary, summarize
from pipeline.store.run_store import RunStore
from tests.golden_data import published
from tests.stored import make_run

pytestmark = pytest.mark.long
BOARDS = 200_000
PUBLISHED_BOARDS = 50_000


@pytest.fixture(scope="module")
def enable2k(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("e2k") / "run", boards=BOARDS, dice=["new"], words="enable2k", chunk=25_000)


@pytest.fixture(scope="module")
def enable1(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    folder = tmp_path_factory.mktemp("e1") / "run"
    return make_run(folder, boards=BOARDS, dice=["classic", "new"], words="enable1", chunk=25_000)


@pytest.fixture(scope="module")
def of_enable2k(enable2k: RunStore) -> Summary:
    return summarize(enable2k)


def standard_errors(found: dict[str, float], wanted: float, error: float) -> float:
    """Distance in combined standard errors; an interval is 2 x 1.96 of ours wide."""
    own = (found["high"] - found["low"]) / 2 / 1.959964
    return abs(found["value"] - wanted) / math.hypot(own, error)


def test_means_of_new_dice_with_enable2k(of_enable2k: Summary) -> None:
    wanted = published("danvk2007")["reproduced"]["ENABLE2K, new dice, 1,000,000 boards, seed 77"]
    metrics = of_enable2k.figures["variants"]["new"]["metrics"]
    assert standard_errors(metrics["words"]["mean"], wanted["mean_words"], wanted["se"]) < 3
    assert standard_errors(metrics["score"]["mean"], wanted["mean_points"], wanted["se_points"]) < 3


def test_chances_of_a_word_by_length_with_enable2k(of_enable2k: Summary) -> None:
    wanted = published("danvk2007")["reproduced"]["ENABLE2K, new dice, 1,000,000 boards, seed 77"]["likelihood"]
    for row in of_enable2k.figures["variants"]["new"]["by_length"]:
        if 3 <= row["length"] <= 10:
            share = wanted[str(row["length"])] / 100
            error = math.sqrt(share * (1 - share) / 1_000_000)
            assert standard_errors(row["boards_with_exactly"], share, error) < 3


@pytest.mark.parametrize("length", [3, 4, 5])
def test_the_twenty_commonest_words_of_a_length(enable2k: RunStore, length: int) -> None:
    """Within four standard errors of the published 50,000 boards."""
    atlas = atlases.load(enable2k)
    pairs = published("danvk2007")["figures"][f"top{length}"].split()
    assert len(pairs) == 40
    number = {word: place for place, word in enumerate(atlas.words)}
    for word, percent in zip(pairs[::2], map(float, pairs[1::2]), strict=True):
        (entry,) = atlases.entries(atlas, "new", atlases.select(atlas, "new", pattern=word))
        assert entry["boards"] == atlas.boards["new"][number[word]]
        share = percent / 100
        assert standard_errors(entry["share"], share, math.sqrt(share * (1 - share) / PUBLISHED_BOARDS)) < 4


@pytest.mark.parametrize("variant", ["classic", "new"])
def test_means_with_enable1(enable1: RunStore, variant: str) -> None:
    figures = published("our_baselines")["figures"][f"{variant} 300k"]
    metrics = summarize(enable1).figures["variants"][variant]["metrics"]
    assert standard_errors(metrics["words"]["mean"], figures["mean_words"], figures["se"]) < 3
    assert standard_errors(metrics["score"]["mean"], figures["mean_points"], figures["se_p"]) < 3
    assert metrics["longest"]["mean"]["value"] == pytest.approx(figures["longest"], abs=0.01)

"""The word atlas: counts are those of the boards, impossible words are exact, curves follow their definition."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle.shakes import shake
from pipeline.report.boggle import atlas as atlases
from pipeline.report.boggle import words as listings
from pipeline.report.boggle.atlas import Atlas
from pipeline.runs.opening import reader
from pipeline.stats import rarefaction
from pipeline.store.run_store import RunStore
from solvers.boggle.reference import build_trie, solve
from tests.stored import column, make_run

FEW = ["tea", "eat", "ate", "tee", "toe", "net", "note", "tone", "notes", "stone", "quiet", "quit", "zebra", "abba"]


@pytest.fixture(scope="module")
def atlas(two_sets: RunStore) -> Atlas:
    return atlases.load(reader(two_sets))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """60 boards of two sets with fourteen words, in parts of 25."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "few.txt").write_text("\n".join(FEW))
    return make_run(folder / "run", boards=60, dice=["classic", "new"], words=str(folder / "few.txt"), chunk=25, seed=5)


def test_a_word_is_counted_on_the_boards_that_show_it(small: RunStore) -> None:
    """Against the plain reference solver on every board."""
    atlas = atlases.load(reader(small))
    for variant in small.variants:
        dice = atlas.workload.dice_set(variant)
        trie = build_trie(FEW, dice.alphabet, dice.min_length)
        seen: Counter[str] = Counter()
        for board in shake(dice, 5, 0, 60).tolist():
            cells = dice.alphabet.ids([dice.faces[face] for face in board])
            seen.update(solve(cells, dice.rows, dice.columns, trie).words)
        counts = dict(zip(atlas.words, atlas.boards[variant].tolist(), strict=True))
        assert counts == {word: seen[word] for word in FEW}
        assert sum(counts.values()) > 0


def test_finds_of_all_words_are_the_words_of_all_boards(two_sets: RunStore, atlas: Atlas) -> None:
    for variant in two_sets.variants:
        assert atlas.boards[variant].sum() == sum(column(two_sets, variant, "words"))


def test_words_that_no_arrangement_can_show_are_counted_exactly(atlas: Atlas) -> None:
    """ENABLE1: 29 words of three and more letters are not usable; classic cannot show 3,316 of the rest, new 11,975."""
    for variant, impossible in (("classic", 3_316), ("new", 11_975)):
        overview = atlases.overview(atlas, variant)
        assert overview["impossible"] == impossible
        assert overview["not_usable"] == 29
        assert overview["usable"] + overview["not_usable"] == 172_724
        assert overview["showable"] == overview["seen"] + overview["never"]


def test_no_impossible_word_was_ever_seen(atlas: Atlas) -> None:
    for variant in atlas.boards:
        assert not (atlas.boards[variant][~atlas.showable[variant]]).any()


def test_words_are_listed_from_the_commonest(atlas: Atlas) -> None:
    ids = atlases.select(atlas, "new")
    boards = atlas.boards["new"][ids]
    assert (np.diff(boards) <= 0).all()
    assert len(ids) == (atlas.boards["new"] > 0).sum()
    assert atlases.entries(atlas, "new", ids[:1])[0]["boards"] == atlas.boards["new"].max()


def test_words_can_be_chosen_by_length_and_pattern(atlas: Atlas) -> None:
    ids = atlases.select(atlas, "new", length=5, pattern="Re*")
    chosen = {atlas.words[one] for one in ids.tolist()}
    wanted = {
        word
        for word, boards in zip(atlas.words, atlas.boards["new"].tolist(), strict=True)
        if boards and len(word) == 5 and word.startswith("re")
    }
    assert chosen == wanted
    assert len(chosen) > 20


def test_rarest_never_and_impossible_words(atlas: Atlas) -> None:
    rarest = atlases.select(atlas, "classic", rarest=True)
    assert (np.diff(atlas.boards["classic"][rarest]) >= 0).all()
    assert atlas.boards["classic"][rarest[0]] == 1
    never = atlases.select(atlas, "classic", never=True)
    assert not atlas.boards["classic"][never].any()
    assert atlas.showable["classic"][never].all()
    assert len(atlases.select(atlas, "classic", impossible=True)) == 3_316


def test_words_of_one_set_that_another_cannot_show(atlas: Atlas) -> None:
    """No die of `new` pairs with another to show both b's of `ebb`; every classic set can."""
    ids = atlases.select(atlas, "classic", only_in=["classic"], not_in=["new"])
    words = {atlas.words[one] for one in ids.tolist()}
    assert {"ebb", "kef", "bib"} <= words
    assert len(words) == (atlas.showable["classic"] & ~atlas.showable["new"]).sum()


def test_a_listing_shows_shares_with_intervals(atlas: Atlas) -> None:
    (shown,) = listings.listing(atlas, "new", 5)
    first = shown["words"][0]
    assert first["share"]["low"] < first["boards"] / 2_500 == first["share"]["value"] < first["share"]["high"]
    text = listings.table(shown).text()
    assert first["word"] in text
    assert "11,975 of the 172,695 usable words cannot be shown" in text


def test_the_curve_of_distinct_words_is_the_expected_number_on_a_draw(small: RunStore) -> None:
    atlas = atlases.load(reader(small))
    for boards, words in rarefaction.growth(atlas.boards["new"], atlas.n["new"]):
        wanted = sum(
            1 - math.comb(60 - count, boards) / math.comb(60, boards) for count in atlas.boards["new"].tolist() if count
        )
        assert words == pytest.approx(wanted, abs=1e-9)


def test_the_curve_of_distinct_words_ends_at_all_words_seen(atlas: Atlas) -> None:
    boards, words = rarefaction.growth(atlas.boards["classic"], atlas.n["classic"])[-1]
    assert boards == 2_500
    assert words == pytest.approx((atlas.boards["classic"] > 0).sum())


def test_concentration_is_the_share_of_the_commonest(atlas: Atlas) -> None:
    ordered = sorted(atlas.boards["new"].tolist(), reverse=True)
    assert atlases.overview(atlas, "new")["core_share"] == pytest.approx(sum(ordered[:1_000]) / sum(ordered))
    for rank, share in rarefaction.concentration(atlas.boards["new"]):
        assert share == pytest.approx(sum(ordered[:rank]) / sum(ordered))


def test_words_of_fewer_boards_are_those_of_the_whole_parts_among_them(two_sets: RunStore) -> None:
    atlas = atlases.load(reader(two_sets), 2_100)
    assert atlas.n == {"classic": 2_000, "new": 2_000}
    assert atlas.boards["new"].sum() == sum(column(two_sets, "new", "words", 2_000))


def test_a_set_that_is_not_in_the_run_is_refused(atlas: Atlas) -> None:
    with pytest.raises(PipelineError, match="'nwe' is not in this run; did you mean new"):
        atlases.select(atlas, "nwe")
    with pytest.raises(PipelineError, match="exclude each other"):
        atlases.select(atlas, "new", never=True, impossible=True)


def test_sets_of_two_languages_share_one_list(tmp_path: Path) -> None:
    """Spanish dice show N with tilde; English ones cannot show `año`, and `ano` is not in the list."""
    (tmp_path / "es.txt").write_text("año\ncasa\nniña\nrosa\n")
    store = make_run(
        tmp_path / "run",
        boards=400,
        dice=["es_5x5", "new"],
        words=str(tmp_path / "es.txt"),
        language="es",
        min_length=3,
    )
    atlas = atlases.load(reader(store))
    usable = {v: {w for w, ok in zip(atlas.words, atlas.usable[v].tolist(), strict=True) if ok} for v in store.variants}
    assert [*usable.values()] == [{"año", "casa", "niña", "rosa"}] * 2
    assert list(atlas.words) == ["año", "casa", "niña", "rosa"]
    assert atlas.boards["new"][[0, 2]].tolist() == [0, 0]
    assert atlas.boards["es_5x5"][0] > 0
    for variant in store.variants:
        assert atlas.boards[variant].sum() == sum(column(store, variant, "words"))

"""Exact expectations against published values, and against every roll of tiny sets solved by the reference solver."""

import itertools
import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.boggle import reference
from solvers.boggle.alphabet import BLANK
from solvers.boggle.coefficients import (
    bag_chances,
    coefficients,
    dice_chances,
    divide,
    face_chances,
    multiply,
    weight_chances,
)
from solvers.boggle.expectations import SHORT, effects, expected, longest_path, make_plan
from solvers.boggle.letter_counts import chance_of_board, chance_of_none, mean_counts, mean_equal_pairs
from solvers.boggle.multisets import MOST_SYMBOLS, MOST_TILES, close, pack, prefixes_of
from solvers.boggle.path_patterns import all_paths, directed_paths, pair_patterns
from solvers.boggle.paths import count_paths
from solvers.errors import InputError
from solvers.grid import neighbour_masks
from tests.golden_data import GOLDEN
from tests.solvers.boggle.kernel_cases import dice_set, lexicon_of_words

SETS = json.loads((GOLDEN / "expected_ways.json").read_text())["sets"]
SOON = ("new", "it_5x5", "super_big_2012")


def plan_of(lexicon, rows, cols, pair_lengths=(3, 4, 5), nodes=True):
    return make_plan(lexicon, neighbour_masks(rows, cols), [0, *count_paths(rows, cols)], pair_lengths, nodes)


@pytest.mark.parametrize(
    "name", [name if name in SOON else pytest.param(name, marks=pytest.mark.long) for name in SETS]
)
def test_means_of_ways_and_pairs_are_those_of_an_independent_program(name):
    entry, dice = SETS[name], dice_set(name)
    assert dice["lexicon"].min_length == entry["min_length"]
    lengths = [int(letters) for letters in entry["pairs_of_ways_by_letters"]]
    paths = directed_paths(neighbour_masks(dice["rows"], dice["cols"]), SHORT).tolist()
    plan = make_plan(dice["lexicon"], neighbour_masks(dice["rows"], dice["cols"]), paths, lengths, nodes=False)
    means = expected(plan, face_chances(dice["dice"]))
    for kind, table in (("ways", "ways_by_letters"), ("pairs", "pairs_of_ways_by_letters")):
        for letters, value in entry[table].items():
            assert means[kind, int(letters)] == pytest.approx(value, rel=1e-8), (kind, letters)


def enumerated(dice, rows, cols, words, lexicon):
    """Means over all rolls and all orders of the dice, with the reference solver: exact fractions, by quantity.

    dice: symbol ids of the faces of each die, as many dice as cells or more.
    """
    trie = reference.build_trie(words, lexicon.alphabet, lexicon.min_length)
    totals: Counter = Counter()
    weight = Fraction(0)
    cells = rows * cols
    boards: Counter = Counter()
    for chosen in itertools.permutations(range(len(dice)), cells):
        share = Fraction(1, math.prod(len(dice[die]) for die in chosen))
        for board in itertools.product(*(dice[die] for die in chosen)):
            boards[board] += share
    for board, share in boards.items():
        weight += share
        found = counted(board, rows, cols, trie)
        for name, value in found.items():
            totals[name] += share * value
        for symbol, number in Counter(tile for tile in board if tile != BLANK).items():
            totals["count", symbol] += share * number
            totals["equal", symbol] += share * math.comb(number, 2)
    return {name: value / weight for name, value in totals.items()}, {board: s / weight for board, s in boards.items()}


@cache
def paths_of(rows, cols):
    return [
        path for cells in range(1, rows * cols + 1) for path in all_paths(neighbour_masks(rows, cols), cells).tolist()
    ]


def counted(board, rows, cols, trie):
    """Ways and pairs of a board by letters of the word, and nodes, by walking every path."""
    nodes = reference.solve(list(board), rows, cols, trie).nodes
    ways: Counter = Counter()
    for path in paths_of(rows, cols):
        node = trie
        for cell in path:
            if (node := node.children.get(board[cell])) is None:
                break
        else:
            if node.word:
                ways[node.word, tuple(board[cell] for cell in path)] += 1
    found: Counter = Counter({("nodes", 0): nodes})
    for (word, _), number in ways.items():
        found["ways", len(word)] += number
        found["pairs", len(word)] += math.comb(number, 2)
    return found


def assert_means(means, truth, lexicon, pair_lengths):
    for (kind, letters), value in truth.items():
        if kind in ("ways", "nodes") or (kind == "pairs" and letters in pair_lengths):
            assert means.get((kind, letters), 0.0) == pytest.approx(float(value), rel=1e-12, abs=1e-14), (kind, letters)
    for name, value in means.items():
        assert name in truth or value == pytest.approx(0, abs=1e-14), name


TINY = {
    "2x2": (2, 2, ["A B C", "A A B", "B C D", "A D E"], ["ab", "aba", "abcd", "dab", "bead", "aa", "a"]),
    "2x3 of two faces": (
        2,
        3,
        ["A B", "A T", "T S", "E A", "S T", "E B"],
        ["ate", "tea", "seat", "beats", "tat", "at", "teats"],
    ),
    "multi-letter and blank tiles": (
        2,
        2,
        ["In A .", "I N T", "T An H", "Th E ."],
        ["inti", "in", "ant", "then", "thin", "a", "tina"],
    ),
    "2x3 with blanks": (
        2,
        3,
        ["In .", "I N", "N", ". A", "A An", "T"],
        ["in", "inn", "tin", "anna", "innat", "tan", "it"],
    ),
    "unequal dice": (2, 2, ["A", "A B", "A B C D", ". B"], ["ab", "aba", "abba", "cab", "b"]),
    "more dice than cells": (2, 2, ["A B", "B C", "A .", "C A", "A A"], ["ab", "aba", "abc", "caba", "a"]),
}


def tiny_set(name):
    rows, cols, dice, words = TINY[name]
    faces = [["" if face == "." else face for face in die.split()] for die in dice]
    lexicon = lexicon_of_words(words, {face for die in faces for face in die}, 1, rows * cols)
    return rows, cols, [lexicon.alphabet.ids(die) for die in faces], words, lexicon


@pytest.mark.parametrize("name", TINY)
def test_means_of_tiny_sets_are_those_of_all_their_boards(name):
    rows, cols, dice, words, lexicon = tiny_set(name)
    truth, boards = enumerated(dice, rows, cols, words, lexicon)
    lengths = range(1, 7)
    plan = plan_of(lexicon, rows, cols, lengths)
    chances = face_chances(dice)
    assert_means(expected(plan, chances), truth, lexicon, lengths)
    counts, equal = mean_counts(chances, rows * cols), mean_equal_pairs(chances, rows * cols)
    for symbol in range(MOST_SYMBOLS):
        assert counts[symbol] == pytest.approx(float(truth.get(("count", symbol), 0)))
        assert equal[symbol] == pytest.approx(float(truth.get(("equal", symbol), 0)))
    vowels = [lexicon.alphabet.index[letter] for letter in "aeiou"]
    none = sum(share for board, share in boards.items() if not set(board) & set(vowels))
    assert chance_of_none(chances, rows * cols, vowels) == pytest.approx(float(none), abs=1e-15)
    by_tiles: Counter = Counter()
    for board, share in boards.items():
        by_tiles[tuple(sorted(board))] += share
    for tiles, share in list(by_tiles.items())[:40]:
        shown = np.array([tile for tile in tiles if tile != BLANK], int)
        assert chance_of_board(chances, shown, len(tiles) - len(shown)) == pytest.approx(float(share), rel=1e-12)


@st.composite
def tiny_sets(draw):
    rows, cols = draw(st.sampled_from([(1, 2), (2, 2), (1, 4), (2, 2)]))
    faces = st.sampled_from(["A", "B", "Ab", "", "T", "Ta"])
    extra = draw(st.integers(0, 1))
    dice = [draw(st.lists(faces, min_size=1, max_size=3)) for _ in range(rows * cols + extra)]
    words = draw(st.lists(st.text("abt", min_size=1, max_size=6), min_size=1, max_size=12, unique=True))
    return rows, cols, dice, sorted(words)


@given(tiny_sets(), st.integers(1, 3))
@settings(max_examples=40)
def test_means_of_random_tiny_sets_are_those_of_all_their_boards(tiny, min_length):
    rows, cols, faces, words = tiny
    words = [*words, "abatta"]
    lexicon = lexicon_of_words(words, {face for die in faces for face in die}, min_length, rows * cols)
    dice = [lexicon.alphabet.ids(die) for die in faces]
    truth, _ = enumerated(dice, rows, cols, words, lexicon)
    plan = plan_of(lexicon, rows, cols, range(1, 7))
    assert_means(expected(plan, face_chances(dice)), truth, lexicon, range(1, 7))


def test_long_prefixes_agree_with_the_closed_set(monkeypatch):
    rows, cols, dice, _, lexicon = tiny_set("2x3 of two faces")
    whole = expected(plan_of(lexicon, rows, cols, (3,)), face_chances(dice))
    monkeypatch.setattr("solvers.boggle.expectations.SHORT", 3)
    plan = plan_of(lexicon, rows, cols, (3,))
    chained = expected(plan, face_chances(dice))
    assert len(plan.chains.tiles)
    assert whole.keys() == chained.keys()
    for name, value in whole.items():
        assert chained[name] == pytest.approx(value, rel=1e-13), name


def with_face(dice, die, face, tile):
    """The dice with one face changed."""
    changed = [list(faces) for faces in dice]
    changed[die][face] = tile
    return changed


@pytest.mark.parametrize(
    ("name", "die", "face", "tile"),
    [("new", 15, 5, 4), ("new", 0, 0, BLANK), ("deluxe_master", 3, 2, 19), ("super_big_2012", 26, 3, 0)],
)
def test_the_effect_of_a_changed_face_is_that_of_full_recomputation(name, die, face, tile):
    dice = dice_set(name)
    masks = neighbour_masks(dice["rows"], dice["cols"])
    lengths = (3, 4) if dice["rows"] == 4 else (4,)
    plan = make_plan(dice["lexicon"], masks, directed_paths(masks, SHORT).tolist(), lengths, nodes=False)
    effect = effects(plan, face_chances(dice["dice"]))
    before = expected(plan, face_chances(dice["dice"]))
    after = expected(plan, face_chances(with_face(dice["dice"], die, face, tile)))
    old = int(dice["dice"][die][face])
    rise = effect.change(die, -1 if old == BLANK else old, -1 if tile == BLANK else tile, dice["dice"].shape[1])
    for place, quantity in enumerate(effect.names):
        assert effect.means[place] == pytest.approx(before[quantity], rel=1e-12)
        assert before[quantity] + rise[place] == pytest.approx(after[quantity], rel=1e-9)


@given(st.data())
@settings(max_examples=30)
def test_all_effects_of_random_dice_are_those_of_full_recomputation(data):
    rows, cols, dice, _, lexicon = tiny_set("2x3 with blanks")
    tiles = [*range(len(lexicon.alphabet.symbols)), BLANK]
    shown = [*itertools.chain(*dice), BLANK]
    dice = [data.draw(st.lists(st.sampled_from(shown), min_size=1, max_size=4)) for _ in dice]
    plan = plan_of(lexicon, rows, cols, (2, 3, 4), nodes=False)
    chances = face_chances(dice)
    effect = effects(plan, chances)
    used = 0.0
    for die in range(len(dice)):
        tile = data.draw(st.sampled_from(tiles))
        for showing in (tile, BLANK):
            held = chances.copy()
            held[die] = face_chances([[showing]])[0]
            after = expected(plan, held)
            for place, name in enumerate(effect.names):
                column = -1 if showing == BLANK else showing
                assert effect.showing[place, die, column] == pytest.approx(after[name], rel=1e-9, abs=1e-12)
        used = used + effect.through_dice[:, die]
    assert effect.through_faces.sum(axis=(1, 2)) == pytest.approx(used)
    assert effect.through_tiles.sum(axis=1) == pytest.approx(used)


def test_dividing_by_a_die_undoes_multiplying():
    dice = dice_set("super_big_2012")
    prefixes = prefixes_of(dice["lexicon"])
    multisets, _ = close([prefixes.keys[prefixes.depth == size] for size in range(7)])
    chances = face_chances(dice["dice"])
    product = coefficients(multisets, chances)
    for die in (0, 12, 26, 35):
        without = divide(multisets, product, chances[die])
        others = coefficients(multisets, np.delete(chances, die, axis=0))
        assert (np.abs(without - others) <= 1e-12 * product + 1e-300).all()
        multiply(multisets, without, chances[die])
        assert np.allclose(without, product, rtol=1e-12, atol=1e-13)


def test_a_bag_and_weights_have_the_chances_of_counting():
    tiles = np.array([[0, 0, 1], [0, 1, 2], [2, 2, 2], [1, 1, 1]])
    multisets, found = close([np.empty(0, np.uint64)] * 3 + [pack(tiles)])
    counts = np.zeros(MOST_SYMBOLS)
    counts[:3] = [4, 2, 1]
    bag = bag_chances(multisets, counts, tiles=9)
    drawn = Counter(itertools.permutations([0, 0, 0, 0, 1, 1, 2, None, None], 3))
    for row, number in zip(tiles.tolist(), found[3], strict=True):
        assert bag[number] == pytest.approx(drawn[tuple(row)] / math.perm(9, 3), abs=1e-15)
    weights = np.zeros(MOST_SYMBOLS)
    weights[:3] = [0.5, 0.25, 0.2]
    for row, number in zip(tiles.tolist(), found[3], strict=True):
        assert weight_chances(multisets, weights)[number] == pytest.approx(math.prod(weights[row]))


def test_equal_dice_with_many_faces_come_near_to_weights():
    rows, cols, _, _, lexicon = tiny_set("2x2")
    plan = plan_of(lexicon, rows, cols)
    faces = np.zeros(MOST_SYMBOLS)
    faces[:5] = [0.4, 0.2, 0.1, 0.2, 0.1]
    alike = dice_chances(plan.multisets, np.tile(faces, (4, 1)))
    assert alike == pytest.approx(weight_chances(plan.multisets, faces))


@pytest.mark.parametrize(("rows", "cols", "neighbours"), [(2, 3, 8), (3, 3, 4), (2, 4, 8)])
def test_patterns_are_those_of_all_pairs_of_paths(rows, cols, neighbours):
    masks = neighbour_masks(rows, cols, neighbours)
    for cells in (1, 2, 3, 4):
        paths = all_paths(masks, cells).tolist()
        truth: Counter = Counter()
        for one, other in itertools.permutations(paths, 2):
            truth[tuple(one.index(cell) + 1 if cell in one else 0 for cell in other)] += 1
        patterns = pair_patterns(masks, cells)
        assert {tuple(at): int(patterns[tuple(at)]) for at in np.argwhere(patterns)} == truth


def test_4x4_has_as_many_patterns_as_published():
    masks = neighbour_masks(4, 4)
    assert [np.count_nonzero(pair_patterns(masks, cells)) for cells in (3, 4, 5)] == [33, 208, 1545]


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 3), (3, 3), (4, 4)])
def test_paths_of_a_neighbour_table_are_those_of_the_grid(rows, cols):
    for neighbours in (4, 8):
        masks = neighbour_masks(rows, cols, neighbours)
        longest = min(rows * cols, 9)
        assert directed_paths(masks, longest).tolist() == [0, *count_paths(rows, cols, neighbours)][: longest + 1]


def test_paths_of_a_torus():
    """All cells of a 3 x 3 torus touch each other: paths are ordered choices of cells."""
    every = np.uint64((1 << 9) - 1)
    masks = np.array([every & ~np.uint64(1 << cell) for cell in range(9)], np.uint64)
    assert directed_paths(masks, 9).tolist() == [0] + [math.perm(9, cells) for cells in range(1, 10)]


def test_what_cannot_be_numbered_is_refused():
    with pytest.raises(InputError, match="13 tiles"):
        close([np.empty(0, np.uint64)] * (MOST_TILES + 2))
    with pytest.raises(InputError, match="9 cells"):
        pair_patterns(neighbour_masks(3, 3), 9)
    lexicon = lexicon_of_words(["abcdefg", "abc"], set(), 3, 16)
    with pytest.raises(InputError, match="a word of 7 letters show up to 14 tiles"):
        plan_of(lexicon, 4, 4, (3, 7))
    with pytest.raises(InputError, match="paths of up to 3 cells"):
        make_plan(lexicon, neighbour_masks(4, 4), [0, 16, 84, 408])
    with pytest.raises(InputError, match="built for 16 cells, the grid has 9"):
        make_plan(lexicon, neighbour_masks(3, 3), [0] * 20)
    with pytest.raises(InputError, match="die 2 has no faces"):
        face_chances([[1, 2], []])
    with pytest.raises(InputError, match="die 1 shows symbol 40"):
        face_chances([[40]])
    assert longest_path(lexicon) == 8

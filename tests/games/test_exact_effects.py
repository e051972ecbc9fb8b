"""Exact effects against every board of tiny sets, and against published figures of `new`."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle import expectation_cache
from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.exact_effects import ExactEffects, exact_effects
from pipeline.games.boggle.expectations import expectations
from pipeline.games.boggle.languages import find_language
from solvers.boggle import reference
from solvers.boggle.path_patterns import all_paths
from solvers.boggle.words import read_words
from solvers.grid import neighbour_masks
from tests.games.test_expectations import TINY, tiny
from tests.golden_data import word_list


class Enumerated:
    """Mean ways of a tiny set over every roll of every order of its dice: all, by die, cell, tiles and steps."""

    def __init__(self, name: str) -> None:
        rows, columns, faces, words = TINY[name]
        self.dice = tiny(faces, rows, columns)
        self.words = read_words("\n".join(words))
        self.ways = Fraction(0)
        self.by: dict[str, Counter] = {
            kind: Counter() for kind in ("die", "face", "cell", "with", "step", "vowels", "adjacent", "shown", "given")
        }  # type: ignore[type-arg]
        self._paths = [
            path
            for cells in range(1, rows * columns + 1)
            for path in all_paths(neighbour_masks(rows, columns), cells).tolist()
        ]
        masks = [int(mask) for mask in neighbour_masks(rows, columns)]
        self._edges = [(a, b) for a in range(len(masks)) for b in range(a) if masks[a] >> b & 1]
        self._trie = reference.build_trie(words, self.dice.alphabet, 1)
        boards: Counter[tuple[str, ...]] = Counter()
        dice_on: dict[tuple[str, ...], Counter[tuple[int, int]]] = {}
        whole = 6**self.dice.cells * math.factorial(self.dice.cells)
        for order in itertools.permutations(range(self.dice.cells)):
            for board in itertools.product(*(Counter(self.dice.dice[die]) for die in order)):
                rolls = math.prod(self.dice.dice[die].count(face) for die, face in zip(order, board, strict=True))
                boards[board] += rolls
                dice_on.setdefault(board, Counter()).update(dict.fromkeys(enumerate(order), rolls))
        for board, rolls in boards.items():
            shares = {place: Fraction(part, whole) for place, part in dice_on[board].items()}
            self._add(board, Fraction(rolls, whole), shares)

    def _add(self, board: tuple[str, ...], share: Fraction, dice: dict[tuple[int, int], Fraction]) -> None:
        """dice: the share of rolls in which a cell of the board is a die's."""
        self.by["vowels"][sum(any(letter in "aeiou" for letter in face.lower()) for face in board)] += share
        for a, b in self._edges:
            if board[a] and board[b]:
                self.by["adjacent"][frozenset((board[a], board[b]))] += share
        cells = self.dice.alphabet.ids(board)
        used: Counter[int] = Counter()
        number_of_ways = 0
        for path in self._paths:
            node: reference.TrieNode | None = self._trie
            for cell in path:
                node = node and node.children.get(cells[cell])
            if not (node and node.word):
                continue
            number_of_ways += 1
            used.update(path)
            for face in {board[cell] for cell in path}:
                self.by["with"][face] += share
            for a, b in itertools.pairwise(path):
                self.by["step"][frozenset((board[a], board[b]))] += share
        self.ways += share * number_of_ways
        for cell, number in used.items():
            self.by["cell"][cell] += share * number
        for (cell, die), part in dice.items():
            self.by["die"][die] += part * used[cell]
            self.by["face"][die, board[cell]] += part * used[cell]
            self.by["shown"][die, board[cell]] += part
            self.by["given"][die, board[cell]] += part * number_of_ways


@pytest.fixture(scope="module", params=TINY)
def both(request: pytest.FixtureRequest) -> tuple[ExactEffects, Enumerated]:
    truth = Enumerated(request.param)
    return exact_effects(truth.dice, truth.words, 1), truth


def about(value: Fraction | int) -> object:
    return pytest.approx(float(value), rel=1e-11, abs=1e-14)


def test_ways_through_dice_and_faces(both: tuple[ExactEffects, Enumerated]) -> None:
    found, truth = both
    assert found.ways == about(truth.ways)
    assert found.through_dice() == about_all(truth.by["die"], range(truth.dice.cells))
    for row in found.faces():
        face = "" if row["face"] == "." else row["face"]
        shown = truth.by["shown"][row["die"] - 1, face]
        assert shown == Fraction(row["faces"], 6)
        assert row["given"] == about(truth.by["given"][row["die"] - 1, face] / shown - truth.ways)
        assert row["ways"] == about(truth.by["face"][row["die"] - 1, face])


def about_all(counts: Counter, keys: range) -> object:  # type: ignore[type-arg]
    return pytest.approx([float(counts[key]) for key in keys], rel=1e-11)


def test_letters(both: tuple[ExactEffects, Enumerated]) -> None:
    found, truth = both
    for row in found.letters():
        uses = sum(number for (_, face), number in truth.by["face"].items() if face == row["tile"])
        assert row["ways"] == about(truth.by["with"][row["tile"]])
        assert row["uses"] == about(uses)


def test_neighbouring_letters(both: tuple[ExactEffects, Enumerated]) -> None:
    found, truth = both
    rows = {frozenset(row["tiles"]): row for row in found.neighbours()}
    assert set(rows) == set(truth.by["adjacent"])
    for pair, row in rows.items():
        assert row["steps"] == about(truth.by["step"][pair])
        assert row["adjacent"] == about(truth.by["adjacent"][pair])


def test_cells_and_vowels(both: tuple[ExactEffects, Enumerated]) -> None:
    found, truth = both
    assert found.cells() == about_all(truth.by["cell"], range(truth.dice.cells))
    assert list(found.vowels()) == about_all(truth.by["vowels"], range(truth.dice.cells + 1))
    assert sum(place["cells"] for place in found.places().values()) == truth.dice.cells


@pytest.fixture(scope="module")
def new() -> ExactEffects:
    return exact_effects(load_dice("new"), word_list("enable2k"), 3)


def test_what_a_die_is_worth_is_as_published(new: ExactEffects) -> None:
    """To one decimal, from a prototype with words of all lengths: those of nine and more letters are 0.07 ways."""
    worth = {tuple(sorted(die)): value for die, value in zip(new.dice.dice, new.through_dice(), strict=True)}
    assert worth[("E", "I", "O", "S", "S", "T")] == pytest.approx(44.3, abs=0.06)
    assert worth[("A", "A", "E", "E", "G", "N")] == pytest.approx(43.4, abs=0.06)
    assert worth[("H", "I", "M", "N", "Qu", "U")] == pytest.approx(25.6, abs=0.06)
    assert new.ways == pytest.approx(143, abs=0.5)


def test_every_way_has_its_tiles_its_steps_and_its_cells(new: ExactEffects) -> None:
    """Sums that have to agree, from four ways of counting."""
    tiles = sum(new.uses().values())
    assert new.through_dice().sum() == pytest.approx(tiles)
    assert new.cells().sum() == pytest.approx(tiles)
    assert sum(row["steps"] for row in new.neighbours()) == pytest.approx(tiles - new.ways)
    assert sum(row["adjacent"] for row in new.neighbours()) == pytest.approx(42)
    cells = new.cells().reshape(4, 4)
    assert cells == pytest.approx(cells.T)
    assert cells == pytest.approx(cells[::-1, ::-1])


def test_tiles_are_those_of_the_dice_and_the_language(new: ExactEffects) -> None:
    assert set(new.tiles) == {*"ABCDEFGHIJKLMNOPRSTUVWXYZ", "Qu", ""}
    assert len(new.changes) == sum(len(set(die)) * 26 for die in new.dice.dice)
    rises = [one.rise for one in new.changes]
    assert rises == sorted(rises, reverse=True)


def test_words_of_another_script_have_no_effects() -> None:
    with pytest.raises(PipelineError, match="no word of up to 8 letters can be shown with the tiles of new"):
        exact_effects(load_dice("new"), read_words("щи\nёж", find_language("ru")), 2)


def test_points_of_ways_follow_from_their_letters(new: ExactEffects) -> None:
    points = {3: 1, 4: 1, 5: 2, 6: 3, 7: 5, 8: 11}
    ways = new.by_letters(new.effects.means, "ways")
    assert new.points == pytest.approx(sum(points[letters] * mean for letters, mean in ways.items()))
    for one in new.changes[::50]:
        assert one.points == pytest.approx(sum(points[letters] * rise for letters, rise in one.ways.items()))
        assert one.rise == pytest.approx(sum(one.ways.values()))


@pytest.mark.parametrize("name", ["new", pytest.param("deluxe_master", marks=pytest.mark.long)])
def test_changes_are_those_of_means_worked_out_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of every hundred; whole sets by the other path, which knows no single dice."""
    monkeypatch.setattr(expectation_cache, "private_folder", lambda name: None)
    dice, words = load_dice(name), word_list("enable2k")
    found = exact_effects(dice, words, dice.min_length)
    before = found.effects.means
    for one in found.changes[7 :: len(found.changes) // 3]:
        faces = list(dice.dice[one.die])
        faces[faces.index(one.old)] = one.new
        changed = (*dice.dice[: one.die], tuple(faces), *dice.dice[one.die + 1 :])
        after = expectations(dice.model_copy(update={"dice": changed}), words, dice.min_length)
        for letters, mean in found.by_letters(before, "ways").items():
            assert mean + one.ways[letters] == pytest.approx(after.ways[letters], rel=1e-9)
        for letters, mean in found.by_letters(before, "pairs").items():
            assert mean + one.pairs[letters] == pytest.approx(after.pairs[letters], rel=1e-9)

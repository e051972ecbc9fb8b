import gzip
import itertools
import math
import random
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.matching import (
    assign_board,
    assign_word,
    can_show_word,
    count_rolls,
    roll_probability,
    rollable_boards,
    showable_words,
)
from solvers.boggle.words import WordList, read_words
from solvers.errors import InputError

CONFIGS = Path(__file__).parents[3] / "configs"
SETS = sorted(path.stem for path in (CONFIGS / "dice").glob("*.toml"))
PUZZLE = ["Qu", *"AICDRNEETASNNIL"]


def dice_of(name):
    lines = tomllib.loads((CONFIGS / "dice" / f"{name}.toml").read_text())["dice"]
    return [tuple("" if face == "." else face for face in line.split()) for line in lines]


def random_dice(source, number, faces=("A", "B", "C", "Ab", "")):
    return [tuple(source.choices(faces, k=source.randint(1, 3))) for _ in range(number)]


def rolls_by_hand(dice):
    """Number of ways of every board, by all permutations and all faces."""
    ways = Counter()
    for order in itertools.permutations(dice):
        ways.update(itertools.product(*order))
    return ways


@pytest.fixture(scope="module")
def enable1():
    return read_words(gzip.decompress((CONFIGS / "words" / "enable1.txt.gz").read_bytes()).decode())


@pytest.mark.parametrize(("name", "unshowable"), [("classic", 3316), ("new", 11975)])
def test_published_numbers_of_words_that_no_arrangement_shows(enable1, name, unshowable):
    dice = dice_of(name)
    lexicon = build_lexicon(enable1, Alphabet.of_faces(face for die in dice for face in die), 3, 16)
    showable = showable_words(lexicon, dice)
    assert sum(len(word) >= 3 for word in enable1.words) == 172_724
    assert int(lexicon.usable.sum()) == 172_724 - 29
    assert int((lexicon.usable & ~showable).sum()) == unshowable
    sample = random.Random(1).sample(range(len(enable1.words)), 500)
    for number in sample:
        if lexicon.usable[number]:
            assert can_show_word(dice, enable1.words[number]) == showable[number]


def test_words_on_small_dice_agree_with_every_roll():
    source = random.Random(41)
    answers = Counter()
    for _ in range(80):
        dice = random_dice(source, source.randint(1, 4))
        spelled = set()
        for size in range(1, len(dice) + 1):
            for chosen in itertools.permutations(dice, size):
                spelled |= {tuple(faces) for faces in itertools.product(*chosen)}
        showable = {"".join(faces).lower() for faces in spelled if all(faces)}
        words = sorted({"".join(source.choices("abc", k=source.randint(1, 5))) for _ in range(30)})
        lexicon = build_lexicon(WordList(words), Alphabet.of_faces(["Ab"]), 1, len(dice) + 1)
        assert showable_words(lexicon, dice).tolist() == [word in showable for word in words]
        for word in words:
            assert can_show_word(dice, word) == (word in showable)
            assignment = assign_word(dice, word)
            answers[assignment is None] += 1
            if assignment is not None:
                assert "".join(face for face, _ in assignment).lower() == word
                assert len({die for _, die in assignment}) == len(assignment)
                assert all(face in dice[die] for face, die in assignment)
    assert answers[True] > 100
    assert answers[False] > 100


def test_a_word_with_very_many_cuts_is_answered():
    dice = [("In", "I", "N")] * 16
    assert can_show_word(dice, "in" * 16)
    assert not can_show_word(dice, "in" * 17)
    assert not can_show_word(dice, "in" * 12 + "x")


def test_boards_on_small_dice_agree_with_all_permutations():
    source = random.Random(17)
    for _ in range(40):
        dice = random_dice(source, source.randint(1, 4))
        ways = rolls_by_hand(dice)
        total = math.factorial(len(dice)) * math.prod(map(len, dice))
        assert sum(ways.values()) == total
        for faces in itertools.product(["A", "B", "Ab", ""], repeat=len(dice)):
            assert count_rolls(dice, faces) == ways[faces]
            assert roll_probability(dice, faces) == Fraction(ways[faces], total)
            assignment = assign_board(dice, faces)
            assert (assignment is not None) == (ways[faces] > 0)
            if assignment is not None:
                assert sorted(assignment) == list(range(len(dice)))
                assert all(face in dice[die] for face, die in zip(faces, assignment, strict=True))


def permanent(matrix):
    """Sum over subsets of columns (H. J. Ryser, Combinatorial Mathematics, 1963)."""
    size = len(matrix)
    total = 0
    for subset in range(1, 1 << size):
        product = 1
        for row in matrix:
            product *= sum(row[column] for column in range(size) if subset >> column & 1)
        total += (-1) ** (size - subset.bit_count()) * product
    return total


def test_rolls_are_the_permanent_of_the_face_counts():
    source = random.Random(23)
    for name in ("new", "classic"):
        dice = dice_of(name)[:9]
        faces = [source.choice(die) for die in source.sample(dice, len(dice))]
        assert count_rolls(dice, faces) == permanent([[die.count(face) for face in faces] for die in dice]) > 0


def test_the_probabilities_of_all_boards_add_up_to_one():
    dice = [("A", "A", "B"), ("A", "B", "B", "C"), ("Qu", "", "A")]
    boards = itertools.product(["A", "B", "C", "Qu", ""], repeat=3)
    assert sum(roll_probability(dice, board) for board in boards) == 1


def test_equal_dice_follow_the_multinomial():
    dice = [("A", "B", "C", "D", "E", "F")] * 36
    faces = list("ABCDEF") * 6
    assert count_rolls(dice, faces) == math.factorial(36)
    assert count_rolls([("A",) * 6] * 36, ["A"] * 36) == math.factorial(36) * 6**36


def test_the_documented_board_can_be_rolled_with_new():
    dice = dice_of("new")
    assignment = assign_board(dice, PUZZLE)
    assert sorted(assignment) == list(range(16))
    assert all(face in dice[die] for face, die in zip(PUZZLE, assignment, strict=True))
    assert count_rolls(dice, PUZZLE) > 0


@pytest.mark.parametrize("name", ["described_2012", "cs_4x4"])
def test_the_documented_board_cannot_be_rolled_with_other_sets(name):
    dice = dice_of(name)
    assert assign_board(dice, PUZZLE) is None
    assert count_rolls(dice, PUZZLE) == 0


def test_greedy_would_fail_where_matching_moves_a_die():
    dice = [("A", "B"), ("A", "C"), ("B", "C")]
    for faces in itertools.permutations("ABC"):
        assert assign_board(dice, faces) is not None
    assert assign_board(dice, "AAB") == [0, 1, 2]
    assert assign_board(dice, "AAA") is None


@pytest.mark.parametrize("name", SETS)
def test_shaken_boards_of_every_set_can_be_rolled_and_spoiled_ones_cannot(name):
    dice = dice_of(name)
    index = {face: number for number, face in enumerate(sorted({face for die in dice for face in die}))}
    ids = np.array([[index[face] for face in die] for die in dice], np.uint8)
    generator = np.random.default_rng(len(name))
    shaken = np.stack([ids[generator.permutation(len(dice)), generator.integers(0, 6, len(dice))] for _ in range(500)])
    assert rollable_boards(shaken, ids).all()
    rarest = min(index.values(), key=lambda face: (ids == face).any(axis=1).sum())
    spoiled = shaken.copy()
    spoiled[:, : (ids == rarest).any(axis=1).sum() + 1] = rarest
    assert not rollable_boards(spoiled, ids).any()
    faces = list(index)
    for board in shaken[:3].tolist():
        assert count_rolls(dice, [faces[face] for face in board]) > 0


def test_boards_at_once_agree_with_boards_one_by_one():
    source = random.Random(3)
    for _ in range(20):
        dice = [tuple(source.choices("ABC", k=3)) for _ in range(5)]
        boards = [source.choices("ABCD", k=5) for _ in range(50)]
        ids = np.array([[ord(face) for face in die] for die in dice], np.uint8)
        at_once = rollable_boards(np.array([[ord(face) for face in board] for board in boards], np.uint8), ids)
        assert at_once.tolist() == [assign_board(dice, board) is not None for board in boards]


def test_wrong_input_is_named():
    dice = [("A", "B"), ("B", "C")]
    lexicon = build_lexicon(WordList(["ab"]), Alphabet.of_faces([]), 1, 2)
    for call in (assign_board, count_rolls, roll_probability):
        with pytest.raises(InputError, match="1 cells, but 2 dice"):
            call(dice, ["A"])
    with pytest.raises(InputError, match="word is empty"):
        can_show_word(dice, "")
    with pytest.raises(InputError, match="0 dice"):
        assign_word([], "a")
    with pytest.raises(InputError, match="built for 2 cells, there are 3 dice"):
        showable_words(lexicon, [*dice, ("A",)])
    with pytest.raises(InputError, match="die 2: face 'Th' is outside the alphabet"):
        showable_words(lexicon, [("A",), ("Th",)])
    with pytest.raises(InputError, match=r"boards of shape \(1, 3\), but 2 dice"):
        rollable_boards(np.zeros((1, 3), np.uint8), np.zeros((2, 6), np.uint8))


def test_counting_that_would_need_too_many_states_is_refused(monkeypatch):
    monkeypatch.setattr("solvers.boggle.matching.MAX_STATES", 20_000)
    faces = [chr(65 + number) for number in range(36)]
    with pytest.raises(InputError, match="more than 20,000 states"):
        count_rolls([tuple(faces)] * 36, faces)

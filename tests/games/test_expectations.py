"""Exact means by way of the pipeline: published values, every board of tiny sets, and what is kept of them."""

import itertools
import json
import logging
import math
import os
import string
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle import expectation_cache, expectations
from pipeline.games.boggle.dice import DiceSet, dice_from_dict
from pipeline.games.boggle.expectations import Expectations
from solvers.boggle import reference
from solvers.boggle.words import WordList, read_words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where what is kept lies."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "shakedown" / "expectations"


def tiny(dice: list[str], rows: int, columns: int, min_length: int = 1) -> DiceSet:
    """Dice of six faces from such as `A B C`, each of two or three faces shown by as many of the six."""
    six = [" ".join(sorted(die.split() * (6 // len(die.split())))) for die in dice]
    fields = {"rows": rows, "columns": columns, "dice": six, "min_length": min_length}
    return dice_from_dict(fields, "tiny", "here")


PLAIN = tiny(["A B C", "A A B", "B C D", "A D E"], 2, 2)
WORDS = read_words("ab\naba\nabcd\ndab\nbead\naa\na")


def work_out(dice: DiceSet = PLAIN, words: WordList = WORDS) -> Expectations:
    return expectations.expectations(dice, words, 1)


def kept_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def never(*_: object) -> None:
    raise AssertionError("worked out again")


def test_means_are_worked_out_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = work_out()
    assert [path.suffix for path in folder.iterdir()] == [".json"]
    monkeypatch.setattr(expectations, "_work_out", never)
    assert work_out() == first


OTHERS = {
    "a face": lambda: work_out(tiny(["A B C", "A A B", "B C D", "A D D"], 2, 2)),
    "a word": lambda: work_out(words=read_words("ab\naba\nabcd\ndab\nbead\naa\nad")),
    "the minimum length": lambda: expectations.expectations(PLAIN, WORDS, 2),
    "the grid": lambda: work_out(tiny(["A B C", "A A B", "B C D", "A D E"], 1, 4)),
}


@pytest.mark.parametrize("other", OTHERS)
def test_other_rules_have_means_of_their_own(folder: Path, other: str) -> None:
    first = work_out()
    assert OTHERS[other]() != first
    assert len(list(folder.iterdir())) == 2
    assert work_out() == first


def test_solvers_that_changed_work_out_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work_out()
    monkeypatch.setattr(expectations, "fingerprint", lambda: "other")
    work_out()
    assert len(list(folder.iterdir())) == 2


def resealed(data: bytes, old: str, new: str) -> bytes:
    """The content changed and given a true hash."""
    content = data.partition(b"\n")[2].decode().rstrip("\n").replace(old, new)
    return f"{expectation_cache._digest(content.encode())}\n{content}\n".encode()


BREAKS = {
    "empty": lambda data: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "noise": lambda data: os.urandom(200),
    "no ascii": lambda data: b"\xff\xfe" + data,
    "too large": lambda data: data + b" " * expectation_cache.MAX_BYTES,
    "a mean that is no number": lambda data: resealed(data, '"nodes": ', '"nodes": null, "other": '),
    "a mean below zero": lambda data: resealed(data, '"nodes": ', '"nodes": -'),
    "no means": lambda data: resealed(data, '"means"', '"other"'),
    "of another key": lambda data: resealed(data, '"key": "', '"key": "0'),
    "a list": lambda data: resealed(data, data.partition(b"\n")[2].decode().rstrip("\n"), "[1]"),
    "deep": lambda data: resealed(data, data.partition(b"\n")[2].decode().rstrip("\n"), "[" * 100_000),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_broken_file_is_named_and_replaced(folder: Path, caplog: pytest.LogCaptureFixture, kind: str) -> None:
    first = work_out()
    path = kept_file(folder)
    whole = path.read_bytes()
    path.write_bytes(BREAKS[kind](whole))
    with caplog.at_level(logging.WARNING, "shakedown"):
        assert work_out() == first
    assert [record.getMessage() for record in caplog.records] == [
        f"kept exact means {path} cannot be used (its content is not what was written): worked out anew"
    ]
    assert path.read_bytes() == whole
    caplog.clear()
    assert work_out() == first
    assert not caplog.records


def test_every_flipped_bit_is_found(folder: Path) -> None:
    """None of them is taken for what was written, except in what is no part of it."""
    first = work_out()
    path = kept_file(folder)
    whole = path.read_bytes()
    key = path.stem
    for place in range(len(whole) - 1):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            with pytest.raises((KeyError, TypeError, ValueError)):
                expectation_cache._checked(bytes(changed), key)
    assert work_out() == first


def test_a_folder_in_place_of_the_file_is_said(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = work_out()
    path = kept_file(folder)
    path.unlink()
    path.mkdir()
    with caplog.at_level(logging.WARNING, "shakedown"):
        assert work_out() == first
    assert "Is a directory" in caplog.text


def test_no_folder_to_keep_in_costs_time_alone(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    first = work_out()
    monkeypatch.setattr(expectation_cache, "private_folder", lambda name: None)
    assert work_out() == first


def test_a_full_disk_costs_time_alone(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(expectation_cache.os, "replace", full)
    first = work_out()
    assert list(folder.iterdir()) == []
    assert work_out() == first


TINY = {
    "2x2 of three faces": (2, 2, ["A B C", "A A B", "B C D", "A D E"], ["ab", "aba", "abcd", "dab", "bead", "aa"]),
    "2x3 of two faces": (
        2,
        3,
        ["A B", "A T", "T S", "E A", "S T", "E B"],
        ["ate", "tea", "seat", "beats", "tat", "at"],
    ),
    "multi-letter and blank tiles": (2, 2, ["In A .", "I N T", "T An H", "Th E ."], ["inti", "in", "ant", "then", "a"]),
    "Qu": (2, 2, ["Qu A .", "I N T", "E T", "U I ."], ["quit", "quiet", "it", "quite", "ate"]),
    "2x3 with blanks": (2, 3, ["In .", "I N", "N", ". A", "A An", "T"], ["in", "inn", "tin", "anna", "innat", "it"]),
}


def enumerated(dice: DiceSet, words: list[str]) -> tuple[Counter, Counter, Counter]:  # type: ignore[type-arg]
    """Means of ways and pairs by letters, nodes, and cells by face, over every roll of every order of the dice."""
    alphabet = dice.alphabet
    trie = reference.build_trie(words, alphabet, dice.min_length)
    boards: Counter[tuple[str, ...]] = Counter()
    for order in itertools.permutations(Counter(die) for die in dice.dice):
        for board in itertools.product(*order):
            rolls = math.prod(die[face] for die, face in zip(order, board, strict=True))
            boards[board] += Fraction(rolls, 6**dice.cells * math.factorial(dice.cells))  # type: ignore[assignment]
    ways: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    others: Counter[str] = Counter()
    for board, share in boards.items():
        found = reference.solve(alphabet.ids(board), dice.rows, dice.columns, trie)
        for (word, _), number in found.ways.items():
            ways[len(word)] += share * number
            pairs[len(word)] += share * math.comb(number, 2)
        others["nodes"] += share * found.nodes
        others["no vowel"] += share * (not any(set(face.lower()) & set("aeiou") for face in board))
        for face in board:
            others[face or "."] += share
    return ways, pairs, others


@pytest.mark.parametrize("name", TINY)
def test_means_of_tiny_sets_are_those_of_all_their_boards(folder: Path, name: str) -> None:
    rows, columns, faces, words = TINY[name]
    dice = tiny(faces, rows, columns)
    means = work_out(dice, read_words("\n".join(words)))
    ways, pairs, others = enumerated(dice, words)
    assert set(means.ways) >= set(ways)
    for letters, mean in means.ways.items():
        assert mean == pytest.approx(float(ways[letters]), rel=1e-12), letters
    assert list(means.pairs) == [1, 2, 3]
    for letters, mean in means.pairs.items():
        assert mean == pytest.approx(float(pairs[letters]), rel=1e-12), letters
    assert means.nodes == pytest.approx(float(others["nodes"]), rel=1e-13)
    assert means.no_vowel == pytest.approx(float(others["no vowel"]), rel=1e-12, abs=1e-15)
    assert dict(means.letters) == pytest.approx({face or ".": float(others[face or "."]) for face in dice.faces})


def test_columns_are_those_that_solvers_count_in(folder: Path) -> None:
    means = Expectations(2, {2: 1.0, 15: 2.0, 16: 3.0, 18: 4.0}, {2: 0.5, 3: 0.25}, 1.0, {}, {}, (1.0,))
    assert means.ways_columns() == [0.0, 1.0, *[0.0] * 12, 2.0, 7.0]
    assert means.pairs_columns() == [0.5, 0.25, None]
    assert Expectations.from_dict(json.loads(json.dumps(means.as_dict()))) == means


def test_pairs_of_long_words_are_left_out(folder: Path) -> None:
    dice = tiny(["A", "B", "C", "D", "E", "F", "A", "B", "C"], 3, 3, 5)
    means = expectations.expectations(dice, read_words("abcde\nabcdef\nabcdefa\nabcdefab"), 5)
    assert list(means.pairs) == [5, 6]


def test_what_has_no_closed_form_is_refused(folder: Path) -> None:
    letters = [*string.ascii_uppercase, "An", "He", "Th", "In", "Er", "Qu", "On", "Re"]
    six = [" ".join(letters[place : place + 6]) for place in range(0, 34, 4)][:9]
    dice = dice_from_dict(
        {"rows": 3, "columns": 3, "dice": [die if die.count(" ") == 5 else "A B C D E F" for die in six]}, "odd", "here"
    )
    with pytest.raises(
        PipelineError, match=r"dice set odd has 34 different tiles; exact means are worked out for up to 32"
    ):
        expectations.expectations(dice, WORDS, 3)
    with pytest.raises(PipelineError, match="word list mine: none of the 2 words is usable"):
        expectations.expectations(PLAIN, read_words("ab\naba"), 5, "mine")
    assert not folder.exists() or not list(folder.iterdir())

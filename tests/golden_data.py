"""Golden numbers that nobody who wrote the program computed, and how tests read them."""

import csv
import gzip
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.games.boggle.dice import DiceSet, load_dice
from pipeline.games.boggle.words import find_words, load_words
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import Lexicon, build_lexicon
from solvers.boggle.words import WordList, read_words

GOLDEN = Path(__file__).parent / "golden"


@lru_cache
def word_list(name: str) -> WordList:
    return load_words(find_words(name))


@lru_cache
def lexicon(name: str, alphabet: Alphabet, min_length: int, cells: int) -> Lexicon:
    return build_lexicon(word_list(name), alphabet, min_length, cells)


def small_lexicon(words: list[str], cells: int, faces: tuple[str, ...] = (), min_length: int = 1) -> Lexicon:
    return build_lexicon(read_words("\n".join(words)), Alphabet.of_faces(faces), min_length, cells)


def published(entry: str) -> dict[str, Any]:
    entries = json.loads((GOLDEN / "published_stats.json").read_text())
    return next(one for one in entries if one["id"] == entry)


class GoldenBoards:
    """The boards of boards.csv.gz of one dice set, with the columns that an independent solver gave."""

    def __init__(self, rows: list[dict[str, str]]) -> None:
        first = rows[0]
        self.dice: DiceSet = load_dice(first["dice"])
        self.rows, self.cols = int(first["rows"]), int(first["cols"])
        self.min_length, self.scoring = int(first["min_length"]), first["scoring"]
        faces = [["" if face == "." else face for face in row["board"].split()] for row in rows]
        self.cells = np.array([self.dice.alphabet.ids(board) for board in faces], np.uint8)
        names = ("words", "score", "nodes", "longest", "dead_tiles", "n3", "n4", "n5", "n6", "n7", "n8plus")
        self.columns = {name: np.array([int(row[name]) for row in rows]) for name in names}

    @property
    def lexicon(self) -> Lexicon:
        return lexicon("enable2k", self.dice.alphabet, self.min_length, self.rows * self.cols)


@lru_cache
def golden_boards() -> dict[str, GoldenBoards]:
    grouped: dict[str, list[dict[str, str]]] = {}
    with gzip.open(GOLDEN / "boards.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            grouped.setdefault(row["dice"], []).append(row)
    return {dice: GoldenBoards(rows) for dice, rows in grouped.items()}

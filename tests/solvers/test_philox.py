"""Philox4x32-10 against the known-answer vectors that Random123 publishes, and the stream over it."""

import numpy as np
import pytest
from scipy.stats import chisquare

from solvers.philox import STREAM_LENGTH, below, key_words, next_word, philox4x32, start_stream

# Random123, tests/kat_vectors, lines `philox4x32 10`: counter, key, answer.
VECTORS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def words(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("counter", "key", "answer"), VECTORS)
def test_known_answers_are_met(counter: str, key: str, answer: str) -> None:
    assert [int(word) for word in philox4x32(*words(counter), *words(key))] == words(answer)


def test_a_stream_gives_the_words_of_its_counters_in_order() -> None:
    stream = np.zeros(STREAM_LENGTH, np.uint64)
    item = (7 << 32) + 5
    start_stream(stream, item, 9, 11, 13)
    drawn = [int(next_word(stream)) for _ in range(8)]
    assert drawn == [int(word) for block in (0, 1) for word in philox4x32(block, 9, 5, 7, 11, 13)]


def test_draws_below_a_bound_are_even() -> None:
    stream = np.zeros(STREAM_LENGTH, np.uint64)
    start_stream(stream, 0, 0, 1, 2)
    drawn = np.array([below(stream, 6) for _ in range(60_000)])
    assert chisquare(np.bincount(drawn, minlength=6)).pvalue > 1e-4


def test_keys_differ_when_a_part_differs_or_moves() -> None:
    keys = {key_words(1, "ab"), key_words(2, "ab"), key_words(1, "a", "b"), key_words("1a", "b")}
    assert len(keys) == 4

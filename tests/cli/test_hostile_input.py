"""Whatever a file or an argument holds, a person gets an answer or one line: never a traceback, a hang or a crash."""

import os
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.boggle.words import read_words
from solvers.errors import InputError
from tests.hostile import TARGETS, mutated, survives

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "5"))
"""Of each kind; more for a longer session. `python -m tests.proofs.fuzz` is the one that is guided by coverage."""


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=EXAMPLES)
@given(chance=st.randoms(use_true_random=False))
def test_whatever_comes_in_there_is_an_answer_or_one_line(name: str, chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        survives(TARGETS[name], mutated(TARGETS[name], chance), Path(folder))


@pytest.mark.parametrize("name", TARGETS)
def test_a_good_example_is_not_refused(tmp_path: Path, name: str) -> None:
    """Else every broken one would be refused for the same first reason."""
    assert TARGETS[name].use(TARGETS[name].seeds()[0], tmp_path)


def test_a_word_of_a_megabyte_and_ten_million_words_are_bounded() -> None:
    assert read_words("a" * 1_000_000 + "\nbee").skipped == 1
    with pytest.raises(InputError, match="at most 10,000,000"):
        read_words("a\n" * 10_000_001)

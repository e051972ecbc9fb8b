"""Texts in one array, put together by a kernel, are what plain Python puts together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.boggle.word_texts import Texts, join_texts

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(before=texts, words=st.lists(texts, min_size=1), after=st.lists(texts, min_size=1), data=st.data())
def test_joining_is_that_of_strings(before: str, words: list[str], after: list[str], data: st.DataObject) -> None:
    pair = st.tuples(st.integers(0, len(words) - 1), st.integers(0, len(after) - 1))
    chosen = data.draw(st.lists(pair))
    ids = np.array([word for word, _ in chosen], np.int32)
    tails = np.array([tail for _, tail in chosen], np.int64)
    joined = join_texts(before.encode(), Texts.of(words), ids, Texts.of(after), tails)
    assert joined.decode() == "".join(before + words[word] + after[tail] for word, tail in chosen)


@given(st.lists(texts, min_size=1))
def test_each_text_can_be_had_alone(strings: list[str]) -> None:
    held = Texts.of(strings)
    assert [held.one(number) for number in range(len(strings))] == strings

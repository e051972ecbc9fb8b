"""Words in bulk: the texts of many words are put together without a Python loop over words."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.jit import kernel


class Texts(NamedTuple):
    """Strings in one array. text: uint8[bytes], UTF-8; offsets: int32[n + 1], where each starts and the last ends."""

    text: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int32]

    @classmethod
    def of(cls, strings: Iterable[str]) -> "Texts":
        codes = [string.encode() for string in strings]
        offsets = np.zeros(len(codes) + 1, np.int32)
        np.cumsum(np.fromiter(map(len, codes), np.int32, len(codes)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(codes), np.uint8), offsets)

    def one(self, number: int) -> str:
        return self.text[self.offsets[number] : self.offsets[number + 1]].tobytes().decode()


def join_texts(
    before: bytes, words: Texts, ids: npt.NDArray[np.int32], after: Texts, tails: npt.NDArray[np.int64]
) -> bytes:
    """Return before + words[ids[i]] + after[tails[i]] for every i, one behind the other. ids: int32[n]; tails:
    int64[n].
    """
    return _join(np.frombuffer(before, np.uint8), *words, ids, *after, tails).tobytes()


@kernel
def _join(before, words, word_at, ids, after, after_at, tails):  # type: ignore[no-untyped-def]
    """Texts come as their two arrays: a call with tuples of arrays takes a third longer for a usual board."""
    size = len(ids) * len(before)
    for place in range(len(ids)):
        word, tail = ids[place], tails[place]
        size += word_at[word + 1] - word_at[word] + after_at[tail + 1] - after_at[tail]
    joined = np.empty(size, np.uint8)
    at = 0
    for place in range(len(ids)):
        word, tail = ids[place], tails[place]
        for letter in before:
            joined[at] = letter
            at += 1
        for letter in range(word_at[word], word_at[word + 1]):
            joined[at] = words[letter]
            at += 1
        for letter in range(after_at[tail], after_at[tail + 1]):
            joined[at] = after[letter]
            at += 1
    return joined

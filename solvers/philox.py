"""Philox4x32-10: random words as a pure function of a counter and a key, and a small stream over them.

Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC11). Words are held in int64 or uint64
values below 2**32, because numba turns mixed 32-bit and 64-bit arithmetic into floating point.
"""

import hashlib
from typing import Any

import numpy as np

from solvers.jit import kernel

_WORD = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)

STREAM_LENGTH = 11
"""Length of a stream's uint64 state: block, attempt, item (2 words), key (2), next word, the four words of a block."""


@kernel
def philox4x32(counter0: Any, counter1: Any, counter2: Any, counter3: Any, key0: Any, key1: Any) -> Any:
    """Ten rounds of Philox4x32: four uint32 counter words and two key words to four random words (each a uint64)."""
    c0, c1 = np.uint64(counter0) & _WORD, np.uint64(counter1) & _WORD
    c2, c3 = np.uint64(counter2) & _WORD, np.uint64(counter3) & _WORD
    k0, k1 = np.uint64(key0) & _WORD, np.uint64(key1) & _WORD
    for _ in range(10):
        product0 = _MULTIPLIER_0 * c0
        product1 = _MULTIPLIER_1 * c2
        c0 = (product1 >> _HALF) ^ c1 ^ k0
        c2 = (product0 >> _HALF) ^ c3 ^ k1
        c1 = product1 & _WORD
        c3 = product0 & _WORD
        k0 = (k0 + _WEYL_0) & _WORD
        k1 = (k1 + _WEYL_1) & _WORD
    return c0, c1, c2, c3


@kernel
def start_stream(stream: Any, item: Any, attempt: Any, key0: Any, key1: Any) -> None:
    """Point `stream` (uint64[STREAM_LENGTH]) at the first word of an item's attempt (below 2**32) under the key."""
    stream[0] = 0
    stream[1] = attempt
    stream[2] = np.uint64(item) & _WORD
    stream[3] = np.uint64(item) >> _HALF
    stream[4] = key0
    stream[5] = key1
    stream[6] = 4


@kernel
def next_word(stream: Any) -> Any:
    """Return the next 32 random bits of the stream, as a uint64; a stream repeats after 2**34 words."""
    if stream[6] == 4:
        w0, w1, w2, w3 = philox4x32(stream[0], stream[1], stream[2], stream[3], stream[4], stream[5])
        stream[7] = w0
        stream[8] = w1
        stream[9] = w2
        stream[10] = w3
        stream[6] = 0
        stream[0] = (stream[0] + np.uint64(1)) & _WORD
    word = stream[7 + np.int64(stream[6])]
    stream[6] += np.uint64(1)
    return word


@kernel
def below(stream: Any, bound: Any) -> Any:
    """Return an int64 in 0..bound-1 by multiply-shift; `bound` is 1..2**31. Shares are off by at most 2**-32."""
    return np.int64((next_word(stream) * np.uint64(bound)) >> _HALF)


def key_words(*parts: str | int) -> tuple[int, int]:
    """Return a Philox key from a seed and what is drawn: the first 64 bits of a SHA-256 over `parts`."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little")

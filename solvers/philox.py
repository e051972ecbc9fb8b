"""Philox4x32-10, a counter-based random generator: the same counter and key give the same words on any machine.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

import hashlib

import numpy as np

from solvers.jit import kernel

_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


@kernel
def philox4x32(counter_0, counter_1, counter_2, counter_3, key_0, key_1):  # type: ignore[no-untyped-def]
    """Four random 32-bit words, each as uint64, from a 128-bit counter and a 64-bit key (32-bit words as uint64)."""
    for _ in range(10):
        product_0 = _MULTIPLIER_0 * counter_0
        product_1 = _MULTIPLIER_1 * counter_2
        counter_0 = (product_1 >> _32) ^ counter_1 ^ key_0
        counter_1 = product_1 & _LOW
        counter_2 = (product_0 >> _32) ^ counter_3 ^ key_1
        counter_3 = product_0 & _LOW
        key_0 = (key_0 + _WEYL_0) & _LOW
        key_1 = (key_1 + _WEYL_1) & _LOW
    return counter_0, counter_1, counter_2, counter_3


def key_of(text: str) -> np.uint64:
    """A 64-bit key from any text: the first eight bytes of its SHA-256."""
    return np.uint64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little"))

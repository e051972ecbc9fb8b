"""The memory of a worker: how much it may hold, and that it keeps what it has for the next chunk.

Chunks need the same memory one after another. By its defaults malloc gives it back in between, and to have it cleared
by the system again takes some hundredths of the time.
"""

import ctypes
import sys

_MALLOC = {
    -1: 1 << 30,  # M_TRIM_THRESHOLD: bytes free at the end of the heap above which they are given back
    -3: 1 << 25,  # M_MMAP_THRESHOLD: bytes of an array above which it is no part of the heap; no glibc takes more
}
"""Options of glibc's mallopt, by number."""


def keep_memory() -> None:
    """Set malloc so in this process, where it is glibc's."""
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        for option, value in _MALLOC.items():
            mallopt(option, value)


def limit_memory(megabytes: int) -> None:
    """Let this process fail with a message before the machine runs out of memory (where the system can)."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = megabytes << 20
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))

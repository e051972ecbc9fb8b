"""A worker keeps the memory of one chunk for the next."""

import os
import subprocess
import sys

import pytest

MEMORY = """
import resource, sys
from pipeline.executors.memory import keep_memory
if sys.argv[1] == "keep":
    keep_memory()
def fill() -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    blocks = [bytearray(b"x") * (3 << 20) for _ in range(8)]
    del blocks
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
fill()
print(fill())
"""


@pytest.mark.skipif(os.confstr("CS_GNU_LIBC_VERSION") is None if hasattr(os, "confstr") else True, reason="not glibc")
def test_a_worker_uses_freed_memory_again_without_asking_for_it() -> None:
    faults = {
        mode: int(subprocess.run([sys.executable, "-c", MEMORY, mode], check=True, capture_output=True).stdout)
        for mode in ("default", "keep")
    }
    assert faults["default"] > 2_000, "this system's malloc keeps memory by itself: the setting is needless"
    assert faults["keep"] < 100

"""The pool ends whenever it is told to, whatever its workers are doing."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys, time
from pipeline.executors import Resources, make_executor
size, pause, taken = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
def task(item):
    time.sleep(pause)
    return bytes(size)
for again in range(5):
    results = make_executor(Resources("process", 2, 4096)).run(task, range(40))
    for _ in range(taken):
        next(results)
    results.close()
"""


@pytest.mark.parametrize("taken", [1, 7])
@pytest.mark.parametrize("pause", [0.0, 0.02])
@pytest.mark.parametrize("size", [10, 70_000, 20_000_000])
def test_a_pool_that_is_left_early_ends_at_once(size: int, pause: float, taken: int) -> None:
    """Results larger than a pipe holds are being written when the workers are ended."""
    arguments = [sys.executable, "-c", SCRIPT, str(size), str(pause), str(taken)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr

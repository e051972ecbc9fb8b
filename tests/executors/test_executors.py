"""The pool ends whenever it is told to, whatever its workers are doing, and outlives them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import LONG

ROOT = Path(__file__).parents[2]


def run_script(script: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """In a process of its own, which a stalled pool cannot keep for ever."""
    words = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LONG)


SCRIPT = """
import sys, time
from pipeline.executors import make_executor
from pipeline.executors.base import Resources
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
    done = run_script(SCRIPT, size, pause, taken)
    assert done.returncode == 0, done.stderr


DYING = """
import os, signal, sys
from multiprocessing.connection import Connection
from pathlib import Path
from pipeline.executors import make_executor
from pipeline.executors.base import Resources
workers, once, share = int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
def send_a_share_and_die(connection, data):
    if len(data) > 1_000_000:
        os.write(connection._handle, data[: int(len(data) * share)])
        os.kill(os.getpid(), signal.SIGKILL)
    os.write(connection._handle, data)
def task(item):
    if item == 5 and not once.exists():
        once.touch()
        Connection._send = send_a_share_and_die
    return item, bytes(5_000_000)
results = make_executor(Resources("process", workers, 4096)).run(task, range(12))
print(*sorted(item for item, _ in results))
"""


@pytest.mark.parametrize(("workers", "share"), [(1, 0.5), (2, 0.5), (1, 1.0)])
def test_a_worker_killed_while_it_sends_a_large_result_is_replaced(tmp_path: Path, workers: int, share: float) -> None:
    """In the middle, alone and beside another, and after the last byte, when it holds nothing any more."""
    done = run_script(DYING, workers, tmp_path / "once", share)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(item) for item in range(12)]
    assert "a worker ended unexpectedly" in done.stderr


SENDING_KILLS = """
import os, signal
from multiprocessing.connection import Connection
from pipeline.executors import make_executor
from pipeline.executors.base import Resources
def die(connection, data):
    os.kill(os.getpid(), signal.SIGKILL)
def task(item):
    if item == 5:
        Connection._send = die
    return item
for _ in make_executor(Resources("process", 2, 4096)).run(task, range(12)):
    pass
"""


def test_an_item_that_kills_its_worker_while_its_result_is_sent_is_named() -> None:
    done = run_script(SENDING_KILLS)
    assert done.returncode == 1
    assert "a worker ended three times on 5" in done.stderr.splitlines()[-1]


UNSTARTED = """
import os
from pipeline.executors import make_executor, process
from pipeline.executors.base import Resources
process.limit_memory = lambda megabytes: os._exit(1)
for _ in make_executor(Resources("process", 2, 4096)).run(abs, range(12)):
    pass
"""


def test_workers_that_end_before_they_begin_end_the_run() -> None:
    done = run_script(UNSTARTED)
    assert done.returncode == 1
    assert "a worker ended three times on 0" in done.stderr.splitlines()[-1]


SIGNALLED = """
import os, signal, sys
from pipeline.executors import make_executor
from pipeline.executors.base import Resources
class Stopped(BaseException):
    pass
def stop(number, frame):
    raise Stopped
signal.signal(signal.SIGINT, stop)
os.register_at_fork(**{sys.argv[1]: lambda: os.kill(os.getpid(), signal.SIGINT)})
try:
    print(*sorted(make_executor(Resources("process", 2, 4096)).run(abs, range(4))))
except Stopped:
    print("stopped")
"""


@pytest.mark.parametrize(("side", "said"), [("after_in_parent", "stopped\n"), ("after_in_child", "0 1 2 3\n")])
def test_ctrl_c_while_a_worker_is_forked_is_neither_lost_nor_a_traceback(side: str, said: str) -> None:
    """Python swallows what a signal handler raises within the hooks of a fork."""
    done = run_script(SIGNALLED, side)
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")

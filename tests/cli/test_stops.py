"""Ctrl-C and SIGTERM wherever they hit: the exit code and one line, never a signal, never a traceback.

Moments are events: a script puts the signal where it wants it, or a test waits for what a command prints.
`tests/proofs/interrupts.py` does the same at hundreds of random moments.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running import command
from tests.waiting import LONG, wait_until

ROOT = Path(__file__).parents[2]
MAIN = "from pipeline.__main__ import main\nmain()\n"
RUN = ["run", "--boards", "400", "--chunk", "100", "--executor", "serial", "--no-html", "-q", "--out", "r"]
GOES_ON = f"the same command goes on: pipeline {' '.join(RUN)}\n"

MOMENTS = {
    "while the program is imported": (
        "class Loading:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'pipeline.cli.boards':\n"
        "            stop()\n"
        "sys.meta_path.insert(0, Loading())\n",
        "",
    ),
    "while numpy is imported": (
        "class Loading:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'numpy._core.numeric':\n"
        "            stop()\n"
        "sys.meta_path.insert(0, Loading())\n",
        "what is stored is kept; " + GOES_ON,
    ),
    "in every call of a finalizer": (
        "import weakref\n"
        "class Gone: pass\n"
        "from pipeline.games.boggle import words\n"
        "plain = words.load_words\n"
        "def load(*given):\n"
        "    weakref.finalize(Gone(), stop)\n"
        "    return plain(*given)\n"
        "from pipeline.games.boggle import game\n"
        "game.load_words = load\n",
        "what is stored is kept; " + GOES_ON,
    ),
    "while a trie is built": (
        "from pipeline.games.boggle import workload\n"
        "plain = workload.build_lexicon\n"
        "def build(*given):\n"
        "    stop()\n"
        "    return plain(*given)\n"
        "workload.build_lexicon = build\n",
        "what is stored is kept; " + GOES_ON,
    ),
    "while a part is renamed": (
        "plain = os.replace\n"
        "def replace(source, target):\n"
        "    if 'part-000000000000100-' in str(target) and 'boards' in str(target):\n"
        "        stop()\n"
        "    plain(source, target)\n"
        "os.replace = replace\n",
        "100 boards are kept; " + GOES_ON,
    ),
    "while nothing is safe for long": (
        "import threading\n"
        "from pipeline.runs import chunks\n"
        "chunks.chunk_tables = lambda *_: (stop(), threading.Event().wait())\n",
        "0 boards are kept; " + GOES_ON,
    ),
}


def run_script(script: str, folder: Path, name: str, environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """`PATIENT` scripts reach a safe point, however busy the machine is; only then does what they say follow."""
    start = f"import os, signal, sys\nstop = lambda: os.kill(os.getpid(), signal.{name})\n"
    done = subprocess.run(
        [sys.executable, "-c", start + script + MAIN, *RUN], cwd=folder, capture_output=True, text=True,
        env={**os.environ, **(environment or {})}, timeout=LONG,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


PATIENT = f"from pipeline import stopping\nstopping.AT_ONCE = stopping.UNBROKEN = stopping.CLEANING = {LONG}\n"
ENDS = {"SIGINT": (130, "stopped by Ctrl-C\n"), "SIGTERM": (143, "stopped by SIGTERM\n")}


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize(("script", "said"), MOMENTS.values(), ids=MOMENTS)
def test_a_signal_ends_a_run_with_its_line_wherever_it_hits(tmp_path: Path, script: str, said: str, name: str) -> None:
    code, line = ENDS[name]
    script = script if "threading.Event().wait()" in script else PATIENT + script
    assert run_script(script, tmp_path, name) == (code, "", said + line)
    assert list(tmp_path.rglob(".tmp-*")) == []
    if "boards are kept" in said:
        # What was under way when the signal came is whole, and nothing came after it.
        parts = len(list(tmp_path.glob("r/boards/*/part-*")))
        assert parts == (2 if said.startswith("100 ") else 0)


def test_a_signal_ends_a_compilation(tmp_path: Path) -> None:
    script = (
        "from numba.core import event\n"
        "class Listener(event.Listener):\n"
        "    def on_start(self, happening): stop()\n"
        "    def on_end(self, happening): pass\n"
        "event.register('numba:compile', Listener())\n"
    )
    cold = {"XDG_CACHE_HOME": str(tmp_path / "cold")}
    code, out, err = run_script(script, tmp_path, "SIGINT", cold)
    assert (code, out) == (130, "")
    assert err.endswith("stopped by Ctrl-C\n")
    assert "Traceback" not in err


@contextmanager
def waiting_command(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command whose standard input stays open."""
    process = subprocess.Popen(
        command(*arguments), cwd=folder, text=True, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", ENDS)
def test_a_signal_ends_a_command_that_waits_for_a_line(tmp_path: Path, name: str) -> None:
    with waiting_command(tmp_path, "solve", "-", "--rows", "2", "--cols", "2") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("abcd\n")
        process.stdin.flush()
        assert process.stdout.readline() == "ABCD\t4\t4\t3\t0\t37\n"
        os.killpg(process.pid, signal.Signals[name])
        wait_until(lambda: process.poll() is not None, "its end")
        assert (process.returncode, process.stderr.read()) == ENDS[name]


def test_a_signal_ends_making_puzzles_between_two_of_them(tmp_path: Path) -> None:
    arguments = ("kenken", "generate", "--size", "6", "--count", "1000000")
    with waiting_command(tmp_path, *arguments) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        process.wait()
        assert process.returncode == 130
        assert process.stderr.read().splitlines()[-1] == "stopped by Ctrl-C"
    assert all(line.startswith("6:") for line in (first + rest).splitlines())

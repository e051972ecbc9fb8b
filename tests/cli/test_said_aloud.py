"""What takes long is said while it goes on: a spinner on a terminal, one line otherwise, nothing with -q."""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cli.progress import COMPILING, Compiling, busy
from tests.running import command, pipeline
from tests.waiting import LONG

RUN = ("run", "--boards", "60", "--workers", "1", "--out", "r")
KERNEL = """
import sys
import numba
from pipeline.cli.progress import Compiling
outer = numba.njit(lambda number: number + 1)
inner = numba.njit(lambda number: outer(number) * 2)
with Compiling(quiet=sys.argv[1] == "quiet"):
    print("before", file=sys.stderr)
    print(inner(3), inner(4), inner(3.0), file=sys.stderr)
inner(3j)
"""


@pytest.mark.parametrize(("how", "said"), [("aloud", [COMPILING]), ("quiet", [])])
def test_compiling_is_said_once_when_it_begins_and_only_then(how: str, said: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", KERNEL, how], capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stderr.splitlines()) == (0, ["before", *said, "8 10 8.0"])


def test_what_comes_from_the_cache_is_not_worth_a_word(tmp_path: Path) -> None:
    """Kernels were compiled before the first test."""
    for arguments in (("solve", "ABCDEFGHIJKLMNOP"), ("kenken", "generate", "--size", "6"), (*RUN, "--no-html")):
        outcome = pipeline(*arguments, cwd=tmp_path)
        assert outcome.code == 0
        assert COMPILING not in outcome.err


def on_a_terminal(*arguments: str, cwd: Path) -> tuple[int, str]:
    """Exit code and what stands on standard error, which is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(*arguments), cwd=cwd, stdout=subprocess.DEVNULL, stderr=theirs, stdin=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65_536):
            shown += piece
    except OSError:
        # A terminal whose last program has ended.
        pass
    os.close(ours)
    return process.wait(), shown.decode()


def test_drawing_the_page_is_said_in_a_line_with_a_spinner_or_not_at_all(tmp_path: Path) -> None:
    lines = start_with_page(tmp_path, *RUN).splitlines()
    assert lines.count("drawing the page") == 1
    assert lines.index("drawing the page") < lines.index("page: " + str(tmp_path / "r/report/index.html"))
    assert start_with_page(tmp_path, *RUN, "-q") == ""
    code, shown = on_a_terminal("report", "r", cwd=tmp_path)
    assert code == 0
    # Hidden cursor, the spinner and its text on one line, that line cleared, the cursor shown again.
    assert re.search(r"\x1b\[\?25l.*drawing the page.*\x1b\[2K.*\x1b\[\?25h", shown, re.DOTALL), shown
    assert shown.rstrip().endswith("index.html")


def start_with_page(folder: Path, *arguments: str) -> str:
    """Standard error of a command that draws its page."""
    done = subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_those_who_compile_elsewhere_say_it_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", said := io.StringIO())
    with Compiling() as compiling:
        for _ in range(2):
            compiling.begin()
            compiling.begin()
            compiling.end()
            compiling.end()
    with busy("something"):
        pass
    with busy("something else", quiet=True):
        pass
    assert said.getvalue() == f"{COMPILING}\nsomething\n"


@pytest.mark.parametrize(("pattern", "sign"), [("[", "["), ("[ab]*", "["), ("a-z", "-"), ("r2*", "2"), ("", "")])
def test_a_pattern_of_words_is_letters_and_two_signs(tmp_path: Path, pattern: str, sign: str) -> None:
    assert pipeline(*RUN, cwd=tmp_path).code == 0
    outcome = pipeline("words", "r", "--pattern", pattern, cwd=tmp_path)
    if sign:
        assert outcome.error_line.startswith(
            f"error: --pattern {pattern!r}: {sign!r} is no letter; it takes letters, ?"
        )
    else:
        assert outcome.code == 0


def test_help_lists_the_exit_codes(tmp_path: Path) -> None:
    told = " ".join(pipeline("--help", cwd=tmp_path).out.split())
    for code in ("0 done", "1 no,", "2 wrong input", "130 stopped by Ctrl-C", "143 by SIGTERM"):
        assert code in told

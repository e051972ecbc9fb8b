"""Standard streams that are closed, full, or cannot show a character, and surroundings that are gone: no traceback."""

import json
import os
import re
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.running import Outcome, command, row_hash
from tests.waiting import LONG

SPANISH = ("--dice", "es_5x5", "--words", "spanish")
RUN = ("run", "--boards", 300, "--chunk", 100, "--workers", 2, "--no-html", "--out", "r", *SPANISH)


def shell(redirections: str, *arguments: object, cwd: Path, encoding: str = "utf-8", **environment: str) -> Outcome:
    """A command with its streams redirected by a shell."""
    script = f"exec {shlex.join(command(*arguments))} {redirections}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=cwd, env={**os.environ, **environment}, capture_output=True, encoding=encoding,
        timeout=LONG,
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the run `r` of Spanish boards; tests must not change it."""
    folder = tmp_path_factory.mktemp("stored")
    assert shell("", *RUN, cwd=folder).code == 0
    return folder


CLOSED = [">&-", "2>&-", "<&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"]


@pytest.mark.parametrize("streams", CLOSED)
def test_closed_streams_take_nothing_away_from_files(stored: Path, tmp_path: Path, streams: str) -> None:
    """Else the first files that are opened would be the standard streams, and get what is printed."""
    outcome = shell(streams, *RUN, cwd=tmp_path)
    assert (outcome.code, "Traceback" in outcome.err) == (0, False)
    assert ("new: " in outcome.out or "es_5x5: " in outcome.out) == (">&-" not in streams.split())
    assert row_hash(tmp_path / "r") == row_hash(stored / "r")
    log = (tmp_path / "r/run.log").read_text().splitlines()
    assert all(line[:2] == "20" for line in log)


@pytest.mark.parametrize("streams", CLOSED)
@pytest.mark.parametrize(
    ("arguments", "code"), [(["--help"], 0), (["solve", "ABCD"], 0), (["solve", "ABCDE"], 2), (["solve", "-"], 0)]
)
def test_exit_codes_are_the_same_with_closed_streams(
    tmp_path: Path, streams: str, arguments: list[str], code: int
) -> None:
    outcome = shell(f"< /dev/null {streams}", *arguments, cwd=tmp_path)
    assert (outcome.code, "Traceback" in outcome.err) == (code, False)


@pytest.mark.parametrize("arguments", [["solve", "ABCD"], ["trace", "AB", "A"], ["--help"], ["dice", "list", "--json"]])
def test_a_full_disk_behind_standard_output_is_one_line(tmp_path: Path, arguments: list[str]) -> None:
    line = shell("> /dev/full", *arguments, cwd=tmp_path).error_line
    assert line == "error: cannot read or write: No space left on device"


SURROUNDINGS: dict[str, dict[str, str]] = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0"},
}
SHOWN = [
    ["dice", "show", "es_5x5"],
    ["solve", "año/mañ", "--words", "spanish"],
    ["words", "r", "--pattern", "*ñ*"],
    ["query", "r", "SELECT 'Ñ’' AS sign, count(*) FROM boards", "--format", "csv"],
    ["report", "r", "--no-html"],
    ["boards", "r"],
    ["solve", "Ž1’x"],
    ["--help"],
]


@cache
def in_utf_8(folder: Path, *arguments: str) -> Outcome:
    return shell("", *arguments, cwd=folder, PYTHONIOENCODING="utf-8")


NAMES = ["ascii", pytest.param("latin-1", marks=pytest.mark.long), "C"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_characters_that_cannot_be_shown_are_replaced_and_told(stored: Path, arguments: list[str], name: str) -> None:
    encoding = "ascii" if name == "C" else name
    outcome = shell("", *arguments, cwd=stored, encoding=encoding, **SURROUNDINGS[name])
    assert "Traceback" not in outcome.err
    if name == "C" and not "".join(arguments).isascii():
        assert "is not ascii text" in outcome.error_line
        return
    plain = in_utf_8(stored, *arguments)
    assert outcome.code == plain.code
    assert without_time(outcome.out) == without_time(plain.out.encode(encoding, "replace").decode(encoding))
    lost = plain.out.encode(encoding, "ignore").decode(encoding) != plain.out
    assert ("printed as ?" in outcome.err) == lost


def without_time(text: str) -> str:
    return re.sub(r"in [\d,]+ microseconds", "in a moment", text)


@pytest.mark.parametrize("name", NAMES)
def test_answers_for_programs_lose_nothing(stored: Path, name: str) -> None:
    for arguments in (["dice", "show", "es_5x5", "--json"], ["boards", "r", "--json"], ["words", "r", "--json"]):
        plain = in_utf_8(stored, *arguments)
        encoding = "ascii" if name == "C" else name
        outcome = shell("", *arguments, cwd=stored, encoding=encoding, **SURROUNDINGS[name])
        assert json.loads(outcome.out) == json.loads(plain.out)


def in_a_removed_folder(folder: Path, *arguments: object) -> Outcome:
    (folder / "gone").mkdir()
    script = f"rmdir ../gone; exec {shlex.join(command(*arguments))}"
    done = subprocess.run(["bash", "-c", script], cwd=folder / "gone", capture_output=True, text=True, timeout=LONG)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "arguments", [["run", "--boards", 10], ["run", "--boards", 10, "--out", "r"], ["report", "r"], ["verify", "r"]]
)
def test_a_removed_current_folder_is_one_line(tmp_path: Path, arguments: list[object]) -> None:
    assert in_a_removed_folder(tmp_path, *arguments).error_line


@pytest.mark.parametrize("arguments", [["solve", "ABCD"], ["--help"], ["dice", "list"], ["shake"]])
def test_what_needs_no_folder_works_in_a_removed_one(tmp_path: Path, arguments: list[object]) -> None:
    assert in_a_removed_folder(tmp_path, *arguments).code == 0


def test_a_log_that_cannot_be_written_is_one_line_and_nothing_is_begun(tmp_path: Path) -> None:
    (tmp_path / "r/run.log").mkdir(parents=True)
    line = shell("", *RUN, cwd=tmp_path).error_line
    assert line == f"error: cannot write the log {tmp_path}/r/run.log: it is no file; move it away"
    assert [path.name for path in (tmp_path / "r").iterdir()] == ["run.log"]


def test_the_same_dice_under_another_name_are_told_from_those_of_the_run(stored: Path, tmp_path: Path) -> None:
    shutil.copytree(stored / "r", tmp_path / "r")
    shown = json.loads(shell("", "dice", "show", "es_5x5", "--json", cwd=tmp_path).out)
    dice = [" ".join(face or "." for face in die) for die in shown["dice"]]
    keys = {"rows": 5, "columns": 5, "language": "es", "min_length": shown["min_length"], "dice": dice}
    (tmp_path / "renamed.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
    renamed = [str(tmp_path / "renamed.toml") if word == "es_5x5" else word for word in RUN]
    line = shell("", *renamed, cwd=tmp_path).error_line
    assert "r holds this run with dice es_5x5, which is now called renamed" in line

"""What fuzzing found, as the kind of fault it was: each is refused in one line, wherever the same thing can come in."""

import fcntl
import io
import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.runs.opening import open_run
from pipeline.store.parts import decode, encode
from pipeline.store.run_store import RunStore
from tests.hostile import broken, copy_of_run, example_run, seal
from tests.running import Outcome, pipeline_inside

LONG_NUMBER = "9" * 5_000
READERS_OF_TOML = {
    "dice": ["dice", "show", "./own.toml"],
    "config": ["run", "--config", "./own.toml"],
    "spec": ["kenken", "generate", "--spec", "./own.toml"],
}
TAKERS_OF_NAMES = [
    ["dice", "show", "{}"],
    ["run", "--config", "{}"],
    ["run", "--words", "{}"],
    ["run", "--out", "{}"],
    ["kenken", "generate", "--spec", "{}"],
    ["kenken", "solve", "{}"],
    ["report", "{}"],
]


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    """Runs a command within this process, in a folder of its own; returns its one line."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> str:
        outcome: Outcome = pipeline_inside(list(arguments), capsys, monkeypatch)
        assert outcome.err.rstrip("\n").isprintable(), outcome.err
        return outcome.error_line

    return run


@pytest.mark.parametrize("kind", READERS_OF_TOML)
def test_a_number_too_long_to_read(refused, tmp_path: Path, kind: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "own.toml").write_text(f"size = {LONG_NUMBER}")
    assert "own.toml holds a number too long to read" in refused(*READERS_OF_TOML[kind])


def test_a_key_that_is_a_number_too_long_to_read(refused, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "own.toml").write_text(f"size = 4\ncage_sizes = {{ {LONG_NUMBER} = 1 }}")
    assert "cages of '999" in refused(*READERS_OF_TOML["spec"])


ODD_NAMES = {
    f"./{'a' * 300}": "File name too long",
    "./two\nlines\x1b[2J": "two\\nlines\\x1b[2J",
    "./half \ud800": "is not utf-8 text",
}


@pytest.mark.parametrize("arguments", TAKERS_OF_NAMES, ids=" ".join)
@pytest.mark.parametrize(("name", "said"), ODD_NAMES.items(), ids=["too long", "two lines", "no text"])
def test_odd_names(refused, arguments: list[str], name: str, said: str) -> None:  # type: ignore[no-untyped-def]
    if "--out" in arguments and said.startswith("two"):
        # A name like any other; the run that would begin there is refused where it is a file.
        Path(name).write_text("")
    assert said in refused(*(word.format(name) for word in arguments))


@pytest.mark.parametrize("arguments", TAKERS_OF_NAMES, ids=" ".join)
def test_the_home_of_nobody(refused, tmp_path: Path, arguments: list[str]) -> None:  # type: ignore[no-untyped-def]
    if arguments[1] == "--out":
        (tmp_path / "~nobody-here").write_text("")
    assert "~nobody-here" in refused(*(word.format("~nobody-here/x.toml") for word in arguments))


def test_boards_that_are_no_text(refused, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\nABCD\n"), "utf-8"))
    line = refused("solve", "-", "--rows", "2", "--cols", "2", "--strict")
    assert line == "error: line 1: board b'\\xff' holds bytes that are no text; give letters"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"one\ntwo\x1b[2J", b""])
def test_a_lock_file_of_noise(refused, tmp_path: Path, content: bytes) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "r").mkdir()
    (tmp_path / "r/run.lock").write_bytes(content)
    with (tmp_path / "r/run.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "r is in use by" in refused("run", "--boards", "10", "--out", "r")


def without(run: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in run.items() if name != key}


WRONG_RUNS = {
    "key 'layout' is missing": lambda run: without(run, "layout"),
    "key 'versions' is missing": lambda run: without(run, "versions"),
    "not that of boggle": lambda run: {**run, "layout": {**run["layout"], "rows": "words"}},
    "its game is 'chess'": lambda run: {**run, "game": "chess"},
    "are not of the same variants": lambda run: {**run, "items": {}},
    "settings contradict its identity": lambda run: {**run, "settings": {**run["settings"], "seed": 2}},
    "settings.dice.new 3": lambda run: {**run, "settings": {**run["settings"], "dice": {"new": 3}}},
    "is broken: 'utf-8' codec": lambda run: {**run, "versions": {"python": "\ud800"}},
    "is broken: Out of range": lambda run: {**run, "settings": {**run["settings"], "language": 1e400}},
    "does not match its run id": lambda run: {**run, "identity": {**run["identity"], "seed": 2}},
    "run_id 3: must be a valid string": lambda run: {**without(run, "identity"), "run_id": 3},
}


@pytest.mark.parametrize(("said", "change"), WRONG_RUNS.items(), ids=WRONG_RUNS)
def test_a_run_json_with_anything_wrong_in_it(refused, tmp_path: Path, said: str, change) -> None:  # type: ignore[no-untyped-def]
    run = change(json.loads(example_run()[1]["run.json"]))
    folder = copy_of_run(tmp_path, {"run.json": json.dumps(run).encode()})
    assert said in refused("report", str(folder))


def read_every_way(run: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Whatever reads parts gives an answer or one line; returns what `verify` said."""
    for arguments in (
        ["boards", str(run), "--id", "0"],
        ["query", str(run), "SELECT max(board) FROM boards"],
        ["query", str(run), "SELECT word, sum(boards) FROM words GROUP BY word"],
        ["words", str(run)],
        ["report", str(run), "--no-html"],
        ["verify", str(run)],
    ):
        outcome = pipeline_inside(arguments, capfd, monkeypatch)
        assert len(outcome.err.splitlines()) == (1 if outcome.code == 2 else 0), outcome
    return outcome.out + outcome.err


@pytest.mark.parametrize("seal_again", [False, True])
@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("classic/part-000000000000000", "e1cf9961f967bdaf"),
        ("boards/dice=new/part-000000000000000", "fffeffff"),
        ("words/dice=new/part-000000000000000", "efd45597a242fdf11f8f2b1a0489eb2f"),
        ("words/lexicon", "a8c74107"),
        ("words/lexicon", "eff8f8357e44cd31"),
    ],
)
def test_parts_with_odd_bytes_in_footer_and_pages(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    edits: str,
    seal_again: bool,
) -> None:
    path = next(one for one in example_run()[1] if name in one)
    data = broken(example_run()[1][path], bytes.fromhex(edits))
    said = read_every_way(copy_of_run(tmp_path, {path: seal(data) if seal_again else data}), capfd, monkeypatch)
    assert seal_again or path in said


def sealed(store: RunStore, path: str, change) -> dict[str, bytes]:  # type: ignore[no-untyped-def]
    """A part changed and given a true checksum and label."""
    part = next(part for part in store.parts("new") if path.endswith(part.name))
    return {path: encode(change(decode(example_run()[1][path])), store.label("new", part))}


def no_text(table: pa.Table) -> pa.Table:
    """The first board's letters replaced by bytes that are no text."""
    texts = [b"\xff\xff", *(text.encode() for text in table["board"].to_pylist()[1:])]
    lengths = pa.array([0, *accumulate(map(len, texts))], pa.int32())
    column = pa.Array.from_buffers(pa.string(), len(texts), [None, lengths.buffers()[1], pa.py_buffer(b"".join(texts))])
    return table.set_column(table.schema.get_field_index("board"), table.schema.field("board"), column)


def test_a_part_whose_text_is_no_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = open_run(str(example_run()[0]))
    path = next(name for name in example_run()[1] if name.startswith("boards/dice=new/"))
    run = str(copy_of_run(tmp_path, sealed(whole, path, no_text)))
    for arguments in (["boards", run, "--id", "0"], ["query", run, "SELECT max(board) FROM boards"], ["report", run]):
        outcome = pipeline_inside([*arguments], capsys, monkeypatch)
        assert (outcome.code, len(outcome.err.splitlines())) == (2, 1), outcome
        assert "utf" in outcome.err.lower()
    outcome = pipeline_inside(["verify", run], capsys, monkeypatch)
    assert outcome.code == 1
    assert f"{path} cannot be read (" in outcome.out

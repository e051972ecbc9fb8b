"""Wrong input gets one clear line and exit code 2, and leaves nothing behind."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import Outcome, command, pipeline, pipeline_inside

FILES = {
    "empty.txt": b"",
    "binary.txt": bytes(range(256)),
    "nowords.txt": b"a1\n22\n",
    "latin1.txt": "caf\u00e9\n".encode("latin-1"),
    "broken.txt.gz": b"\x1f\x8b\x08\x00broken",
    "five.toml": b'rows = 1\ncolumns = 1\ndice = ["A B C D E"]\n',
    "nonletter.toml": b'rows = 1\ncolumns = 1\ndice = ["A B C D E 7"]\n',
    "short.toml": b'rows = 2\ncolumns = 2\ndice = ["A B C D E F"]\n',
    "badkey.toml": b"bords = 1\n",
    "badvalue.toml": b'boards = "many"\n',
    "other/file": b"x",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("run --dice nwe", "unknown dice set 'nwe'; did you mean new?"),
        ("run --dice five.toml", "die 1 (A B C D E) has 5 faces, not six"),
        ("run --dice nonletter.toml", "face '7' is not a letter"),
        ("run --dice short.toml", "1 dice do not fill a grid of 2 x 2 = 4"),
        ("run --dice new --dice new", "'new' is given twice"),
        ("run --dice missing.toml", "missing.toml does not exist"),
        ("run --words missing.txt", "missing.txt does not exist"),
        ("run --words enabel1", "did you mean enable1"),
        ("run --words empty.txt", "empty.txt is empty"),
        ("run --words binary.txt", "binary.txt is a binary file"),
        ("run --words nowords.txt", "no word in the list"),
        ("run --words latin1.txt", "latin1.txt is not UTF-8 text (line 1)"),
        ("run --words broken.txt.gz", "broken gzip file"),
        ("run --words other", "unknown word list 'other'"),
        ("run --words ./other", "./other is not a file"),
        ("run --min-length 99 --boards 10", "none of the 172,820 words is usable"),
        ("run --boards 0", "--boards 0: must be greater than or equal to 1"),
        ("run --boards -3", "--boards -3: must be"),
        ("run --boards many", "'--boards'"),
        ("run --workers 0", "--workers 0: must be"),
        ("run --seed -1", "--seed -1: must be"),
        ("run --executor cluster", "--executor 'cluster' is not known; known are process, thread, serial, dask"),
        ("run --solver quantum --boards 10", "solver 'quantum' is not known"),
        ("run --scoring triple --boards 10", "scoring 'triple' is not known"),
        ("run --language tlh", "language 'tlh' is not known"),
        ("run --out empty.txt --boards 10", "empty.txt: it is a file"),
        ("run --out other --boards 10", "other is not empty and holds no run"),
        ("run --out /proc/nothing --boards 10", "/proc/nothing"),
        ("run --config badkey.toml", "unknown key 'bords'; did you mean boards"),
        ("run --config badvalue.toml", "badvalue.toml: boards 'many': must be a valid integer"),
        ("run --config missing.toml", "missing.toml does not exist"),
        ("run --bords 3", "--bords"),
        ("report nothing", "no run 'nothing'"),
        ("compare nothing", "no run 'nothing'"),
        ("query nothing SELECT", "no run 'nothing'"),
        ("shake --dice nwe", "did you mean new"),
        ("shake --count 0", "count"),
        ("shake --index -1", "out of range"),
        ("dice show nwe", "did you mean new"),
        ("walk", "'walk'"),
    ],
)
def test_wrong_input_is_one_line(
    folder: Path,
    arguments: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = sorted(folder.rglob("*"))
    monkeypatch.chdir(folder)
    line = pipeline_inside(arguments.split(), capsys, monkeypatch).error_line
    assert line.startswith("error: ")
    assert message in line
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("arguments", ["dice list", "run --boards 0", "trace AB C", "query nothing SELECT"])
def test_a_forked_command_does_what_a_started_one_does(tmp_path: Path, arguments: str) -> None:
    """Most tests fork their commands: see forking.py."""
    done = subprocess.run(command(*arguments.split()), cwd=tmp_path, capture_output=True, text=True)
    assert pipeline(*arguments.split(), cwd=tmp_path) == Outcome(done.returncode, done.stdout, done.stderr)


def test_sql_errors_are_one_line_that_names_the_columns(folder: Path) -> None:
    assert pipeline("run", "--boards", 100, "--out", "run", cwd=folder).code == 0
    for sql in ("SELECT nothing FROM boards", "SELEC 1", "SELECT * FROM nowhere", "SELECT 1 +"):
        line = pipeline("query", "run", sql, cwd=folder).error_line
        assert line.startswith("error: SQL: ")
        assert "board_id" in line
    assert (
        "asks nothing; one is answered at a time; ask with SELECT"
        in pipeline("query", "run", "", cwd=folder).error_line
    )
    assert "format 'xml' is not known" in pipeline("query", "run", "SELECT 1", "--format", "xml", cwd=folder).error_line


@pytest.mark.parametrize(("form", "expected"), [("csv", "dice,n\nnew,100\n"), ("json", '[{"dice":"new","n":100}]\n')])
def test_a_query_answers_in_the_asked_format(folder: Path, form: str, expected: str) -> None:
    assert pipeline("run", "--boards", 100, "--out", "run", cwd=folder).code == 0
    sql = "SELECT dice, count(*) AS n FROM boards GROUP BY dice"
    assert pipeline("query", "run", sql, "--format", form, cwd=folder).out == expected


def every_command() -> list[list[str]]:
    from pipeline.cli.app import app

    found: list[list[str]] = []
    for group in [None, *app.registered_groups]:
        registered = app.registered_commands if group is None else group.typer_instance.registered_commands
        prefix = [] if group is None else [group.name]
        for one in registered:
            found.append([*prefix, one.name or one.callback.__name__])
    return found


@pytest.mark.parametrize("command", every_command(), ids=" ".join)
def test_every_command_has_help_and_an_example(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = pipeline_inside([*command, "--help"], capsys, monkeypatch)
    assert outcome.code == 0
    assert re.search(r"Example: +pipeline", outcome.out)


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    script = (
        "import sys; from pipeline.cli import app; "
        "heavy = {'numba', 'numpy', 'polars', 'pyarrow', 'pydantic', 'scipy', 'altair', 'rich'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])

"""Version, completion, export, the newest run, guide: what a person meets around the commands."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.guide import ORDER
from pipeline.versions import own_version
from tests.running import pipeline, rows_of

PROGRAM = Path(sys.executable).with_name("pipeline")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("package")
    for seed in (1, 2):
        outcome = pipeline("run", "--boards", 300, "--chunk", 100, "--seed", seed, "--dice", "new", cwd=place)
        assert outcome.code == 0, outcome.err
        for run in (place / "outputs").iterdir():
            made = run / "run.json"
            age = 100 if f"-s{seed}-" in run.name else 200
            os.utime(made, (made.stat().st_mtime - age,) * 2)
    return place


def test_the_version_is_said(tmp_path: Path) -> None:
    assert pipeline("--version", cwd=tmp_path).out == f"shakedown {own_version()}\n"


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not installed in this environment")
@pytest.mark.parametrize("program", ["pipeline", "shakedown"])
def test_both_names_are_the_same_program(tmp_path: Path, program: str) -> None:
    done = subprocess.run(
        [PROGRAM.with_name(program), "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"shakedown {own_version()}\n"


def test_export_writes_every_row_in_every_format(folder: Path) -> None:
    rows = rows_of(next((folder / "outputs").glob("*-s2-*")))
    wanted = rows.select("board", "score", pl.lit("new").alias("dice"))
    for form in ("csv", "json", "parquet", "arrow"):
        out = folder / f"rows.{form}"
        outcome = pipeline(
            "export", "latest", "--format", form, "--columns", "board,score,dice", "--out", out, cwd=folder
        )
        assert outcome.code == 0, outcome.err
        if form == "csv":
            lines = list(csv.reader(io.StringIO(out.read_text())))
            assert lines[0] == ["board", "score", "dice"]
            assert [(board, int(score), dice) for board, score, dice in lines[1:]] == wanted.rows()
        elif form == "json":
            read = [json.loads(line) for line in out.read_text().splitlines()]
            assert [tuple(row.values()) for row in read] == wanted.rows()
        else:
            table = pq.read_table(out) if form == "parquet" else pa.ipc.open_file(out).read_all()
            assert [tuple(row.values()) for row in table.to_pylist()] == wanted.rows()
    assert not list(folder.glob(".rows*"))
    every = pipeline("export", "latest", cwd=folder).out.splitlines()
    assert len(every) == 301
    assert every[0].split(",")[:4] == ["board_id", "board", "words", "score"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "xml"], "format 'xml' is not known; known are csv, json, parquet, arrow"),
        (["--columns", "scor"], "no column 'scor'; did you mean score?"),
        (["--out", "no/such/place.csv"], "cannot write"),
    ],
)
def test_export_refuses_in_one_line(folder: Path, arguments: list[str], message: str) -> None:
    assert message in pipeline("export", "latest", *arguments, cwd=folder).error_line


def test_the_newest_run_is_latest(folder: Path) -> None:
    shown = json.loads(pipeline("report", "latest", "--json", cwd=folder).out)
    assert shown["run"]["settings"]["seed"] == 2
    assert "no run" in pipeline("report", "latest", cwd=folder / "outputs").error_line


def test_the_guide_is_listed_and_read(tmp_path: Path) -> None:
    listed = pipeline("guide", cwd=tmp_path).out.splitlines()
    assert [line.split()[0] for line in listed] == list(ORDER)
    assert pipeline("guide", "exact", cwd=tmp_path).out.startswith("# Exact expectations\n")
    assert "did you mean exact?" in pipeline("guide", "exakt", cwd=tmp_path).error_line


BASH = """
eval "$(pipeline --show-completion bash)"
COMP_WORDS=({words}); COMP_CWORD={place}
_pipeline_completion pipeline
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
autoload -U compinit; compinit -u
_arguments() {{ :; }}
compadd() {{ print -rl -- "$@" }}
_describe() {{ local -a found; found=("${{(@P)3:-${{(@P)2}}}}"); print -rl -- "${{found[@]}}" }}
words=({words}); CURRENT={current}
env _TYPER_COMPLETE_ARGS="{line}" _PIPELINE_COMPLETE=complete_zsh pipeline
"""
COMPLETED = [
    (["pipeline", "ver"], "verify"),
    (["pipeline", "run", "--dice", "class"], "classic"),
    (["pipeline", "run", "--words", "enable2"], "enable2k"),
    (["pipeline", "report", "lat"], "latest"),
    (["pipeline", "guide", "comp"], "comparing"),
]


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not installed in this environment")
@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize(("words", "expected"), COMPLETED, ids=[expected for _, expected in COMPLETED])
def test_a_shell_completes_commands_ids_and_runs(folder: Path, shell: str, words: list[str], expected: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    typed = " ".join(words)
    script = (
        BASH.format(words=typed, place=len(words) - 1)
        if shell == "bash"
        else ZSH.format(words=typed, current=len(words), line=typed)
    )
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [program, "-c", script], cwd=folder, capture_output=True, text=True, env=environment, check=False
    )
    assert expected in done.stdout, (done.stdout, done.stderr)

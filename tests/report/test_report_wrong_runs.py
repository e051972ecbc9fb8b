"""Runs that cannot be reported end in one line that names the place and the remedy."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.runs.opening import open_run
from pipeline.store.parts import encode, parse_name
from pipeline.store.run_file import run_id
from pipeline.store.run_store import RunStore
from tests.running import Outcome, pipeline_inside


@pytest.fixture
def run(two_sets: RunStore, tmp_path: Path) -> Path:
    """A copy that a test may break."""
    shutil.copytree(two_sets.location, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    return lambda *arguments: pipeline_inside([str(one) for one in arguments], capsys, monkeypatch)


def label(run: Path, path: Path) -> str:
    """What the footer of a part of this name has to say."""
    named = parse_name(path.name)
    assert named is not None
    return open_run(str(run)).label(path.parent.name.partition("=")[2], named, path.parent.parent.name)


COMMANDS = ["report", "words", "boards"]


def part(run: Path, kind: str = "boards", variant: str = "new", place: int = 1) -> Path:
    return sorted((run / kind / f"dice={variant}").glob("part-*.parquet"))[place]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_without_parts(run: Path, say: Callable[..., Outcome], command: str) -> None:
    shutil.rmtree(run / "boards")
    line = say(command, run).error_line
    assert "holds 0 of 2,500 boards of classic; finish it with the same `pipeline run` command" in line


@pytest.mark.parametrize("command", COMMANDS)
def test_half_a_run(run: Path, say: Callable[..., Outcome], command: str) -> None:
    part(run).unlink()
    assert "holds 1,500 of 2,500 boards of new" in say(command, run).error_line


def test_half_a_run_can_be_reported_as_far_as_it_goes(run: Path, say: Callable[..., Outcome]) -> None:
    part(run, place=2).unlink()
    done = say("report", run, "--boards", 2_000, "--no-html")
    assert done.code == 0
    assert "new: 2,000 boards" in done.out


@pytest.mark.parametrize("command", ["report", "boards"])
def test_a_part_with_another_schema(run: Path, say: Callable[..., Outcome], command: str) -> None:
    path = part(run)
    table = pq.ParquetFile(path).read()
    path.write_bytes(encode(table.rename_columns(["number", *table.column_names[1:]]), label(run, path)))
    line = say(command, run).error_line
    assert f"part {path} has other columns than this version writes" in line


def test_a_part_with_other_rows_than_its_name_says(run: Path, say: Callable[..., Outcome]) -> None:
    path = part(run)
    shutil.copy(part(run, place=2), path)
    assert f"part {path} holds something else" in say("report", run).error_line
    path.write_bytes(encode(pq.ParquetFile(part(run, place=2)).read(), label(run, path)))
    assert "has 500 rows, its name says 1,000" in say("report", run).error_line


@pytest.mark.parametrize("command", ["report", "boards"])
def test_a_part_that_is_no_parquet(run: Path, say: Callable[..., Outcome], command: str) -> None:
    part(run).write_bytes(b"nothing of the kind")
    line = say(command, run).error_line
    assert f"part {part(run)} is not what was written" in line
    assert "pipeline verify" in line


@pytest.mark.parametrize("command", [*COMMANDS, "compare"])
def test_a_run_of_another_format(run: Path, say: Callable[..., Outcome], command: str) -> None:
    stored = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**stored, "format": 0}))
    line = say(command, run).error_line
    assert "run.json has format 0; this version reads format" in line
    assert "make the run again" in line


def test_word_counts_that_are_missing(run: Path, say: Callable[..., Outcome]) -> None:
    lost = part(run, "words")
    lost.unlink()
    assert f"part {lost} is missing" in say("words", run).error_line


def test_word_counts_that_are_broken(run: Path, say: Callable[..., Outcome]) -> None:
    part(run, "words").write_bytes(b"PAR1")
    assert f"part {part(run, 'words')} is not what was written" in say("words", run).error_line


def test_word_counts_of_words_that_are_not_in_the_list(run: Path, say: Callable[..., Outcome]) -> None:
    path = part(run, "words")
    table = pq.ParquetFile(path).read()
    ids = pa.array([10**9] * table.num_rows, pa.uint32())
    path.write_bytes(encode(table.set_column(0, table.schema.field(0), ids), label(run, path)))
    assert "counts a word that is not in the list" in say("words", run).error_line


@pytest.mark.parametrize("command", ["words", "boards"])
def test_a_run_whose_boards_followed_otherwise_from_the_seed(
    run: Path, say: Callable[..., Outcome], command: str
) -> None:
    stored = json.loads((run / "run.json").read_text())
    stored["identity"]["semantics"] = 0
    (run / "run.json").write_text(json.dumps({**stored, "run_id": run_id(stored["identity"])}))
    assert "its boards cannot be made again; make the run again" in say(command, run).error_line


@pytest.mark.parametrize("command", ["words", "boards"])
def test_a_lexicon_of_another_list(run: Path, say: Callable[..., Outcome], command: str) -> None:
    path = run / "words" / "lexicon.parquet"
    table = pq.ParquetFile(path).read()
    words = ["zzz", *table.column("word").to_pylist()[1:]]
    changed = table.set_column(1, table.schema.field(1), pa.array(words))
    path.write_bytes(encode(changed, open_run(str(run)).lexicon_label))
    assert "does not hold the word list that run" in say(command, run).error_line


@pytest.mark.parametrize("command", ["words", "boards"])
def test_a_lexicon_that_is_missing(run: Path, say: Callable[..., Outcome], command: str) -> None:
    (run / "words" / "lexicon.parquet").unlink()
    assert "has no word list" in say(command, run).error_line


def test_words_by_length_that_are_not_all_words_are_a_fault(run: Path, say: Callable[..., Outcome]) -> None:
    path = part(run)
    table = pq.ParquetFile(path).read()
    more = pa.array([count + (place == 3) for place, count in enumerate(table["words_5"].to_pylist())], pa.uint32())
    changed = table.set_column(table.schema.get_field_index("words_5"), table.schema.field("words_5"), more)
    path.write_bytes(encode(changed, label(run, path)))
    done = say("verify", run, "--sample", 0)
    assert done.code == 1
    words = table["words"][3].as_py()
    assert f"has {words} words on board 1003, by length they are {words + 1}" in done.out

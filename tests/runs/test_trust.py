"""No reader trusts a file, no writer writes into another's run, and nothing that is not the run's is deleted."""

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import PipelineError
from pipeline.executors import make_executor
from pipeline.executors.base import Resources
from pipeline.runs.chunks import Chunk, Described, plan_chunks
from pipeline.runs.condense import chunk_tables
from pipeline.runs.opening import open_run, reader
from pipeline.store.files import temporary_prefix
from pipeline.store.kinds import MODES
from pipeline.store.parts import Part
from pipeline.store.run_store import RunStore, check_free, most_rows
from tests.running import Outcome, pipeline_inside
from tests.stored import make_run, rows


@pytest.fixture
def run(tmp_path: Path) -> Path:
    make_run(tmp_path / "r", boards=3_000, dice=["new"])
    return tmp_path / "r"


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    return lambda *arguments: pipeline_inside([str(one) for one in arguments], capsys, monkeypatch)


def flip(path: Path, place: float = 0.4) -> None:
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] ^= 1
    path.write_bytes(data)


READERS = {
    "report": ("report", "--no-html"),
    "compare": ("compare",),
    "query": ("query", "SELECT sum(score) FROM boards"),
    "words": ("words",),
    "boards": ("boards", "--best", "2"),
}


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("kind", ["boards", "words"])
def test_one_flipped_bit_in_a_part_is_refused_by_its_name(
    tmp_path: Path, say: Callable[..., Outcome], command: str, kind: str
) -> None:
    make_run(tmp_path / "r", boards=3_000, dice=["new", "classic"])
    broken = sorted((tmp_path / "r" / kind / "dice=new").iterdir())[1]
    before = say(READERS[command][0], tmp_path / "r", *READERS[command][1:])
    assert before.code == 0
    flip(broken)
    after = say(READERS[command][0], tmp_path / "r", *READERS[command][1:])
    if after.code == 0:
        # A command that does not need this kind says what it said.
        assert after.out == before.out
        assert (command, kind) in {
            ("report", "words"), ("compare", "words"), ("boards", "words"), ("query", "words"), ("words", "boards")
        }  # fmt: skip
    else:
        assert f"part {broken} is not what was written" in after.error_line


def test_one_flipped_bit_is_refused_by_until_and_by_compact(tmp_path: Path, say: Callable[..., Outcome]) -> None:
    store = make_run(tmp_path / "h", boards=4_000, dice=["new"], keep="histograms")
    broken = sorted((tmp_path / "h/histograms/dice=new").iterdir())[2]
    flip(broken)
    with pytest.raises(PipelineError, match="is not what was written"):
        reader(store).histogram_between("new", "score", 2_000, 4_000)
    assert f"{broken.name} is not what was written" in say("compact", tmp_path / "h").error_line


def test_a_commit_into_a_folder_that_was_begun_anew_fails_and_changes_nothing(run: Path) -> None:
    old = open_run(str(run))
    tables = chunk_tables(reader(old).workload, old.mode, "new", Part(0, 1_000))
    shutil.rmtree(run)
    new = make_run(run, boards=3_000, dice=["new"], seed=2)
    before = rows(new, "new")
    with pytest.raises(PipelineError, match="its folder was removed or begun anew"):
        old.commit("new", Part(0, 1_000), tables)
    assert rows(new, "new") == before
    assert not list(run.rglob(".tmp-*"))


def test_a_commit_into_a_folder_that_is_gone_fails(run: Path) -> None:
    old = open_run(str(run))
    tables = chunk_tables(reader(old).workload, old.mode, "new", Part(0, 1_000))
    shutil.rmtree(run)
    with pytest.raises(PipelineError):
        old.commit("new", Part(0, 1_000), tables)
    assert not run.exists()


def test_parts_that_overlap_are_resolved_and_it_is_said(run: Path, say: Callable[..., Outcome]) -> None:
    store = open_run(str(run))
    whole = rows(store, "new")
    tables = chunk_tables(reader(store).workload, store.mode, "new", Part(400, 1_300))
    store.commit("new", Part(400, 1_300), tables)
    assert store.parts("new") == [Part(0, 1_000), Part(1_000, 2_000), Part(2_000, 3_000)]
    assert rows(store, "new") == whole
    again = say("run", "--boards", 3_000, "--out", run, "--no-html")
    assert again.code == 0, again.err
    assert "part boards/dice=new/part-000000000000400-000000000001300.parquet overlaps others" in again.err
    assert rows(open_run(str(run)), "new") == whole
    assert len(list(run.glob("*/dice=new/part-*"))) == 9


ranges = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda one: Part(one[0], one[0] + one[1]))


@given(st.lists(ranges, max_size=8, unique=True), st.integers(1, 50))
def test_of_parts_that_overlap_those_count_that_hold_most_rows_of_the_plan(parts: list[Part], boards: int) -> None:
    chosen = most_rows(parts, boards)
    assert all(one.end <= other.start for one, other in itertools.pairwise(chosen))
    assert set(chosen) <= set(parts)

    def fits(several: tuple[Part, ...]) -> bool:
        ordered = sorted(several)
        return all(one.end <= other.start for one, other in itertools.pairwise(ordered))

    choices = [one for size in range(len(parts) + 1) for one in itertools.combinations(parts, size) if fits(one)]

    def worth(several: Sequence[Part]) -> tuple[int, int, int]:
        planned = sum(len(range(part.start, min(part.end, boards))) for part in several)
        return planned, sum(part.rows for part in several), -len(several)

    assert worth(chosen) == max(map(worth, choices))


def test_a_word_list_that_another_run_left_is_replaced(tmp_path: Path, say: Callable[..., Outcome]) -> None:
    make_run(tmp_path / "r", boards=1_000, dice=["new"], words="enable2k")
    lexicon = (tmp_path / "r/words/lexicon.parquet").read_bytes()
    store = make_run(tmp_path / "s", boards=1_000, dice=["new"])
    (tmp_path / "s/words/lexicon.parquet").write_bytes(lexicon)
    assert "holds something else" in say("words", tmp_path / "s").error_line
    assert say("verify", tmp_path / "s", "--sample", 0).code == 1
    make_run(tmp_path / "s", boards=1_000, dice=["new"])
    assert say("words", tmp_path / "s").code == 0
    assert say("verify", store.location).code == 0


@pytest.mark.parametrize("lost", ["words/lexicon.parquet", "words/dice=new"])
def test_what_belongs_to_a_run_and_is_not_there_is_a_fault_everywhere(
    run: Path, say: Callable[..., Outcome], lost: str
) -> None:
    if (run / lost).is_dir():
        shutil.rmtree(run / lost)
    else:
        (run / lost).unlink()
    assert say("verify", run, "--sample", 0).code == 1
    assert "missing" in say("words", run).error_line
    assert "missing" in say("query", run, "SELECT count(*) FROM words").error_line
    page = say("report", run)
    assert page.code == 2
    assert "missing" in page.err


def test_files_that_are_not_the_runs_are_named_and_never_deleted(run: Path, say: Callable[..., Outcome]) -> None:
    mine = run / "boards/dice=new/notes.txt"
    mine.write_text("keep")
    assert "boards/dice=new/notes.txt is no part of a run" in say("verify", run, "--sample", 0).out
    make_run(run, boards=4_000, dice=["new"])
    assert mine.read_text() == "keep"


def test_temporary_files_are_swept_once_their_writer_has_ended(run: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    prefix = temporary_prefix().replace(f"-{os.getpid()}-", f"-{writer.pid}-")
    path = run / "boards/dice=new" / f"{prefix}abc"
    path.write_bytes(b"half")
    open_run(str(run)).sweep()
    assert path.exists(), "another writer is at it"
    writer.communicate()
    open_run(str(run)).sweep()
    assert not path.exists()


def test_what_a_killed_first_write_left_does_not_fill_a_folder(tmp_path: Path) -> None:
    writer = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    prefix = temporary_prefix().replace(f"-{os.getpid()}-", f"-{writer.stdout.strip()}-")
    (tmp_path / f"{prefix}x").write_bytes(b"{")
    check_free(tmp_path)
    (tmp_path / "other").write_text("")
    with pytest.raises(PipelineError, match="is not empty"):
        check_free(tmp_path)


def test_a_plan_of_a_trillion_boards_is_made_as_it_is_needed(run: Path) -> None:
    plan = plan_chunks(open_run(str(run)), 10**12, 250_000)
    assert (plan.rows, plan.count) == (10**12 - 3_000, 4_000_000)
    assert list(itertools.islice(plan, 2)) == [
        Chunk("new", Part(3_000, 253_000)), Chunk("new", Part(253_000, 503_000))
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["serial", "process"])
def test_executors_ask_for_items_as_they_need_them(name: str) -> None:
    asked: list[int] = []

    def items() -> Iterator[int]:
        for number in itertools.count():
            asked.append(number)
            yield -number

    results = make_executor(Resources(name, 2, 4096)).run(abs, items())
    found = {next(results) for _ in range(50)}
    results.close()
    assert len(found) == 50
    assert len(asked) < 70


def test_a_task_writes_where_its_own_store_says_however_warm_its_worker_is(tmp_path: Path) -> None:
    """A worker keeps what is expensive, by content: never where and how to write."""
    first = make_run(tmp_path / "r", boards=1_000, dice=["new"])
    chunk = Chunk("new", Part(1_000, 2_000))
    Described(first, "numba")(chunk)
    shutil.rmtree(tmp_path / "r")
    second = make_run(tmp_path / "r", boards=1_000, dice=["new"], keep="histograms")
    Described(second, "numba")(chunk)
    elsewhere = make_run(tmp_path / "s", boards=1_000, dice=["new"])
    Described(elsewhere, "numba")(chunk)
    for store in (second, elsewhere):
        assert store.parts("new") == [Part(0, 1_000), Part(1_000, 2_000)]
        assert reader(store).fault("new", Part(1_000, 2_000), {}) == ""
    assert sorted(path.name for path in (tmp_path / "r").iterdir() if path.is_dir()) == [
        "histograms",
        "sums",
        "top",
        "words",
    ]


def test_every_mode_names_what_it_lacks() -> None:
    assert [mode.lacks() for mode in MODES.values()][:3] == ["", "no rows", "no rows and no word counts"]


def test_a_run_in_a_folder_that_looks_like_a_pattern_is_read_alone(tmp_path: Path, say: Callable[..., Outcome]) -> None:
    stores: list[RunStore] = [make_run(tmp_path / name, boards=1_000, dice=["new"], seed=n) for n, name in enumerate(
        ("g*", "gab", "h[1]", "h1", "q?"), 1
    )]  # fmt: skip
    for store in stores:
        total = sum(row["score"] for row in rows(store, "new"))
        answer = say("query", store.location, "SELECT sum(score) AS s, count(*) AS n FROM boards", "--format", "csv")
        assert answer.out.splitlines()[1] == f"{total},1000", store.location

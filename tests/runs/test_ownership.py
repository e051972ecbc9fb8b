"""A run's folder is its own: whoever still works for one that was there before changes nothing, and what is taken away
while a run goes on is computed again."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.config import RunConfig, load
from pipeline.errors import PipelineError
from pipeline.games import read_run
from pipeline.runs.condense import chunk_tables
from pipeline.runs.opening import open_run, reader
from pipeline.runs.run import Progress, describe_run, run
from pipeline.store import lock
from pipeline.store.files import LocalFiles
from pipeline.store.parts import Part
from pipeline.store.run_store import RunStore, check_free, create_or_open
from tests.running import Outcome, pipeline_inside
from tests.stored import make_run, rows, workload_of
from tests.waiting import parts_of


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    return lambda *arguments: pipeline_inside([str(one) for one in arguments], capsys, monkeypatch)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def old_and_new(tmp_path: Path) -> tuple[RunStore, Path]:
    """A run whose folder another one has by now."""
    old = make_run(tmp_path / "r", boards=2_000, dice=["new"])
    shutil.rmtree(tmp_path / "r")
    make_run(tmp_path / "r", boards=2_000, dice=["new"], seed=2)
    return old, tmp_path / "r"


CHANGES: dict[str, Callable[[RunStore], object]] = {
    "planned for more boards": lambda store: store.extend(9_000),
    "told why it stopped": lambda store: store.rewritten(until=None),
    "swept": lambda store: store.sweep(),
    "rid of broken parts": lambda store: store.drop_broken(reader(store).schemas),
    "rid of parts that lack others": lambda store: store.drop_incomplete(["boards", "words", "top"]),
    "given a file": lambda store: store.write("report/summary.json", b"{}"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_who_works_for_a_run_that_was_there_before_changes_nothing(
    old_and_new: tuple[RunStore, Path], change: str
) -> None:
    old, folder = old_and_new
    # What the new run's own worker is at: words that are there before their boards are.
    made = sorted(folder.glob("boards/*/part-*"))[1]
    made.unlink()
    before = contents(folder)
    with pytest.raises(PipelineError, match="no longer the one that this process works for"):
        CHANGES[change](old)
    assert contents(folder) == before


def test_a_run_is_not_begun_in_a_folder_that_is_another_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between looking for run.json and writing it."""
    place = tmp_path / "r"
    make = LocalFiles.make

    def meanwhile(files: LocalFiles) -> None:
        monkeypatch.setattr(LocalFiles, "make", make)
        shutil.rmtree(place)
        make_run(place, boards=1_000, dice=["new"], seed=2)

    workload = workload_of(RunConfig())
    with lock.hold_run(str(place)) as lease:
        monkeypatch.setattr(LocalFiles, "make", meanwhile)
        with pytest.raises(PipelineError, match="was removed while this process worked in it"):
            create_or_open(str(place), describe_run(workload, 1_000, 1_000), read_run, lease)
    assert json.loads((place / "run.json").read_text())["settings"]["seed"] == 2
    assert rows(open_run(str(place)), "new")
    assert not list(place.rglob(".tmp-*"))


def test_a_lock_on_a_file_that_is_gone_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take = lock._try_lock

    def remove_first(descriptor: int) -> bool:
        shutil.rmtree(tmp_path / "r")
        return take(descriptor)

    monkeypatch.setattr(lock, "_try_lock", remove_first)
    with pytest.raises(PipelineError, match="was removed"), lock.hold(tmp_path / "r"):
        raise AssertionError("held by nobody's file")


def test_a_folder_that_is_removed_while_a_part_is_written_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = LocalFiles(tmp_path / "gone")
    monkeypatch.setattr(Path, "is_dir", lambda path: True)
    with pytest.raises(PipelineError, match="cannot write"):
        files.write_all([("boards/dice=new/part", b"1")])
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("lost", ["boards/dice=new", "words/dice=new"])
def test_what_is_taken_away_while_a_run_goes_on_is_computed_again(
    tmp_path: Path, lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = make_run(tmp_path / "s", boards=3_000, dice=["new"])

    def take(result: object) -> None:
        if len(parts_of(tmp_path / "r")) == 2 and not taken:
            taken.append(sorted((tmp_path / "r" / lost).iterdir())[0])
            taken[0].unlink()

    taken: list[Path] = []
    flags = {"out": str(tmp_path / "r"), "executor": "serial", "chunk": 1_000, "boards": 3_000, "dice": ["new"]}
    done = run(load(None, flags), Progress(lambda *_: None, take))
    assert taken
    assert done.solved == 4_000
    assert contents_of_kinds(tmp_path / "r") == contents_of_kinds(tmp_path / "s")
    assert rows(done.store, "new") == rows(whole, "new")


def contents_of_kinds(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(folder).items() if name.endswith(".parquet")}


def test_parts_that_are_taken_away_again_and_again_end_the_run(tmp_path: Path) -> None:
    def take(result: object) -> None:
        for part in parts_of(tmp_path / "r", "words"):
            part.unlink()

    flags = {"out": str(tmp_path / "r"), "executor": "serial", "chunk": 1_000, "boards": 1_000, "dice": ["new"]}
    with pytest.raises(PipelineError, match="are taken away while it goes on"):
        run(load(None, flags), Progress(lambda *_: None, take))


def test_a_whole_run_stays_whole_whatever_a_straggler_of_a_larger_one_leaves(
    tmp_path: Path, say: Callable[..., Outcome]
) -> None:
    store = make_run(tmp_path / "r", boards=2_000, dice=["new"])
    before = say("report", store.location, "--json")
    for part in (Part(500, 2_500), Part(1_900, 9_000)):
        store.commit("new", part, chunk_tables(reader(store).workload, store.mode, "new", part))
    assert store.missing("new", 2_000) == []
    after = say("report", store.location, "--json")
    assert (after.code, after.out) == (0, before.out)


@pytest.mark.parametrize("table", ["top", "words"])
def test_a_table_of_a_run_without_rows_is_never_silently_short(
    tmp_path: Path, say: Callable[..., Outcome], table: str
) -> None:
    make_run(tmp_path / "h", boards=3_000, dice=["new"], keep="histograms")
    (lost, *_) = sorted((tmp_path / "h" / table / "dice=new").iterdir())
    lost.unlink()
    assert f"part {lost} is missing" in say("query", tmp_path / "h", f"SELECT count(*) FROM {table}").error_line


def test_what_other_machines_left_half_written_is_no_content_and_no_fault(
    tmp_path: Path, say: Callable[..., Outcome]
) -> None:
    """A first write that was killed in a container whose name nobody has any more; a write that goes on meanwhile."""
    (tmp_path / "r").mkdir()
    half = tmp_path / "r/.tmp-0123abcd-1-xyz"
    half.write_bytes(b"{")
    # Of a worker of a run that was removed: it makes folders before it is refused.
    (tmp_path / "r/boards/dice=new").mkdir(parents=True)
    (tmp_path / "r/boards/dice=new/.tmp-0123abcd-2-xyz").write_bytes(b"PAR1")
    check_free(tmp_path / "r")
    (tmp_path / "r/boards/dice=other").mkdir()
    (tmp_path / "r/boards/dice=other/mine").touch()
    with pytest.raises(PipelineError, match="is not empty and holds no run"):
        check_free(tmp_path / "r")
    shutil.rmtree(tmp_path / "r/boards/dice=other")
    store = make_run(tmp_path / "r", boards=1_000, dice=["new"])
    other = tmp_path / "r/boards/dice=new/.tmp-0123abcd-1-xyz"
    other.write_bytes(b"PAR1")
    store.sweep()
    assert half.exists()
    assert other.exists()
    assert say("verify", store.location, "--sample", 0).code == 0

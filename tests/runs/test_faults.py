"""What machines do to a run of hours, done for real: afterwards the same command gives the same rows."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests import compiling
from tests.forking import Forked
from tests.running import command, pipeline, row_hash, start
from tests.waiting import LONG, wait_for_parts

BOARDS, CHUNK = 12_000, 500
ARGUMENTS = ("run", "--boards", BOARDS, "--chunk", CHUNK, "--workers", 2, "--no-html", "--out", "r")
PARTS = BOARDS // CHUNK


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole run `r`; tests must not change it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert pipeline(*ARGUMENTS, cwd=folder).code == 0
    return folder


@pytest.fixture(scope="module")
def wanted(undisturbed: Path) -> int:
    """The rows of an undisturbed run."""
    return row_hash(undisturbed / "r")


@pytest.fixture
def whole(undisturbed: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(undisturbed / "r", tmp_path / "r")
    return tmp_path


def begin(folder: Path) -> Forked:
    return start(*ARGUMENTS, cwd=folder)


def committed(run: Path) -> int:
    return len(list(run.glob("boards/*/part-*")))


def assert_nothing_is_left_over(run: Path, workers: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(workers, timeout=LONG)
    assert alive == []
    assert list(run.rglob(".tmp-*")) == []


def assert_goes_on_to(wanted: int, folder: Path) -> None:
    outcome = pipeline(*ARGUMENTS, cwd=folder)
    assert outcome.code == 0, outcome.err
    assert row_hash(folder / "r") == wanted
    assert committed(folder / "r") == PARTS
    assert_nothing_is_left_over(folder / "r", [])


def children(process: Forked) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(process.pid).children(recursive=True)
    return []


@pytest.mark.parametrize("moment", range(10))
def test_killed_at_any_moment_the_same_command_ends_with_the_same_rows(
    tmp_path: Path, wanted: int, moment: int
) -> None:
    """Kill, terminate or interrupt (twice too), at the start, between parts and within them."""
    chance = random.Random(moment)
    signals = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, "twice"]
    how = signals[moment % len(signals)]
    process = begin(tmp_path)
    wait_for_parts(tmp_path / "r", process, chance.randrange(PARTS - 4))
    time.sleep(chance.random() * 0.05)
    workers = children(process)
    process.send_signal(signal.SIGINT if how == "twice" else how)
    if how == "twice":
        time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONG)
    _, alive = psutil.wait_procs(workers, timeout=LONG)
    assert alive == []
    expected = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143, signal.SIGINT: 130, "twice": 130}[how]
    assert process.returncode in (expected, 0), (how, moment, out, err)
    if process.returncode not in (0, -signal.SIGKILL):
        assert out == ""
        assert "Traceback" not in err
        assert list((tmp_path / "r").rglob(".tmp-*")) == []
        if committed(tmp_path / "r"):
            assert "the same command goes on: pipeline run" in err
    assert_goes_on_to(wanted, tmp_path)


INTERRUPTED = {
    "while the report is made": (
        "import os, signal\n"
        "from pipeline.__main__ import main\n"
        "from pipeline.report import write\n"
        "write.report = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "main()\n",
        130,
        "100 boards are kept; the same command goes on: pipeline run --boards 100 --out r\nstopped by Ctrl-C\n",
    ),
    "where Python swallows what is raised": (
        "import os, signal, threading\n"
        "from pipeline.__main__ import main\n"
        "from pipeline.report import write\n"
        "class Finalized:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "write.report = lambda *_: (Finalized() and None, threading.Event().wait())\n"
        "main()\n",
        130,
        "100 boards are kept; the same command goes on: pipeline run --boards 100 --out r\nstopped by Ctrl-C\n",
    ),
}


@pytest.mark.parametrize(("script", "code", "said"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_ctrl_c_before_and_after_the_boards(tmp_path: Path, script: str, code: int, said: str) -> None:
    arguments = [sys.executable, "-c", script, "run", "--boards", "100", "--out", "r"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


@pytest.mark.parametrize("count", [1, 2])
def test_a_killed_worker_is_replaced_and_the_run_goes_on_by_itself(tmp_path: Path, wanted: int, count: int) -> None:
    process = begin(tmp_path)
    wait_for_parts(tmp_path / "r", process, 3)
    workers = children(process)
    for worker in workers[:count]:
        worker.kill()
    _, err = process.communicate(timeout=LONG)
    assert process.returncode == 0, err
    assert "a worker ended unexpectedly" in err
    assert "a worker ended unexpectedly" in (tmp_path / "r/run.log").read_text()
    assert row_hash(tmp_path / "r") == wanted
    assert_nothing_is_left_over(tmp_path / "r", workers)


def test_a_chunk_that_kills_its_worker_three_times_ends_the_run_and_is_named(tmp_path: Path, wanted: int) -> None:
    script = (
        "import os, signal, sys\n"
        "from pipeline.runs import chunks\n"
        "from pipeline.__main__ import main\n"
        "class Deadly(chunks.RunChunk):\n"
        "    def __call__(self, chunk):\n"
        "        if chunk.part.start == 5000:\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return super().__call__(chunk)\n"
        "chunks.RunChunk = Deadly\n"
        "main()\n"
    )
    arguments = [str(word) for word in ARGUMENTS]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=LONG
    )
    assert done.returncode == 1
    assert "a worker ended three times on chunk new 5000-5500" in done.stderr
    assert "Traceback" not in done.stderr
    assert_goes_on_to(wanted, tmp_path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB; needs the right to mount."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small file system needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_one_clear_error_and_the_run_goes_on_with_more_room(small_disk: Path, wanted: int) -> None:
    arguments = ["run", "--boards", 100_000, "--chunk", CHUNK, "--workers", 2, "--out", "r"]
    outcome = pipeline(*arguments, cwd=small_disk)
    assert outcome.code == 2
    assert outcome.out == ""
    assert "No space left on device" in outcome.err
    assert "Traceback" not in outcome.err
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    if committed(small_disk / "r"):
        assert "checksum" not in pipeline("verify", "r", "--sample", 10, cwd=small_disk).out
    assert_goes_on_to(wanted, small_disk)


def test_a_disk_that_turns_read_only_is_one_clear_error(small_disk: Path, wanted: int) -> None:
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    process = begin(small_disk)
    wait_for_parts(small_disk / "r", process, 2)
    # The log is open for writing throughout: a read-only bind on top of the parts does the same for new files.
    folder = next((small_disk / "r/boards").glob("dice=*"))
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    refused = 1
    while refused and process.poll() is None:
        # Refused while a part is open for writing.
        refused = subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], capture_output=True).returncode
    out, err = process.communicate(timeout=LONG)
    for mounted in small_disk.glob("r/boards/dice=*"):
        subprocess.run(["umount", str(mounted)], capture_output=True)
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert process.returncode == 2, err
    assert out == ""
    assert "Read-only file system" in err
    assert "Traceback" not in err
    assert_goes_on_to(wanted, small_disk)


def test_a_removed_folder_is_one_clear_error_and_does_not_come_back(tmp_path: Path, wanted: int) -> None:
    process = begin(tmp_path)
    wait_for_parts(tmp_path / "r", process, 2)
    (tmp_path / "r").rename(tmp_path / "elsewhere")
    out, err = process.communicate(timeout=LONG)
    assert process.returncode == 2, err
    assert out == ""
    assert "the run folder is gone" in err
    assert "Traceback" not in err
    assert not (tmp_path / "r").exists()
    (tmp_path / "elsewhere").rename(tmp_path / "r")
    assert_goes_on_to(wanted, tmp_path)


def flip(part: Path) -> None:
    data = bytearray(part.read_bytes())
    data[len(data) // 3] ^= 0x10
    part.write_bytes(bytes(data))


DAMAGES = {
    "cut off": lambda part: part.write_bytes(part.read_bytes()[:-100]),
    "bit flipped": flip,
    "zero bytes": lambda part: part.write_bytes(b""),
    "foreign schema": lambda part: shutil.copy(part.parents[2] / "words/lexicon.parquet", part),
    "another part": lambda part: shutil.copy(sorted(part.parent.iterdir())[-1], part),
    "not parquet": lambda part: part.write_bytes(b"hello"),
    "removed": lambda part: part.unlink(),
}


@pytest.mark.parametrize("kind", ["boards", "words"])
def test_verify_finds_every_broken_part_and_run_computes_just_those(whole: Path, wanted: int, kind: str) -> None:
    parts = sorted((whole / "r" / kind / "dice=new").iterdir())
    broken = dict(zip(DAMAGES, parts, strict=False))
    for name, part in broken.items():
        DAMAGES[name](part)
    found = pipeline("verify", "r", "--sample", 100, "--json", cwd=whole)
    assert found.code == 1
    problems = json.loads(found.out)["problems"]
    for name, part in broken.items():
        start = int(part.name.split("-")[1])
        named = [one for one in problems if part.name in one or f"lacks rows {start} to" in one]
        assert named, (name, problems)
    kept = {part: part.stat().st_mtime_ns for part in sorted((whole / "r/boards/dice=new").iterdir())}
    assert_goes_on_to(wanted, whole)
    names = {part.name for part in broken.values()}
    for part, changed in kept.items():
        assert (part.stat().st_mtime_ns == changed) == (part.name not in names), part.name
    assert pipeline("verify", "r", "--sample", 100, cwd=whole).code == 0


def test_verify_finds_rows_that_were_changed_and_sealed_again(tmp_path: Path) -> None:
    """A part with a true checksum but wrong numbers: only solving again can tell."""
    assert pipeline("run", "--boards", 3 * CHUNK, "--chunk", CHUNK, "--out", "r", cwd=tmp_path).code == 0
    import pyarrow as pa

    from pipeline.runs.opening import open_run
    from pipeline.store.parts import Part, decode, encode

    part = sorted((tmp_path / "r/boards/dice=new").iterdir())[1]
    table = decode(part.read_bytes())
    wrong = pa.array([value + 1 for value in table["score"].to_pylist()], pa.uint32())
    changed = table.set_column(table.schema.get_field_index("score"), table.schema.field("score"), wrong)
    start = int(part.name.split("-")[1])
    part.write_bytes(encode(changed, open_run(str(tmp_path / "r")).label("new", Part(start, start + CHUNK))))
    outcome = pipeline("verify", "r", "--sample", 3 * CHUNK, cwd=tmp_path)
    assert outcome.code == 1
    assert outcome.out.count("score is") == CHUNK


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda run: "{", "run.json is broken"),
        (lambda run: "[]", "has format None"),
        (lambda run: json.dumps({**run, "format": 99}), "has format 99"),
        (lambda run: json.dumps({**run, "identity": {**run["identity"], "seed": 5}}), "was edited"),
        (lambda run: json.dumps({**run, "plan": {"boards": -1}}), "plan.boards -1: must be greater than or equal to 1"),
        (lambda run: json.dumps({**run, "variants": [1]}), "variants.0 1: must be a valid string"),
        (lambda run: json.dumps({**run, "variants": ["../../etc"]}), "its variants are ['../../etc']"),
        (lambda run: json.dumps({key: run[key] for key in run if key != "layout"}), "'layout' is missing"),
        (lambda run: "[" * 100_000, "run.json is broken"),
        (lambda run: "\x00\xff", "run.json is broken"),
    ],
)
def test_a_broken_or_edited_run_json_is_refused_with_the_reason(whole: Path, damage, message: str) -> None:  # type: ignore[no-untyped-def]
    file = whole / "r/run.json"
    file.write_text(damage(json.loads(file.read_text())))
    for arguments in (ARGUMENTS, ("report", "r"), ("verify", "r")):
        assert message in pipeline(*arguments, cwd=whole).error_line


def test_a_worker_that_grows_past_its_limit_ends_the_run_with_a_message(tmp_path: Path) -> None:
    arguments = ["run", "--boards", 400_000, "--chunk", 400_000, "--worker-memory", 80, "--out", "r"]
    outcome = pipeline(*arguments, cwd=tmp_path)
    assert outcome.code == 1
    assert "a worker passed its memory limit on chunk new 0-400000" in outcome.err
    assert "log: " in outcome.err
    assert "Traceback" not in outcome.err


def test_a_dead_owner_of_the_lock_is_taken_over(tmp_path: Path, wanted: int) -> None:
    process = begin(tmp_path)
    wait_for_parts(tmp_path / "r", process, 1)
    process.kill()
    process.communicate()
    assert f"process {process.pid}" in (tmp_path / "r/run.lock").read_text()
    assert_goes_on_to(wanted, tmp_path)


ODD_SURROUNDINGS = {
    "no home, the C locale, no colour": {
        "HOME": None, "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "NO_COLOR": "1", "TERM": "dumb",
    },
    "a home that cannot be written, a turkish locale, another time zone": {
        "HOME": "/proc", "XDG_CACHE_HOME": "/proc/none", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8",
        "TZ": "Pacific/Kiritimati",
    },
}  # fmt: skip


@pytest.mark.parametrize("surroundings", ODD_SURROUNDINGS.values(), ids=ODD_SURROUNDINGS)
def test_odd_surroundings_change_nothing(tmp_path: Path, wanted: int, surroundings: dict[str, str | None]) -> None:
    env = {key: value for key, value in os.environ.items() if key not in surroundings}
    env |= {key: value for key, value in surroundings.items() if value is not None}
    # Where kernels are kept if there is no other place: they are there, for compiling them again would show nothing.
    fallback = tmp_path / "tmp" / f"shakedown-cache-{os.getuid()}" / "shakedown"
    shutil.copytree(compiling.cache(), fallback / compiling.cache().name)
    env["TMPDIR"] = str(tmp_path / "tmp")
    with_page = [word for word in ARGUMENTS if word != "--no-html"]
    done = subprocess.run(command(*with_page), cwd=tmp_path, env=env, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    assert row_hash(tmp_path / "r") == wanted
    assert (tmp_path / "r/report/index.html").is_file()


def test_spaces_letters_and_links_in_paths_and_a_strict_umask(tmp_path: Path, wanted: int) -> None:
    real = tmp_path / "wörter & 字 dir"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    arguments = [*ARGUMENTS[:-1], tmp_path / "link" / "my run"]
    done = subprocess.run(
        ["sh", "-c", 'umask 077; exec "$@"', "sh", *command(*arguments)], capture_output=True, text=True, timeout=LONG
    )
    assert done.returncode == 0, done.stderr
    assert row_hash(real / "my run") == wanted
    assert all(part.stat().st_mode & 0o077 == 0 for part in (real / "my run").rglob("*.parquet"))


def test_a_reader_that_goes_away_is_no_error(whole: Path) -> None:
    shell = f"{' '.join(command('report', 'r', '--no-html'))} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], cwd=whole, capture_output=True, text=True, timeout=LONG)
    assert done.stdout.startswith("new: ")
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr

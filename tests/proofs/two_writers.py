"""Two writers in one place, in any order: `python -m tests.proofs.two_writers`.

A schedule starts a run, stops it somewhere (kill, pause, or not at all), perhaps removes its folder, starts another
with other chunks, perhaps another seed or another --keep, stops that one too, lets the first go on again before the
second ends or after, and waits. Half of the schedules are of processes in a folder of this machine, half of clients of
one Dask cluster, whose workers stay warm, in an object store.

Whoever was not killed ends well or with one line. Who ended well, in a folder that is still that run's, leaves it
whole: every part is to the byte what its rows give, solved again here, and no row is lacking. Elsewhere the same
command makes it so. A schedule follows from the seed and its number alone, so `--first` and `--last` cut the work in
slices.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from pyarrow import fs

from pipeline.config import RunConfig
from pipeline.games.game import Workload
from pipeline.runs.condense import chunk_tables
from pipeline.runs.opening import open_run
from pipeline.store import object_store
from pipeline.store.files import is_temporary
from pipeline.store.kinds import MODES
from pipeline.store.lock import LEASE_FILE
from pipeline.store.parts import encode
from pipeline.store.run_store import RUN_FILE, RunStore
from tests.forking import Forked
from tests.ports import free_port
from tests.stored import workload_of
from tests.waiting import wait_until

STOPS = ("none", "kill", "pause")
LEASE = 2.0
"""Seconds that a lease holds here, so that nobody waits for minutes until it has run out."""
CLIENT = (
    f"from pipeline.store import lock; lock.LEASE_SECONDS, lock.RENEW_AFTER = {LEASE}, 0.2; "
    "from pipeline.__main__ import main; main()"
)


@dataclass(frozen=True)
class Settings:
    """What a writer is asked for."""

    chunk: int
    seed: int
    keep: str
    boards: int

    def arguments(self, out: str) -> tuple[str, ...]:
        numbers = {"boards": self.boards, "chunk": self.chunk, "seed": self.seed}
        flags = [word for name, value in numbers.items() for word in (f"--{name}", str(value))]
        return ("run", "--dice", "new", *flags, "--keep", self.keep, "--out", out, "--no-html", "-q")


@dataclass
class Writer:
    """A run under way, and the processes of it that are paused."""

    settings: Settings
    process: Any
    paused: list[psutil.Process]
    killed: bool = False

    def stop(self, how: str) -> None:
        if how == "none" or self.process.poll() is not None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            parent = psutil.Process(self.process.pid)
            if how == "kill":
                self.killed = True
                parent.kill()
                return
            parent.suspend()
            self.paused = [parent, *parent.children(recursive=True)]
            for child in self.paused[1:]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.suspend()

    def go_on(self) -> None:
        # The parent last: the others are what it waits for.
        for process in reversed(self.paused):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()
        self.paused = []

    def end(self) -> tuple[int, str]:
        """Exit code and what was said on standard error, once it has ended; never with a traceback."""
        _, said = self.process.communicate(timeout=600)
        code = self.process.returncode
        errors = [line for line in said.splitlines() if line.startswith("error: ")]
        fine = code == 0 or (self.killed and code == -signal.SIGKILL) or (code in (1, 2) and len(errors) == 1)
        assert fine, (code, said)
        assert "Traceback" not in said, said
        return code, errors[0] if errors else ""

    def finish(self) -> None:
        """Wait for its end, which must be a good one."""
        code, said = self.end()
        assert code == 0, said


class Place(ABC):
    """Where writers meet."""

    boards: int
    name: str

    @abstractmethod
    def location(self, schedule: int) -> str:
        """Return where the run of a schedule lies."""

    @abstractmethod
    def start(self, settings: Settings, location: str) -> Any:
        """Start a run: a process with the ways of `subprocess.Popen`."""

    @abstractmethod
    def begun(self, location: str) -> bytes:
        """Return run.json; none where there is none."""

    @abstractmethod
    def parts(self, location: str) -> int:
        """Return how many parts are there."""

    @abstractmethod
    def remove(self, location: str) -> None:
        """Remove all there is, whoever is at it."""


class Folders(Place):
    """Processes in a folder of this machine."""

    boards = 30_000
    name = "processes"

    def __init__(self, root: Path) -> None:
        self.root = root

    def location(self, schedule: int) -> str:
        return str(self.root / f"r{schedule}")

    def start(self, settings: Settings, location: str) -> Any:
        return Forked((*settings.arguments(location), "--workers", "2"), self.root)

    def begun(self, location: str) -> bytes:
        with contextlib.suppress(FileNotFoundError):
            return Path(location, RUN_FILE).read_bytes()
        return b""

    def parts(self, location: str) -> int:
        return sum(1 for _ in Path(location).glob("*/*/part-*"))

    def remove(self, location: str) -> None:
        while os.path.exists(location):
            shutil.rmtree(location, ignore_errors=True)


class Stores(Place):
    """Clients of one Dask cluster, in an object store."""

    boards = 6_000
    name = "dask clients"

    def __init__(self, root: Path, scheduler: str, port: int) -> None:
        self.root, self.scheduler, self.port = root, scheduler, port
        self.client = fs.S3FileSystem(
            endpoint_override=f"127.0.0.1:{port}", scheme="http", access_key="tester", secret_key="tester",
            region="us-east-1", allow_bucket_creation=True,
        )  # fmt: skip
        self.client.create_dir("runs")

    def location(self, schedule: int) -> str:
        return f"s3://runs/r{schedule}"

    def start(self, settings: Settings, location: str, *more: str) -> Any:
        arguments = (*settings.arguments(location), "--executor", "dask", "--scheduler", self.scheduler, *more)
        return subprocess.Popen(
            [sys.executable, "-c", CLIENT, *arguments], cwd=self.root, env=environment(self.port),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def begun(self, location: str) -> bytes:
        with contextlib.suppress(FileNotFoundError):
            return self._read(RUN_FILE, location)
        return b""

    def parts(self, location: str) -> int:
        found = self.client.get_file_info(
            fs.FileSelector(self._path("", location), recursive=True, allow_not_found=True)
        )
        return sum(info.base_name.startswith("part-") for info in found)

    def remove(self, location: str) -> None:
        if self.client.get_file_info(self._path("", location)).type != fs.FileType.NotFound:
            self.client.delete_dir_contents(self._path("", location))

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def files(self, location: str) -> dict[str, Any]:
        """Return when each file of a run was written, by its path."""
        found = self.client.get_file_info(fs.FileSelector(self._path("", location), recursive=True))
        return {info.path: info.mtime for info in found if info.type == fs.FileType.File}

    def lease_ends(self, location: str) -> float:
        """Return the time at which the lease runs out; 0 where there is none."""
        with contextlib.suppress(FileNotFoundError):
            return float(json.loads(self._read(LEASE_FILE, location))["until"])
        return 0.0

    def _read(self, name: str, location: str) -> bytes:
        with self.client.open_input_stream(self._path(name, location)) as stream:
            return bytes(stream.read())

    @staticmethod
    def _path(name: str, location: str) -> str:
        return f"{location.removeprefix('s3://')}/{name}".rstrip("/")


def environment(port: int) -> dict[str, str]:
    return {
        **os.environ, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "tester",
        "AWS_SECRET_ACCESS_KEY": "tester", "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip


@contextlib.contextmanager
def stores(root: Path, workers: int = 2) -> Iterator[Stores]:
    """An object store, and a cluster that writes into it."""
    port, scheduler_port = free_port(), free_port()
    address = f"tcp://127.0.0.1:{scheduler_port}"
    dask = ("-m", "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard", "--no-show")
    worker = (
        "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
        "--local-directory", str(root),
    )  # fmt: skip
    commands = [("-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)), dask, *[worker] * workers]
    with contextlib.ExitStack() as stack:
        for command in commands:
            process = subprocess.Popen(
                [sys.executable, *command], cwd=root, env=environment(port), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
            stack.callback(process.wait)
            stack.callback(process.kill)
        place = wait_until(lambda: _connected(root, address, port), "an answer of the store")
        kept = dict(object_store._options)
        stack.callback(object_store._options.update, kept)
        stack.callback(object_store._options.clear)
        options = {"endpoint": f"http://127.0.0.1:{port}", "access_key": "tester", "secret_key": "tester"}
        object_store.set_options([f"{key}={value}" for key, value in {**options, "region": "us-east-1"}.items()])
        yield place


def _connected(root: Path, address: str, port: int) -> Stores | None:
    try:
        return Stores(root, address, port)
    except OSError:
        return None


@cache
def workload(seed: int) -> Workload:
    made: Workload = workload_of(RunConfig(dice=["new"], seed=seed))
    made.prepare()
    return made


def check_parts(store: RunStore, boards: int, seed: int) -> None:
    """Every part is to the byte what its rows give, no row is lacking, and nothing else lies among the parts."""
    assert store.missing("new", boards) == [], "rows are lacking"
    counted = store.parts("new")
    assert store.leftovers("new") == []
    made = [chunk_tables(workload(seed), store.mode, "new", part) for part in counted]
    for kind in made[0]:
        folder = store.folder("new", kind)
        names = {name for name in store.files.sizes(folder) if not is_temporary(name)}
        assert names == {part.name for part in counted}, (kind, names)
        for part, tables in zip(counted, made, strict=True):
            wanted = encode(tables[kind], store.label("new", part, kind))
            assert store.files.read(store.path("new", part, kind)) == wanted, (kind, part)


def drawn(place: Place, chance: random.Random, seed: int, keep: str) -> Settings:
    return Settings(chance.choice((500, 700, 1_000, 1_300, 2_000)), seed, keep, place.boards)


def schedule(place: Place, number: int, seed: int) -> str:
    """Do one schedule and see that all is well in the end; returns what happened."""
    chance = random.Random(f"{seed} {place.name} {number}")
    location = place.location(number)
    first = drawn(place, chance, 1, chance.choice(list(MODES)[:2]))
    stop, remove = chance.choice(STOPS), chance.random() < 0.5
    other = drawn(place, chance, chance.choice((1, 2)), chance.choice(list(MODES)[:2]))
    second = other if remove else drawn(place, chance, 1, first.keep)
    second_stop, late = chance.choice(STOPS), chance.random() < 0.5
    # So many parts of the first are there when it is stopped, so many more when the second is.
    before, after = chance.randrange(12), chance.randrange(12)
    waits = chance.random() < 0.7
    a = Writer(first, place.start(first, location), [])
    wait_until(lambda: place.parts(location) >= before and place.begun(location), "parts of the first", a.process)
    a.stop(stop)
    if remove:
        place.remove(location)
    if a.paused and waits and isinstance(place, Stores):
        _until_the_lease_has_run_out(place, location)
    held = place.parts(location)
    b = Writer(second, place.start(second, location), [])
    wait_until(lambda: place.parts(location) >= held + after, "parts of the second", b.process)
    b.stop(second_stop)
    if not late:
        a.go_on()
    ended: dict[str, tuple[int, str]] = {}
    whole: set[bytes] = set()
    for name, writer in (("B", b), ("A", a)) if late else (("A", a), ("B", b)):
        writer.go_on()
        ended[name] = writer.end()
        if ended[name][0] == 0:
            whole.add(place.begun(location))
    a.go_on()
    there = place.begun(location)
    if there and there in whole:
        end = "whole at once"
    else:
        # A seed or a mode that the folder does not hold is refused; its own makes it whole.
        if there:
            run = open_run(location).run
            second = Settings(second.chunk, int(run.identity["seed"]), run.keep, place.boards)
        final = Writer(second, place.start(second, location), [])
        code, said = final.end()
        while code and "is in use by" in said:
            # Its owner was killed on a machine that nobody here can ask, or the lease has some time to run.
            final = Writer(second, place.start(second, location), [])
            code, said = final.end()
        assert code == 0, said
        end = "whole by the same command"
    store = open_run(location)
    check_parts(store, place.boards, int(store.run.identity["seed"]))
    place.remove(location)
    doings = f"A {first.keep}/{first.chunk} {stop}{', removed' if remove else ''}, "
    doings += (
        f"B {second.keep}/{second.chunk}/seed {second.seed} {second_stop}, A goes on {'late' if late else 'early'}"
    )
    results = "; ".join(f"{name} {code} {said[:90]}".strip() for name, (code, said) in sorted(ended.items()))
    return f"{doings}: {results}: {end}"


def _until_the_lease_has_run_out(place: Stores, location: str) -> None:
    wait_until(lambda: place.lease_ends(location) < time.time(), "the end of a lease")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="number of the first schedule")
    parser.add_argument("--last", type=int, default=50, help="number of the last schedule of each place")
    parser.add_argument("--places", nargs="+", choices=("processes", "dask"), default=["processes", "dask"])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        places: list[Place] = []
        if "processes" in asked.places:
            places.append(Folders(Path(folder)))
        if "dask" in asked.places:
            places.append(stack.enter_context(stores(Path(folder))))
        for place in places:
            for number in range(asked.first, asked.last + 1):
                happened = schedule(place, number, asked.seed)
                ends[f"{place.name}: {happened.rpartition(': ')[2]}"] += 1
                print(f"{place.name}, schedule {number}: {happened}", flush=True)
    print(f"schedules {asked.first} to {asked.last}: {dict(ends)}")


if __name__ == "__main__":
    main()

"""Boards a second of whole runs against bare kernels side by side: `python -m tests.proofs.scaling [ROUNDS]`.

Each round has a run with two workers on the process pool and one on a local Dask cluster. A run and two bare processes,
which solve the same and store nothing, take turns of a second, the others being stopped: a server that is shared
changes its speed within seconds, and so both sides see the same. What a run takes to start is left out: its clock
begins when a quarter of the parts is written, and ends with the last part, by the files' own times. Last, how long a
warm start takes until a first board is solved and stored, and how long Python takes to import numba and typer alone.
Prints each round and the medians.
"""

import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from ctypes import c_int64
from pathlib import Path
from typing import Any

from pipeline.config import RunConfig
from pipeline.runs.bench import bare_work
from tests.running import command
from tests.stored import workload_of

BOARDS = 8_000_000
WORKERS = 2
TURN = 1.0


class Bare:
    """Processes that solve boards whenever it is their turn."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("fork")
        workload = workload_of(RunConfig())
        workload.prepare()
        self.done = [context.RawValue(c_int64, 0) for _ in range(WORKERS)]
        self.processes = [
            context.Process(target=_count, args=(workload, place, done), daemon=True)
            for place, done in enumerate(self.done)
        ]
        for process in self.processes:
            process.start()
        self.turn(signal.SIGSTOP)

    def turn(self, number: int) -> None:
        for process in self.processes:
            os.kill(process.pid or 0, number)

    @property
    def boards(self) -> int:
        return sum(done.value for done in self.done)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.join()


def _count(workload: Any, place: int, done: Any) -> None:
    for boards in bare_work(workload, workload.variants[0], place):
        done.value = boards


def share(out: Path, executor: str) -> tuple[float, float]:
    """Boards a second of a run and of the bare processes, each in its own turns."""
    bare = Bare()
    options = ["--boards", BOARDS, "--executor", executor, "--workers", WORKERS]
    run = subprocess.Popen(run_command(out, *options), stdout=subprocess.DEVNULL, start_new_session=True)
    turns: list[tuple[float, float]] = []
    bare_turns: list[tuple[float, float, int]] = []
    try:
        while run.poll() is None:
            started = time.time()
            with suppress(subprocess.TimeoutExpired):
                run.wait(TURN)
            turns.append((started, time.time()))
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGSTOP)
                before, started = bare.boards, time.time()
                bare.turn(signal.SIGCONT)
                time.sleep(TURN)
                bare.turn(signal.SIGSTOP)
                bare_turns.append((started, time.time(), bare.boards - before))
                os.killpg(run.pid, signal.SIGCONT)
    finally:
        bare.close()
    if run.returncode:
        raise SystemExit(f"the run ended with {run.returncode}")
    times = sorted(part.stat().st_mtime for part in (out / "boards").rglob("part-*"))
    first = len(times) // 4
    begin, end = times[first - 1], times[-1]
    own = sum(max(0.0, min(stop, end) - max(start, begin)) for start, stop in turns)
    during = [(stop - start, boards) for start, stop, boards in bare_turns if begin <= start and stop <= end]
    bare_rate = sum(boards for _, boards in during) / sum(seconds for seconds, _ in during)
    return BOARDS * (1 - first / len(times)) / own, bare_rate


def run_command(out: Path, *options: object) -> list[str]:
    return command("run", "--out", out, "--no-html", "-q", *options)


def start_seconds(folder: Path) -> float:
    """From the command to the first part, of one board."""
    started = time.time()
    subprocess.run(run_command(folder / "start", "--boards", 1), check=True, stdout=subprocess.DEVNULL)
    return next((folder / "start").rglob("part-*1.parquet")).stat().st_mtime - started


def import_seconds() -> float:
    started = time.time()
    subprocess.run([sys.executable, "-c", "import numba, typer"], check=True)
    return time.time() - started


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    shares: dict[str, list[float]] = {"process": [], "dask": []}
    for number in range(1, rounds + 1):
        for executor, seen in shares.items():
            with tempfile.TemporaryDirectory() as folder:
                rate, bare = share(Path(folder) / "run", executor)
            seen.append(rate / bare)
            print(f"round {number}, {executor}: {rate:,.0f} boards/s, bare {bare:,.0f}: {seen[-1]:.3f}", flush=True)
    for executor, seen in shares.items():
        print(f"{executor}: median {statistics.median(seen):.3f} of the bare rate, {min(seen):.3f} to {max(seen):.3f}")
    starts, imports = [], []
    for _ in range(2 * rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            starts.append(start_seconds(Path(folder)))
        imports.append(import_seconds())
    start, imported = statistics.median(starts), statistics.median(imports)
    print(
        f"first board {start:.2f} s after the command, imports alone {imported:.2f} s: {start - imported:.2f} s later"
    )


if __name__ == "__main__":
    main()

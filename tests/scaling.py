"""Boards a second of whole runs against bare kernels side by side, in turns: `python -m tests.scaling [ROUNDS]`.

Each round measures two bare processes that store nothing, then a run with two workers on the process pool, then one
on a local Dask cluster. A run's clock starts when a quarter of the parts is written, so that every worker is at work,
and stops with the last part, by the files' own times. Last, how long a warm start takes until a first board is solved
and stored, and how long Python takes to import numba and typer alone. Prints each round and the medians.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pipeline.bench import bare_processes
from pipeline.config import RunConfig
from pipeline.run import make_workload
from tests.pipeline.running import command

BOARDS = 8_000_000
WORKERS = 2


def run(out: Path, *options: object) -> None:
    arguments = command("run", "--out", out, "--no-html", "-q", *options)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


def run_rate(folder: Path, executor: str) -> float:
    """Boards a second while the last three quarters of the parts are written."""
    out = folder / executor
    run(out, "--boards", BOARDS, "--executor", executor, "--workers", WORKERS)
    times = sorted(part.stat().st_mtime for part in (out / "boards").rglob("part-*"))
    first = len(times) // 4
    return BOARDS * (1 - first / len(times)) / (times[-1] - times[first - 1])


def start_seconds(folder: Path) -> float:
    """From the command to the first part, of one board."""
    started = time.time()
    run(folder / "start", "--boards", 1)
    return next((folder / "start").rglob("part-*1.parquet")).stat().st_mtime - started


def import_seconds() -> float:
    started = time.time()
    subprocess.run([sys.executable, "-c", "import numba, typer"], check=True)
    return time.time() - started


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    workload = make_workload(RunConfig())
    shares: dict[str, list[float]] = {"process": [], "dask": []}
    for number in range(1, rounds + 1):
        for executor, seen in shares.items():
            with tempfile.TemporaryDirectory() as folder:
                before = bare_processes(workload, workload.variants[0], WORKERS, 3.0).rate
                rate = run_rate(Path(folder), executor)
                after = bare_processes(workload, workload.variants[0], WORKERS, 3.0).rate
            seen.append(2 * rate / (before + after))
            print(
                f"round {number}, {executor}: {rate:,.0f} boards/s, bare {before:,.0f} before and {after:,.0f} after: "
                f"{seen[-1]:.3f}",
                flush=True,
            )
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

"""Stop a run of a million boards at forty random moments for each number of workers: `python -m tests.forty_kills`.

Half of the moments end the run itself (SIGKILL, SIGTERM, Ctrl-C, Ctrl-C twice); it is then started again. The other
half kill one of its workers, and the run must go on by itself. After each: the same parts to the byte, no temporary
file, no process left. A line a moment; the first thing that is wrong ends the script with an error. A moment follows
from the seed, the workers and its number alone, so `--first` and `--last` cut the work in slices or repeat one.
"""

import argparse
import contextlib
import hashlib
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.pipeline.running import command

MARK = "SHAKEDOWN_MOMENT"
"""In the environment of a run and so of all its children, whoever their parent is by then."""
PARENT = ("SIGKILL", "SIGTERM", "Ctrl-C", "Ctrl-C twice")
EXIT_CODES = {"SIGKILL": -signal.SIGKILL, "SIGTERM": 128 + signal.SIGTERM}
START_UP = 0.2
"""Seconds in which Python itself may not have begun with the program."""
CTRL_C = 128 + signal.SIGINT


@dataclass(frozen=True)
class Timing:
    """Seconds that a run took, and those from the first sight of a worker to the last."""

    seconds: float
    busy: float


@dataclass(frozen=True)
class Run:
    """One run in `folder`/r, with a mark that no other process of this machine carries."""

    folder: Path
    boards: int
    workers: int
    mark: str

    def start(self) -> subprocess.Popen[str]:
        arguments = ("run", "--boards", self.boards, "--workers", self.workers, "--out", "r", "--no-html", "-q")
        return subprocess.Popen(
            command(*arguments), cwd=self.folder, env={**os.environ, MARK: self.mark}, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def whole(self) -> "Timing":
        """Start it and wait for its end, which must be a good one."""
        started = time.monotonic()
        process = self.start()
        busy = []
        while process.poll() is None:
            if workers_of(process):
                busy.append(time.monotonic() - started)
            time.sleep(0.01)
        _, said = process.communicate()
        assert process.returncode == 0, (self.mark, process.returncode, said)
        return Timing(time.monotonic() - started, max(busy, default=0) - min(busy, default=0))

    def parts(self) -> dict[str, str]:
        """SHA-256 by path of everything stored beside the report and the log."""
        files = [path for kind in ("boards", "words") for path in (self.folder / "r" / kind).rglob("*")]
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(files)
            if path.is_file()
        }

    def processes(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                if process.environ().get(MARK) == self.mark:
                    found.append(process)
        return found


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(process.pid).children()
    return []


def stop(process: subprocess.Popen[str], how: str, chance: random.Random) -> None:
    """End the run; Ctrl-C goes to all processes of the terminal, as the terminal does it."""
    with contextlib.suppress(ProcessLookupError):
        if how.startswith("Ctrl-C"):
            os.killpg(process.pid, signal.SIGINT)
            if how.endswith("twice"):
                time.sleep(chance.uniform(0, 0.3))
                os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.Signals[how])


def kill_a_worker(process: subprocess.Popen[str], after: float, chance: random.Random) -> bool:
    """SIGKILL for one worker, some seconds after there are any; False where there was none any more."""
    while process.poll() is None and not workers_of(process):
        time.sleep(0.001)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
    workers = workers_of(process)
    with contextlib.suppress(psutil.NoSuchProcess):
        if workers:
            chance.choice(workers).kill()
            return True
    return False


def one_moment(run: Run, how: str, after: float, wanted: dict[str, str], chance: random.Random) -> str:
    """Disturb a run once and see that all is well in the end; returns what happened."""
    process = run.start()
    if how == "worker":
        hit = kill_a_worker(process, after, chance)
    else:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        hit = process.poll() is None
        if hit:
            stop(process, how, chance)
    _, said = process.communicate(timeout=600)
    code, there = process.returncode, (run.folder / "r/run.json").exists()
    assert "Traceback" not in said, said
    if how == "worker":
        assert code == 0, (code, said)
    else:
        # Before the program has begun to run, a signal does what it does to any process.
        early = () if there else (-signal.SIGINT, -signal.SIGTERM)
        assert code in (0, EXIT_CODES.get(how, CTRL_C), *early), (code, said)
        if code == CTRL_C and there:
            assert "the same command goes on: pipeline run --boards" in said, said
    _, alive = psutil.wait_procs(run.processes(), timeout=10)
    assert not alive, alive
    if code >= 0 and there:
        assert not list((run.folder / "r").rglob(".tmp-*"))
    kept = len(list((run.folder / "r").glob("boards/*/part-*")))
    renewed = "a worker ended unexpectedly" in log_of(run)
    if how != "worker":
        run.whole()
    assert run.parts() == wanted
    assert not list((run.folder / "r").rglob(".tmp-*"))
    assert not run.processes()
    if not hit:
        return "there was none any more" if how == "worker" else "it had ended"
    if how == "worker":
        return f"exit code {code}, {'new pool' if renewed else 'its work was done'}"
    return f"exit code {code} with {kept} parts"


def log_of(run: Run) -> str:
    log = run.folder / "r/run.log"
    return log.read_text() if log.exists() else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--first", type=int, default=1, help="number of the first moment")
    parser.add_argument("--last", type=int, default=40, help="number of the last moment")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for workers in asked.workers:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            undisturbed = Run(folder, asked.boards, workers, f"{os.getpid()}-{workers}")
            timing = undisturbed.whole()
            wanted = undisturbed.parts()
            assert len(wanted) > 2
            for moment in range(asked.first, asked.last + 1):
                shutil.rmtree(folder / "r")
                chance = random.Random(f"{asked.seed} {workers} {moment}")
                how = "worker" if moment % 2 == 0 else PARENT[moment // 2 % len(PARENT)]
                after = chance.uniform(0, timing.busy) if how == "worker" else chance.uniform(START_UP, timing.seconds)
                run = Run(folder, asked.boards, workers, f"{os.getpid()}-{workers}-{moment}")
                happened = one_moment(run, how, after, wanted, chance)
                print(f"{workers} workers, moment {moment}: {how} after {after:.2f} s: {happened}", flush=True)
            print(f"{workers} workers: moments {asked.first} to {asked.last} ended with the same parts", flush=True)


if __name__ == "__main__":
    main()

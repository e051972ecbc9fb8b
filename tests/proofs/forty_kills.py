"""Stop runs of a million boards, forty random moments a number of workers: `python -m tests.proofs.forty_kills`.

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

from tests.running import command

MARK = "SHAKEDOWN_MOMENT"
"""In the environment of a run and so of all its children, whoever their parent is by then."""
PARENT = ("SIGKILL", "SIGTERM", "Ctrl-C", "Ctrl-C twice")
EXIT_CODES = {"SIGKILL": -signal.SIGKILL, "SIGTERM": 128 + signal.SIGTERM}
START_UP = 0.2
"""Seconds in which Python itself may not have begun with the program."""
CTRL_C = 128 + signal.SIGINT


@dataclass(frozen=True)
class Moment:
    """When to disturb a run: after so many parts were seen, and some seconds more.

    Parts tell how far a run is, whatever else the machine does; seconds alone would often come when it has ended.
    """

    parts: int
    seconds: float

    def wait(self, run: "Run", process: subprocess.Popen[str]) -> None:
        while process.poll() is None and run.committed() < self.parts:
            time.sleep(0.002)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(self.seconds)

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s after {f'part {self.parts}' if self.parts else 'the start'}"


@dataclass(frozen=True)
class Timing:
    """Of an undisturbed run: parts of boards, and seconds of start, of one part, and of what follows the last."""

    parts: int
    start: float
    part: float
    end: float

    def moment(self, how: str, chance: random.Random) -> Moment:
        """A third of the moments come before the first part or after the last, unless workers are meant."""
        if how == "worker":
            return Moment(chance.randrange(1, self.parts), chance.uniform(0, self.part))
        if chance.random() < 1 / 6:
            return Moment(0, chance.uniform(START_UP, self.start))
        if chance.random() < 1 / 5:
            return Moment(self.parts, chance.uniform(0, self.end))
        return Moment(chance.randrange(self.parts), chance.uniform(0, self.part))


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

    def whole(self) -> Timing:
        """Start it and wait for its end, which must be a good one."""
        seen = [(time.monotonic(), self.committed())]
        process = self.start()
        while process.poll() is None:
            if (now := self.committed()) > seen[-1][1]:
                seen.append((time.monotonic(), now))
            time.sleep(0.005)
        _, said = process.communicate()
        assert process.returncode == 0, (self.mark, process.returncode, said)
        (begun, before), (first, _), (last, all_parts) = seen[0], seen[min(1, len(seen) - 1)], seen[-1]
        each = (last - first) / max(all_parts - before - 1, 1)
        return Timing(all_parts, first - begun, each, time.monotonic() - last)

    def committed(self) -> int:
        return len(list(self.folder.glob("r/boards/*/part-*")))

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


def kill_a_worker(process: subprocess.Popen[str], chance: random.Random) -> bool:
    """SIGKILL for one worker; False where there is none any more."""
    workers = workers_of(process)
    with contextlib.suppress(psutil.NoSuchProcess):
        if workers:
            chance.choice(workers).kill()
            return True
    return False


def one_moment(run: Run, how: str, moment: Moment, wanted: dict[str, str], chance: random.Random) -> str:
    """Disturb a run once and see that all is well in the end; returns what happened."""
    process = run.start()
    moment.wait(run, process)
    unfinished = run.committed() < len([path for path in wanted if path.startswith("r/boards/")])
    if how == "worker":
        hit = kill_a_worker(process, chance)
    else:
        hit = process.poll() is None
        stop(process, how, chance)
    _, said = process.communicate(timeout=600)
    code, there = process.returncode, (run.folder / "r/run.json").exists()
    assert "Traceback" not in said, said
    if how == "worker":
        assert code == 0, (code, said)
    else:
        # Before the program has begun to run, a signal does what it does to any process.
        early = () if there else (-signal.SIGINT, -signal.SIGTERM)
        assert code in (EXIT_CODES.get(how, CTRL_C), *early) or (code == 0 and not unfinished), (code, said)
        if code == CTRL_C and there:
            assert "the same command goes on: pipeline run --boards" in said, said
    _, alive = psutil.wait_procs(run.processes(), timeout=10)
    assert not alive, alive
    if code >= 0 and there:
        assert not list((run.folder / "r").rglob(".tmp-*"))
    kept = run.committed()
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
                when = timing.moment(how, chance)
                run = Run(folder, asked.boards, workers, f"{os.getpid()}-{workers}-{moment}")
                happened = one_moment(run, how, when, wanted, chance)
                print(f"{workers} workers, moment {moment}: {how} {when}: {happened}", flush=True)
            print(f"{workers} workers: moments {asked.first} to {asked.last} ended with the same parts", flush=True)


if __name__ == "__main__":
    main()

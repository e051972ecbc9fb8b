"""Ctrl-C at random moments of a command's first seconds: `python -m tests.proofs.interrupts`.

Each moment starts one of four commands (run, solve -, kenken generate, report) with a cold or a warm cache of compiled
kernels, and interrupts it up to three seconds after it began to listen: alone, or with all its processes as a terminal
does. It must end with exit code 130 and its one line, never by a signal, never with a traceback, and leave no process
and no temporary file. What has ended before must have ended well. A line a moment; the first thing that is wrong ends
the script with an error. A moment follows from the seed and its number alone, so `--first` and `--last` repeat one.
`--python` takes another interpreter that has the dependencies.
"""

import argparse
import collections
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
MARK = "SHAKEDOWN_INTERRUPTED"
"""In the environment of a command and so of all its children, whoever their parent is by then."""
SECONDS = 3.0
COMMANDS = {
    "run": ("run", "--boards", "3000000", "--workers", "2", "--out", "new"),
    "solve -": ("solve", "-"),
    "kenken generate": ("kenken", "generate", "--size", "9", "--count", "100000", "--grade", "hard"),
    "report": ("report", "r"),
}
GOES_ON = " kept; the same command goes on: pipeline run --boards 3000000 --workers 2 --out new"
ALSO_SAID = {"compiling the solver (once on this machine)", "drawing the page"}


def listens(process: "subprocess.Popen[str]") -> bool:
    """Whether the program has begun to handle SIGTERM, and so SIGINT: before that Python itself starts."""
    caught = Path(f"/proc/{process.pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


@dataclass(frozen=True)
class Setting:
    """Where commands run: a stored run `r`, a file of boards, and a warm cache of kernels."""

    folder: Path
    python: str

    def command(self, name: str) -> list[str]:
        return [self.python, "-m", "pipeline", *COMMANDS[name]]

    def environment(self, cache: Path, mark: str) -> dict[str, str]:
        env = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
        return {**env, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT), MARK: mark}

    def prepare(self) -> None:
        """Fill the warm cache, and make what `solve -` and `report` read."""
        env = self.environment(self.folder / "warm", "prepared")
        for words in (("run", "--boards", "200000", "--out", "r"), ("kenken", "generate", "--size", "9")):
            subprocess.run([self.python, "-m", "pipeline", *words], cwd=self.folder, env=env, check=True,
                           stdout=subprocess.DEVNULL)  # fmt: skip
        shaken = subprocess.run(
            [self.python, "-m", "pipeline", "query", "r", "SELECT board FROM boards", "--format", "csv"],
            cwd=self.folder, env=env, check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        boards = shaken.stdout.splitlines()[1:]
        (self.folder / "boards.txt").write_text("\n".join(boards * 20))


@dataclass(frozen=True)
class Ended:
    code: int
    seconds: float
    """From the signal to the end."""
    said: str


def interrupt(setting: Setting, name: str, cold: bool, moment: float, whole_group: bool, mark: str) -> Ended:
    """Start a command, interrupt it so many seconds after it began to listen, and see that it ends well."""
    cache = setting.folder / ("cold" if cold else "warm")
    for folder in ("cold", "new"):
        shutil.rmtree(setting.folder / folder, ignore_errors=True)
    with open(setting.folder / "boards.txt") as boards:
        process = subprocess.Popen(
            setting.command(name), cwd=setting.folder, env=setting.environment(cache, mark), start_new_session=True,
            stdin=boards, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    wait_until(lambda: listens(process), "handlers of signals", process, 0.001)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    sent = time.monotonic()
    with contextlib.suppress(ProcessLookupError):
        if whole_group:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    ended = Ended(process.returncode, time.monotonic() - sent, said)
    check(ended, name)
    _, alive = psutil.wait_procs(processes(mark), timeout=30)
    assert not alive, alive
    left = [path for folder in ("new", "r") for path in (setting.folder / folder).rglob(".tmp-*")]
    assert not left, left
    return ended


def check(ended: Ended, name: str) -> None:
    """Exit code and lines of a command that was interrupted, or of one that had ended by then."""
    lines = [line for line in ended.said.splitlines() if line not in ALSO_SAID]
    if ended.code == 0:
        assert not any("stopped" in line for line in lines), ended
        assert "Traceback" not in ended.said, ended
        return
    assert ended.code == 130, ended
    assert lines.pop() == "stopped by Ctrl-C", ended
    if name == "run" and lines:
        assert lines.pop().endswith(GOES_ON.removeprefix(" kept")), ended
    assert not lines or name in ("report", "run"), ended
    assert all(line == "" or line.startswith("page: ") for line in lines), ended


def processes(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if process.environ().get(MARK) == mark:
                found.append(process)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="number of the first moment")
    parser.add_argument("--last", type=int, default=400, help="number of the last moment")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", default=sys.executable)
    asked = parser.parse_args()
    outcomes: collections.Counter[tuple[str, int]] = collections.Counter()
    times = []
    with tempfile.TemporaryDirectory() as name:
        setting = Setting(Path(name), asked.python)
        setting.prepare()
        for number in range(asked.first, asked.last + 1):
            chance = random.Random(f"{asked.seed} {number}")
            command = list(COMMANDS)[number % len(COMMANDS)]
            cold, whole_group = bool(number // 4 % 2), bool(number // 8 % 2)
            moment = chance.uniform(0, SECONDS)
            ended = interrupt(setting, command, cold, moment, whole_group, f"{os.getpid()}-{number}")
            outcomes[command, ended.code] += 1
            if ended.code:
                times.append(ended.seconds)
            print(
                f"{number}: {command}, {'cold' if cold else 'warm'}, {moment:.2f} s: exit code {ended.code} "
                f"after {ended.seconds:.2f} s",
                flush=True,
            )
    for (command, code), count in sorted(outcomes.items()):
        print(f"{command}: exit code {code} {count} times")
    print(f"ended after {sorted(times)[len(times) // 2]:.2f} s (median), {max(times):.2f} s (longest)")


if __name__ == "__main__":
    main()

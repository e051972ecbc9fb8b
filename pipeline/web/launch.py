"""Runs that the page starts: processes of their own, one at a time, no larger than the operator allows."""

import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pipeline.web.problems import BUSY, INVALID, RefusalError, about
from pipeline.web.run_models import RunRequest

STOP_SECONDS = 10.0


@dataclass
class Started:
    name: str
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    stopped: bool = False
    listed: bool = False
    """Whether it has begun to write."""

    @property
    def failure(self) -> str:
        """The last line that a run said before it ended by itself in an error; empty otherwise."""
        if self.stopped or self.process.poll() in (None, 0):
            return ""
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        code = self.process.returncode
        return lines[-1][:500] if lines else f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


class Launcher:
    """`most`: boards of one dice set that a run may have; 0 allows none."""

    def __init__(self, outputs: Path, most: int) -> None:
        self._outputs, self.most = outputs, most
        self._started: dict[str, Started] = {}
        self._lock = threading.Lock()

    def start(self, request: RunRequest) -> str:
        """Start a run, or go on with the same one; gives its name.

        Raises RefusalError 403 where none is allowed, 409 while another goes on, 422 for what cannot be run.
        """
        self._check_allowed()
        if request.boards > self.most:
            raise RefusalError(
                422, f"{request.boards:,} boards; this server allows {self.most:,} a run", INVALID, "boards"
            )
        from pipeline.config import RunConfig, available_cores
        from pipeline.games import game
        from pipeline.runs.run import default_location
        from pipeline.store.kinds import mode_named

        workers = request.workers or available_cores()
        if workers > available_cores():
            detail = f"{workers} cores; this machine has {available_cores()}"
            raise RefusalError(422, detail, INVALID, "workers")
        config = RunConfig(dice=request.dice, words=request.words, seed=request.seed)
        mode = mode_named(request.keep)
        with about("dice"):
            location = default_location(game(config.game).workload(config, mode), mode)
        name = location.rpartition("/")[2]
        arguments = [
            "--boards", str(request.boards), "--words", request.words, "--seed", str(request.seed),
            "--workers", str(workers), "--keep", request.keep, "--out", f"{self._outputs.resolve().name}/{name}",
        ]  # fmt: skip
        for dice in request.dice:
            arguments += ["--dice", dice]
        with self._lock:
            if going := self.going:
                raise RefusalError(409, f"run {going} goes on; stop it, or wait until it has ended", BUSY)
            errors = tempfile.TemporaryFile()  # noqa: SIM115, lives as long as the run is known
            process = subprocess.Popen(
                [sys.executable, "-m", "pipeline", "run", "--quiet", *arguments],
                cwd=self._outputs.resolve().parent,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
            self._started[name] = Started(name, process, errors)
        return name

    @property
    def going(self) -> str | None:
        """Name of the run that goes on, if one does."""
        return next((one.name for one in self._started.values() if one.process.poll() is None), None)

    def unlisted(self, listed: Collection[str]) -> set[str]:
        """Runs that this server has started and that have never been listed; `listed` are those that are now."""
        for name, one in self._started.items():
            one.listed = one.listed or name in listed
        return {name for name, one in self._started.items() if not one.listed}

    def failures(self) -> dict[str, str]:
        """What runs of this server ended in, by name."""
        return {name: failure for name, one in self._started.items() if (failure := one.failure)}

    def stop(self, name: str) -> None:
        """Interrupt a run of this server; what it has stored is kept.

        Raises RefusalError 403 where none is allowed, 409 for a run that this server did not start or that has ended.
        """
        self._check_allowed()
        started = self._started.get(name)
        if started is None or started.process.poll() is not None:
            raise RefusalError(409, "this server has no such run going on", INVALID, "name")
        started.stopped = True
        started.process.send_signal(signal.SIGTERM)

    def _check_allowed(self) -> None:
        if not self.most:
            detail = "this server starts no runs; `pipeline serve --allow-runs 1M` lets it, up to so many boards"
            raise RefusalError(403, detail)

    def close(self) -> None:
        """Interrupt what still goes on and wait until it has tidied up; what is stored is kept."""
        for one in self._started.values():
            if one.process.poll() is None:
                one.stopped = True
                one.process.send_signal(signal.SIGTERM)
        for one in self._started.values():
            try:
                one.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                one.process.kill()
            one.errors.close()
        self._started.clear()

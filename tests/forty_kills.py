"""Kill a run of a million boards at forty random moments, for one and two workers: `python -m tests.forty_kills`.

Prints a line a moment and ends with an error at the first row that differs.
"""

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.pipeline.running import command, row_hash

BOARDS = 1_000_000
MOMENTS = 40
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def run(folder: Path, workers: int, kill_after: float | None, how: signal.Signals) -> int | None:
    """Exit code of a run in `folder`, stopped after some seconds unless None."""
    arguments = ("run", "--boards", BOARDS, "--workers", workers, "--out", "r", "--no-html", "-q")
    process = subprocess.Popen(command(*arguments), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if kill_after is not None:
        try:
            return process.wait(kill_after)
        except subprocess.TimeoutExpired:
            process.send_signal(how)
    return process.wait(600)


def main() -> None:
    chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            started = time.monotonic()
            assert run(folder, workers, None, signal.SIGKILL) == 0
            whole = time.monotonic() - started
            wanted = row_hash(folder / "r")
            stopped = 0
            for moment in range(MOMENTS // 2):
                shutil.rmtree(folder / "r")
                how, after = chance.choice(SIGNALS), chance.uniform(0.2, whole)
                code = run(folder, workers, after, how)
                stopped += code != 0
                assert run(folder, workers, None, how) == 0
                assert row_hash(folder / "r") == wanted, (workers, moment, how, after)
                assert not list((folder / "r").rglob(".tmp-*"))
                print(
                    f"{workers} workers, moment {moment + 1}: {how.name} after {after:.2f} s, exit code {code}",
                    flush=True,
                )
            print(f"{workers} workers: {stopped} of {MOMENTS // 2} runs were stopped; all ended with the same rows")


if __name__ == "__main__":
    main()

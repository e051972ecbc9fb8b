"""A server as a person starts it: `pipeline serve` in a process of its own, on a free port of 127.0.0.1."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import LONG


@contextmanager
def running_server(folder: Path, *arguments: str) -> Iterator[tuple[int, int]]:
    """Port and process id; the server ends with the block."""
    command = [sys.executable, "-m", "pipeline", "serve", "--port", "0", *arguments]
    server = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        said = ""
        for line in server.stderr:
            said += line
            if found := re.search(r"http://[\d.]+:(\d+)", line):
                yield int(found[1]), server.pid
                break
        else:
            raise AssertionError(f"the server did not start: {said}")
    finally:
        server.terminate()
        server.wait(LONG)
        server.stderr.close()

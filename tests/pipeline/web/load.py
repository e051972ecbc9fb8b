"""Load on loopback: 16 clients ask /api/v1/solve for random boards, against empty POSTs to the same server.

Run it as `python -m tests.pipeline.web.load [SECONDS]`.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.pipeline.web.serving import running_server

CLIENTS = 16
LETTERS = "eeeeeeaaaaaiiiioooootttttnnnnsssslllrrrrddduummhhggccpbfyvwkjxzq"


@dataclass
class Load:
    """`latencies` in seconds; an answer other than 200 or 204 is an error."""

    seconds: float = 0.0
    errors: int = 0
    latencies: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    def quantile(self, share: float) -> float:
        return sorted(self.latencies)[int(share * (len(self.latencies) - 1))]


def solve_body(source: random.Random) -> bytes:
    board = "".join(source.choices(LETTERS, k=16))
    return json.dumps({"board": board, "words": source.choice(["opentaal_nl", "enable1"])}).encode()


def resident_kib(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def _client(port: int, path: str, make_body: object, until: float, load: Load) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        body = make_body() if callable(make_body) else b""
        lines = (f"POST {path} HTTP/1.1", "host: 127.0.0.1", "content-type: application/json")
        head = "\r\n".join((*lines, f"content-length: {len(body)}", "", ""))
        started = time.perf_counter()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        lower = answer.lower()
        if b"content-length:" in lower:
            await reader.readexactly(int(lower.split(b"content-length:")[1].split(b"\r\n")[0]))
        load.latencies.append(time.perf_counter() - started)
        load.errors += answer[9:12] not in (b"200", b"204")
    writer.close()
    await writer.wait_closed()


async def _run(port: int, path: str, make_body: object, seconds: float) -> Load:
    load = Load()
    started = time.perf_counter()
    until = started + seconds
    await asyncio.gather(*(_client(port, path, make_body, until, load) for _ in range(CLIENTS)))
    load.seconds = time.perf_counter() - started
    return load


def measure(port: int, path: str, seconds: float, seed: int = 1) -> Load:
    source = random.Random(seed)
    make_body = (lambda: solve_body(source)) if path.endswith("solve") else None
    return asyncio.run(_run(port, path, make_body, seconds))


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as (port, pid):
        measure(port, "/api/v1/solve", 2)
        before = resident_kib(pid)
        rounds = []
        for number in range(4):
            empty = measure(port, "/api/v1/ping", seconds / 4)
            solve = measure(port, "/api/v1/solve", seconds / 4, number)
            rounds.append((empty, solve))
            print(
                f"empty {empty.rate:7.0f}/s  solve {solve.rate:7.0f}/s  ratio {solve.rate / empty.rate:.2f}  "
                f"p50 {1e3 * solve.quantile(0.5):.1f} ms  p99 {1e3 * solve.quantile(0.99):.1f} ms  "
                f"errors {empty.errors + solve.errors}"
            )
        print(f"resident {before / 1024:.0f} MiB before, {resident_kib(pid) / 1024:.0f} MiB after")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20)

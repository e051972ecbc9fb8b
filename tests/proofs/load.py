"""Load on loopback: 16 clients ask /api/v1/solve for random boards, against empty POSTs to the same server.

Run it as `python -m tests.proofs.load [SECONDS]`.
"""

import asyncio
import itertools
import json
import random
import re
import socket
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.web.serving import running_server

CLIENTS = 16
BOARDS = 4_000
"""Different boards of a round; a longer round begins anew."""
LETTERS = "eeeeeeaaaaaiiiioooootttttnnnnsssslllrrrrddduummhhggccpbfyvwkjxzq"
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


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


class _Client(asyncio.Protocol):
    """One connection that always waits for one answer; streams would take more from the cores that the server needs."""

    def __init__(self, requests: list[bytes], until: float, load: Load) -> None:
        self._requests, self._until, self._load = itertools.cycle(requests), until, load
        self._got = b""
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._ask()

    def _ask(self) -> None:
        self._got = b""
        self._started = time.perf_counter()
        self._transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, end, body = self._got.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not end or (length and len(body) < int(length[1])):
            return
        now = time.perf_counter()
        self._load.latencies.append(now - self._started)
        self._load.errors += head[9:12] not in (b"200", b"204")
        if now < self._until:
            self._ask()
        else:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if time.perf_counter() < self._until:
            self._load.errors += 1
        self.ended.set_result(None)


def _request(path: str, body: bytes) -> bytes:
    lines = (f"POST {path} HTTP/1.1", "host: 127.0.0.1", "content-type: application/json")
    return "\r\n".join((*lines, f"content-length: {len(body)}", "", "")).encode() + body


async def _run(port: int, requests: list[bytes], seconds: float) -> Load:
    load = Load()
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    shares = [requests[number::CLIENTS] for number in range(CLIENTS)]
    clients = [
        (await loop.create_connection(lambda: _Client(share, started + seconds, load), "127.0.0.1", port))[1]  # noqa: B023
        for share in shares
    ]
    await asyncio.gather(*(client.ended for client in clients))
    load.seconds = time.perf_counter() - started
    return load


def measure(port: int, path: str, seconds: float, seed: int = 1) -> Load:
    """Bodies are made beforehand, so that the clients take no time from the server."""
    source = random.Random(seed)
    bodies = [solve_body(source) if path.endswith("solve") else b"" for _ in range(BOARDS)]
    return asyncio.run(_run(port, [_request(path, body) for body in bodies], seconds))


def wait_for_kenken(port: int) -> None:
    """The server compiles it in the background after its start, which is no part of the load."""
    request = _request("/api/v1/kenken/generate", b'{"size": 3}').replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")
    status = b"503"
    while status == b"503":
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(request)
            status = connection.makefile("rb").read()[9:12]
    assert status == b"200", status


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as (port, pid):
        wait_for_kenken(port)
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

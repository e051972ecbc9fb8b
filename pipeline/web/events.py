"""Runs as they go on, for pages that watch: one look a second, whoever asks, and what changed to each of them."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from pydantic_core import to_json

from pipeline.web.problems import BUSY, RefusalError

PAUSE = 1.0
ALIVE = 15.0
"""Seconds of silence after which a stream says that it is still there."""
WINDOW = 10.0
"""Seconds over which the speed of a run is measured."""
Entry = dict[str, Any]
log = logging.getLogger("shakedown.web")


class Speeds:
    """Rows a second of runs that go on, from the last looks at them."""

    def __init__(self) -> None:
        self._looks: dict[str, deque[tuple[float, int]]] = {}

    def add(self, runs: dict[str, Entry], now: float) -> dict[str, Entry]:
        """The same runs with `rate` and `seconds_left`, None where not known."""
        self._looks = {name: looks for name, looks in self._looks.items() if name in runs}
        return {name: {**run, **self._speed(name, run, now)} for name, run in runs.items()}

    def _speed(self, name: str, run: Entry, now: float) -> Entry:
        if run["state"] != "running":
            self._looks.pop(name, None)
            return {"rate": None, "seconds_left": None}
        looks = self._looks.setdefault(name, deque())
        looks.append((now, run["stored"]))
        while len(looks) > 2 and looks[1][0] <= now - WINDOW:
            looks.popleft()
        seconds, rows = now - looks[0][0], run["stored"] - looks[0][1]
        if seconds <= 0 or rows <= 0:
            return {"rate": None, "seconds_left": None}
        rate = rows / seconds
        return {"rate": rate, "seconds_left": max(0, run["planned"] - run["stored"]) / rate}


class Events:
    """`look` gives every run by name; at most `most` streams are open at once."""

    def __init__(self, look: Callable[[], dict[str, Entry]], most: int) -> None:
        self._look, self._most = look, most
        self._streams = 0
        self._runs: dict[str, Entry] = {}
        self._looked: asyncio.Event = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._speeds = Speeds()

    def open(self, names: Sequence[str]) -> AsyncIterator[bytes]:
        """What is known of the runs named (of those that go on, without names), then each change of any run.

        Raises RefusalError 503 where too many streams are open.
        """
        if self._streams >= self._most:
            raise RefusalError(503, "too many event streams are open", BUSY, headers={"Retry-After": "10"})
        return self._stream(set(names))

    async def _stream(self, names: set[str]) -> AsyncIterator[bytes]:
        self._streams += 1
        try:
            if self._watch is None:
                self._watch = asyncio.create_task(self._watch_runs())
            yield b"retry: 3000\n\n"
            seen: dict[str, Entry] | None = None
            heard = time.monotonic()
            while True:
                runs = self._runs
                if seen is None and runs:
                    first = {name: run for name, run in runs.items() if name in names or run["state"] == "running"}
                    changed, gone = list(first.values()), sorted(names - runs.keys())
                elif seen is None:
                    changed, gone = [], []
                else:
                    changed = [run for name, run in runs.items() if seen.get(name) != run]
                    gone = sorted(seen.keys() - runs.keys())
                said = [b"event: run\ndata: %b\n\n" % to_json(run) for run in changed]
                said += [b"event: gone\ndata: %b\n\n" % to_json({"name": name}) for name in gone]
                if said:
                    heard = time.monotonic()
                    yield b"".join(said)
                elif time.monotonic() - heard > ALIVE:
                    heard = time.monotonic()
                    yield b": alive\n\n"
                if runs or seen is not None:
                    seen = runs
                await self._looked.wait()
        finally:
            self._streams -= 1

    async def _watch_runs(self) -> None:
        """Look while somebody watches; a look that fails is tried again."""
        try:
            while self._streams:
                try:
                    runs = await asyncio.to_thread(self._look)
                except Exception:
                    log.exception("runs could not be looked at")
                else:
                    self._runs = self._speeds.add(runs, time.monotonic())
                    looked, self._looked = self._looked, asyncio.Event()
                    looked.set()
                await asyncio.sleep(PAUSE)
        finally:
            self._watch = None
            self._runs = {}

    def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

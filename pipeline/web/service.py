"""What all requests share: prepared lists, workers, limits."""

import asyncio
import logging
import time
from typing import Any

from pipeline.versions import own_version
from pipeline.web.boggle import Board, lexicon_key, read_board, shake_boards, solve_board, trace_word
from pipeline.web.books import Books, Key, Prepared
from pipeline.web.events import Events
from pipeline.web.kenken import generate_puzzle, give_hint, solve_puzzle
from pipeline.web.launch import Launcher
from pipeline.web.listing import Listing
from pipeline.web.models import GenerateRequest, HintRequest, PuzzleRequest, SolveRequest, TraceRequest
from pipeline.web.problems import BUSY, RefusalError, about
from pipeline.web.settings import Settings
from pipeline.web.workers import Workers

_LARGE_LIST = 400_000
"""Words of a shipped list that is read only when it is asked for."""
_WARM_BOARD = SolveRequest(board="perslatgsineters", words="enable1", paths=True)
log = logging.getLogger("shakedown.web")


class Service:
    """`books` may be shared by several. Raises PipelineError where a word list given by the operator cannot be used."""

    def __init__(self, settings: Settings, books: Books | None = None) -> None:
        limits = settings.limits
        self.settings, self.limits = settings, limits
        self.books = books or Books(settings.words, limits.lexicons)
        self._solving = Workers("solve", limits.threads, limits.waiting, limits.solve_seconds, limits.batch)
        self._tracing = Workers("trace", 1, limits.waiting, limits.solve_seconds)
        self._building = Workers("build", 1, limits.waiting, limits.build_seconds)
        self._kenken = Workers("kenken", 1, limits.waiting, limits.kenken_seconds)
        self.reading = Workers("runs", 1, limits.waiting, limits.run_seconds)
        self.starting = Workers("start", 1, limits.waiting, limits.run_seconds)
        self.launcher = Launcher(settings.outputs, settings.allow_runs)
        self.events = Events(self._look, limits.streams)
        self.runs = Listing(settings.outputs)
        self._started = time.monotonic()
        self._kenken_ready: asyncio.Task[None] | None = None

    def prepare(self) -> None:
        """Read the lists, build the tries of free letters, compile what solves boards; takes seconds.

        A large shipped list is read when it is asked for; one that the operator gave is read here, so that it is found
        out here if it cannot be.
        """
        for name, source in self.books.sources.items():
            if source.count is not None and source.count > _LARGE_LIST:
                continue
            with about("words"):
                self.books.prepare(Key(name, self.books.alphabets(source.rules)[0], 3), 16)
        board = read_board(_WARM_BOARD, self.books)
        prepared = self.books.prepare(lexicon_key(_WARM_BOARD, board, self.books), 16)
        solve_board(_WARM_BOARD, board, prepared, self.limits)
        trace_word(TraceRequest(board=_WARM_BOARD.board, word="plaster"), board, self.books, self.limits)
        shake_boards(self.books.dice_set("new"), 1, 0, 1, None, None)

    def start(self) -> None:
        """Compile the KenKen solver in the background: the first time it takes a minute or two."""
        self._kenken_ready = asyncio.ensure_future(asyncio.to_thread(self._warm_kenken))

    def _warm_kenken(self) -> None:
        generate_puzzle(GenerateRequest(size=3), self.limits)

    def close(self) -> None:
        for workers in (self._solving, self._tracing, self._building, self._kenken, self.reading, self.starting):
            workers.close()
        self.events.close()
        self.launcher.close()

    def health(self) -> dict[str, Any]:
        return {
            "status": "ok",
            "version": own_version(),
            "seconds": round(time.monotonic() - self._started, 3),
            "kenken": self._kenken_ready is not None and self._kenken_ready.done(),
            "allow_runs": self.launcher.most,
        }

    def _look(self) -> dict[str, dict[str, Any]]:
        """Every run as it stands, with what those of this server ended in."""
        failures = self.launcher.failures()
        going = self.launcher.going
        runs = {
            run["name"]: {**run, "own": run["name"] == going, "failure": failures.get(run["name"], "")}
            for run in self.runs.entries()
        }
        for name in self.launcher.unlisted(runs):
            state = "starting" if name == going else "failed"
            runs[name] = {"name": name, "state": state, "stored": 0, "planned": 0, "failure": failures.get(name, "")}
        return runs

    async def solve(self, request: SolveRequest) -> bytes:
        board = read_board(request, self.books)
        prepared = await self._prepared(lexicon_key(request, board, self.books), board)
        return await self._solving.run(solve_board, request, board, prepared, self.limits)

    async def _prepared(self, key: Key, board: Board) -> Prepared:
        cells = board.rows * board.columns
        prepared = self.books.ready(key, cells)
        if prepared is not None:
            return prepared
        with about("min_length"):
            return await self._building.run(self.books.prepare, key, cells)

    async def trace(self, request: TraceRequest) -> dict[str, Any]:
        board = read_board(request, self.books)
        return await self._tracing.run(trace_word, request, board, self.books, self.limits)

    async def generate(self, request: GenerateRequest) -> dict[str, Any]:
        await self._wait_for_kenken()
        return await self._kenken.run(generate_puzzle, request, self.limits)

    async def solve_puzzle(self, request: PuzzleRequest) -> dict[str, Any]:
        await self._wait_for_kenken()
        return await self._kenken.run(solve_puzzle, request, self.limits)

    async def hint(self, request: HintRequest) -> dict[str, Any]:
        await self._wait_for_kenken()
        return await self._kenken.run(give_hint, request, self.limits)

    async def _wait_for_kenken(self) -> None:
        if self._kenken_ready is None or self._kenken_ready.done():
            return
        await asyncio.wait({self._kenken_ready}, timeout=self.limits.kenken_seconds)
        if not self._kenken_ready.done():
            detail = "the KenKen solver is still being compiled; try again in a minute"
            raise RefusalError(503, detail, BUSY, headers={"Retry-After": "10"})

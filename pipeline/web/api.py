"""The JSON API: each operation under /api/v1, and under /api as an alias for the current version."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel
from pydantic_core import to_json
from starlette.responses import Response

from pipeline.web import models, results
from pipeline.web.bodies import described, read_body
from pipeline.web.boggle import shake_boards
from pipeline.web.problems import about, declared
from pipeline.web.service import Service
from pipeline.web.settings import MAX_SHAKES

_ALWAYS = (400, 408, 413, 421)
_WORK = declared(*_ALWAYS, 422, 503)
_LOOK = declared(*_ALWAYS)
_NAMED = declared(*_ALWAYS, 404, 422, 503)

RunName = Annotated[str, Path(max_length=200, description="A name of the list of runs.")]
Number = Annotated[int, Query(ge=0, lt=2**63 - 1_000)]


def _json(value: Any) -> Response:
    return Response(to_json(value), media_type="application/json")


def make_router(service: Service) -> APIRouter:
    router = APIRouter()
    books = service.books

    def work(path: str, body: type[BaseModel], answer: type[BaseModel], tag: str) -> Callable[[Any], Any]:
        """Return a POST whose body its function reads by `read_body`."""
        return router.post(path, response_model=answer, responses=_WORK, tags=[tag], openapi_extra=described(body))

    @work("/solve", models.SolveRequest, models.SolveAnswer, "boards")
    async def solve(request: Request) -> Response:
        """Every word of a board, with their number, score, and the nodes of the search."""
        return Response(
            await service.solve(await read_body(request, models.SolveRequest)), media_type="application/json"
        )

    @work("/trace", models.TraceRequest, models.TraceAnswer, "boards")
    async def trace(request: Request) -> Response:
        """Whether a word can be traced on a board, by which cells, and in how many ways."""
        return _json(await service.trace(await read_body(request, models.TraceRequest)))

    @router.get("/shake", response_model=models.ShakeAnswer, responses=_WORK, tags=["boards"])
    async def shake(
        dice: Annotated[models.Id, Query(description="A dice set of /dice.")] = "new",
        seed: Annotated[Number, Query(description="Seed.")] = 1,
        index: Annotated[Number, Query(description="Id of the first board: row `index` of any run.")] = 0,
        count: Annotated[int, Query(ge=1, le=MAX_SHAKES, description="How many boards.")] = 1,
        rows: Annotated[models.Side | None, Query(description="Fewer rows than the dice set has.")] = None,
        columns: Annotated[models.Side | None, Query(description="Fewer columns than the dice set has.")] = None,
    ) -> Response:
        """Boards by seed and id. A smaller grid takes the first tiles of the shake."""
        with about("dice"):
            dice_set = books.dice_set(dice)
        return _json(shake_boards(dice_set, seed, index, count, rows, columns))

    @router.get("/dice", response_model=list[models.DiceAnswer], responses=_LOOK, tags=["boards"])
    async def dice_sets() -> Response:
        """The dice sets."""
        sets = [
            {**one.model_dump(include=set(models.DiceAnswer.model_fields) - {"faces"}), "faces": list(one.faces)}
            for one in books.dice.values()
        ]
        return _json(sets)

    @router.get("/words", response_model=list[models.WordsAnswer], responses=_LOOK, tags=["boards"])
    async def word_lists() -> Response:
        """The word lists; the first is the default."""
        lists = [
            {
                **{key: getattr(source, key) for key in ("id", "name", "language", "licence", "credit")},
                "count": books.count(source.id),
            }
            for source in books.sources.values()
        ]
        return _json(lists)

    @work("/kenken/generate", models.GenerateRequest, models.GeneratedAnswer, "kenken")
    async def generate(request: Request) -> Response:
        """A puzzle with one solution: the same for the same size, grade, seed and index."""
        return _json(await service.generate(await read_body(request, models.GenerateRequest)))

    @work("/kenken/solve", models.PuzzleRequest, models.PuzzleAnswer, "kenken")
    async def solve_puzzle(request: Request) -> Response:
        """Solve a puzzle and grade it."""
        return _json(await service.solve_puzzle(await read_body(request, models.PuzzleRequest)))

    @work("/kenken/hint", models.HintRequest, models.HintAnswer, "kenken")
    async def hint(request: Request) -> Response:
        """The next step of a puzzle: a wrong digit, or a cell that the weakest rule places."""
        return _json(await service.hint(await read_body(request, models.HintRequest)))

    @router.get("/runs", response_model=models.RunsAnswer, responses=declared(*_ALWAYS, 503), tags=["runs"])
    async def runs() -> Response:
        """Runs under outputs/, the latest first."""
        return _json({"runs": await service.reading.run(results.listing, service.settings.outputs)})

    @router.get("/runs/{name}/report", responses={**_NAMED, **_REPORT}, tags=["runs"], response_class=Response)
    async def report(name: RunName) -> Response:
        """The report that a run has written: HTML, or Markdown as plain text."""
        content, kind = await service.reading.run(results.read_report, service.settings.outputs, name)
        return Response(content, media_type=f"{kind}; charset=utf-8", headers={"Content-Security-Policy": SANDBOX})

    @router.get("/compare", response_model=models.CompareAnswer, responses=_NAMED, tags=["runs"])
    async def compare(
        run: Annotated[list[str], Query(min_length=1, max_length=4, description="Names of the list of runs.")],
    ) -> Response:
        """Each later run or dice set against the first."""
        return _json({"tables": await service.reading.run(results.compare, service.settings.outputs, run)})

    @router.post("/ping", status_code=204, responses=_LOOK, tags=["server"])
    async def ping() -> Response:
        """Nothing: what a request costs without any work."""
        return Response(status_code=204)

    return router


SANDBOX = (
    "sandbox allow-scripts allow-popups; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
)
"""Reports bring their own scripts for charts: they run in an origin of their own, which reaches nothing."""
_REPORT: dict[int | str, dict[str, Any]] = {
    200: {"description": "The report", "content": {"text/html": {}, "text/plain": {}}}
}

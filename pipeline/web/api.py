"""The JSON API: each operation under /api/v1, and under /api as an alias for the current version."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from pipeline.web import models
from pipeline.web.bodies import CHANGING, FIXED, described, json_answer, kept_json, read_body
from pipeline.web.boggle import shake_boards
from pipeline.web.problems import about, declared
from pipeline.web.runs_api import add_runs
from pipeline.web.service import Service
from pipeline.web.settings import MAX_SHAKES

_ALWAYS = (400, 408, 413, 421, 429)
_WORK = declared(*_ALWAYS, 415, 422, 503)
_PICK = declared(*_ALWAYS, 422)
_LOOK = declared(*_ALWAYS)

Number = Annotated[int, Query(ge=0, lt=2**63 - 1_000)]


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
        return json_answer(await service.trace(await read_body(request, models.TraceRequest)))

    @router.get("/shake", response_model=models.ShakeAnswer, responses=_PICK, tags=["boards"])
    async def shake(
        request: Request,
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
        return kept_json(request, shake_boards(dice_set, seed, index, count, rows, columns), FIXED)

    @router.get("/dice", response_model=list[models.DiceAnswer], responses=_LOOK, tags=["boards"])
    async def list_dice(request: Request) -> Response:
        """The dice sets."""
        sets = [
            {**one.model_dump(include=set(models.DiceAnswer.model_fields) - {"faces"}), "faces": list(one.faces)}
            for one in books.dice.values()
        ]
        return kept_json(request, sets, CHANGING)

    @router.get("/words", response_model=list[models.WordsAnswer], responses=_LOOK, tags=["boards"])
    async def list_words(request: Request) -> Response:
        """The word lists; the first is the default."""
        lists = [
            {
                **{key: getattr(source, key) for key in ("id", "name", "language", "licence", "credit")},
                "count": books.count(source.id),
            }
            for source in books.sources.values()
        ]
        return kept_json(request, lists, CHANGING)

    @work("/kenken/generate", models.GenerateRequest, models.GeneratedAnswer, "kenken")
    async def generate_kenken(request: Request) -> Response:
        """A puzzle with one solution: the same for the same size, grade, seed and index."""
        return json_answer(await service.generate(await read_body(request, models.GenerateRequest)))

    @work("/kenken/solve", models.PuzzleRequest, models.PuzzleAnswer, "kenken")
    async def solve_kenken(request: Request) -> Response:
        """Solve a puzzle and grade it."""
        return json_answer(await service.solve_puzzle(await read_body(request, models.PuzzleRequest)))

    @work("/kenken/hint", models.HintRequest, models.HintAnswer, "kenken")
    async def hint_kenken(request: Request) -> Response:
        """The next step of a puzzle: a wrong digit, or a cell that the weakest rule places."""
        return json_answer(await service.hint(await read_body(request, models.HintRequest)))

    add_runs(router, service)

    @router.get("/health", response_model=models.HealthAnswer, responses=_LOOK, tags=["server"])
    async def health() -> Response:
        """That the server answers, and what it is ready for."""
        response = json_answer(service.health())
        response.headers["Cache-Control"] = "no-store"
        return response

    @router.post("/ping", status_code=204, responses=_LOOK, tags=["server"])
    async def ping() -> Response:
        """Nothing: what a request costs without any work."""
        return Response(status_code=204)

    return router

"""The part of the API about runs: listed, shown, compared, watched, and started where the operator allows it."""

from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from pipeline.web import results, run_models
from pipeline.web.bodies import CHANGING, described, json_answer, kept, kept_json, read_body
from pipeline.web.problems import RefusalError, declared
from pipeline.web.report_page import NO_SCRIPT
from pipeline.web.service import Service
from pipeline.web.settings import MAX_LISTED

_ALWAYS = (400, 408, 413, 421, 429)
_READ = declared(*_ALWAYS, 503)
_NAMED = declared(*_ALWAYS, 404, 422, 503)
_START = declared(*_ALWAYS, 403, 409, 415, 422, 503)

RunName = Annotated[str, Path(max_length=200, description="A name of the list of runs.")]
Variant = Annotated[str | None, Query(max_length=64, description="A dice set of the run; its first if not given.")]
Limit = Annotated[int, Query(ge=1, le=MAX_LISTED, description="How many at most.")]
Offset = Annotated[int, Query(ge=0, le=10_000, description="How many to leave out before.")]
_REPORT: dict[int | str, dict[str, Any]] = {
    200: {"description": "The report", "content": {"text/html": {}, "text/plain": {}}}
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events `run` (as in the list, with `rate` and `seconds_left`) and `gone`",
          "content": {"text/event-stream": {}}}
}  # fmt: skip


def add_runs(router: APIRouter, service: Service) -> None:
    runs = service.runs
    reading = service.reading

    @router.get("/runs", response_model=run_models.RunsAnswer, responses=declared(*_ALWAYS, 422, 503), tags=["runs"])
    async def list_runs(
        request: Request,
        search: Annotated[str, Query(max_length=100, description="Part of a name, dice set, list or state.")] = "",
        sort: Annotated[
            run_models.Sort, Query(description="By name upwards; by the others the greatest first.")
        ] = "date",
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> Response:
        """Runs under outputs/: what they are planned to hold, what is stored, and whether they go on."""
        found = await reading.run(runs.page, search, sort, limit, offset)
        return kept_json(request, found, CHANGING)

    @router.post(
        "/runs", status_code=202, response_model=run_models.StartedAnswer, responses=_START, tags=["runs"],
        openapi_extra=described(run_models.RunRequest),
    )  # fmt: skip
    async def start_run(request: Request) -> Response:
        """Start a run, or go on with the same one; only where the server was started with --allow-runs."""
        _own_pages_only(request)
        body = await read_body(request, run_models.RunRequest)
        name = await service.starting.run(service.launcher.start, body)
        response = json_answer({"name": name})
        response.status_code = 202
        return response

    @router.get(
        "/events", responses={**declared(*_ALWAYS, 422, 503), **_EVENTS}, tags=["runs"], response_class=Response
    )
    async def watch_runs(
        run: Annotated[list[str] | None, Query(max_length=100, description="Runs to tell of at once.")] = None,
    ) -> Response:
        """Server-sent events: the runs named and those that go on, then every change, a look a second."""
        stream = service.events.open(run or [])
        return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    @router.get("/runs/{name}", response_model=run_models.RunDetailAnswer, responses=_NAMED, tags=["runs"])
    async def show_run(request: Request, name: RunName) -> Response:
        """A run: its state, its settings, and the figures of its last report."""
        return kept_json(request, await reading.run(results.detail, runs, name), CHANGING)

    @router.post("/runs/{name}/stop", status_code=204, responses=declared(*_ALWAYS, 403, 409, 422), tags=["runs"])
    async def stop_run(request: Request, name: RunName) -> Response:
        """Interrupt a run that this server started; what is stored is kept, and the same request goes on with it."""
        _own_pages_only(request)
        service.launcher.stop(name)
        return Response(status_code=204)

    @router.get("/runs/{name}/boards", response_model=run_models.BoardsAnswer, responses=_NAMED, tags=["runs"])
    async def list_run_boards(
        request: Request,
        name: RunName,
        variant: Variant = None,
        worst: Annotated[bool, Query(description="The lowest scores first.")] = False,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> Response:
        """Boards of a run that is done, by score."""
        found = await reading.run(results.best_boards, runs, name, variant, worst, limit, offset)
        return kept_json(request, found, CHANGING)

    @router.get("/runs/{name}/words", response_model=run_models.RunWordsAnswer, responses=_NAMED, tags=["runs"])
    async def list_run_words(
        request: Request,
        name: RunName,
        variant: Variant = None,
        rarest: Annotated[bool, Query(description="Those on fewest boards first.")] = False,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> Response:
        """Words that boards of a run show, by the number of boards."""
        found = await reading.run(results.common_words, runs, name, variant, rarest, limit, offset)
        return kept_json(request, found, CHANGING)

    @router.get("/runs/{name}/report", responses={**_NAMED, **_REPORT}, tags=["runs"], response_class=Response)
    async def read_run_report(request: Request, name: RunName) -> Response:
        """The report that a run has written: HTML, or Markdown as plain text."""
        content, kind = await reading.run(results.read_report, runs, name)
        return kept(request, content, f"{kind}; charset=utf-8", CHANGING, NO_SCRIPT)

    @router.get("/compare", response_model=run_models.CompareAnswer, responses=_NAMED, tags=["runs"])
    async def compare_runs(
        request: Request,
        run: Annotated[list[str], Query(min_length=1, max_length=4, description="Names of the list of runs.")],
    ) -> Response:
        """Each later run or dice set against the first."""
        return kept_json(request, await reading.run(results.compare, runs, run), CHANGING)


def _own_pages_only(request: Request) -> None:
    """A page of another origin may look at runs where it was let in, but not start or stop one."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        raise RefusalError(403, "runs are started and stopped by this server's own pages and by programs")

"""The pages for people: HTML from templates, in the reader's language."""

import json
from pathlib import Path
from typing import Annotated, Any

import jinja2
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pipeline import guide
from pipeline.web import results
from pipeline.web.guide import article
from pipeline.web.language import COOKIE, chosen
from pipeline.web.models import EXAMPLE_PUZZLE, Grade
from pipeline.web.problems import RefusalError
from pipeline.web.reference import operations
from pipeline.web.service import Service
from pipeline.web.settings import DEFAULT_WORDS, MAX_KENKEN, MAX_MIN_LENGTH, MAX_SIDE, MIN_KENKEN, MIN_SIDE
from pipeline.web.static_files import StaticFiles
from pipeline.web.texts import LANGUAGE_NAMES, SCRIPT_KEYS, TEXTS


class Pages:
    def __init__(self) -> None:
        loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
        self._environment = jinja2.Environment(
            loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )

    def render(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        language = chosen(request)
        texts = TEXTS[language]
        keys = SCRIPT_KEYS.get(name.removesuffix(".html"), SCRIPT_KEYS["common"])
        query = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
        switches = [
            (code, title, str(request.url.replace_query_params().include_query_params(**dict(query), lang=code).query))
            for code, title in LANGUAGE_NAMES.items()
        ]
        html = self._environment.get_template(name).render(
            t=texts,
            language=language,
            switches=switches,
            path=request.url.path,
            script_texts=json.dumps({key: texts[key] for key in keys}, ensure_ascii=False),
            **values,
        )
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"}
        response = HTMLResponse(html, status, headers)
        if request.query_params.get("lang") in TEXTS:
            response.set_cookie(COOKIE, language, max_age=31_536_000, samesite="lax", httponly=True)
        return response


def default_list(lists: list[dict[str, str]], language: str) -> str:
    """Return the id of the first list in the page's language; the API's default where there is none."""
    return next((one["id"] for one in lists if one["language"] == language), DEFAULT_WORDS)


def make_router(service: Service) -> APIRouter:
    router = APIRouter(include_in_schema=False)
    pages, static = Pages(), StaticFiles()
    outputs = service.settings.outputs
    sets = [
        {
            **{key: getattr(one, key) for key in ("id", "rows", "columns", "years", "language")},
            "name": one.name or one.id,
        }
        for one in service.books.dice.values()
    ]

    @router.get("/")
    async def solve_page(request: Request) -> Response:
        lists = [
            {"id": one.id, "name": one.name or one.id, "language": one.language}
            for one in service.books.sources.values()
        ]
        return pages.render(
            request, "solve.html", lists=lists, sets=sets, default_words=default_list(lists, chosen(request)),
            sides=range(MIN_SIDE, MAX_SIDE + 1), lengths=range(1, MAX_MIN_LENGTH + 1),
        )  # fmt: skip

    @router.get("/kenken")
    async def kenken_page(request: Request) -> Response:
        return pages.render(
            request, "kenken.html", sizes=range(MIN_KENKEN, MAX_KENKEN + 1), example=EXAMPLE_PUZZLE.strip(),
            grades=Grade.__args__,  # type: ignore[attr-defined]
        )  # fmt: skip

    @router.get("/runs")
    async def runs_page(request: Request) -> Response:
        runs = await service.reading.run(results.listing, outputs)
        return pages.render(request, "runs.html", runs=runs)

    @router.get("/compare")
    async def compare_page(request: Request, run: Annotated[list[str] | None, Query()] = None) -> Response:
        names, tables, problem, status = (run or [])[:4], [], "", 200
        if names:
            try:
                tables = await service.reading.run(results.compare, outputs, names)
            except RefusalError as error:
                problem, status = error.detail, error.status
        runs = await service.reading.run(results.listing, outputs)
        return pages.render(
            request, "compare.html", status, runs=runs, names=names, tables=tables, problem=problem
        )  # fmt: skip

    @router.get("/guide")
    @router.get("/guide/{topic}")
    async def guide_page(request: Request, topic: str = guide.ORDER[0]) -> Response:
        if topic not in guide.ORDER:
            raise RefusalError(404, "the guide has no such topic", field="topic")
        topics = [(one, guide.title(one)) for one in guide.ORDER]
        return pages.render(
            request, "guide.html", topic=topic, topics=topics, heading=guide.title(topic), article=article(topic)
        )

    @router.get("/docs")
    async def docs_page(request: Request) -> Response:
        return pages.render(request, "docs.html", operations=operations(request.app.openapi()))

    @router.get("/static/{name}")
    async def static_file(name: str, request: Request) -> Response:
        return static.respond(name, request)

    @router.get("/favicon.ico")
    async def icon(request: Request) -> Response:
        return static.respond("icon.svg", request)

    return router

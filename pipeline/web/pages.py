"""The pages for people: HTML from templates, in the reader's language."""

import json
from pathlib import Path as Folder
from typing import Annotated, Any
from urllib.parse import urlencode

import jinja2
from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pipeline import guide
from pipeline.config import available_cores
from pipeline.web import compared, results, run_tables, shown
from pipeline.web.bodies import CHANGING, kept
from pipeline.web.guide import article
from pipeline.web.language import COOKIE, chosen
from pipeline.web.models import EXAMPLE_PUZZLE, Grade
from pipeline.web.problems import RefusalError
from pipeline.web.reference import operations
from pipeline.web.report_page import NO_SCRIPT, with_bar
from pipeline.web.run_models import Sort
from pipeline.web.service import Service
from pipeline.web.settings import DEFAULT_WORDS, MAX_KENKEN, MAX_LISTED, MAX_MIN_LENGTH, MAX_SIDE, MIN_KENKEN, MIN_SIDE
from pipeline.web.texts import LANGUAGE_NAMES, SCRIPT_KEYS, TEXTS

PAGE = 25
"""Runs on one page of the list."""


class Pages:
    def __init__(self) -> None:
        loader = jinja2.FileSystemLoader(Folder(__file__).parent / "templates")
        self._environment = jinja2.Environment(
            loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )

    def text(self, language: str, template: str, **values: Any) -> str:
        """Return a template filled in with the texts of a language."""
        return self._environment.get_template(template).render(t=TEXTS[language], language=language, **values)

    def render(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        language = chosen(request)
        texts = TEXTS[language]
        keys = SCRIPT_KEYS.get({"run.html": "runs"}.get(name, name.removesuffix(".html")), SCRIPT_KEYS["common"])
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
            n=lambda value, digits=0: shown.number(value, language, digits),
            size=lambda count: shown.size(count, language),
            moment=lambda text: shown.moment(text, language),
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


def second_run(runs: list[dict[str, Any]], first: dict[str, Any]) -> str:
    """Name of the run to compare another with: of the same game, done if there is one, with the same words; else none.

    `runs` with the latest first.
    """
    others = [run for run in runs if run["game"] == first["game"] and run["name"] != first["name"] and run["stored"]]
    others.sort(
        key=lambda run: (run["state"] != "done", run["words"] != first["words"], run["boards"] != first["boards"])
    )
    return str(others[0]["name"]) if others else ""


def make_router(service: Service) -> APIRouter:
    router = APIRouter(include_in_schema=False)
    pages = Pages()
    listing = service.runs
    sets = [
        {
            **{key: getattr(one, key) for key in ("id", "rows", "columns", "years", "language")},
            "name": one.name or one.id,
        }
        for one in service.books.dice.values()
    ]

    lists = [
        {"id": one.id, "name": one.name or one.id, "language": one.language} for one in service.books.sources.values()
    ]

    @router.get("/")
    async def solve_page(request: Request) -> Response:
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
    async def runs_page(
        request: Request,
        search: Annotated[str, Query(max_length=100)] = "",
        sort: Sort = "date",
        page: Annotated[int, Query(ge=1, le=1000)] = 1,
    ) -> Response:
        found = await service.reading.run(listing.page, search, sort, PAGE, (page - 1) * PAGE)

        def address(number: int) -> str:
            asked = {"search": search, "sort": sort, "page": number}
            return f"/runs?{urlencode({key: value for key, value in asked.items() if value})}"

        return pages.render(
            request, "runs.html", runs=found["runs"], left_out=found["left_out"],
            search=search, sort=sort, page=page, address=address,
            pages=-(-found["total"] // PAGE), allow_runs=service.settings.allow_runs, cores=available_cores(),
            sets=sets, lists=lists, default_words=default_list(lists, chosen(request)),
        )  # fmt: skip

    @router.get("/runs/{name}")
    async def run_page(request: Request, name: Annotated[str, Path(max_length=200)]) -> Response:
        run = await service.reading.run(results.detail, listing, name)
        every = (await service.reading.run(listing.page, "", "date", MAX_LISTED, 0))["runs"]
        figures = run["summary"]
        return pages.render(
            request, "run.html", run=run, second=second_run(every, run), figures=run_tables.figures(figures),
            best=run_tables.best_boards(run, figures), names=run_tables.names(run),
            summarized=run_tables.summarized(figures), allow_runs=service.settings.allow_runs,
        )  # fmt: skip

    @router.get("/runs/{name}/report")
    async def report_page(request: Request, name: Annotated[str, Path(max_length=200)]) -> Response:
        content, kind = await service.reading.run(results.read_report, listing, name)
        if kind == "text/html":
            language = chosen(request)
            bar = pages.text(language, "report_bar.html", name=name)
            content = with_bar(content, bar)
        return kept(
            request, content, f"{kind}; charset=utf-8", CHANGING, {**NO_SCRIPT, "Vary": "Accept-Language, Cookie"}
        )

    @router.get("/compare")
    async def compare_page(request: Request, run: Annotated[list[str] | None, Query()] = None) -> Response:
        names = [name for name in run or () if name][:4]
        offered: list[str] = []
        every = (await service.reading.run(listing.page, "", "date", MAX_LISTED, 0))["runs"]
        runs = [one for one in every if one["state"] != "broken"]
        if not names and runs:
            offered = [runs[0]["name"], second_run(runs, runs[0])]
        elif len(names) == 1:
            # A run of one set is compared with another.
            names += [second_run(runs, one) for one in runs if one["name"] == names[0] and len(one["variants"]) == 1]
            names = [name for name in names if name]
        comparisons: list[dict[str, Any]] = []
        problem, status = "", 200
        if names:
            try:
                found = await service.reading.run(results.compare, listing, names)
                comparisons = [
                    {**one, "rows": compared.rows(one, chosen(request)), "tables": results.share_tables(one)}
                    for one in found["comparisons"]
                ]
            except RefusalError as error:
                problem, status = error.detail, error.status
        return pages.render(
            request, "compare.html", status, runs=runs, names=names or offered, comparisons=comparisons, problem=problem
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
        document = request.app.openapi()
        tags = {tag["name"]: TEXTS[chosen(request)][f"tag_{tag['name']}"] for tag in document["tags"]}
        return pages.render(request, "docs.html", operations=operations(document), tags=tags)

    @router.get("/favicon.ico")
    async def icon() -> Response:
        return RedirectResponse("/static/icon.svg", 308)

    return router

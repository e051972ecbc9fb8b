"""The application: pages, API, errors and guard put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from pipeline.versions import own_version
from pipeline.web import api, models, pages, problems, run_models
from pipeline.web.examples import add_examples
from pipeline.web.guard import Guard
from pipeline.web.rate import Rate
from pipeline.web.service import Service
from pipeline.web.settings import Settings
from pipeline.web.static_files import StaticFiles

TAGS = {
    "boards": "Letter-dice boards: solve, trace, shake; dice sets and word lists.",
    "kenken": "KenKen puzzles: make, solve, and the next step.",
    "runs": "Runs under outputs/: what they hold, how far they are, what they found.",
    "server": "The server itself.",
}


def create_app(settings: Settings | None = None, service: Service | None = None) -> FastAPI:
    """Return an application ready for a server; without `service` it prepares one when it starts.

    Raises PipelineError where a word list cannot be used.
    """
    settings = service.settings if service else settings or Settings()
    ready = service
    service = service or Service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if ready is None:
            service.prepare()
        service.start()
        yield
        service.close()

    app = FastAPI(
        title="shakedown",
        version=own_version(),
        description="Solve letter-dice boards and KenKen puzzles, look at runs. Refusals are RFC 9457 documents.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses={},
        openapi_tags=[{"name": name, "description": about} for name, about in TAGS.items()],
        generate_unique_id_function=lambda route: route.name,
    )
    problems.install(app)
    router = api.make_router(service)
    app.include_router(router, prefix="/api/v1")
    app.include_router(router, prefix="/api", include_in_schema=False)
    app.include_router(pages.make_router(service))
    app.mount("/static", StaticFiles())
    _declare_schemas(app)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(settings.origins), allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
        )  # fmt: skip
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=5)
    limits = settings.limits
    app.add_middleware(
        Guard, body_bytes=limits.body_bytes, body_seconds=limits.body_seconds, local_only=settings.local_only,
        rate=Rate(limits.rate, limits.burst),
    )  # fmt: skip
    return app


def _declare_schemas(app: FastAPI) -> None:
    """FastAPI lists only schemas that models refer to; refusals and bodies refer to theirs by name. Examples too."""
    document = app.openapi()
    add_examples(document)
    schemas = document["components"]["schemas"]
    bodies = (
        models.SolveRequest,
        models.TraceRequest,
        models.GenerateRequest,
        models.PuzzleRequest,
        models.HintRequest,
        run_models.RunRequest,
    )
    for model in (*bodies, problems.ProblemDocument):
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= {**schema.pop("$defs", {}), model.__name__: schema}
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)

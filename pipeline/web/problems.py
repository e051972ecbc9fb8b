"""Every refusal is a problem document (RFC 9457) that names the field where there is one."""

import json
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from solvers.errors import InputError

MEDIA_TYPE = "application/problem+json"
MAX_DETAIL = 300
INVALID, LIMIT, BUSY = "invalid-input", "work-limit", "busy"


class FieldProblem(BaseModel):
    """One field that is wrong."""

    field: str = Field(description="Path of the field in the request, such as `board`.")
    message: str


class ProblemDocument(BaseModel):
    """A refusal as RFC 9457 lays it out."""

    type: str = Field(description="`about:blank`, or an address on this server that explains the kind of problem.")
    title: str
    status: int
    detail: str = Field(description="What is wrong and how to mend it.")
    errors: list[FieldProblem] = Field(default_factory=list, description="The fields that are wrong, if any.")


class RefusalError(Exception):
    """Raised anywhere while a request is answered; becomes the response."""

    def __init__(
        self, status: int, detail: str, kind: str = "", field: str = "", headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.kind, self.field, self.headers = status, detail, kind, field, headers or {}


class about:  # noqa: N801, a context manager by name; as a class, since every request enters three
    """Bad input found inside is a problem of this field."""

    def __init__(self, field: str, status: int = 422) -> None:
        self._field, self._status = field, status

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: Any) -> None:
        if isinstance(error, InputError):
            raise RefusalError(self._status, str(error), INVALID, self._field) from error


def document(status: int, detail: str, kind: str = "", errors: list[dict[str, str]] | None = None) -> dict[str, Any]:
    detail = detail if len(detail) <= MAX_DETAIL else detail[: MAX_DETAIL - 3] + "..."
    return {
        "type": f"/docs#problem-{kind}" if kind else "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "errors": errors or [],
    }


def body_of(problem: dict[str, Any]) -> bytes:
    """Return JSON bytes; half of a surrogate pair, which UTF-8 cannot hold, is replaced."""
    return json.dumps(problem, ensure_ascii=False).encode("utf-8", "replace")


def respond(
    status: int,
    detail: str,
    kind: str = "",
    errors: list[dict[str, str]] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    content = body_of(document(status, detail, kind, errors))
    return Response(content, status, headers=headers, media_type=MEDIA_TYPE)


def _from_problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, RefusalError)
    errors = [{"field": problem.field, "message": problem.detail[:MAX_DETAIL]}] if problem.field else None
    return respond(problem.status, problem.detail, problem.kind, errors, problem.headers)


def _from_validation(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = []
    for problem in error.errors()[:10]:
        place = [str(part)[:40] for part in problem["loc"] if part not in ("body", "query", "path")]
        errors.append({"field": ".".join(place) or "body", "message": str(problem["msg"])[:MAX_DETAIL]})
    first = errors[0]
    return respond(422, f"{first['field']}: {first['message']}", INVALID, errors)


def _from_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers) if error.headers else None
    return respond(error.status_code, str(error.detail), headers=headers)


def _from_anything(_: Request, __: Exception) -> Response:
    return respond(500, "the server met an error of its own; its log says more")


def install(app: FastAPI) -> None:
    app.add_exception_handler(RefusalError, _from_problem)
    app.add_exception_handler(RequestValidationError, _from_validation)
    app.add_exception_handler(HTTPException, _from_http)
    app.add_exception_handler(Exception, _from_anything)


def declared(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI entries of the refusals that an operation may answer."""
    schema = {"$ref": "#/components/schemas/ProblemDocument"}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in statuses
    }

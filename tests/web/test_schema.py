"""Generated requests against the OpenAPI text: no error of the server's own, every response as declared."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

OPERATIONS = [
    "POST /api/v1/solve",
    "POST /api/v1/trace",
    "GET /api/v1/shake",
    "GET /api/v1/dice",
    "GET /api/v1/words",
    "POST /api/v1/kenken/generate",
    "POST /api/v1/kenken/solve",
    "POST /api/v1/kenken/hint",
    "GET /api/v1/runs",
    "POST /api/v1/runs",
    "GET /api/v1/events",
    "GET /api/v1/runs/{name}",
    "POST /api/v1/runs/{name}/stop",
    "GET /api/v1/runs/{name}/boards",
    "GET /api/v1/runs/{name}/words",
    "GET /api/v1/runs/{name}/report",
    "GET /api/v1/compare",
    "GET /api/v1/health",
    "POST /api/v1/ping",
]


@pytest.fixture(scope="module")
def operations(live: str) -> dict[str, Any]:
    schema = schemathesis.openapi.from_url(f"{live}/openapi.json")
    return {operation.label: operation for operation in (result.ok() for result in schema.get_all_operations())}


def check(operation: Any, mode: GenerationMode, examples: int) -> None:
    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    def answers_as_declared(case: Any) -> None:
        # a text of the right length may still be no board: that is refused in words, the schema cannot say it
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    answers_as_declared()


def test_every_operation_is_tested(operations: dict[str, Any]) -> None:
    assert list(operations) == OPERATIONS


SOUND: list[tuple[str, dict[str, Any]]] = [
    ("POST /api/v1/solve", {"body": {"board": "perslatgsineters", "words": "enable1", "paths": True}}),
    ("POST /api/v1/solve", {"body": {"board": "QuATThE." * 2, "order": "points", "min_length": 4}}),
    ("POST /api/v1/solve", {"body": {"board": "zzzz", "rows": 2, "columns": 2}}),
    ("POST /api/v1/trace", {"body": {"board": "perslatgsineters", "word": "plaster", "words": "enable1"}}),
    ("POST /api/v1/trace", {"body": {"board": "perslatgsineters", "word": "quiz", "neighbours": 4}}),
    ("POST /api/v1/kenken/generate", {"body": {"size": 5, "grade": "normal", "seed": 3}}),
    ("POST /api/v1/kenken/solve", {"body": {"puzzle": "3:_a_aa_3a,a5a4a2m2s2"}}),
    ("POST /api/v1/kenken/solve", {"body": {"puzzle": "aaa\nbbb\nccc\n\na: 6+\nb: 6+\nc: 6+\n"}}),
    ("POST /api/v1/kenken/hint", {"body": {"puzzle": "3:_a_aa_3a,a5a4a2m2s2", "digits": [None] * 9}}),
    ("GET /api/v1/shake", {"query": {"dice": "super_big_2012", "count": 100}}),
    ("GET /api/v1/compare", {"query": {"run": ["first", "second"]}}),
    ("GET /api/v1/runs", {"query": {"search": "classic", "sort": "size", "limit": 3}}),
    ("GET /api/v1/runs/{name}", {"path_parameters": {"name": "first"}}),
    ("GET /api/v1/runs/{name}/boards", {"path_parameters": {"name": "first"}, "query": {"worst": True}}),
    ("GET /api/v1/runs/{name}/words", {"path_parameters": {"name": "second"}, "query": {"rarest": True}}),
    ("GET /api/v1/runs/{name}/report", {"path_parameters": {"name": "first"}}),
]


@pytest.mark.parametrize(("label", "request_"), SOUND)
def test_answers_are_as_declared(operations: dict[str, Any], label: str, request_: dict[str, Any]) -> None:
    answer = operations[label].Case(**request_).call_and_validate()
    assert answer.status_code == 200


ENDLESS = "GET /api/v1/events"
"""A stream that ends with its client."""
ENDING = [label for label in OPERATIONS if label != ENDLESS]


@pytest.mark.parametrize("label", ENDING)
def test_sound_requests_are_answered_as_declared(operations: dict[str, Any], label: str) -> None:
    check(operations[label], GenerationMode.POSITIVE, 12)


@pytest.mark.parametrize(
    "label", [label for label in ENDING if label.split("/")[-1] not in ("dice", "words", "ping", "health")]
)
def test_unsound_requests_are_refused_as_declared(operations: dict[str, Any], label: str) -> None:
    check(operations[label], GenerationMode.NEGATIVE, 12)


@pytest.mark.long
@pytest.mark.parametrize("label", ENDING)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_very_many_requests_are_answered_as_declared(
    operations: dict[str, Any], label: str, mode: GenerationMode
) -> None:
    check(operations[label], mode, 500)

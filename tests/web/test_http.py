"""What HTTP itself promises: HEAD, compression, entity tags, media types, rates, and the API's own description."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from pipeline.web.app import create_app
from pipeline.web.rate import MAX_CLIENTS, Rate
from pipeline.web.service import Service
from tests.web.conftest import BASE
from tests.web.test_api import problem

PAGES = ("/", "/kenken", "/runs", "/compare", "/docs", "/static/solve.js", "/static/style.css", "/openapi.json")
ANSWERS = ("/api/v1/dice", "/api/v1/words", "/api/v1/shake?seed=3", "/api/v1/runs", "/api/v1/runs/first")


@pytest.mark.parametrize("path", [*PAGES, *ANSWERS, "/api/v1/health", "/api/v1/runs/first/report", "/nothing"])
def test_head_is_get_without_a_body(client: TestClient, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    passing = {"date", "content-length"} if path == "/api/v1/health" else {"date"}
    assert {k: v for k, v in head.headers.items() if k not in passing} == {
        k: v for k, v in got.headers.items() if k not in passing
    }


def test_head_of_what_only_takes_a_body_is_refused(client: TestClient) -> None:
    assert client.head("/api/v1/solve").status_code == 405


@pytest.mark.parametrize("path", [*PAGES[:1], "/static/solve.js", "/api/v1/dice", "/openapi.json"])
def test_long_answers_are_compressed_where_the_client_can_read_that(client: TestClient, path: str) -> None:
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        packed = b"".join(answer.iter_raw())
    assert gzip.decompress(packed) == plain.content
    assert len(packed) < len(plain.content)
    assert "Accept-Encoding" in answer.headers["vary"]


@pytest.mark.parametrize("path", [*ANSWERS, "/api/v1/runs/first/report", "/static/grid.js"])
def test_what_is_known_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(path)
    tag = first.headers["etag"]
    assert "cache-control" in first.headers
    for known in (tag, f'"other", {tag}'):
        again = client.get(path, headers={"If-None-Match": known})
        assert again.status_code == 304
        assert again.content == b""
        assert again.headers["etag"] == tag
        assert "content-security-policy" in again.headers
    assert client.get(path, headers={"If-None-Match": '"other"'}).content == first.content


def test_shakes_may_be_kept_and_runs_may_not(client: TestClient) -> None:
    assert "max-age" in client.get("/api/v1/shake").headers["cache-control"]
    assert client.get("/api/v1/runs").headers["cache-control"] == "no-cache"
    assert client.get("/api/v1/health").headers["cache-control"] == "no-store"
    assert client.get("/api/v1/shake?seed=1").headers["etag"] != client.get("/api/v1/shake?seed=2").headers["etag"]


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "json"])
def test_another_type_than_json_is_415(client: TestClient, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    body = json.dumps({"board": "a" * 16}).encode()
    assert "application/json" in problem(client.post("/api/v1/solve", content=body, headers=headers), 415, "body")


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "application/vnd.x+json"])
@pytest.mark.parametrize(("body", "status"), [(b"{", 400), (b"", 400), (b"\xff", 400), (b"[]", 422), (b"{}", 422)])
def test_broken_json_is_400_and_unfit_json_is_422(client: TestClient, kind: str, body: bytes, status: int) -> None:
    problem(client.post("/api/v1/solve", content=body, headers={"Content-Type": kind}), status)


def test_health_says_what_is_ready(client: TestClient) -> None:
    first = client.get("/api/v1/health").json()
    assert first["status"] == "ok"
    assert first["allow_runs"] == 0
    client.post("/api/v1/kenken/generate", json={"size": 3})
    second = client.get("/api/v1/health").json()
    assert second["kenken"] is True
    assert second["seconds"] >= first["seconds"]


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_client_elsewhere_is_held_to_its_rate_and_this_machine_is_not() -> None:
    clock = Clock()
    rate = Rate(2.0, 5, clock)
    assert [rate.wait("192.0.2.1") > 0 for _ in range(7)] == [False] * 5 + [True] * 2
    assert rate.wait("192.0.2.1") == 0.5
    assert rate.wait("192.0.2.2") == 0
    clock.now += 1.0
    assert [rate.wait("192.0.2.1") > 0 for _ in range(3)] == [False, False, True]
    clock.now += 1000.0
    assert [rate.wait("192.0.2.1") > 0 for _ in range(6)] == [False] * 5 + [True]
    for here in ("127.0.0.1", "127.9.9.9", "::1"):
        assert not any(rate.wait(here) for _ in range(100))
    for number in range(MAX_CLIENTS + 10):
        rate.wait(f"10.0.{number >> 8}.{number & 255}")
    assert len(rate._buckets) == MAX_CLIENTS


@pytest.fixture
def distant(service: Service) -> Iterator[TestClient]:
    """A client elsewhere, of a server that allows it four requests."""
    settings = replace(service.settings, limits=replace(service.settings.limits, rate=0.001, burst=4))
    other = Service(settings, service.books)
    with TestClient(create_app(service=other), base_url=BASE, client=("192.0.2.7", 5)) as client:
        yield client


def test_too_many_requests_are_429_with_the_time_to_wait(distant: TestClient) -> None:
    assert [distant.get("/api/v1/dice").status_code for _ in range(4)] == [200] * 4
    answer = distant.get("/api/v1/dice")
    problem(answer, 429)
    assert int(answer.headers["retry-after"]) > 900
    assert "content-security-policy" in answer.headers


def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def operations(client: TestClient) -> list[tuple[str, str, dict[str, Any]]]:
    paths = document(client)["paths"]
    return [(method, path, one) for path, methods in paths.items() for method, one in methods.items()]


def test_operations_have_readable_names_tags_and_descriptions(client: TestClient) -> None:
    found = operations(client)
    names = [one["operationId"] for _, _, one in found]
    assert len(set(names)) == len(names) > 15
    assert all(name.replace("_", "").isalpha() and "api" not in name for name in names), names
    tags = {tag["name"] for tag in document(client)["tags"]}
    assert all(set(one["tags"]) <= tags and one["description"] for _, _, one in found)


def test_every_answer_has_an_example_that_is_what_the_server_says(client: TestClient) -> None:
    """Times differ, and a run of one's own machine is no example."""
    shown = 0
    for method, path, one in operations(client):
        content = next((answer.get("content", {}) for code, answer in one["responses"].items() if code[0] == "2"), {})
        if "application/json" not in content:
            continue
        example = content["application/json"]["example"]
        shown += 1
        if "runs" in path or path.endswith(("compare", "health")):
            continue
        if method == "post":
            schema = one["requestBody"]["content"]["application/json"]
            answer = client.post(path, json=schema["example"]).json()
        else:
            query = {field["name"]: field["example"] for field in one.get("parameters", ()) if "example" in field}
            answer = client.get(path, params=query).json()
        if isinstance(answer, list):
            answer, example = answer[: len(example)], example
        for shown_answer in (answer, example):
            if isinstance(shown_answer, dict):
                shown_answer.pop("milliseconds", None)
        assert answer == example, path
    assert shown > 10

"""Whatever is sent: refused or answered within the limits, and the server goes on."""

import asyncio
import json
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from pipeline.web.app import create_app
from pipeline.web.books import FREE, Key
from pipeline.web.problems import RefusalError
from pipeline.web.service import Service
from pipeline.web.settings import Limits, Settings
from pipeline.web.workers import Workers
from solvers.boggle.solve import find_words
from solvers.grid import parse_board
from tests.waiting import LONG, wait_until
from tests.web.conftest import HERE, PATIENT, listening
from tests.web.test_api import problem

GOOD = {"board": "perslatgsineters", "words": "enable1"}


@pytest.fixture(autouse=True)
def goes_on(client: TestClient) -> Iterator[None]:
    yield
    assert client.post("/api/v1/solve", json=GOOD).json()["count"] > 1000


def test_large_bodies_are_refused_unread(client: TestClient) -> None:
    problem(client.post("/api/v1/solve", content=b"x" * 10_000_000), 413)

    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b"y" * 10_000

    problem(client.post("/api/v1/solve", content=endless()), 413)
    problem(client.post("/api/v1/ping", content=b"z" * 65_537), 413)
    assert client.post("/api/v1/ping", content=b"z" * 65_536).status_code == 204


@pytest.mark.parametrize("length", ["-1", "1e3", "abc", "9" * 400, ""])
def test_a_senseless_length_is_refused(client: TestClient, length: str) -> None:
    answer = client.post("/api/v1/ping", content=b"", headers={"Content-Length": length})
    problem(answer, 413 if length.isdigit() else 400)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"[" * 60_000,
        b'{"board":' * 6_000,
        b"\xff\xfe\x00",
        b'{"board": "\\ud800' + b"a" * 15 + b'"}',
        b'{"board": "aaaaaaaaaaaaaaaa", "rows": 1' + b"0" * 5_000 + b"}",
        b'{"board": "aaaaaaaaaaaaaaaa", "rows": NaN}',
        b'{"board": "' + b"\\u0000" * 16 + b'"}',
        json.dumps({"board": "\u0414" * 16}).encode(),
        json.dumps({"board": "\ufb03" * 16}).encode(),
        json.dumps({"board": "a\u0301" * 16 + "\u202e"}).encode(),
    ],
)
def test_broken_json_and_strange_letters_are_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/v1/solve", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    problem(answer, answer.status_code)


def test_a_form_of_another_site_cannot_post(client: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = client.post("/api/v1/solve", content=json.dumps(GOOD).encode(), headers={"Content-Type": kind})
        problem(answer, 415)


@pytest.mark.parametrize(
    ("path", "request_"),
    [
        ("solve", {"board": "a" * 4096, "rows": 64, "columns": 64}),
        ("trace", {"board": "a" * 16, "word": "a" * 10_000}),
        ("trace", {"board": "a" * 16, "word": ""}),
        ("kenken/solve", {"puzzle": "9" * 8_000}),
        ("kenken/solve", {"puzzle": "9:" + "a" * 7_000}),
        ("kenken/solve", {"puzzle": "[" * 8_000}),
        ("kenken/solve", {"puzzle": "15:" + "_99999999999999999999" * 300}),
        ("kenken/solve", {"puzzle": json.dumps({"size": 10**18, "cages": []})}),
        ("kenken/solve", {"puzzle": json.dumps({"size": 15, "cages": [{"op": "+", "target": 1, "cells": [0] * 900}]})}),
        ("kenken/generate", {"size": 64}),
        ("kenken/generate", {"size": 6, "seed": 2**64}),
        ("kenken/generate", {"size": 3, "grade": "unreasonable"}),
    ],
)
def test_too_much_is_refused(client: TestClient, path: str, request_: dict[str, Any]) -> None:
    problem(client.post(f"/api/v1/{path}", json=request_), 422)


def test_an_empty_large_kenken_stays_within_its_limits(client: TestClient) -> None:
    """One cage over each row holds almost nothing back: the search has to be cut off or end."""
    size = 9
    cages = [{"op": "+", "target": 45, "cells": list(range(row * size, row * size + size))} for row in range(size)]
    answer = client.post("/api/v1/kenken/solve", json={"puzzle": json.dumps({"size": size, "cages": cages})})
    assert answer.status_code in (200, 422, 503), answer.text
    if answer.status_code == 200:
        assert answer.json()["status"] == "multiple"


def test_a_board_of_equal_letters_is_answered_or_refused(client: TestClient) -> None:
    board = {"board": "a" * 36, "rows": 6, "columns": 6}
    assert client.post("/api/v1/solve", json={**board, "words": "opentaal_nl"}).status_code == 200
    assert "nodes" in problem(
        client.post("/api/v1/solve", json={**board, "words": "aaa", "min_length": 1}), 422, "board"
    )


@pytest.mark.parametrize("word", ["a" * 8, "a" * 18, "a" * 36, "a" * 37, "ab" * 18, "a" * 35 + "b"])
def test_tracing_on_equal_letters_is_answered(client: TestClient, word: str) -> None:
    for board in ("a" * 36, "ab" * 18, "a" * 35 + "b"):
        answer = client.post("/api/v1/trace", json={"board": board, "rows": 6, "columns": 6, "word": word})
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 200 and len(word) > 36:
            assert answer.json()["found"] is False


def test_a_word_with_very_many_cuts_is_refused_or_answered(client: TestClient) -> None:
    request = {"board": "In I N " * 12, "rows": 6, "columns": 6, "word": "in" * 24}
    answer = client.post("/api/v1/trace", json=request)
    assert answer.status_code in (200, 422), answer.text


def test_scripts_in_words_come_back_as_data(client: TestClient) -> None:
    request = {"board": "a" * 16, "word": "<script>alert(1)</script>"}
    answer = client.post("/api/v1/trace", json=request)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["found"] is False


def test_lists_beyond_those_kept_are_built_again_with_the_same_answer(service: Service) -> None:
    settings = replace(service.settings, limits=replace(PATIENT, lexicons=2))
    with TestClient(create_app(service=Service(settings)), base_url="http://127.0.0.1", client=HERE) as client:
        for _ in range(2):
            for shortest in (3, 4, 5):
                request = {**GOOD, "min_length": shortest}
                found = client.post("/api/v1/solve", json=request).json()["found"]
                assert min(word["letters"] for word in found) == shortest
                assert len(client.app.routes) > 0


def test_waiting_is_bounded_in_number() -> None:
    """Nobody's time is up in this test: only the number of those who wait decides."""

    async def scene() -> list[Any]:
        workers = Workers("test", 1, 2, LONG)
        begun, gate = threading.Event(), threading.Event()

        def hold() -> str:
            begun.set()
            gate.wait()
            return "held"

        held = asyncio.ensure_future(workers.run(hold))
        await asyncio.to_thread(begun.wait)
        waits = [asyncio.ensure_future(workers.run(divmod, 7, 2)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RefusalError, match="too many") as refused:
            await workers.run(divmod, 7, 2)
        assert refused.value.status == 503
        gate.set()
        answers = await asyncio.gather(held, *waits)
        workers.close()
        return answers

    assert asyncio.run(scene()) == ["held", (3, 1), (3, 1)]


def test_waiting_is_bounded_in_time() -> None:
    """What is waited for does not come before all have been refused, however long that takes."""

    async def scene() -> list[Any]:
        workers = Workers("test", 1, 3, 0.01)
        gate = threading.Event()
        ended = await asyncio.gather(*(workers.run(gate.wait) for _ in range(3)), return_exceptions=True)
        gate.set()
        # Whoever waits as long as it takes is answered.
        workers._seconds = LONG
        assert await workers.run(lambda: "alive") == "alive"
        workers.close()
        return ended

    ended = asyncio.run(scene())
    assert [one.status for one in ended] == [503] * 3
    assert all("no answer within 0.01 s" in one.detail for one in ended)


def test_an_error_of_one_request_does_not_touch_the_others_of_its_batch() -> None:
    async def scene() -> list[Any]:
        workers = Workers("test", 1, 10, LONG, batch=8)
        calls = [workers.run(divmod, 7, divisor) for divisor in (1, 0, 2)]
        ended = await asyncio.gather(*calls, return_exceptions=True)
        workers.close()
        return ended

    first, second, third = asyncio.run(scene())
    assert (first, third) == ((7, 0), (3, 1))
    assert isinstance(second, ZeroDivisionError)


def test_something_slow_does_not_hold_up_what_came_with_it() -> None:
    async def scene() -> list[Any]:
        workers = Workers("test", 2, 10, LONG, batch=8)
        gate = threading.Event()
        before, slow, *behind = [
            asyncio.ensure_future(workers.run(*call))
            for call in ((divmod, 7, 2), (gate.wait, LONG), (divmod, 8, 3), (divmod, 9, 4))
        ]
        quick = await asyncio.gather(before, *behind)
        assert not slow.done()
        gate.set()
        quick.append(await slow)
        workers.close()
        return quick

    assert asyncio.run(scene()) == [(3, 1), (2, 2), (2, 1), True]


def test_of_many_requests_at_once_each_gets_its_own_answer(service: Service) -> None:
    """Among them boards that cannot be read and boards that pass the node limit."""
    source = random.Random(20)
    kinds: list[dict[str, Any]] = [
        {"words": "enable1"},
        {"words": "opentaal_nl", "order": "length"},
        {"words": "enable1", "dice": None, "paths": True, "min_length": 4},
    ]
    asked: list[dict[str, Any]] = []
    for number in range(240):
        if number % 8 == 5:
            asked.append({"board": "a" * 36, "rows": 6, "columns": 6, "words": "aaa", "min_length": 1})
        elif number % 8 == 7:
            asked.append({"board": "A" * (1 + number % 14)})
        else:
            asked.append({"board": "".join(source.choices("eaiotnslrdumhg", k=16)), **kinds[number % 3]})
    settings = replace(service.settings, limits=replace(service.settings.limits, solve_nodes=300_000, waiting=240))
    app = create_app(service=Service(settings, service.books))

    async def together() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as clients:
            return await asyncio.gather(*(clients.post("/api/v1/solve", json=one) for one in asked))

    answers = asyncio.run(together())
    for number, (request, answer) in enumerate(zip(asked, answers, strict=True)):
        if number % 8 in (5, 7):
            assert ("nodes" if number % 8 == 5 else "tiles") in problem(answer, 422, "board")
            continue
        assert answer.status_code == 200, answer.text
        given = answer.json()
        lexicon = service.books.prepare(Key(request["words"], FREE, request.get("min_length", 3)), 16).lexicon
        cells = FREE.ids(parse_board(request["board"], 4, 4))
        ids, figures = find_words(cells, 4, 4, lexicon, "dfs")
        assert sorted(word["word"] for word in given["found"]) == [lexicon.words[number] for number in ids]
        assert (given["board"], given["nodes"]) == (request["board"].upper(), int(figures.nodes[0]))


@pytest.fixture
def live_port(service: Service) -> Iterator[int]:
    """The application behind a real socket, with a short patience for bodies."""
    limits = Limits(body_seconds=0.5)
    with listening(create_app(service=Service(Settings(limits=limits), service.books)), limits) as port:
        yield port


def answer_to(port: int, sent: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as connection:
        connection.sendall(sent)
        return connection.recv(65_536)


def test_a_body_that_never_comes_is_given_up(live_port: int) -> None:
    head = b"\r\n".join([b"POST /api/v1/solve HTTP/1.1", b"host: localhost", b"content-length: 50", b"", b""])
    assert answer_to(live_port, head + b'{"boa').startswith(b"HTTP/1.1 408")
    assert answer_to(live_port, head.replace(b"50", b"99999999")).startswith(b"HTTP/1.1 413")
    assert answer_to(live_port, b"\x00\x01garbage\r\n\r\n").startswith(b"HTTP/1.1 400")
    gone = socket.create_connection(("127.0.0.1", live_port), timeout=LONG)
    gone.sendall(head)
    gone.close()
    ping = b"POST /api/v1/ping HTTP/1.1\r\nhost: localhost\r\n\r\n"
    wait_until(lambda: answer_to(live_port, ping).startswith(b"HTTP/1.1 204"), "an answer to others")


@contextmanager
def silent(port: int, connections: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(socket.create_connection(("127.0.0.1", port), LONG)) for _ in range(connections)]


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_silent_connections_do_not_stop_the_server(service: Service, begun: bytes) -> None:
    """More than a server takes, none of them ever a request: those who ask are answered as before."""
    app = create_app(service=Service(service.settings, service.books))
    with listening(app, replace(PATIENT, head_seconds=LONG * 10)) as port, silent(port, 600) as connections:
        for connection in connections:
            with suppress(ConnectionError):  # ended for a newer one
                connection.sendall(begun)
        for _ in range(3):
            assert httpx.post(f"http://127.0.0.1:{port}/api/v1/solve", json=GOOD, timeout=LONG).status_code == 200


def test_a_connection_that_begins_no_request_is_closed(service: Service) -> None:
    """Also after a request, and whatever trickles in meanwhile; one in use is left alone."""
    app = create_app(service=Service(service.settings, service.books))
    with listening(app, replace(PATIENT, head_seconds=0.2)) as port, silent(port, 3) as (mute, slow, second):
        slow.sendall(b"GET / HTTP/1.1\r\n")
        second.sendall(b"POST /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert second.recv(65536).startswith(b"HTTP/1.1 204")
        second.sendall(b"GET /")
        for connection in (mute, slow, second):
            with suppress(ConnectionError):
                while connection.recv(65536):
                    pass


def test_a_client_that_is_being_answered_keeps_its_connections(service: Service) -> None:
    app = create_app(service=Service(service.settings, service.books))
    limits = replace(PATIENT, per_client=2)
    with listening(app, limits) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONG) as kept:
        for _ in range(5):
            assert kept.post("/api/v1/solve", json=GOOD).status_code == 200
            with silent(port, 2):
                assert kept.get("/api/v1/dice").status_code in (200, 404)

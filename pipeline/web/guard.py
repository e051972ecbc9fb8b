"""The outermost layer: body size, host names, and the headers of every response."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from pipeline.web.problems import MEDIA_TYPE, body_of, document
from pipeline.web.rate import Rate

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_POLICY_NAME = b"content-security-policy"
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
_POLICY = [(_POLICY_NAME, POLICY.encode())]
_LOCAL_HOSTS = frozenset((b"localhost", b"127.0.0.1", b"[::1]"))


def _name(host: bytes) -> bytes:
    """A Host header without its port."""
    return host[: host.index(b"]") + 1] if host.startswith(b"[") and b"]" in host else host.partition(b":")[0]


class Guard:
    """Pure ASGI: a body is read whole before the application sees the request, so none is half read.

    HEAD is answered as GET without its body (RFC 9110, 9.3.2).
    """

    def __init__(self, app: App, body_bytes: int, body_seconds: float, local_only: bool, rate: Rate) -> None:
        self._app, self._bytes, self._seconds, self._local_only = app, body_bytes, body_seconds, local_only
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        head = scope["method"] == "HEAD"
        if head:
            scope = {**scope, "method": "GET"}
        ended = False

        async def send_guarded(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                own_policy = any(name == _POLICY_NAME for name, _ in headers)
                message["headers"] = headers + (_HEADERS if own_policy else _HEADERS + _POLICY)
            elif head:
                if ended:
                    return
                ended = True
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        headers = dict(scope["headers"])
        if self._local_only and _name(headers.get(b"host", b"localhost").lower()) not in _LOCAL_HOSTS:
            await _refuse(send_guarded, 421, "this server answers to localhost only; start it with --host to open it")
            return
        client = scope.get("client")
        if client and (wait := self._rate.wait(client[0])):
            await _refuse(send_guarded, 429, "too many requests of this client", math.ceil(wait))
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            await _refuse(send_guarded, 400, "the header Content-Length is not a number")
            return
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._read(length, receive)
        except TimeoutError:
            await _refuse(send_guarded, 408, f"the body did not arrive within {self._seconds:g} s")
            return
        if body is None:
            await _refuse(send_guarded, 413, f"the body is larger than {self._bytes:,} bytes")
            return
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send_guarded)

    async def _read(self, length: bytes, receive: Receive) -> bytes | None:
        """The whole body, or None where it is too large."""
        if int(length[:20]) > self._bytes:
            return None
        chunks: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b"".join(chunks)
            chunks.append(message.get("body", b""))
            size += len(chunks[-1])
            if size > self._bytes:
                return None
            if not message.get("more_body", False):
                return b"".join(chunks)


async def _refuse(send: Send, status: int, detail: str, retry_after: int | None = None) -> None:
    content = body_of(document(status, detail))
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(content)).encode()),
        (b"connection", b"close"),
    ]
    if retry_after is not None:
        headers = [*headers, (b"retry-after", str(retry_after).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})

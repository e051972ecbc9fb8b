"""Start the server: prepare, bind, serve until interrupted."""

import gc
import ipaddress
import logging
import socket
import sys
from collections.abc import Sequence

import uvicorn
from fastapi import FastAPI

from pipeline.errors import PipelineError
from pipeline.web.app import create_app
from pipeline.web.connections import bounded
from pipeline.web.problems import RefusalError
from pipeline.web.service import Service
from pipeline.web.settings import Limits, Settings

MAX_CONNECTIONS = 512
GARBAGE = 100_000
"""Objects made before Python looks for garbage among them."""


def serve(host: str, port: int, words: Sequence[str] = (), origins: Sequence[str] = (), allow_runs: int = 0) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises PipelineError where the address cannot be used or a word list cannot be read.
    """
    bound = _bind(host, port)
    try:
        settings = Settings(
            tuple(words),
            tuple(_origin(origin) for origin in origins),
            allow_runs=allow_runs,
            local_only=_is_local(host),
        )
        print("preparing word lists ...", file=sys.stderr, flush=True)
        service = Service(settings)
        try:
            service.prepare()
        except RefusalError as problem:
            raise PipelineError(problem.detail) from problem
        shown = f"[{host}]" if ":" in host else host
        print(f"serving http://{shown}:{bound.getsockname()[1]} (Ctrl+C ends it)", file=sys.stderr, flush=True)
        config = configuration(create_app(service=service), settings.limits)
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        # What is there now lives to the end; what requests leave behind is looked through in time.
        gc.freeze()
        gc.set_threshold(GARBAGE)
        uvicorn.Server(config).run(sockets=[bound])
    finally:
        bound.close()


def configuration(app: FastAPI, limits: Limits) -> uvicorn.Config:
    """Return how uvicorn serves `app`: no connection beyond the limits, no log of requests, nothing of its own said."""
    return uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, limit_concurrency=MAX_CONNECTIONS,
        http=bounded(limits.head_seconds, limits.per_client), timeout_keep_alive=15, timeout_graceful_shutdown=3,
        ws="none",
    )  # fmt: skip


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise PipelineError(f"--host {host}: {error.strerror or error}", "give an address of this machine") from error
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
        bound.listen(MAX_CONNECTIONS)
    except OSError as error:
        bound.close()
        hint = "give another --port, or 0 for any free one"
        raise PipelineError(f"cannot listen on {host} port {port}: {error.strerror}", hint) from error
    return bound


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _origin(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    if scheme not in ("http", "https") or not separator or not rest or "/" in rest or "*" in rest:
        raise PipelineError(f"--cors {text!r} is not an origin", "give one such as https://example.org")
    return text

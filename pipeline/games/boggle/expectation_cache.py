"""Exact means kept in the user's cache: one small file each, written whole, checked by hash when it is read.

A cache that cannot be written costs time and nothing else.
"""

import contextlib
import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from solvers.jit import private_folder

log = logging.getLogger("shakedown")
Kept = TypeVar("Kept")
MAX_BYTES = 1 << 20


def read(key: str, make: Callable[[Mapping[str, Any]], Kept]) -> Kept | None:
    """Return what was kept under a key, or None; a file that is not what was written is named in the log.

    make: the object from its fields; it raises KeyError, TypeError, ValueError or AttributeError where they are not
    those of one.
    """
    path = _path(key)
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return make(_checked(data, key))
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = error.strerror or str(error)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        reason = "its content is not what was written"
    log.warning("kept exact means %s cannot be used (%s): worked out anew", path, reason)
    return None


def write(key: str, fields: Mapping[str, Any]) -> None:
    """Keep fields under a key, whole or not at all."""
    path = _path(key)
    if path is None:
        return
    content = json.dumps({"key": key, "means": fields}, ensure_ascii=False, allow_nan=False)
    data = f"{_digest(content.encode())}\n{content}\n".encode()
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=".tmp-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        log.info("exact means are not kept in %s: %s", path.parent, error.strerror or error)
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _checked(data: bytes, key: str) -> Mapping[str, Any]:
    """The fields of a file; raises ValueError where it is not the one that was written under the key."""
    digest, _, content = data.partition(b"\n")
    if digest.decode("ascii") != _digest(content.removesuffix(b"\n")):
        raise ValueError("its hash is another one")
    whole = json.loads(content)
    if whole["key"] != key:
        raise ValueError("it belongs to another key")
    means: Mapping[str, Any] = whole["means"]
    return means


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _path(key: str) -> Path | None:
    folder = private_folder("expectations")
    return folder / f"{key[:32]}.json" if folder else None

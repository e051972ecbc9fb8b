"""Every numba option in one place: how kernels are compiled and where compiled code is kept.

Numba's own cache does not notice when a function that a kernel calls changes in another file, so the cache folder
carries a fingerprint of all solver sources. It lives in the user's cache folder, which works for a read-only
installation too; where no folder can be written, kernels are compiled anew in every process.
"""

import hashlib
import importlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


@lru_cache
def fingerprint() -> str:
    """Return a digest of all solver sources: what is kept from one process to the next is good for the same one."""
    digest = hashlib.sha256(numba.__version__.encode())
    root = Path(__file__).parent
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _candidates() -> Iterator[Path]:
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        yield Path(xdg)
    home = Path(os.path.expanduser("~"))
    if home.is_absolute():
        yield home / ".cache"
    yield Path(tempfile.gettempdir()) / f"shakedown-cache-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def private_folder(name: str) -> Path | None:
    """Return a folder of the cache that only this user can write, or None: loading from another's folder is unsafe."""
    for base in _candidates():
        folder = base / "shakedown" / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            state = folder.stat()
        except OSError:
            continue
        mine = not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not state.st_mode & stat.S_IWOTH)
        if mine and os.access(folder, os.W_OK):
            return folder
    return None


if os.environ.get("NUMBA_CACHE_DIR"):
    CACHED = True
else:
    _folder = private_folder(f"kernels-{fingerprint()}")
    CACHED = _folder is not None
    if _folder is not None:
        numba.config.CACHE_DIR = str(_folder)  # type: ignore[attr-defined]


def _import_without(module: str, optional: str) -> None:
    """Import a module of numba as if `optional`, which it would use if it is there, were not installed."""
    if optional in sys.modules:
        return
    sys.modules[optional] = None  # type: ignore[assignment]
    try:
        importlib.import_module(module)
    finally:
        del sys.modules[optional]


# What no kernel needs, and costs every start a quarter of a second: matrix products, and calls of C through cffi.
_import_without("numba.np.arraymath", "scipy.linalg.cython_blas")
_import_without("numba.core.typing.cffi_utils", "cffi")

_OPTIONS: dict[str, Any] = {"cache": CACHED, "nogil": True, "error_model": "numpy", "boundscheck": False}


def kernel(function: Function) -> Function:
    """Compile `function` at its first call (or load it from the cache); it releases the GIL and never raises."""
    return numba.njit(**_OPTIONS)(function)

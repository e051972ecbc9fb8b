"""Files that come with the program: dice sets, word lists, example runs; and how an id or a path is told apart."""

import os
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from pipeline.errors import PipelineError, nearest, os_error

_ID = re.compile(r"[a-z][a-z0-9_]*")
MAX_TOML_BYTES = 1 << 20


def configs_root() -> Path:
    """Return the configs folder: inside an installed package, else beside the packages in a checkout."""
    installed = Path(str(resources.files("pipeline"))) / "_configs"
    return installed if installed.is_dir() else Path(__file__).resolve().parent.parent / "configs"


def shipped_ids(kind: str) -> list[str]:
    return sorted(path.stem for path in (configs_root() / kind).glob("*.toml"))


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def check_id(text: str, what: str) -> str:
    """Return an id names folders and columns, so it is a plain lower-case word.

    Raises PipelineError.
    """
    if not is_id(text):
        raise PipelineError(
            f"{what} id {text!r} is not usable", "an id has lower-case letters, digits and _, and starts with a letter"
        )
    return text


def looks_like_path(reference: str) -> bool:
    return "/" in reference or "\\" in reference or "." in reference


def find(reference: str, kind: str, what: str) -> Path:
    """Return the TOML file of a shipped id, or a path as given.

    Raises PipelineError for an id that is not shipped, with the nearest ones, and for a path that is no file.
    """
    if looks_like_path(reference):
        path = Path(os.path.expanduser(reference))
        try:
            if not path.exists():
                raise PipelineError(f"{what} file {reference} does not exist")
            if not path.is_file():
                raise PipelineError(f"{what} file {reference} is not a file")
        except OSError as error:
            raise os_error(f"read {what} file", error) from error
        return path
    known = shipped_ids(kind)
    wanted = reference.replace("-", "_").lower()
    if wanted not in known:
        raise PipelineError(f"unknown {what} {reference!r}", nearest(reference, known))
    return configs_root() / kind / f"{wanted}.toml"


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """Raises PipelineError for a file that cannot be read, is too large, or is not TOML."""
    try:
        if path.stat().st_size > MAX_TOML_BYTES:
            raise PipelineError(f"{what} file {path} is larger than {MAX_TOML_BYTES:,} bytes")
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise os_error(f"read {what} file", error) from error
    except UnicodeDecodeError as error:
        raise PipelineError(f"{what} file {path} is not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PipelineError(f"{what} file {path} is not valid TOML: {error}") from error
    except ValueError as error:
        raise PipelineError(f"{what} file {path} holds a number too long to read") from error

"""Word lists by id or path: plain or gzip text becomes a WordList."""

import gzip
import logging
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import PipelineError, nearest, os_error
from pipeline.shipped import configs_root, find, looks_like_path, read_toml, shipped_ids
from solvers.boggle.words import LANGUAGES, WordList, read_words
from solvers.errors import InputError

MAX_BYTES = 1 << 28
log = logging.getLogger("shakedown")


@dataclass(frozen=True)
class WordSource:
    """Where a list comes from. `language` decides how accents are folded."""

    id: str
    path: Path
    language: str
    name: str = ""
    licence: str = ""
    credit: str = ""
    notes: str = ""


def find_words(reference: str, language: str | None = None) -> WordSource:
    """A shipped list by id, or a text file (plain or .gz) by path; `language` overrides the list's own.

    Raises PipelineError.
    """
    if language is not None and language not in LANGUAGES:
        raise PipelineError(f"language {language!r} is not known", nearest(language, LANGUAGES))
    path = find(reference, "words", "word list")
    if looks_like_path(reference):
        return WordSource(path.name.split(".")[0].lower(), path, language or "en", name=path.name)
    fields = read_toml(path, "word list")
    source = WordSource(
        id=path.stem,
        path=configs_root() / "words" / fields["file"],
        **{key: fields[key] for key in ("language", "name", "licence", "credit", "notes")},
    )
    return replace(source, language=language) if language else source


def load_words(source: WordSource, kept: Iterable[str] = ()) -> WordList:
    """Read, fold and sort; `kept` are letters that the dice show and folding leaves alone.

    Raises PipelineError for a file that is missing, unreadable, too large, binary, or without a word.
    """
    text = _decode(_read(source.path), source.path)
    try:
        words = read_words(text, source.language, kept)
    except InputError as error:
        raise PipelineError(f"word list {source.path}: {error.message}", error.hint) from error
    if words.skipped:
        log.info("word list %s: %s entries with anything but letters skipped", source.id, f"{words.skipped:,}")
    return words


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise PipelineError(f"word list {path} is a broken gzip file: {error}") from error
    except OSError as error:
        raise os_error("read word list", error) from error
    if len(data) > MAX_BYTES:
        raise PipelineError(f"word list {path} is larger than {MAX_BYTES:,} bytes")
    if not data.strip():
        raise PipelineError(f"word list {path} is empty")
    return data


def _decode(data: bytes, path: Path) -> str:
    if b"\0" in data:
        raise PipelineError(f"word list {path} is a binary file", "a word list is UTF-8 text with one word a line")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PipelineError(f"word list {path} is not UTF-8 text (line {line})", "save it as UTF-8") from error


def shipped_words() -> list[WordSource]:
    return [find_words(list_id) for list_id in shipped_ids("words")]

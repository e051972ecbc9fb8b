"""Languages by id or path: a TOML file becomes a Language."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from pipeline.errors import PipelineError, nearest
from pipeline.shipped import check_id, configs_root, find, looks_like_path, read_toml, shipped_ids
from solvers.errors import InputError
from solvers.languages import Language, language_of

DEFAULT = "en"
FIELDS = frozenset({"name", "also", "letters", "units", "words", "sources", "folds", "cases"})


def find_language(reference: str) -> Language:
    """Return a shipped language by id, or one from a TOML file, whose name becomes the id.

    Raises PipelineError for a language that is not known, and for a file that does not describe one.
    """
    if looks_like_path(reference):
        return _read(find(reference, "languages", "language"))
    known = shipped_ids("languages")
    wanted = reference.strip().lower().replace("-", "_")
    if wanted not in known:
        wanted = _also().get(wanted, wanted)
    if wanted not in known:
        hint = nearest(reference, known)
        raise PipelineError(f"language {reference!r} is not known", f"{hint}; or give the path of a language file")
    return _shipped(wanted)


def language_name(language_id: str) -> str:
    """Return what a shipped language is called in English, or the id of another one."""
    return (
        str(_fields(language_id).get("name", language_id)) if language_id in shipped_ids("languages") else language_id
    )


def words_of_language(language_id: str) -> str | None:
    """Return the shipped word list of a language, if there is one."""
    return _fields(language_id).get("words") if language_id in shipped_ids("languages") else None


def rules(language: Language) -> dict[str, Any]:
    """Return the rules as JSON holds them; `from_rules` reads them back."""
    return {
        "letters": " ".join(language.letters),
        "units": " ".join(language.units),
        "folds": dict(language.folds),
        "cases": dict(language.cases),
    }


def from_rules(fields: dict[str, Any], language_id: str) -> Language:
    """Return the language that `rules` wrote; raises PipelineError where it is not one."""
    try:
        return language_of(fields, language_id)
    except InputError as error:
        raise PipelineError(error.message, error.hint) from error


def identity(language: Language) -> str:
    """Return what a language is to the identity of a run: its id, and a digest of its rules unless it is the shipped
    one.
    """
    if language.id in shipped_ids("languages") and _shipped(language.id) == language:
        return language.id
    text = json.dumps(rules(language), sort_keys=True, ensure_ascii=False)
    return f"{language.id} {hashlib.sha256(text.encode()).hexdigest()[:8]}"


@lru_cache
def _shipped(language_id: str) -> Language:
    return _read(configs_root() / "languages" / f"{language_id}.toml")


@lru_cache
def _fields(language_id: str) -> dict[str, Any]:
    return read_toml(configs_root() / "languages" / f"{language_id}.toml", "language")


@lru_cache
def _also() -> dict[str, str]:
    """Other ids by which a language is known."""
    found = {}
    for language_id in shipped_ids("languages"):
        for other in str(_fields(language_id).get("also", "")).split():
            found[other] = language_id
    return found


def _read(path: Path) -> Language:
    fields = read_toml(path, "language")
    if strange := sorted(set(fields) - FIELDS):
        raise PipelineError(f"language file {path}: unknown key {strange[0]!r}", nearest(strange[0], sorted(FIELDS)))
    try:
        return language_of(fields, check_id(path.stem, "language"))
    except InputError as error:
        raise PipelineError(f"language file {path}: {error.message}", error.hint) from error

"""Specs of KenKen puzzles by name: shipped, from a TOML file, or a plain size."""

import re
from dataclasses import fields
from pathlib import Path

from pipeline.errors import PipelineError, nearest
from pipeline.shipped import check_id, configs_root, find, looks_like_path, read_toml, shipped_ids
from solvers.errors import InputError
from solvers.kenken import Spec, spec_for_size, spec_from_dict, spec_id

_SIZE = re.compile(r"(\d+)x\1", re.ASCII)


def load_spec(reference: str) -> Spec:
    """Return a shipped spec by id (`6x6` stands for `k6x6`), a TOML file whose name becomes the id, or any size such as
    10x10.

    Raises PipelineError that names the nearest ids, or the file and the entry that is wrong.
    """
    if looks_like_path(reference):
        path = find(reference, "kenken", "spec")
        return _read(path, check_id(path.stem, "spec"), f"spec file {path}")
    name = spec_id(reference.replace("-", "_").lower())
    known = shipped_ids("kenken")
    if name in known:
        path = configs_root() / "kenken" / f"{name}.toml"
        return _read(path, name, f"spec file {path}")
    size = name.removeprefix("k")
    if not _SIZE.fullmatch(size):
        raise PipelineError(f"unknown spec {reference!r}", nearest(f"k{name.removeprefix('k')}", known))
    try:
        return spec_for_size(size)
    except InputError as error:
        raise PipelineError(error.message, error.hint) from error


def _read(path: Path, name: str, place: str) -> Spec:
    values = read_toml(path, "spec")
    known = [field.name for field in fields(Spec) if field.name != "id"]
    for key in values:
        if key not in known:
            raise PipelineError(f"{place}: entry {key!r}", nearest(key, known))
    try:
        return spec_from_dict(values, name)
    except PipelineError:
        raise
    except InputError as error:
        raise PipelineError(f"{place}: {error.message}", error.hint) from error


def check_distinct(specs: list[Spec]) -> None:
    """Raises PipelineError where two specs share an id: their rows could not be told apart."""
    ids = [spec.id for spec in specs]
    for one in ids:
        if ids.count(one) > 1:
            raise PipelineError(f"spec {one!r} is given twice", "name each spec once, or rename the file")

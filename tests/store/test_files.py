"""Files that belong together: the first is there only when all others are, and a failure leaves nothing of them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.store.files import LocalFiles


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_all_are_stored_and_readable_as_the_umask_says(tmp_path: Path) -> None:
    LocalFiles(tmp_path).write_all([("a/main", b"1"), ("b/one", b"2"), ("b/two", b"3" * 3_000_000)])
    assert contents(tmp_path) == {"a/main": b"1", "b/one": b"2", "b/two": b"3" * 3_000_000}
    umask = os.umask(0o022)
    os.umask(umask)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("*/*")} == {0o666 & ~umask}


def test_the_first_appears_after_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    replace = os.replace

    def watched(source: str, target: Path) -> None:
        replace(source, target)
        seen.append(target.name)

    monkeypatch.setattr(os, "replace", watched)
    LocalFiles(tmp_path).write_all([("main", b"1"), ("one", b"2"), ("two", b"3")])
    assert seen[-1] == "main"
    assert sorted(seen) == ["main", "one", "two"]


def test_what_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    def files() -> Iterator[tuple[str, bytes]]:
        yield "main", b"1"
        raise MemoryError

    with pytest.raises(MemoryError):
        LocalFiles(tmp_path).write_all(files())
    assert contents(tmp_path) == {}


def test_what_cannot_be_written_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PipelineError, match=r"cannot write .*/file/one"):
        LocalFiles(tmp_path).write_all([("main", b"1"), ("file/one", b"2")])
    assert contents(tmp_path) == {"file": b""}

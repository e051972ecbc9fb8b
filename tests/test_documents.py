"""README and guide: every command and snippet does what it shows, links resolve, and a changed output is seen."""

import re
from pathlib import Path

import pytest

from pipeline.guide import ORDER
from tests import documents
from tests.documents import DOCUMENTS, ROOT, agrees, parse


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    documents.prepare(folder)
    return folder


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_and_snippet_prints_what_it_shows(
    path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(runs)
    for example in parse(path).examples():
        example.namespace["folder"] = runs
        example.evaluate()


def test_a_changed_output_is_seen() -> None:
    shown = ["words  98.1", "...", "total 5"]
    assert agrees(shown, ["words  98.1", "longest 6", "total 5"])
    assert not agrees(shown, ["words  98.2", "longest 6", "total 5"])
    assert not agrees(shown, ["words  98.1", "total 5", "more"])
    assert agrees(["took ... s [a]"], ["took 3 s [a]"])
    assert not agrees([], ["more"])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_resolve(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target


def test_every_topic_is_listed_once_and_linked() -> None:
    assert sorted(ORDER) == sorted(path.stem for path in (ROOT / "pipeline/guide").glob("*.md"))
    readme = (ROOT / "README.md").read_text()
    assert all(f"pipeline/guide/{topic}.md" in readme for topic in ORDER)
    assert len(readme.splitlines()) <= 250

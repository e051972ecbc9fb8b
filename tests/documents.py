"""README and guide as what they show: every command and snippet run, and its output compared.

A fenced block `console` holds lines `$ command` and what they print; `...` stands for anything, within a line or as a
line of its own for any lines. Only standard output counts, or where a command is refused its error. All blocks of a
document share a folder, in which the runs `first` and `two` stand already.

`python -m tests.documents [FILE ...]` runs them and writes what they print into the documents, for a person to read.
"""

import fnmatch
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sybil import Document, Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from tests.running import pipeline
from tests.waiting import LONG

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "pipeline/guide").glob("*.md"))]
SHOWN = 16
"""Lines of an output that are written where the document had nothing."""


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a block with the lines it is said to print."""
    command, lines = "", []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, lines
            command, lines = line[2:], []
        else:
            lines.append(line)
    if command:
        yield command, lines


def printed(command: str, folder: Path) -> list[str]:
    """Run a command and return the lines that it prints."""
    words = shlex.split(command)
    if words[0] == "printf":
        assert words[-2] == ">"
        (folder / words[-1]).write_text(words[1].replace("\\n", "\n"))
        return []
    assert words[0] == "pipeline", command
    outcome = pipeline(*words[1:], cwd=folder)
    shown = outcome.out if outcome.code in (0, 1) else outcome.err
    return [line.rstrip() for line in shown.rstrip().splitlines()]


def agrees(expected: list[str], lines: list[str]) -> bool:
    """Whether lines are what is expected, `...` standing for anything."""
    if not expected:
        return not lines
    first, rest = expected[0], expected[1:]
    if first == "...":
        return any(agrees(rest, lines[place:]) for place in range(len(lines) + 1))
    if not lines or not fnmatch.fnmatchcase(lines[0], _pattern(first)):
        return False
    return agrees(rest, lines[1:])


def _pattern(line: str) -> str:
    return re.sub(r"[\[*?]", lambda found: f"[{found[0]}]", line).replace("...", "*")


def _console(example: Example) -> str:
    folder = example.namespace["folder"]
    for command, expected in commands(example.parsed):
        lines = printed(command, folder)
        if not agrees([line.rstrip() for line in expected], lines):
            return "\n".join([f"$ {command} prints", *lines, "", "and not", *expected])
    return ""


def parse(path: Path) -> Document:
    """Return a document as its examples."""
    sybil = Sybil([CodeBlockParser("console", _console), PythonCodeBlockParser()], path=str(path.parent))
    return sybil.parse(path)


def refreshed(path: Path, folder: Path) -> str:
    """Return the text of a document with what its commands print now; where `...` stands it is kept."""
    document = parse(path)
    text, shift = document.text, 0
    for example in document.examples():
        if not text[example.start + shift :].startswith("```console"):
            continue
        block = []
        for command, expected in commands(example.parsed):
            lines = printed(command, folder)
            kept = any("..." in line for line in expected) and agrees([line.rstrip() for line in expected], lines)
            block += [f"$ {command}", *(expected if kept else lines)]
        start, end = example.start + shift, example.end + shift
        made = "```console\n" + "\n".join(block) + "\n```"
        shift += len(made) - (end - start)
        text = text[:start] + made + text[end:]
    return text


def prepare(folder: Path) -> None:
    """Make the runs that documents speak of."""
    for name, dice in (("first", ["new"]), ("two", ["classic", "new"])):
        sets = [word for one in dice for word in ("--dice", one)]
        outcome = pipeline("run", "--boards", 100_000, *sets, "--words", "enable2k", "--out", name, "-q", cwd=folder)
        assert outcome.code == 0, outcome.err


def main(paths: list[Path]) -> None:
    for path in paths:
        with tempfile.TemporaryDirectory() as name:
            prepare(Path(name))
            path.write_text(refreshed(path, Path(name)))
        print(path.name)


if __name__ == "__main__":
    assert LONG
    main([Path(name) for name in sys.argv[1:]] or DOCUMENTS)

"""Flip one bit anywhere in a run's folder and ask every command: `python -m tests.proofs.flipped_bits`.

Two runs, one with rows and one without, each with its report. For each place (a file drawn from all, then a bit of it)
every command that reads the run either says what it said of the sound run, or refuses in one line that names the file.
`verify` finds every flipped bit in what belongs to the run. `pipeline run` and `compact` leave the right files or
refuse. A place follows from the seed and its number alone, so `--first` and `--last` cut the work in slices.
"""

import argparse
import contextlib
import io
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from pipeline.cli.app import run_command_line
from pipeline.store.run_store import LEXICON
from tests.running import Outcome

SIZE = ("--boards", "2000", "--chunk", "500", "--dice", "new", "--dice", "classic", "--executor", "serial")
NOT_READ = ("report/", "run.log", "run.lock")
"""What no command reads: it is written anew, or only there for people."""
PAGE = "report with its page"
READERS: dict[str, dict[str, tuple[str, ...]]] = {
    "boards": {
        PAGE: ("report", "r"),
        "report as JSON": ("report", "r", "--json", "--no-html"),
        "report of some": ("report", "r", "--boards", "700", "--no-html"),
        "compare": ("compare", "r"),
        "query of rows": ("query", "r", "SELECT dice, sum(score), max(board) FROM boards GROUP BY dice ORDER BY dice"),
        "query of words": ("query", "r", "SELECT dice, sum(boards), max(word) FROM words GROUP BY dice ORDER BY dice"),
        "words": ("words", "r", "--json"),
        "words never found": ("words", "r", "--never", "--top", "5"),
        "best boards": ("boards", "r", "--best", "2"),
        "one board": ("boards", "r", "--id", "1234"),
        "verify": ("verify", "r", "--sample", "20"),
    },
    "histograms": {
        PAGE: ("report", "r"),
        "report as JSON": ("report", "r", "--json", "--no-html"),
        "compare": ("compare", "r"),
        "query of histograms": ("query", "r", 'SELECT sum(value * "count") AS sum, max(value) FROM histograms'),
        "query of best": ("query", "r", "SELECT dice, max(score), max(board) FROM top GROUP BY dice ORDER BY dice"),
        "query of words": ("query", "r", "SELECT dice, sum(boards), max(word) FROM words GROUP BY dice ORDER BY dice"),
        "words": ("words", "r", "--json"),
        "best boards": ("boards", "r", "--best", "2"),
        "one board": ("boards", "r", "--id", "1234"),
        "verify": ("verify", "r", "--sample", "20"),
    },
}  # fmt: skip
WRITERS: dict[str, dict[str, tuple[str, ...]]] = {
    "boards": {
        "run again": ("run", *SIZE, "--out", "r", "--no-html", "-q"),
        "until": ("run", *SIZE, "--until", "mean(score) +- 1000", "--out", "r", "--no-html", "-q"),
    },
    "histograms": {
        "run again": ("run", *SIZE, "--keep", "histograms", "--out", "r", "--no-html", "-q"),
        "compact": ("compact", "r"),
    },
}


def said(arguments: tuple[str, ...]) -> Outcome:
    """What a command says, within this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["pipeline", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run_command_line()
        out.flush()
    return Outcome(code, out.buffer.getvalue().decode(), err.getvalue())  # type: ignore[attr-defined]


def kept(folder: Path) -> dict[str, bytes]:
    """Everything that a run holds beside its reports, its log and its lock."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(NOT_READ)}


@dataclass
class Sound:
    """A sound run in the folder `r`, with a copy of it, what every command says of it, and what writers leave of it."""

    keep: str
    copy: Path
    said: dict[str, Outcome]
    left: dict[str, dict[str, bytes]]

    def restore(self) -> None:
        shutil.rmtree("r")
        shutil.copytree(self.copy, "r")

    @property
    def files(self) -> list[str]:
        files = (path for path in self.copy.rglob("*") if path.is_file() and path.stat().st_size)
        return sorted(path.relative_to(self.copy).as_posix() for path in files)


def make(keep: str, pages: bool = True) -> Sound:
    """Make a run in the current folder, with its page or without, and ask everything of it."""
    shutil.rmtree("r", ignore_errors=True)
    assert said(("run", *SIZE, "--keep", keep, "--out", "r", *(() if pages else ("--no-html",)))).code == 0
    copy = Path(f"sound-{keep}")
    shutil.copytree("r", copy)
    commands = {name: command for name, command in READERS[keep].items() if pages or name != PAGE}
    sound = Sound(keep, copy, {name: said(command) for name, command in commands.items()}, {})
    assert all(outcome.code == 0 for outcome in sound.said.values()), sound.said
    for name, command in WRITERS[keep].items():
        sound.restore()
        outcome = said(command)
        assert outcome.code == 0, outcome
        sound.left[name] = kept(Path("r"))
    return sound


def flip(file: Path, chance: random.Random) -> str:
    """Flip one bit of a file; returns which."""
    data = bytearray(file.read_bytes())
    place, bit = chance.randrange(len(data)), chance.randrange(8)
    data[place] ^= 1 << bit
    file.write_bytes(data)
    return f"bit {bit} of byte {place} of {len(data)}"


def refuses(outcome: Outcome, name: str) -> bool:
    """One line that names the file; a report may have been told before its page is refused."""
    lines = [line for line in outcome.err.splitlines() if line.startswith("error: ")]
    return outcome.code == 2 and len(lines) == 1 and name in lines[0] and "Traceback" not in outcome.err


def one_place(sound: Sound, name: str, chance: random.Random) -> tuple[str, Counter[str]]:
    """Flip a bit of a file, ask everything; returns which bit, and how often what was the answer."""
    sound.restore()
    where = flip(Path("r") / name, chance)
    broken = (Path("r") / name).read_bytes()
    read = not name.startswith(NOT_READ)
    found: Counter[str] = Counter()
    for what in sound.said:
        outcome = said(READERS[sound.keep][what])
        story = (name, where, what, outcome)
        if what == "verify" and read:
            told = outcome.out if outcome.code == 1 else ""
            assert name in told or refuses(outcome, name), story
            found["refused"] += 1
        elif outcome == sound.said[what]:
            found["right"] += 1
        else:
            assert read, story
            assert refuses(outcome, name), story
            found["refused"] += 1
        # What a command reads it leaves alone; reports are written over.
        assert not read or (Path("r") / name).read_bytes() == broken, story
    for what, command in WRITERS[sound.keep].items():
        sound.restore()
        (Path("r") / name).write_bytes(broken)
        outcome = said(command)
        story = (name, where, what, outcome.code, outcome.err)
        if outcome.code == 0:
            left, wanted = kept(Path("r")), sound.left[what]
            # Who merges parts reads no word list: it is as broken as before.
            untouched = what == "compact" and name == LEXICON and left[name] == broken
            assert left == ({**wanted, name: broken} if untouched else wanted), story
            found["right" if untouched or not read else "mended"] += 1
        else:
            assert refuses(outcome, name), story
            found["refused"] += 1
    return where, found


def places(sounds: list[Sound], seed: int, first: int, last: int) -> Iterator[tuple[int, str, str, str, Counter[str]]]:
    """Flip bits number `first` to `last`: (number, mode, file, bit, answers) of each."""
    for number in range(first, last + 1):
        chance = random.Random(f"{seed} {number}")
        sound = sounds[number % len(sounds)]
        # Files in turn, so that each has its places.
        name = sound.files[number // len(sounds) % len(sound.files)]
        yield number, sound.keep, name, *one_place(sound, name, chance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="number of the first place")
    parser.add_argument("--last", type=int, default=200, help="number of the last place")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        sounds = [make(keep) for keep in READERS]
        total: Counter[str] = Counter()
        for number, keep, name, where, found in places(sounds, asked.seed, asked.first, asked.last):
            total += found
            print(f"place {number}, {keep}: {where} of {name}: {dict(found)}", flush=True)
        print(f"places {asked.first} to {asked.last}, nothing wrong was said: {dict(total)}")


if __name__ == "__main__":
    main()

"""`pipeline expect` and `pipeline effects` from outside: published values, shapes of their answers, refusals."""

import json
from pathlib import Path

import pytest

from tests.golden_data import GOLDEN
from tests.running import Outcome, pipeline, pipeline_inside

PUBLISHED = json.loads((GOLDEN / "expected_ways.json").read_text())["sets"]
SOON = ("new", "fr_4x4", "deluxe_master")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def inside(*arguments: object) -> Outcome:
        return pipeline_inside([str(word) for word in arguments], capsys, monkeypatch)

    return inside


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[str, ...]:
    """Options that name a small set and list."""
    (tmp_path / "tiny.toml").write_text(
        'rows = 2\ncolumns = 2\nmin_length = 2\ndice = ["A B C A B C", "A A B A A B", "B C D E . .", "A D E A D E"]\n'
    )
    (tmp_path / "few.txt").write_text("ab\naba\nabcd\ndab\nbead\naa\n")
    return ("--dice", "./tiny.toml", "--words", "./few.txt")


def said(outcome: Outcome) -> str:
    """What is said beside the answer, but that the solver is compiled, which the first such test may do."""
    return outcome.err.replace("compiling the solver (once on this machine)\n", "")


def is_published(found: dict, name: str) -> None:  # type: ignore[type-arg]
    entry = PUBLISHED[name]
    for table, kind in (("ways_by_letters", "ways"), ("pairs_of_ways_by_letters", "pairs")):
        for letters, value in entry[table].items():
            assert found[kind][letters] == pytest.approx(value, rel=1e-8), (name, kind, letters)


@pytest.mark.parametrize(
    "name", [name if name in SOON else pytest.param(name, marks=pytest.mark.long) for name in PUBLISHED]
)
def test_every_value_is_that_of_an_independent_program(run, name: str) -> None:  # type: ignore[no-untyped-def]
    for _ in range(2):  # worked out, then from the cache
        outcome = run("expect", "--dice", name, "--words", "enable2k", "--json")
        assert outcome.code == 0, outcome.err
        found = json.loads(outcome.out)
        assert list(found) == [name]
        is_published(found[name], name)
        least = PUBLISHED[name]["min_length"]
        assert list(found[name]["ways"])[: 9 - least] == [str(letters) for letters in range(least, 9)]
        assert list(found[name]["pairs"]) == [str(letters) for letters in range(least, least + 3)]


def test_several_sets_are_one_answer(run, tiny: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(run("expect", *tiny, "--dice", "new", "--json").out)
    assert list(found) == ["tiny", "new"]
    assert sum(found["tiny"]["letters"].values()) == pytest.approx(4)
    assert sum(found["new"]["letters"].values()) == pytest.approx(16)
    assert found["tiny"]["letters"]["."] == pytest.approx(1 / 3)
    assert found["new"]["letters"]["Qu"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("by", "header"),
    [
        ("set", ["set", "ways", "2", "3", "4", "5", "6", "7", "8", "9+", "nodes", "no", "vowel"]),
        ("length", ["letters", "ways", "of", "ways", "pairs"]),
        ("die", ["die", "faces", "ways", "of", "ways", "best", "change", "adds"]),
        ("letter", ["letter", "tiles", "ways", "with", "it", "of", "ways", "uses", "uses", "a", "tile"]),
    ],
)
def test_tables_by(run, tiny: tuple[str, ...], by: str, header: list[str]) -> None:  # type: ignore[no-untyped-def]
    outcome = run("expect", *tiny, "--by", by)
    assert (outcome.code, said(outcome)) == (0, "")
    assert header in [line.split() for line in outcome.out.splitlines()]


def test_by_face_gives_the_effect_of_every_change(run, tiny: tuple[str, ...], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Each against the means of the changed set, worked out by the same command."""
    found = json.loads(run("expect", *tiny, "--by", "face", "--json").out)["tiny"]
    whole = (tmp_path / "tiny.toml").read_text()
    dice = ["A B C A B C", "A A B A A B", "B C D E . .", "A D E A D E"]
    assert {(one["die"], one["face"]) for one in found["changes"]} == {
        (number, face) for number, die in enumerate(dice, 1) for face in die.split()
    }
    for one in found["changes"]:
        assert {"A", "E", "Qu", "Z", "."} - {one["face"]} <= set(one["to"])
        for tile in {"B", "E", "Z", "."} & set(one["to"]):
            old = dice[one["die"] - 1]
            (tmp_path / "changed.toml").write_text(whole.replace(old, old.replace(one["face"], tile, 1)))
            after = json.loads(run("expect", "--dice", "./changed.toml", *tiny[2:], "--json").out)["changed"]
            for kind in ("ways", "pairs"):
                for letters, rise in one["to"][tile][kind].items():
                    assert found[kind][letters] + rise == pytest.approx(after[kind][letters], rel=1e-9, abs=1e-12)
    best = {(one["die"], one["face"]): one["best"] for one in found["faces"]}
    for one in found["changes"]:
        rises = {tile: effect["all_ways"] for tile, effect in one["to"].items() if tile != "."}
        assert best[one["die"], one["face"]]["ways"] == max(rises.values())


def test_a_broken_cache_file_is_said_in_one_line(run, tiny: tuple[str, ...], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    first = run("expect", *tiny, "--json")
    (path,) = (tmp_path / "shakedown" / "expectations").iterdir()
    path.write_bytes(path.read_bytes().replace(b"1", b"2"))
    again = run("expect", *tiny, "--json")
    assert again.out == first.out
    assert again.code == 0
    assert said(again) == (
        f"WARNING: kept exact means {path} cannot be used (its content is not what was written): worked out anew\n"
    )
    once_more = run("expect", *tiny, "--json")
    assert (once_more.out, said(once_more)) == (first.out, "")


def test_caches_that_are_no_folders_cost_time_alone(tmp_path: Path, tiny: tuple[str, ...]) -> None:
    """In a process of its own."""
    (tmp_path / "file").write_text("")
    env = {"XDG_CACHE_HOME": str(tmp_path / "file"), "HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    outcome = pipeline("expect", *tiny, "--json", cwd=tmp_path, env=env)
    assert (outcome.code, said(outcome)) == (0, "")
    assert json.loads(outcome.out)["tiny"]["nodes"] > 4


WRONG = {
    "--by 'size' is not known": ["expect", "--by", "size"],
    "unknown dice set 'nwe'; did you mean new": ["expect", "--dice", "nwe"],
    "dice set 'new' is given twice": ["expect", "--dice", "new", "--dice", "new"],
    "unknown word list": ["expect", "--words", "enable3k"],
    "minimum length 300 is out of range": ["expect", "--min-length", "300"],
    "--min-length": ["expect", "--min-length", "0"],
    "word list few: none of the 6 words is usable": ["expect", "--words", "./few.txt", "--min-length", "5"],
    "effects of what?; give a RUN, or --dice": ["effects"],
    "--words has no meaning with a run": ["effects", "latest", "--words", "enable2k"],
    "no word of up to 8 letters can be shown with the tiles of new": ["effects", "--dice", "new", "--min-length", "9"],
    "no word of up to 8 letters": ["expect", "--min-length", "9", "--by", "die"],
    "dice set wide has 36 different tiles; exact means are worked out for up to 32": [
        "expect",
        "--dice",
        "./wide.toml",
    ],
    "dice set wide has 36 different": ["effects", "--dice", "./wide.toml"],
    "dice set wide has": ["expect", "--dice", "new", "--dice", "./wide.toml", "--json"],
}


@pytest.mark.parametrize(("said", "arguments"), WRONG.items(), ids=WRONG)
def test_wrong_input_is_one_line(run, tiny: tuple[str, ...], tmp_path: Path, said: str, arguments: list[str]) -> None:  # type: ignore[no-untyped-def]
    tiles = [first + second for first in "ABCDEF" for second in "abcdef"]
    dice = [" ".join(tiles[place : place + 6]) for place in range(0, 36, 6)]
    (tmp_path / "wide.toml").write_text(f"rows = 2\ncolumns = 3\ndice = {json.dumps(dice)}\n")
    assert said in run(*arguments).error_line


def test_effects_of_a_set_and_of_a_run_are_the_same(run, tiny: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    assert run("run", "--boards", "10", *tiny, "--out", "r", "--no-html", "-q", "--executor", "serial").code == 0
    of_run = json.loads(run("effects", "r", "--json").out)
    of_set = json.loads(run("effects", *tiny, "--json").out)
    assert of_run == of_set
    assert set(of_set["tiny"]) == {
        "words", "min_length", "lengths", "ways", "points", "dice", "faces", "letters", "neighbours", "cells", "places",
        "vowels", "changes",
    }  # fmt: skip
    text = run("effects", *tiny, "--top", "2").out
    for title in ("ways through each die", "letters", "neighbouring letters", "cells", "vowels", "one face changed"):
        assert title in text


def test_effects_of_a_kenken_run_are_refused(run) -> None:  # type: ignore[no-untyped-def]
    made = run(
        "run",
        "--game",
        "kenken",
        "--spec",
        "3x3",
        "--boards",
        "2",
        "--out",
        "k",
        "--no-html",
        "-q",
        "--executor",
        "serial",
    )
    assert made.code == 0
    assert "has no boards of letter dice" in run("effects", "k").error_line


def test_from_python(run, tiny: tuple[str, ...], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    import pipeline as program

    found = json.loads(run("expect", *tiny, "--json").out)["tiny"]
    means = program.expect("./tiny.toml", words="./few.txt")
    assert {str(letters): mean for letters, mean in means.ways.items()} == found["ways"]
    assert means.as_dict().items() <= found.items()
    assert program.expect(program.load_dice("./tiny.toml"), "./few.txt", min_length=3).ways.keys() == {3, 4, 5, 6, 7, 8}
    with pytest.raises(program.PipelineError, match="none of the 6 words is usable"):
        program.expect("./tiny.toml", "./few.txt", min_length=5)

"""`pipeline kenken` and the options of a KenKen run: right answers, and one clear line for what is wrong."""

import csv
import gzip
import json
import os
import re
from pathlib import Path

import pytest

from pipeline.games.kenken.id_stream import IdStream
from pipeline.games.kenken.puzzles import solve_in_parts
from solvers.kenken import Cage, Puzzle, Rules, puzzle_from_dict, read_keen, read_puzzle, solve, solve_reference
from tests.golden_data import GOLDEN
from tests.running import Outcome, pipeline, pipeline_inside

CASES = {case["id"]: case for case in json.loads((GOLDEN / "kenken.json").read_text())}
FLAGS = {
    "standard": [],
    "minus and divide on 3 cells: largest against all the rest": ["--wide"],
    "operator hidden: any of + - * / may reach the target": ["--hidden"],
}
SMALL = "3:_a_aa_3a,a5a4a2m2s2"


class Inside:
    """Commands run in this process, in a folder of their own."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.capsys, self.monkeypatch, self.folder = capsys, monkeypatch, folder
        monkeypatch.chdir(folder)

    def __call__(self, *arguments: object) -> Outcome:
        return pipeline_inside([str(one) for one in arguments], self.capsys, self.monkeypatch)

    def out(self, *arguments: object) -> str:
        outcome = self(*arguments)
        assert outcome.code == 0, outcome.err
        return outcome.out


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Inside:
    return Inside(capsys, monkeypatch, tmp_path)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_golden_puzzles_are_solved_from_their_files(case: dict, inside: Inside) -> None:
    (inside.folder / "p.json").write_text(json.dumps({"size": case["size"], "cages": case["cages"]}))
    told = json.loads(inside.out("kenken", "solve", "p.json", "--json", *FLAGS[case["rules"]]))
    if case["solution"]:
        assert told["status"] == "unique"
        assert told["solution"] == [[int(digit) for digit in row] for row in case["solution"]]
    else:
        assert told["status"] == "multiple"
        assert told["solutions"] == 2
        assert (told["grade"], told["rung"]) == (None, None)


def test_the_grid_is_drawn_with_its_cages_and_what_is_known(inside: Inside) -> None:
    out = inside.out("kenken", "solve", SMALL)
    assert out.startswith(
        "┌────┬─────────┐\n│5+  │4+       │\n│ 2  │ 1    3  │\n│    ├────┬────┤\n│    │2   │2×  │\n│ 3  │ 2  │ 1  │\n"
    )
    assert "status   unique: one solution and no other\nsolution 213321132\n" in out
    assert f"id       {SMALL}\n" in out
    assert re.search(r"^nodes    \d+ ", out, re.M)
    assert "placed   9 of 9 cells" in out
    assert "grade    easy (singles:" in out


def test_none_multiple_and_gave_up_are_told_apart(inside: Inside) -> None:
    (inside.folder / "two.map").write_text("ab\nab\n\na: 3+\nb: 2/\n")
    assert "status   multiple: 2 or more solutions, the first is shown" in inside.out("kenken", "solve", "two.map")
    told = json.loads(inside.out("kenken", "solve", "two.map", "--json", "--limit", 9))
    assert (told["status"], told["solutions"]) == ("multiple", 2)
    givens = [{"target": 1, "cells": [2]}, {"target": 1, "cells": [3]}]
    impossible = {"size": 2, "cages": [{"op": "+", "target": 3, "cells": [0, 1]}, *givens]}
    (inside.folder / "p.json").write_text(json.dumps(impossible))
    assert solve_reference(puzzle_from_dict(impossible)).status == "none"
    out = inside.out("kenken", "solve", "p.json")
    assert "status   none: no digits satisfy every cage" in out
    assert "solution" not in out
    rows = {"size": 5, "cages": [{"op": "+", "target": 15, "cells": list(range(r, r + 5))} for r in range(0, 25, 5)]}
    (inside.folder / "p.json").write_text(json.dumps(rows))
    assert "gave up at the node limit with 0 solutions found" in inside.out(
        "kenken", "solve", "p.json", "--node-limit", 1
    )


def rows_of_sums(size: int) -> Puzzle:
    """Every Latin square solves it."""
    total = size * (size + 1) // 2
    return Puzzle(size, tuple(Cage("+", total, tuple(range(row * size, row * size + size))) for row in range(size)))


@pytest.mark.parametrize(("limit", "node_limit"), [(2, 10**7), (500, 10**7), (600, 10**7), (10**5, 300), (10**5, 0)])
def test_a_search_in_parts_gives_the_same_answer(limit: int, node_limit: int) -> None:
    loose = rows_of_sums(4)
    cages = (*loose.cages[1:], Cage("=", 1, (0,)), Cage("+", 9, (1, 2, 3)))
    for puzzle in (loose, Puzzle(4, cages), rows_of_sums(5), read_keen(SMALL)):
        assert solve_in_parts(puzzle, limit, node_limit, 2) == solve(puzzle, limit, node_limit)


def test_workers_give_the_same_output(tmp_path: Path) -> None:
    text = json.dumps(
        {"size": 5, "cages": [{"op": "+", "target": 15, "cells": list(range(r, r + 5))} for r in range(0, 25, 5)]}
    )
    arguments = ("kenken", "solve", "-", "--limit", 20_000)
    alone, shared = (pipeline(*arguments, "--workers", n, cwd=tmp_path, stdin=text) for n in (1, 3))
    assert (alone.code, alone.err) == (shared.code, shared.err) == (0, "")
    assert alone.out == shared.out
    assert "multiple: 20,000 or more solutions" in alone.out


def test_puzzles_of_every_format_come_from_standard_input_many_at_once(tmp_path: Path) -> None:
    found = []
    for form in ("keen", "json", "map"):
        made = pipeline("kenken", "generate", "--size", 4, "--count", 3, "--format", form, cwd=tmp_path)
        assert made.code == 0, made.err
        solved = pipeline("kenken", "solve", "-", "--json", cwd=tmp_path, stdin=made.out)
        told = [json.loads(line) for line in solved.out.splitlines()]
        assert [one["status"] for one in told] == ["unique"] * 3, form
        found.append([one["puzzle"] for one in told])
    assert found[0] == found[1] == found[2]


def test_generated_puzzles_are_unique_graded_and_follow_from_seed_and_index(inside: Inside) -> None:
    ids = inside.out("kenken", "generate", "--size", 5, "--count", 4, "--grade", "hard").split()
    assert len(set(ids)) == 4
    for text in ids:
        assert solve_reference(read_keen(text)).status == "unique"
        assert solve(read_keen(text)).grade == "hard"
    assert inside.out("kenken", "generate", "--size", 5, "--grade", "cage_tuples", "--index", 2).split() == ids[2:3]
    assert inside.out("kenken", "generate", "--size", 5, "--grade", "hard", "--seed", 2).split() != ids[:1]


def test_generated_puzzles_are_the_rows_of_a_run(inside: Inside) -> None:
    from tests.stored import column, make_run

    store = make_run(inside.folder / "r", game="kenken", spec=["k6x6_from_zero"], boards=120, chunk=70, seed=5)
    out = inside.out("kenken", "generate", "--spec", "k6x6_from_zero", "--seed", 5, "--index", 60, "--count", 60)
    assert out.split() == column(store, "k6x6_from_zero", "puzzle")[60:]


def test_rules_travel_with_maps_and_json_and_are_named_beside_ids(inside: Inside) -> None:
    outcome = inside("kenken", "generate", "--spec", "k6x6_from_zero")
    assert "rules: --from-zero" in outcome.err
    found = json.loads(inside.out("kenken", "solve", outcome.out.strip(), "--from-zero", "--json"))
    assert found["rules"] == {"from_zero": True}
    assert {digit for row in found["solution"] for digit in row} == set(range(6))
    for form in ("map", "json"):
        text = inside.out("kenken", "generate", "--spec", "k6x6_from_zero", "--format", form)
        assert read_puzzle(text).rules == Rules(from_zero=True)
    (inside.folder / "p").write_text(text)
    assert "tells rules of its own, without wide" in inside("kenken", "solve", "p", "--wide").error_line


def test_drawings_are_written_where_asked(inside: Inside) -> None:
    inside.out("kenken", "solve", SMALL, "--svg", "one.svg")
    svg = (inside.folder / "one.svg").read_text()
    assert svg.startswith("<svg ")
    assert svg.count('text-anchor="middle"') == 9
    inside.out("kenken", "generate", "--size", 4, "--count", 2, "--svg", "drawn")
    assert sorted(path.name for path in (inside.folder / "drawn").iterdir()) == ["k4x4-s1-0.svg", "k4x4-s1-1.svg"]
    inside.out("kenken", "generate", "--size", 4, "--svg", "empty.svg")
    assert 'text-anchor="middle"' not in (inside.folder / "empty.svg").read_text()


def test_a_solved_puzzle_is_shown_in_the_asked_format(inside: Inside) -> None:
    assert inside.out("kenken", "solve", SMALL, "--format", "keen").startswith(SMALL + "\nstatus   unique")
    assert inside.out("kenken", "solve", SMALL, "--format", "map").startswith("abb\na2c\nddc\n\na: 5+\n")


def cages(*entries: tuple[str, int, list[int]]) -> str:
    return json.dumps({"size": 2, "cages": [{"op": op, "target": target, "cells": own} for op, target, own in entries]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (cages(("+", 3, [0, 1]), ("+", 3, [1, 3]), ("=", 1, [2])), "row 1, column 2 is in cage 1 and in cage 2"),
        (cages(("+", 3, [0, 1]), ("=", 1, [2])), "row 2, column 2 is in no cage"),
        (cages(("+", 3, [0, 1]), ("+", 3, [2, 4])), "cage 2 has cell 4, outside the 2x2 grid"),
        (cages(("+", 3, [0, 3]), ("=", 1, [1]), ("=", 1, [2])), "cage 1 is not connected: row 2, column 2"),
        (cages(("+", 9, [0, 1]), ("+", 3, [2, 3])), "cage 1 at row 1, column 1 cannot reach 9+"),
        (cages(("&", 3, [0, 1]), ("+", 3, [2, 3])), "cage 1 at row 1, column 1 has operator '&'"),
        (cages(("-", 1, [0, 1, 2]), ("=", 1, [3])), "has 3 cells and operator -"),
        (cages(("=", 3, [0]), ("+", 3, [1, 3]), ("=", 1, [2])), "holds the digit 3; digits are 1..2"),
        ('{"size": 17, "cages": []}', "size 17 is not a whole number from 1 to 16"),
        ('{"size": 2, "cages": [', "JSON breaks at line 1, column 23"),
        ("ab\na\n\na: 3+\nb: 2\n", "cage map breaks at line 2, column 2"),
        ("", "the text is empty"),
    ],
)
def test_a_wrong_puzzle_in_a_file_is_refused_with_cage_and_cell(text: str, message: str, inside: Inside) -> None:
    (inside.folder / "p.txt").write_text(text)
    line = inside("kenken", "solve", "p.txt").error_line
    assert line.startswith("error: p.txt: ")
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kenken solve 3:_a_aa_3a,a5a4a2m2", "Keen id breaks at position 20: the end of the text"),
        ("kenken solve 3:_a_aa_3a,a5a4a2m2s2x", "Keen id breaks at position 22: 'x'"),
        ("kenken solve 3:_a_!a_3a,a5a4a2m2s2", "Keen id breaks at position 6: '!a_3a"),
        ("kenken solve 17:_,a1", "a size from 1 to 16"),
        ("kenken solve nothing.txt", "'nothing.txt' is no Keen id, and no file of that name exists"),
        ("kenken solve .", "'.' is not a file"),
        ("kenken solve binary", "binary is not UTF-8 text (byte 0)"),
        ("kenken solve two.txt --strict", "two.txt, line 3: Keen id breaks at position 20"),
        ("kenken solve both.txt --svg x.svg", "--svg x.svg takes one puzzle, the text holds 2"),
        (f"kenken solve {SMALL} --limit 1", "limit of 1 solutions"),
        (f"kenken solve {SMALL} --node-limit -1", "limit of -1 nodes"),
        (f"kenken solve {SMALL} --workers 0", "workers"),
        (f"kenken solve {SMALL} --format xml", "format 'xml' is not known; known are grid, keen, map, json"),
        (f"kenken solve {SMALL} --svg both.txt/x.svg", "cannot write"),
        ("kenken generate --size 17", "size"),
        ("kenken generate --size 6 --spec 5x5", "--size 6 and --spec 5x5 both tell the size"),
        ("kenken generate --grade brutal", "grade 'brutal'; grades are easy, normal"),
        ("kenken generate --count 0", "count"),
        ("kenken generate --index -1", "index"),
        ("kenken generate --count 2 --svg x.svg", "takes one puzzle, not 2; give a folder"),
        ("kenken generate --format xml", "format 'xml' is not known"),
        ("kenken generate --spec k6x6_hiden", "unknown spec 'k6x6_hiden'; did you mean k6x6_hidden"),
        ("run --game kenken --spec 6x7", "unknown spec '6x7'; did you mean"),
        ("run --game kenken --spec 17x17", "size 17; sizes are 1..16"),
        ("run --game kenken --spec k6x6_larg", "did you mean k6x6_large"),
        ("run --game kenken --spec missing.toml", "spec file missing.toml does not exist"),
        ("run --game kenken --spec nosize.toml", "spec file nosize.toml: spec nosize has no size"),
        ("run --game kenken --spec badkey.toml", "entry 'cagesizes'; did you mean cage_sizes or"),
        ("run --game kenken --spec badop.toml", "operator '&'; operators are + - * /"),
        ("run --game kenken --spec givens.toml", "spec givens, puzzle 0: no unique puzzle of grade unreasonable"),
        ("run --game kenken --spec 6x6 --spec k6x6", "spec 'k6x6' is given twice"),
        ("run --game kenken --solver dfs", "solver 'dfs' is not known for kenken"),
        ("run --game kenken --dice new", "--dice has no meaning for --game kenken"),
        ("run --game kenken --words enable1", "--words has no meaning for --game kenken"),
        ("run --game kenken --config dice.toml", "dice (in dice.toml) has no meaning for --game kenken"),
        ("run --spec 6x6", "--spec has no meaning for --game boggle; leave it out, or give --game kenken"),
        ("run --node-limit 3", "--node-limit has no meaning for --game boggle"),
        ("run --game kenken --node-limit -1", "--node-limit -1: must be"),
        ("run --game sudoku", "--game 'sudoku' is not known; known are boggle, kenken"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_nothing(arguments: str, message: str, inside: Inside) -> None:
    files = {
        "binary": b"\xff\xfe",
        "two.txt": f"{SMALL}\n\n{SMALL[:-2]}\n".encode(),
        "both.txt": f"{SMALL}\n{SMALL}\n".encode(),
        "nosize.toml": b"[cage_sizes]\n1 = 1\n",
        "badkey.toml": b"size = 4\n[cagesizes]\n1 = 1\n",
        "badop.toml": b'size = 4\n[operators]\n"&" = 1\n',
        "givens.toml": b'size = 3\ngrade = "unreasonable"\n[cage_sizes]\n1 = 1\n',
        "dice.toml": b'dice = ["new"]\n',
    }
    for name, content in files.items():
        (inside.folder / name).write_bytes(content)
    line = inside(*arguments.split()).error_line
    assert line.startswith("error: ")
    assert message in line
    assert {path.name for path in inside.folder.rglob("*")} == set(files)


def test_a_run_of_puzzles_has_no_words_and_no_boards(inside: Inside) -> None:
    from tests.stored import make_run

    make_run(inside.folder / "r", game="kenken", spec=["4x4"], boards=20)
    assert "r has no boards of letter dice" in inside("words", "r").error_line
    assert "has no" in inside("boards", "r").error_line
    assert "make one with two --spec" in inside("compare", "r").error_line


def test_every_right_id_is_answered_and_every_wrong_one_named(inside: Inside) -> None:
    """Before, one wrong line among thousands left all others without an answer."""
    lines = [SMALL, "3:_a_aa_3a,a5a4", "", "4:a_b_a_a__a__a_aa,m3m24d2d2s1a4s2", "nonsense", SMALL]
    (inside.folder / "ids.txt").write_text("\n".join(lines))
    outcome = inside("kenken", "solve", "ids.txt")
    assert outcome.code == 2
    alone = [inside.out("kenken", "solve", lines[i]) for i in (0, 3, 5)]
    assert outcome.out == "\n".join(alone)
    assert [line.split(":")[1].strip() for line in outcome.err.splitlines()] == ["ids.txt, line 2", "ids.txt, line 5"]
    told = inside("kenken", "solve", "ids.txt", "--json")
    assert told.code == 2
    assert [json.loads(line)["puzzle"] for line in told.out.splitlines()] == [lines[i] for i in (0, 3, 5)]
    assert [json.loads(line)["line"] for line in told.err.splitlines()] == [2, 5]


def test_ids_are_answered_before_the_stream_ends() -> None:
    """What a slow writer has sent is solved while more is waited for."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as sender, os.fdopen(reading, "rb") as stream:
        sender.write(f"{SMALL}\n".encode())
        ids = IdStream(stream)
        assert ids.has_ids
        sender.write(f"{SMALL}\n4:".encode())
        blocks = ids.blocks()
        assert [number for number, _ in next(blocks)] == [1, 2]
        sender.write(b"a_b_a_a__a__a_aa,m3m24d2d2s1a4s2")
        sender.close()
        left = list(blocks)
        assert left == [[(3, b"4:a_b_a_a__a__a_aa,m3m24d2d2s1a4s2")]]
        assert ids.ended


def test_a_stream_of_ids_says_what_single_answers_do(inside: Inside) -> None:
    """Batches of every size and form, in the order of the lines."""
    with gzip.open(GOLDEN / "keen_puzzles.csv.gz", "rt") as file:
        ids = [row["game_id"] for row in csv.DictReader(file)][::40]
    (inside.folder / "ids.txt").write_text("\n".join(ids[::-1] + ids))
    for options in ([], ["--json"], ["--format", "map"], ["--format", "keen", "--limit", "5"]):
        alone = [inside.out("kenken", "solve", one, *options) for one in ids[::-1] + ids]
        assert inside.out("kenken", "solve", "ids.txt", *options) == ("" if "--json" in options else "\n").join(alone)

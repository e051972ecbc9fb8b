"""Many boards on standard input: every good line is answered, every bad one is named, and nothing is held back."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from pipeline.games.boggle.one_board import FIGURES, ManyBoards, make_rules, solve_board
from solvers.grid import MAX_CELLS
from tests.running import command, pipeline
from tests.waiting import LONG

SMALL = ("solve", "-", "--rows", 2, "--cols", 2)
GOOD = "ABCD\t4\t4\t3\t0\t37"


def test_good_lines_around_bad_ones_are_answered_and_the_bad_ones_named(tmp_path: Path) -> None:
    lines = ["abcd"] * 3_000 + ["abcde"] + ["abcd", "", "ab1d", "abcd"]
    outcome = pipeline(*SMALL, cwd=tmp_path, stdin="\n".join(lines))
    assert outcome.code == 2
    assert outcome.out.splitlines() == [GOOD] * 3_002
    said = outcome.err.splitlines()
    assert [line.partition(": board")[0] for line in said] == [
        "error: line 3001", "error: line 3004", "2 of 3,004 lines are no boards",
    ]  # fmt: skip
    assert "board 'abcde'" in said[0]
    assert "board 'ab1d'" in said[1]


def test_for_programs_a_bad_line_is_an_object_with_line_and_error(tmp_path: Path) -> None:
    outcome = pipeline(*SMALL, "--json", cwd=tmp_path, stdin="abcd\nabcde\nabcd\n")
    assert outcome.code == 2
    figures = dict(zip(FIGURES, map(int, GOOD.split("\t")[1:]), strict=True))
    assert [json.loads(line) for line in outcome.out.splitlines()] == [{"board": "ABCD", **figures}] * 2
    (error,) = map(json.loads, outcome.err.splitlines())
    assert set(error) == {"line", "error"}
    assert error["line"] == 2
    assert "abcde" in error["error"]


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_strict_stops_at_the_first_bad_line(tmp_path: Path, json_too: list[str]) -> None:
    outcome = pipeline(*SMALL, "--strict", *json_too, cwd=tmp_path, stdin="abcd\nabcde\nabcd\nx\n")
    assert outcome.code == 2
    assert len(outcome.out.splitlines()) == 1
    assert len(outcome.err.splitlines()) == 1
    assert "line 2" in outcome.err if not json_too else json.loads(outcome.err)["line"] == 2


def test_bytes_that_are_no_text_spoil_their_line_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        command(*SMALL), cwd=tmp_path, input=b"abcd\r\n\xffbcd\r\nabcd", capture_output=True, timeout=LONG
    )
    assert done.returncode == 2
    assert done.stdout.decode().splitlines() == [GOOD] * 2
    assert done.stderr.decode().startswith("error: line 2: board b'\\xffbcd' holds bytes that are no text; ")


def test_an_answer_comes_before_the_next_line_is_written(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command(*SMALL), cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    for text, answer in (("abcd", GOOD), ("abcde", "error: line 2"), ("wxyz", "WXYZ\t"), ("abcd", GOOD)):
        process.stdin.write(f"{text}\n")
        process.stdin.flush()
        stream = process.stderr if answer.startswith("error") else process.stdout
        assert stream.readline().startswith(answer)
    out, err = process.communicate(timeout=LONG)
    assert (process.returncode, out, err) == (2, "", "1 of 4 lines is no board\n")


def faces(number: int) -> str:
    """One of some thousands of tiles of two letters, which only canonical text can hold."""
    return chr(ord("A") + number // 26 % 26) + chr(ord("a") + number % 26)


@pytest.mark.parametrize(("boards", "tiles"), [(3, 35), (30, 288), (20, 650), (40, MAX_CELLS * 10)])
def test_boards_of_many_different_tiles_are_solved_as_each_by_itself(boards: int, tiles: int) -> None:
    """Whatever tiles the others have: 35 are more than the fast solver takes, 288 more than any."""
    chance = random.Random(tiles)
    side = 4 if tiles < 400 else 6
    numbers = [chance.randrange(tiles) for _ in range(boards * side * side - tiles)] + list(range(tiles))
    chance.shuffle(numbers)
    cells = side * side
    lines = [" ".join(map(faces, numbers[at : at + cells])) for at in range(0, boards * cells, cells)][:boards]
    lines = [line for line in lines if len(line.split()) == cells] + ["a b c d " * (cells // 4)]
    rules = make_rules(None, None, side, side, "enable1", None, None, None)
    answers = list(ManyBoards(rules).answers(lines))
    assert [answer.line for answer in answers] == list(range(1, len(lines) + 1))
    for answer, line in zip(answers, lines, strict=True):
        alone = solve_board(rules, line)
        assert answer.error == "", answer
        assert answer.board == alone.board
        longest = max((word.letters for word in alone.found), default=0)
        assert answer.figures == (len(alone.found), alone.score, longest, alone.dead_tiles, alone.nodes)


def test_batches_of_any_size_give_the_same_answers() -> None:
    chance = random.Random(5)
    lines = ["".join(chance.choices("aeiorstlnqz", k=16)) for _ in range(60)] + ["", "abc", "Qu " * 16]
    rules = make_rules(None, None, 4, 4, "enable1", None, None, None)
    whole = list(ManyBoards(rules).answers(lines))
    for size in (1, 7):
        boards = ManyBoards(rules)
        pieces = [answer for at in range(0, len(lines), size) for answer in boards.answers(lines[at : at + size])]
        assert pieces == whole
    assert [answer.line for answer in whole if answer.error] == [62]

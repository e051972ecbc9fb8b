"""Wrong inputs to every command: one clear line with the value and a way out, exit code 2, nothing left behind."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.errors import nearest
from tests.running import pipeline_inside
from tests.stored import make_run

DIE = '"A B C D E F"'
FILES = {
    "typo.toml": f"rows = 2\nmin_lenght = 3\ndice = [{', '.join([DIE] * 4)}]\n",
    "spec.toml": "size = 4\ngrad = 'easy'\n",
    "config.toml": "board = 10\n",
    "empty.txt": "",
    "digits.txt": "123\n456\n",
}
WRONG: list[tuple[Sequence[str], Sequence[str]]] = [
    (["run", "--boards", "minus"], ["'minus'", "10M"]),
    (["run", "--boards", "10", "--out", "made", "--solver", "nmba"], ["solver 'nmba'", "did you mean numba?"]),
    (["run", "--boards", "10", "--out", "made", "--scoring", "double"], ["'double'", "standard, super"]),
    (["run", "--boards", "10", "--out", "made", "--words", "./empty.txt"], ["empty.txt"]),
    (["run", "--boards", "10", "--out", "made", "--words", "./digits.txt"], ["digits.txt"]),
    (["run", "--boards", "10", "--out", "made", "--dice", "big"], ["'big'", "did you mean big_1979 or"]),
    (["run", "--boards", "10", "--out", "made", "--dice", "new", "--dice", "new"], ["'new' is given twice"]),
    (["run", "--boards", "10", "--out", "made", "--until", "mean(scor) +- 1"], ["'scor'", "did you mean score?"]),
    (["run", "--boards", "10", "--out", "made", "--min-length", "99"], ["enable1", "99 or more letters"]),
    (["run", "--config", "./config.toml"], ["unknown key 'board'", "did you mean boards or"]),
    (["plan", "--boards", "1e4", "--keep", "histogram"], ["'histogram'", "histograms"]),
    (["bench", "--dice", "zzzz"], ["'zzzz'", "known are big_1979"]),
    (["solve", ""], ["board '' is empty", "row by row"]),
    (["solve", "ABCDEFGHIJKLMNOP", "--rows", "3"], ["16 letters do not fill 3 rows", "--rows"]),
    (["solve", "ABCDEFG" * 9], ["63 letters make no square", "--rows and --cols"]),
    (["solve", "ABCD", "--words", "enabel"], ["'enabel'", "did you mean enable1"]),
    (["trace", "ABCD", ""], ["the word is empty"]),
    (["paths", "0", "3"], ["ROWS", "1"]),
    (["shake", "--where", "wrds > 3"], ["'wrds'", "did you mean words?"]),
    (["shake", "--count", "0"], ["--count"]),
    (["expect", "--dice", "nwe"], ["'nwe'", "did you mean new?"]),
    (["effects", "nowhere"], ["no run 'nowhere'"]),
    (["dice", "show", "nope"], ["'nope'", "known are big_1979"]),
    (["dice", "show", "./typo.toml"], ["unknown key 'min_lenght'", "did you mean min_length?"]),
    (["dice", "check-board", "new", "ABC"], ["3 tiles", "4 x 4"]),
    (["dice", "check-word", "new", "c4t"], ["'c4t'", "letters"]),
    (["lists", "check", "./missing.txt"], ["./missing.txt does not exist"]),
    (["kenken", "solve", "nonsense"], ["'nonsense'", "Keen id"]),
    (["kenken", "generate", "--size", "4", "--grade", "heroic"], ["'heroic'", "easy, normal"]),
    (["kenken", "generate", "--spec", "./spec.toml"], ["'grad'", "did you mean grade?"]),
    (["kenken", "generate", "--size", "4", "--format", "jsno"], ["'jsno'", "did you mean json?"]),
    (["report", "RUN", "--boards", "600"], ["has 60 boards", "not 600", "--boards 600"]),
    (["words", "RUN", "--dice", "nwe"], ["'nwe'", "did you mean new?"]),
    (["words", "RUN", "--only-in", "entirely"], ["'entirely'", "known are classic, new"]),
    (["boards", "RUN", "--id", "60"], ["board 60", "0 to 59"]),
    (["compare", "RUN", "nowhere"], ["no run 'nowhere'"]),
    (["compare", "RUN", "--rank", "scor"], ["'scor'", "did you mean score?"]),
    (["query", "RUN", "SELECT * FROM wrods"], ["wrods", "did you mean words?"]),
    (["query", "RUN", "DROP TABLE boards"], ["DROP is refused", "SELECT"]),
    (["export", "RUN", "--columns", "sorce"], ["'sorce'", "did you mean score?"]),
    (["export", "RUN", "--format", "parket"], ["'parket'", "did you mean parquet?"]),
    (["verify", "RUN", "--sample", "-1"], ["--sample"]),
    (["compact", "RUN"], ["--keep histograms"]),
    (["serve", "--port", "99999"], ["--port", "65535"]),
    (["guide", "nope"], ["'nope'", "known are first-answers"]),
]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_run(tmp_path_factory.mktemp("wrong") / "r", boards=60, dice=["classic", "new"]).location


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=[" ".join(one)[:60] or "-" for one, _ in WRONG])
def test_a_wrong_input_is_one_line_with_the_value_and_a_way_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, example: str,
    arguments: Sequence[str], said: Sequence[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    line = pipeline_inside([example if one == "RUN" else one for one in arguments], capsys, monkeypatch).error_line
    assert line.startswith("error: ")
    assert len(line) < 900
    for part in said:
        assert part in line
    assert {path.name for path in tmp_path.iterdir()} == set(FILES)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nope", "known are new, classic, big_1979, big_2012"),
        ("nwe", "did you mean new?"),
        ("Clasic", "did you mean classic?"),
        ("big", "did you mean big_1979 or big_2012?"),
        ("b", "known are new, classic, big_1979, big_2012"),
        ("", "known are new, classic, big_1979, big_2012"),
    ],
)
def test_names_are_suggested_where_they_are_near_and_listed_otherwise(name: str, said: str) -> None:
    assert nearest(name, ["new", "classic", "big_1979", "big_2012"]) == said


@pytest.mark.parametrize(
    ("board", "summary"),
    [("TEA", "1 word, 1 point, longest tea, 0 dead tiles"), ("XXXX", "0 words, 0 points, longest -, 4 dead tiles")],
)
def test_one_is_one_and_others_are_many(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, board: str, summary: str
) -> None:
    (tmp_path / "list.txt").write_text("tea\n")
    arguments = ["solve", board, "--rows", "1", "--words", str(tmp_path / "list.txt")]
    assert summary in pipeline_inside(arguments, capsys, monkeypatch).out


def test_paths_in_a_config_begin_at_its_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "list.txt").write_text("tea\nface\n")
    (tmp_path / "sets/own.toml").write_text(f"rows = 2\ncolumns = 2\ndice = [{', '.join([DIE] * 4)}]\n")
    content = 'boards = 5\nexecutor = "serial"\nwords = "../list.txt"\ndice = ["./own.toml"]\nout = "made"\n'
    (tmp_path / "sets/run.toml").write_text(content)
    monkeypatch.chdir(tmp_path)
    done = pipeline_inside(["run", "--config", "sets/run.toml", "--no-html", "-q"], capsys, monkeypatch)
    assert done.code == 0, done.err
    assert "own: 5 boards" in done.out


def test_advice_names_no_option_that_the_command_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["kenken", "generate", "--size", "3", "--grade", "unreasonable"]
    refused = pipeline_inside(arguments, capsys, monkeypatch)
    assert refused.code == 2
    advice = refused.err.splitlines()[-1].partition(";")[2]
    assert "another size, or another grade" in advice
    assert "attempts" not in advice

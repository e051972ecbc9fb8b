"""The Python interface: what the command line does as plain calls, with the same rows and figures."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import pipeline
from tests.running import rows_of

ROOT = Path(__file__).parents[2]
OPTIONS = {"words": "enable2k", "progress": False}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> pipeline.Run:
    folder = tmp_path_factory.mktemp("library") / "r"
    return pipeline.run(boards=3_000, dice=["classic", "new"], out=str(folder), chunk=1_000, **OPTIONS)


def test_importing_it_loads_nothing() -> None:
    script = "import sys; before = set(sys.modules); import pipeline; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "numba", "polars", "pyarrow", "pydantic", "typer", "rich"} & set(done.stdout.split())


def test_every_public_name_is_there_and_says_what_it_does() -> None:
    for name in pipeline.__all__:
        found = getattr(pipeline, name)
        assert found.__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        pipeline.nonsense  # noqa: B018


def test_simulated_rows_are_those_of_a_run(run: pipeline.Run) -> None:
    frame = pipeline.simulate(["classic", "new"], 3_000, words="enable2k", seed=1, threads=2)
    stored = rows_of(Path(run.path))
    assert frame.sort("dice", "board_id").equals(stored.select(frame.columns).cast(dict(frame.schema)))


def test_a_run_answers_as_the_command_line_does(run: pipeline.Run) -> None:
    frame = run.frame()
    assert isinstance(frame, pl.LazyFrame)
    best = frame.group_by("dice").agg(pl.col("score").max()).sort("dice").collect()
    assert run.query("SELECT dice, max(score) AS score FROM boards GROUP BY dice ORDER BY dice").rows() == best.rows()
    assert run.summary["variants"]["new"]["n"] == 3_000
    assert run.compare()[0]["b"] == "new"
    words = run.words()
    assert words.columns[:3] == ["word_id", "boards", "dice"]
    assert words["boards"].sum() == frame.select(pl.col("words").sum()).collect().item()
    assert pipeline.open_run(run.path).boards == run.boards == 3_000
    assert run.variants == ["classic", "new"]
    assert repr(run) == f"Run({run.path!r}, 3,000 boards of classic, new)"


def test_charts_show_themselves(run: pipeline.Run) -> None:
    assert "distribution-score" in run.figures()
    chart = run.figure("distribution-score")
    assert chart.to_dict()["title"]
    with pytest.raises(pipeline.PipelineError, match="no chart 'distribution-scor'; did you mean distribution-score"):
        run.figure("distribution-scor")


def test_one_board_a_word_and_shakes() -> None:
    solved = pipeline.solve("ADQPNLEMOSRTVKJH", words="enable2k")
    assert (len(solved.found), solved.score, solved.longest) == (125, 233, "personal")
    assert pipeline.trace(["ILAW", "BNGE", "IUAO", "ASRL"], "BINGO").ways == 2
    assert pipeline.shake("new", 3, seed=5, first=2)[0] == pipeline.shake("new", 1, seed=5, first=2)[0]
    assert pipeline.load_dice("new").cells == 16
    assert "tea" in pipeline.load_words("enable2k").words


def test_kenken() -> None:
    puzzles = pipeline.kenken.generate("4x4", 3, seed=2)
    assert all(pipeline.kenken.solve(puzzle).status == "unique" for puzzle in puzzles)


def test_exact_means() -> None:
    means = pipeline.expect("new", words="enable2k")
    assert means.ways[3] == pytest.approx(51.92, abs=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pipeline.solve("AB1D"), "is not a letter"),
        (lambda: pipeline.solve("ABCD", words="nonsense"), "nonsense"),
        (lambda: pipeline.simulate("new", 0), "0 boards"),
        (lambda: pipeline.simulate([], 10), "no dice set"),
        (lambda: pipeline.open_run("nowhere"), "no run 'nowhere'"),
        (lambda: pipeline.trace(["AB", "C"], "A"), "row"),
        (lambda: pipeline.kenken.solve("6:zz"), "Keen id"),
        (lambda: pipeline.run(boards=10, dice="nonsense", progress=False), "nonsense"),
        (lambda: pipeline.run(boards=10, executor="process", progress=False), "forks this process"),
    ],
)
def test_what_a_person_can_mend_is_one_kind_of_error(call: object, message: str) -> None:
    with pytest.raises(pipeline.PipelineError, match=message):
        call()  # type: ignore[operator]


STRICT = """
import pipeline
solved: pipeline.SolvedBoard = pipeline.solve("ABCD")
traced: pipeline.Trace = pipeline.trace(["AB"], "AB", neighbours=4)
boards: list[str] = pipeline.shake("new", 2, seed=3)
frame = pipeline.simulate("new", 10)
count: int = frame.height
dice: pipeline.DiceSet = pipeline.load_dice("new")
words: pipeline.WordList = pipeline.load_words("enable1")
run: pipeline.Run = pipeline.run(boards=10, dice=["new"])
again: pipeline.Run = pipeline.open_run("x")
rows = run.frame().collect()
differences: list[dict[str, object]] = run.compare(again)
answer = run.query("SELECT 1")
names: list[str] = run.figures()
chart = run.figure("x")
figures: dict[str, object] = run.summary
exact = pipeline.expect("new")
puzzles: list[pipeline.kenken.Puzzle] = pipeline.kenken.generate(6)
solution: pipeline.kenken.Answer = pipeline.kenken.solve(puzzles[0])
try:
    pipeline.solve("1")
except pipeline.PipelineError as error:
    print(error.message, error.hint)
"""


@pytest.mark.long
def test_a_script_that_uses_every_name_is_typed(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(STRICT)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(tmp_path / "script.py")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout

"""Exact sums in a run, means made surer by what is known exactly, common rolls, and the oracle of verify."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle import workload as workloads
from pipeline.games.boggle.columns import WAYS_COLUMNS
from pipeline.report.summary import summarize
from pipeline.runs.compare import compare_runs
from pipeline.runs.opening import reader
from pipeline.runs.verify import verify
from pipeline.stats.moments import moments
from pipeline.store.parts import Part
from pipeline.store.run_store import RunStore
from tests.stored import column, make_run, rows

BOARDS = 4_000
OPTIONS = {"boards": BOARDS, "dice": ["new", "classic"], "words": "enable2k"}


@pytest.fixture(scope="module")
def with_rows(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("rows") / "r", **OPTIONS)


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("histograms") / "r", keep="histograms", **OPTIONS)


def figures(store: RunStore, boards: int | None = None) -> dict[str, Any]:
    return summarize(reader(store), boards).figures


def counted(store: RunStore, variant: str, boards: int = BOARDS) -> dict[str, Any]:
    """Columns board by board, solved by the plain compiled search."""
    slow = reader(store).game.workload_of(store, "dfs")
    return slow.counted(variant, Part(0, boards))


@pytest.mark.parametrize("boards", [BOARDS, 2_500])
def test_sums_are_those_of_the_boards_with_and_without_rows(
    with_rows: RunStore, without: RunStore, boards: int
) -> None:
    """2,500 boards end inside a part."""
    for variant in with_rows.variants:
        expected = moments(counted(with_rows, variant, boards))
        for store in (with_rows, without):
            if store is without and boards < BOARDS:
                boards = 3_000
                expected = moments(counted(with_rows, variant, boards))
            got = reader(store).sums_between(variant, 0, boards)
            assert got.over(expected.names).sums.tolist() == expected.sums.tolist()
        ways = sum(expected.total(name) for name in WAYS_COLUMNS)
        assert sum(column(with_rows, variant, "ways", boards)) == ways


def test_the_estimate_is_the_intercept_of_a_regression_on_what_is_known(with_rows: RunStore) -> None:
    run = reader(with_rows)
    known = run.known("new")
    assert known is not None
    columns = counted(with_rows, "new")
    names = list(known.controls(BOARDS))
    assert names == ["ways_3", "ways_4", "ways_5", "ways_6", "ways_7", "ways_8", "pairs_3"]
    off = np.column_stack([columns[name].astype(float) - known.means[name] for name in names])
    design = np.column_stack([np.ones(BOARDS), off])
    told = figures(with_rows)["variants"]["new"]["metrics"]
    for name in ("words", "score"):
        fit, residuals, *_ = np.linalg.lstsq(design, columns[name].astype(float), rcond=None)
        mean = told[name]["mean"]
        assert mean["method"] == "controlled"
        assert mean["value"] == pytest.approx(fit[0], rel=1e-9)
        error = (residuals[0] / (BOARDS - 8) * np.linalg.inv(design.T @ design)[0, 0]) ** 0.5
        assert mean["high"] - mean["low"] == pytest.approx(2 * 1.9605 * error, rel=1e-3)
        assert mean["plain"]["value"] == pytest.approx(columns[name].mean())
        assert 5 < mean["worth"] < 30
    assert told["nodes"]["mean"]["method"] == "exact"
    assert told["nodes"]["mean"]["value"] == known.means["nodes"]
    assert told["nodes"]["mean"]["plain"]["value"] == pytest.approx(columns["nodes"].mean())


def test_the_figures_are_the_same_without_rows(with_rows: RunStore, without: RunStore) -> None:
    one, other = figures(with_rows), figures(without)
    for variant in with_rows.variants:
        for name, metric in one["variants"][variant]["metrics"].items():
            assert other["variants"][variant]["metrics"][name]["mean"] == metric["mean"]
    for name, metric in one["comparisons"][0]["metrics"].items():
        got = other["comparisons"][0]["metrics"][name]
        if metric["method"] == "controlled":
            assert (got["difference"], got["worth"]) == (metric["difference"], metric["worth"])


def test_few_boards_have_plain_means_and_that_is_said(with_rows: RunStore) -> None:
    few = figures(with_rows, 1_900)
    mean = few["variants"]["new"]["metrics"]["words"]["mean"]
    assert mean["method"] == "plain"
    assert {key: mean[key] for key in ("value", "low", "high")} == mean["plain"]
    assert any(note.startswith("Means are plain ones: below 2,000 boards") for note in few["run"]["notes"])
    assert not any("plain" in note for note in figures(with_rows)["run"]["notes"])


def die_orders(store: RunStore, variant: str) -> list[list[str]]:
    return [row["board"] for row in rows(store, variant)]


def test_rolls_follow_from_seed_and_number_alone(tmp_path: Path) -> None:
    """Two sets of sixteen dice, each face of its own: the same die shows the same face in every cell."""
    upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    faces = [first + second for first in upper for second in upper.lower()][:192]
    for place, name in enumerate(("one", "other")):
        dice = [" ".join(faces[place * 96 + 6 * die :][:6]) for die in range(16)]
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\nrows = 4\ncolumns = 4\ndice = {dice}\n')
    (tmp_path / "list.txt").write_text("\n".join(a + b for a in faces[:3] for b in faces[:3]).lower())
    store = make_run(
        tmp_path / "r", boards=500, dice=[str(tmp_path / "one.toml"), str(tmp_path / "other.toml")],
        words=str(tmp_path / "list.txt"),
    )  # fmt: skip
    shown = [
        [[faces.index(face) for face in split(row["board"])] for row in rows(store, variant)]
        for variant in ("one", "other")
    ]
    assert np.array_equal(np.array(shown[0]) + 96, np.array(shown[1]))


def split(board: str) -> list[str]:
    return [board[place : place + 2] for place in range(0, len(board), 2)]


def test_one_changed_face_is_told_apart_with_few_boards(tmp_path: Path) -> None:
    """Die 16 of `new`, Z to E: against 100,000 boards of each from other seeds."""
    changed = (Path(__file__).parents[2] / "configs/dice/new.toml").read_text().replace("H L N N R Z", "H L N N R E")
    assert "H L N N R E" in changed
    (tmp_path / "changed.toml").write_text(changed)
    options = {"dice": ["new", str(tmp_path / "changed.toml")], "words": "enable2k"}
    found = figures(make_run(tmp_path / "small", boards=10_000, **options))["comparisons"][0]
    truth = figures(make_run(tmp_path / "large", boards=60_000, seed=99, keep="none-but-top", **options))
    truth = truth["comparisons"][0]
    assert found["paired"]
    for name, most in (("words", 0.12), ("score", 0.22)):
        mine, its = found["metrics"][name]["difference"], truth["metrics"][name]["difference"]
        half = (mine["high"] - mine["low"]) / 2
        assert half < most
        assert abs(mine["value"] - its["value"]) < 3 * half
        assert found["metrics"][name]["worth"] > 100


def test_the_difference_is_that_of_a_regression_with_controls_of_both_sides(with_rows: RunStore) -> None:
    run = reader(with_rows)
    sides = {variant: counted(with_rows, variant) for variant in with_rows.variants}
    first, second = with_rows.variants
    design = [np.ones(BOARDS)]
    for variant in (first, second):
        known = run.known(variant)
        assert known is not None
        design += [sides[variant][name] - mean for name, mean in known.controls(BOARDS).items()]
    shift = sides[second]["score"].astype(float) - sides[first]["score"]
    fit, *_ = np.linalg.lstsq(np.column_stack(design), shift, rcond=None)
    told = compare_runs([run])[0]["metrics"]["score"]
    assert told["method"] == "controlled"
    assert told["difference"]["value"] == pytest.approx(fit[0], rel=1e-7)


def test_the_oracle_finds_dice_that_are_not_shuffled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every letter is as frequent as it should be, and no die ever leaves its cell."""
    from pipeline.games.boggle import shakes

    def lying(die_faces: Any, key_0: Any, key_1: Any, start: Any, boards: Any) -> None:
        random = np.random.default_rng(int(start) + 1)
        shown = random.integers(0, 6, boards.shape)
        boards[:] = die_faces[np.arange(len(die_faces)), shown]

    options = {"boards": 20_000, "chunk": 10_000, "dice": ["new"], "words": "enable2k"}
    assert not verify(reader(make_run(tmp_path / "right", **options)), 0).problems
    monkeypatch.setattr(shakes, "_shake", lying)
    problems = verify(reader(make_run(tmp_path / "wrong", **options)), 0).problems
    assert any("shakes or solver are at fault" in problem for problem in problems)


def test_the_oracle_finds_a_missing_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver's trie lacks a common word that the list holds."""
    build = workloads.build_lexicon
    options = {"boards": 60_000, "chunk": 20_000, "dice": ["new"], "words": "enable2k", "keep": "none-but-top"}
    store = make_run(tmp_path / "r", seed=2, **options)
    run = reader(store)
    known = run.known("new")

    def without_a_word(words: Any, *others: Any) -> Any:
        kept = [word for word in words.words if word != "tee"]
        return build(type(words)(kept, words.language, {}), *others)

    monkeypatch.setattr(workloads, "build_lexicon", without_a_word)
    wrong = reader(make_run(tmp_path / "wrong", seed=2, **options))
    monkeypatch.undo()
    wrong._known["new"] = known
    assert any("ways_3" in problem for problem in verify(wrong, 0).problems)


@pytest.mark.parametrize("change", ["another part's", "not of columns"])
def test_sums_that_are_not_those_of_their_rows_are_found(tmp_path: Path, change: str) -> None:
    store = make_run(tmp_path / "r", boards=3_000, dice=["new"])
    run = reader(store)
    first, second = store.parts("new")[:2]
    table = run.sums("new", second)
    from pipeline.runs.condense import sums_table
    from pipeline.store import parts

    made = sums_table(table)
    if change == "not of columns":
        made = pa.Table.from_arrays([made["second"], made["second"], made["sum"]], schema=made.schema)
    data = parts.encode(made, store.label("new", first, parts.SUMS))
    Path(store.files.url(store.path("new", first, parts.SUMS))).write_bytes(data)
    problems = verify(reader(store), 0).problems
    assert any(
        "sums" in problem and ("does not add up" in problem or "not hold sums" in problem) for problem in problems
    )
    if change == "not of columns":
        with pytest.raises(PipelineError, match="does not hold sums of columns"):
            figures(store)

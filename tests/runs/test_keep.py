"""Runs that keep histograms only: the same figures as with rows, whatever happens to the parts."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.config import parse_count
from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.report.boggle.atlas import count_words
from pipeline.report.boggle.atlas import load as load_atlas
from pipeline.report.summary import summarize
from pipeline.runs.chunks import default_chunk
from pipeline.runs.compact import compact, groups
from pipeline.runs.compare import compare_runs
from pipeline.runs.condense import SLICE, chunk_tables
from pipeline.runs.opening import open_run, reader
from pipeline.runs.query import run_sql
from pipeline.runs.ranking import best_rows, nearest_to, worst_first
from pipeline.runs.verify import verify
from pipeline.store.files import LocalFiles
from pipeline.store.kinds import MODES
from pipeline.store.parts import WORDS_SCHEMA, Part
from pipeline.store.reading import read_lexicon
from pipeline.store.run_store import RunStore
from tests.golden_data import word_list
from tests.running import pipeline, pipeline_inside, start
from tests.stored import make_run, values
from tests.waiting import wait_for_parts

BOARDS = 6_000
OPTIONS: dict[str, Any] = {"boards": BOARDS, "dice": ["classic", "new"]}


@pytest.fixture(scope="module", autouse=True)
def few_words(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every fortieth word of enable1: what is tested here is no matter of the list, and a short one loads fast."""
    path = tmp_path_factory.mktemp("list") / "few.txt"
    path.write_text("\n".join(word_list("enable1").words[::40]))
    OPTIONS["words"] = str(path)


@pytest.fixture(scope="module")
def with_rows(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("rows") / "r", **OPTIONS)


@pytest.fixture(scope="module")
def condensed(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """Six parts of 1,000 of each set; tests must not change it."""
    return make_run(tmp_path_factory.mktemp("condensed") / "h", keep="histograms", **OPTIONS)


@pytest.fixture
def own(condensed: RunStore, tmp_path: Path) -> RunStore:
    """A copy that a test may change."""
    shutil.copytree(condensed.location, tmp_path / "h")
    return open_run(str(tmp_path / "h"))


def figures(store: RunStore, boards: int | None = None) -> dict[str, Any]:
    whole = summarize(reader(store), boards).figures
    return {"variants": whole["variants"], "comparisons": whole["comparisons"]}


def test_the_report_gives_the_same_figures_as_the_rows(with_rows: RunStore, condensed: RunStore) -> None:
    assert figures(condensed) == figures(with_rows)
    assert figures(condensed, 2_000) == figures(with_rows, 2_000)


def test_no_row_is_stored(condensed: RunStore) -> None:
    folders = {path.name for path in Path(condensed.location).iterdir() if path.is_dir()}
    assert folders == {"histograms", "sums", "top", "words"}
    kept = sum(pq.read_metadata(path).num_rows for path in Path(condensed.location).glob("top/*/part-*"))
    assert kept == 2 * 6 * 10


def test_word_counts_are_those_of_the_rows_run(with_rows: RunStore, condensed: RunStore) -> None:
    for boards in (None, 3_000):
        mine, theirs = load_atlas(reader(condensed), boards), load_atlas(reader(with_rows), boards)
        assert mine.n == theirs.n
        for variant in condensed.variants:
            np.testing.assert_array_equal(mine.boards[variant], theirs.boards[variant])


def test_single_boards_are_those_of_the_rows_run(with_rows: RunStore, condensed: RunStore) -> None:
    assert reader(condensed).best("new", BOARDS, 10) == reader(with_rows).best("new", BOARDS, 10)
    assert reader(condensed).by_id("new", BOARDS, [5_999, 3]) == reader(with_rows).by_id("new", BOARDS, [5_999, 3])


@pytest.mark.parametrize(
    "call",
    [
        lambda run: run.ranked("new", BOARDS, worst_first(1, "score")),
        lambda run: run.ranked("new", BOARDS, nearest_to(100, 1, "score")),
        lambda run: run.best("new", BOARDS, 11),
    ],
)
def test_what_needs_rows_says_so(condensed: RunStore, call: Any) -> None:
    with pytest.raises(PipelineError, match=r"keeps no boards \(--keep histograms\)") as refused:
        call(reader(condensed))
    assert "--keep boards" in refused.value.hint


def test_the_report_says_what_is_not_to_be_had(condensed: RunStore, with_rows: RunStore) -> None:
    (note,) = summarize(reader(condensed)).figures["run"]["notes"]
    assert "keeps exact histograms and its best boards, no rows" in note
    assert summarize(reader(with_rows)).figures["run"]["notes"] == []


def test_runs_of_the_same_boards_are_compared_roll_by_roll_though_not_who_has_more_and_it_is_said(
    condensed: RunStore, with_rows: RunStore
) -> None:
    compared = compare_runs([reader(condensed), reader(with_rows)])
    one = next(one for one in compared if one["a"].startswith("classic") and one["b"].startswith("classic"))
    assert one["paired"]
    assert "cannot be compared one by one" in one["warnings"][0]
    score = one["metrics"]["score"]
    assert (score["difference"]["value"], score["p_value"]) == (pytest.approx(0, abs=1e-9), 1.0)
    assert (
        score["mean_a"]
        == summarize(reader(with_rows)).figures["variants"]["classic"]["metrics"]["score"]["mean"]["value"]
    )


def test_fewer_boards_than_stored_are_possible_at_the_edges_of_parts_alone(condensed: RunStore) -> None:
    assert summarize(reader(condensed), 5_000).figures["run"]["boards"] == 5_000
    with pytest.raises(PipelineError) as refused:
        summarize(reader(condensed), 2_345)
    assert "its first 2,345 cannot be told" in refused.value.message
    assert refused.value.hint == "the nearest possible numbers are 2,000 or 3,000"
    with pytest.raises(PipelineError, match="2,345"):
        load_atlas(reader(condensed), 2_345)


def test_sql_sees_histograms_words_and_top(condensed: RunStore, with_rows: RunStore) -> None:
    mine = run_sql(
        reader(condensed),
        "SELECT dice, sum(value * count) AS n FROM histograms WHERE column = 'score' GROUP BY dice ORDER BY dice",
    )
    theirs = run_sql(reader(with_rows), "SELECT dice, sum(score) AS n FROM boards GROUP BY dice ORDER BY dice")
    assert values(mine) == values(theirs)
    assert values(run_sql(reader(condensed), "SELECT count(*) FROM top")) == [(120,)]
    words = "SELECT word, dice, boards FROM words ORDER BY boards DESC, word, dice LIMIT 20"
    assert run_sql(reader(condensed), words) == run_sql(reader(with_rows), words)
    with pytest.raises(PipelineError) as refused:
        run_sql(reader(condensed), "SELECT * FROM boards")
    assert refused.value.hint == (
        "tables: histograms, top, words; columns of histograms: column, value, "
        "count, dice; columns of words: word_id, boards, dice, word, spelling, length, points; the run keeps no rows "
        "(--keep histograms)"
    )  # fmt: skip


def test_none_but_top_counts_no_words_and_is_otherwise_the_same(with_rows: RunStore, tmp_path: Path) -> None:
    store = make_run(tmp_path / "n", keep="none-but-top", **OPTIONS)
    assert figures(store) == figures(with_rows)
    assert not list((tmp_path / "n/words").glob("*/part-*"))
    assert verify(reader(store)).problems == []
    with pytest.raises(PipelineError, match="keeps no word counts"):
        load_atlas(reader(store))


@pytest.mark.parametrize("keep", ["boards", "none-but-top"])
def test_a_folder_keeps_its_mode(own: RunStore, keep: str) -> None:
    with pytest.raises(PipelineError, match=rf"was made with --keep histograms, not --keep {keep}"):
        make_run(Path(own.location), keep=keep, **OPTIONS)


def test_a_run_goes_on_in_its_mode_without_being_told(own: RunStore, tmp_path: Path) -> None:
    longer = make_run(Path(own.location), **{**OPTIONS, "boards": 7_500})
    assert longer.run.keep == "histograms"
    assert figures(longer) == figures(make_run(tmp_path / "r", **{**OPTIONS, "boards": 7_500}))


def test_an_unknown_mode_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "--keep 'all' is not known" in pipeline_inside(["run", "--keep", "all"], capsys, monkeypatch).error_line


def test_the_mode_is_no_part_of_the_identity(condensed: RunStore, with_rows: RunStore) -> None:
    assert condensed.run.run_id == with_rows.run.run_id
    assert json.loads((Path(condensed.location) / "run.json").read_text())["keep"] == "histograms"


def test_a_chunk_of_several_slices_is_what_its_rows_add_up_to(condensed: RunStore) -> None:
    maker = reader(condensed).workload
    part = Part(SLICE - 700, 2 * SLICE + 300)
    made = chunk_tables(maker, MODES["histograms"], "new", part)
    whole = maker.solve_chunk("new", part)
    assert whole.words is not None
    assert made["words"].equals(whole.words)
    for name in game("boggle").counted_columns:
        counted = pl.from_arrow(made["histograms"]).filter(pl.col("column") == name)
        plain = pl.Series("value", whole.rows.column(name).to_numpy().astype(np.int64)).value_counts().sort("value")
        assert counted["value"].to_list() == plain["value"].to_list()
        assert counted["count"].to_list() == plain["count"].to_list()
    order = sorted(whole.rows.to_pylist(), key=lambda row: (-row["score"], row["board_id"]))
    assert made["top"].to_pylist() == order[:10]
    assert list(made)[-1] == "histograms"


def test_of_equally_good_rows_the_smaller_ids_are_kept(with_rows: RunStore) -> None:
    table = pq.ParquetFile(with_rows.part_paths("new")[0]).read()
    flat = table.set_column(table.schema.get_field_index("score"), "score", pa.array([7] * table.num_rows))
    shuffled = flat.take(np.random.default_rng(3).permutation(flat.num_rows))
    assert best_rows([shuffled.slice(500), shuffled.slice(0, 500)], "board_id", "score", 10).column(
        "board_id"
    ).to_pylist() == list(range(10))


@pytest.mark.parametrize(
    ("boards", "chunk"), [(1_000, 25_000), (10**7, 156_250), (10**8, 10**6), (10**9, 10**6), (10**12, 25 * 10**7)]
)
def test_chunks_grow_with_a_run_that_keeps_no_rows(boards: int, chunk: int) -> None:
    assert default_chunk(boards, 25_000, MODES["histograms"]) == chunk
    assert -(-boards // chunk) <= 4_000


def test_verify_finds_nothing_wrong_and_solves_a_whole_part_again(condensed: RunStore) -> None:
    verdict = verify(reader(condensed))
    assert verdict.problems == []
    assert (verdict.parts, verdict.rows) == (48, 12_000)
    assert verdict.solved_again == 120 + 1_000


SECOND = Part(1_000, 2_000)


def rewrite(store: RunStore, kind: str, change: Any, part: Part = SECOND) -> None:
    """Store another table under a part's name, with a right checksum: only its content can tell."""
    path = f"{store.folder('new', kind)}/{part.name}"
    store.commit("new", part, {kind: change(pq.ParquetFile(Path(store.location) / path).read())})


def raised(table: Any, column: str) -> Any:
    values = table.column(column).to_numpy().copy()
    values[0] += 1
    return table.set_column(table.schema.get_field_index(column), table.schema.field(column), [values])


@pytest.mark.parametrize(
    ("kind", "change", "clause"),
    [
        ("histograms", lambda table: raised(table, "count"), "counts 1,001 rows in column words"),
        ("histograms", lambda table: table.slice(0, 400), "other columns"),
        ("words", lambda table: raised(table, "boards"), "finds in words/"),
        ("top", lambda table: raised(table, "score"), "as best score in top/"),
        ("top", lambda table: table.slice(0, 0), "not of its range, or out of order"),
        ("top", lambda table: raised(table, "nodes"), "nodes is"),
    ],
)
def test_verify_finds_parts_that_disagree(own: RunStore, kind: str, change: Any, clause: str) -> None:
    rewrite(own, kind, change)
    assert any(clause in problem for problem in verify(reader(own)).problems), verify(reader(own)).problems


def test_broken_and_missing_parts_are_computed_again(own: RunStore, condensed: RunStore) -> None:
    names = [Path(own.location) / own.folder("new", kind) for kind in ("histograms", "words", "top")]
    for place, folder in enumerate(names):
        path = folder / Part(1_000 * place, 1_000 * place + 1_000).name
        path.write_bytes(path.read_bytes()[:-9])
    (names[1] / Part(4_000, 5_000).name).unlink()
    assert len(verify(reader(own)).problems) >= 4
    again = make_run(Path(own.location), **OPTIONS)
    assert verify(reader(again)).problems == []
    assert figures(again) == figures(condensed)


def same_parts(one: Path, other: Path) -> bool:
    return {path.relative_to(one): path.read_bytes() for path in one.glob("*/*/part-*")} == {
        path.relative_to(other): path.read_bytes() for path in other.glob("*/*/part-*")
    }


def test_a_run_killed_in_the_middle_goes_on_to_the_same_parts(condensed: RunStore, tmp_path: Path) -> None:
    arguments = [
        "run", "--boards", BOARDS, "--dice", "classic", "--dice", "new", "--out", "h", "--chunk", 1_000, "--workers", 2,
        "--keep", "histograms", "--words", OPTIONS["words"],
    ]  # fmt: skip
    process = start(*arguments, cwd=tmp_path)
    wait_for_parts(tmp_path / "h", process, 3, "histograms")
    process.send_signal(signal.SIGKILL)
    process.wait()
    outcome = pipeline(*arguments, "--json", cwd=tmp_path)
    assert outcome.code == 0, outcome.err
    assert same_parts(tmp_path / "h", Path(condensed.location))
    assert json.loads(outcome.out)["variants"] == figures(condensed)["variants"]


def test_compacting_changes_no_figure_and_leaves_one_part(own: RunStore, condensed: RunStore) -> None:
    done = compact(reader(own))
    assert done.parts == (12, 2)
    assert done.bytes[1] < done.bytes[0] / 3
    assert figures(own) == figures(condensed)
    assert verify(reader(own)).problems == []
    for variant in own.variants:
        np.testing.assert_array_equal(
            load_atlas(reader(own)).boards[variant], load_atlas(reader(condensed)).boards[variant]
        )
    assert compact(reader(own)).parts == (2, 2)
    longer = make_run(Path(own.location), **{**OPTIONS, "boards": 7_000})
    assert [part.name for part in longer.parts("new")] == [Part(0, 6_000).name, Part(6_000, 7_000).name]


def test_compacting_gives_what_one_large_chunk_gives(own: RunStore, tmp_path: Path) -> None:
    compact(reader(own))
    make_run(tmp_path / "one", keep="histograms", **{**OPTIONS, "chunk": BOARDS})
    assert same_parts(Path(own.location), tmp_path / "one")


def test_only_parts_that_touch_are_merged() -> None:
    parts = [Part(0, 10), Part(10, 20), Part(30, 40), Part(50, 60), Part(60, 70), Part(70, 80)]
    assert list(groups(parts, None)) == [parts[:2], parts[3:]]
    assert list(groups(parts, 20)) == [parts[:2], parts[3:5]]
    assert list(groups(parts, 15)) == []


def test_rows_are_not_compacted(with_rows: RunStore) -> None:
    with pytest.raises(PipelineError, match="only histograms can be merged"):
        compact(reader(with_rows))


class Killed(BaseException):
    pass


@pytest.mark.parametrize("changes", [0, 1, 2, 3, 9, 20, 23])
def test_compacting_stopped_between_any_two_changes_loses_nothing(
    own: RunStore, condensed: RunStore, changes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge of six parts is 3 writes and 18 deletions a set; stopped before change number `changes`."""
    left = changes

    def stopping(plain: Any) -> Any:
        def change(*arguments: Any) -> None:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            plain(*arguments)

        return change

    with monkeypatch.context() as patched:
        for name in ("write", "delete"):
            patched.setattr(LocalFiles, name, stopping(getattr(LocalFiles, name)))
        with pytest.raises(Killed):
            compact(reader(own))
    assert figures(own) == figures(condensed)
    assert word_counts(own) == word_counts(condensed)
    again = make_run(Path(own.location), **OPTIONS)
    assert verify(reader(again), sample=10).problems == []
    assert figures(again) == figures(condensed)
    compact(reader(again))
    assert [len(again.parts(variant)) for variant in again.variants] == [1, 1]
    assert figures(again) == figures(condensed)


def word_counts(store: RunStore) -> list[list[int]]:
    table = read_lexicon(store)
    return [count_words(reader(store), variant, BOARDS, table.num_rows)[0].tolist() for variant in store.variants]


def test_compacting_killed_for_real_loses_nothing(own: RunStore, condensed: RunStore) -> None:
    script = (
        "import sys, threading\n"
        "from pipeline.runs.compact import compact; from pipeline.store.run_store import RunStore\n"
        "from pipeline.runs.opening import open_run, reader\n"
        "RunStore.drop_merged = lambda self, kinds: (print('written', flush=True), threading.Event().wait())\n"
        "compact(reader(open_run(sys.argv[1])))"
    )
    process = subprocess.Popen([sys.executable, "-c", script, own.location], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    process.kill()
    process.wait()
    assert len(own.leftovers("classic")) == 6
    assert figures(own) == figures(condensed)
    assert verify(reader(own), sample=10).problems == []
    compact(reader(own))
    assert own.leftovers("classic") == []
    assert figures(own) == figures(condensed)


def test_puzzles_have_histograms_and_no_best(tmp_path: Path) -> None:
    options: dict[str, Any] = {"game": "kenken", "spec": ["4x4", "5x5"], "boards": 300, "chunk": 100}
    plain = make_run(tmp_path / "r", **options)
    condensed = make_run(tmp_path / "h", keep="histograms", **options)
    assert figures(condensed) == figures(plain)
    assert not (tmp_path / "h/top").exists()
    assert verify(reader(condensed)).problems == []
    assert values(run_sql(reader(condensed), "SELECT sum(count) FROM histograms WHERE \"column\" = 'nodes'")) == [
        (600,)
    ]
    compact(reader(condensed))
    assert figures(condensed) == figures(plain)
    assert "its best" not in summarize(reader(condensed)).figures["run"]["notes"][0]


def test_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = ["run", "--chunk", "1_000", "--out", "h", "--keep", "histograms", "--workers", "2", "--boards"]
    outcome = pipeline(*run, "3k", "--words", OPTIONS["words"], cwd=tmp_path)
    assert outcome.code == 0, outcome.err
    assert "This run keeps exact histograms" in outcome.out
    for arguments in (["report", "h", "--boards", "1.5k"], [*run, "1500", "--words", OPTIONS["words"]]):
        assert "its first 1,500 cannot be told" in pipeline_inside(arguments, capsys, monkeypatch).error_line
    assert pipeline_inside(["compact", "h"], capsys, monkeypatch).out.startswith("3 parts with ")
    assert pipeline_inside(["verify", "h"], capsys, monkeypatch).code == 0
    shown = json.loads(pipeline_inside(["boards", "h", "--id", "7", "--json"], capsys, monkeypatch).out)
    assert shown[0]["board_id"] == 7


@pytest.mark.parametrize(
    ("text", "number"),
    [("250000", 250_000), ("1_000_000", 10**6), ("1,000,000", 10**6), ("1e12", 10**12), ("10M", 10**7), ("2.5k", 2_500),
     ("1.5e3", 1_500), ("3B", 3 * 10**9), ("1T", 10**12), ("1E+6", 10**6)],
)  # fmt: skip
def test_numbers_as_people_write_them(text: str, number: int) -> None:
    assert parse_count(text) == number


@pytest.mark.parametrize("text", ["", "many", "1.5", "1e", "M", "1e-3", "1 2", "0x10", "1e999"])
def test_other_text_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        parse_count(text)


def test_the_schema_of_word_counts_is_that_of_rows_runs(condensed: RunStore) -> None:
    assert pq.read_schema(condensed.part_paths("new", "words")[0]).equals(WORDS_SCHEMA)

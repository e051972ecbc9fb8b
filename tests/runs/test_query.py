"""SQL over runs: all of DuckDB's that asks, nothing that writes or reaches anything but the run."""

import csv
import io
import json
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from pipeline.errors import PipelineError
from pipeline.runs import answers, query, sql_tables
from pipeline.runs.opening import open_run, reader
from pipeline.runs.query import run_sql
from pipeline.store.parts import decode, encode
from pipeline.store.run_store import RunStore
from tests.running import Outcome, pipeline_inside
from tests.stored import column, make_run, rows, values


def ask(store: RunStore, sql: str) -> list[tuple[Any, ...]]:
    return values(run_sql(reader(store), sql))


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    return lambda *arguments: pipeline_inside([*map(str, arguments)], capfd, monkeypatch)


@pytest.fixture(scope="module")
def condensed(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("h") / "h", boards=2_500, dice=["classic", "new"], keep="histograms")


def test_all_sets_of_a_run_are_one_table(two_sets: RunStore) -> None:
    for name in ("board", "nodes", "dead_tiles"):
        for dice in ("classic", "new"):
            asked = ask(two_sets, f"SELECT {name} FROM boards WHERE dice = '{dice}' ORDER BY board_id")
            assert [value for (value,) in asked] == column(two_sets, dice, name)


def test_window_functions_and_quantiles(two_sets: RunStore) -> None:
    sql = "SELECT quantile_disc(score, 0.5), quantile_cont(score, 0.25) FROM boards WHERE dice = 'new'"
    scores = column(two_sets, "new", "score")
    lower = statistics.quantiles(scores, n=4, method="inclusive")[0]
    assert ask(two_sets, sql) == [(sorted(scores)[len(scores) // 2 - 1], lower)]
    sql = """SELECT board_id, sum(score) OVER (ORDER BY board_id ROWS 2 PRECEDING) AS three FROM boards
             WHERE dice = 'new' ORDER BY board_id"""
    assert [three for _, three in ask(two_sets, sql)] == [sum(scores[max(0, i - 2) : i + 1]) for i in range(2_500)]


def test_a_table_is_scanned_as_often_as_a_query_needs_it(two_sets: RunStore) -> None:
    mine = dict(zip(column(two_sets, "new", "board_id"), column(two_sets, "new", "score"), strict=True))
    its = dict(zip(column(two_sets, "classic", "board_id"), column(two_sets, "classic", "score"), strict=True))
    sql = """SELECT count(*) FROM boards a JOIN boards b USING (board_id)
             WHERE a.dice = 'new' AND b.dice = 'classic' AND a.score > b.score"""
    assert ask(two_sets, sql) == [(sum(mine[i] > its[i] for i in mine),)]
    sql = "SELECT count(*) FROM boards WHERE score > (SELECT avg(score) FROM boards)"
    every = [*mine.values(), *its.values()]
    assert ask(two_sets, sql) == [(sum(score > sum(every) / len(every) for score in every),)]
    sql = "SELECT count(*), count(DISTINCT a.word) FROM words a JOIN words b USING (word_id) WHERE a.dice < b.dice"
    both, words = ask(two_sets, sql)[0]
    assert both == words > 1_000


def test_sums_do_not_wrap(two_sets: RunStore) -> None:
    asked = "SELECT sum(score), sum(score * 1000000) FROM (SELECT score FROM boards, range(3000) WHERE board_id < 500)"
    total = 3_000 * sum(sum(column(two_sets, dice, "score", 500)) for dice in two_sets.variants)
    assert total > 2**28
    assert ask(two_sets, asked) == [(total, total * 1_000_000)]
    large = "SELECT sum(x) FROM (SELECT score - score + 4294967295::UINTEGER AS x FROM boards)"
    assert ask(two_sets, large) == [(4_294_967_295 * 5_000,)]


def test_describe_summarize_show_explain_and_pivot(two_sets: RunStore) -> None:
    described = {row[0]: row[1] for row in ask(two_sets, "DESCRIBE boards")}
    assert (described["board_id"], described["score"], described["dice"]) == ("UBIGINT", "UINTEGER", "VARCHAR")
    summarized = {row[0]: row for row in ask(two_sets, "SUMMARIZE boards")}
    scores = column(two_sets, "new", "score") + column(two_sets, "classic", "score")
    assert summarized["score"][2:4] == (str(min(scores)), str(max(scores)))
    assert ask(two_sets, "SHOW TABLES") == [("boards",), ("words",)]
    assert "score" in ask(two_sets, "EXPLAIN SELECT score FROM boards")[0][1]
    assert ask(two_sets, "EXPLAIN ANALYZE SELECT max(score) FROM boards")
    pivoted = ask(two_sets, "PIVOT (SELECT dice, score FROM boards) ON dice USING sum(score)")
    assert pivoted == [tuple(sum(column(two_sets, dice, "score")) for dice in ("classic", "new"))]
    assert ask(two_sets, "FROM boards SELECT count(*);") == [(5_000,)]


def test_runs_without_rows_have_histograms_top_and_words(condensed: RunStore, two_sets: RunStore) -> None:
    sql = "SELECT dice, sum(value * count) FROM histograms WHERE \"column\" = 'score' GROUP BY dice ORDER BY dice"
    assert ask(condensed, sql) == ask(two_sets, "SELECT dice, sum(score) FROM boards GROUP BY dice ORDER BY dice")
    best = "SELECT dice, board_id, board FROM {} ORDER BY score DESC, dice, board_id LIMIT 5"
    assert ask(condensed, best.format("top")) == ask(two_sets, best.format("boards"))
    words = "SELECT * FROM words ORDER BY dice, word_id"
    assert ask(condensed, words) == ask(two_sets, words)


WRITES = [
    "DROP TABLE boards",
    "DROP VIEW boards",
    "CREATE TABLE x (a INT)",
    "CREATE VIEW v AS SELECT 1",
    "CREATE MACRO f(a) AS a",
    "INSERT INTO boards SELECT * FROM boards",
    "UPDATE boards SET score = 0",
    "DELETE FROM boards",
    "TRUNCATE boards",
    "ALTER TABLE boards ADD COLUMN a INT",
    "COPY boards TO 'x.csv'",
    "COPY (SELECT 1) TO 'x.csv'",
    "EXPORT DATABASE 'x'",
    "IMPORT DATABASE 'x'",
    "ATTACH 'x.db'",
    "DETACH memory",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA version",
    "PRAGMA database_list",
    "SET threads = 1",
    "RESET threads",
    "SET VARIABLE a = 1",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "COMMIT",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "EXPLAIN ANALYZE CREATE TABLE x (a INT)",
    "EXPLAIN DROP VIEW boards",
    "SELECT 1; DROP VIEW boards",
    "SELECT 1; SELECT 2",
    "WITH a AS (SELECT 1) DELETE FROM boards",
    "CREATE TABLE x AS PIVOT boards ON dice USING sum(score)",
    "/* SELECT */ DROP VIEW boards",
    "\n-- SELECT\nDROP VIEW boards",
    "CREATE SECRET s (TYPE s3)",
    "MERGE INTO boards USING boards b ON (true) WHEN MATCHED THEN DELETE",
]


@pytest.mark.parametrize("sql", WRITES)
def test_whatever_writes_is_refused_in_a_line(
    two_sets: RunStore, tmp_path: Path, say: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.chdir(tmp_path)
    line = say("query", two_sets.location, sql).error_line
    assert line.startswith("error: SQL: ")
    assert "ask with SELECT" in line or "Parser" in line or "syntax error" in line
    assert list(tmp_path.iterdir()) == []


OUTSIDE = [
    "FROM read_parquet('{file}')", "FROM '{file}'", "FROM read_text('{file}')", "FROM read_blob('{file}')",
    "FROM read_csv('{file}')", "FROM sniff_csv('{file}')", "FROM read_json('{file}')", "FROM glob('{folder}/*')",
    "FROM parquet_metadata('{file}')", "FROM parquet_schema('{file}')", "FROM read_csv('http://127.0.0.1:9/x')",
    "FROM (DESCRIBE (FROM read_csv('{file}')))", "FROM query('FROM read_text(''{file}'')')",
    "FROM enable_logging('QueryLog', storage = 'file', storage_path = '{folder}/log')",
    "SELECT (SELECT content FROM read_text('{file}'))", "SUMMARIZE (FROM read_csv('{file}'))",
    "FROM secret_frame", "FROM pyarrow_table",
]  # fmt: skip


@pytest.mark.parametrize("sql", OUTSIDE)
def test_nothing_but_the_run_is_read(
    two_sets: RunStore, tmp_path: Path, say: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    secret_frame = pyarrow_table = run_sql(reader(two_sets), "SELECT 'secret' AS a")
    assert secret_frame is pyarrow_table
    (tmp_path / "secret.csv").write_text("secret\n1\n")
    pq.write_table(secret_frame, tmp_path / "secret.parquet")
    for file in ("secret.csv", "secret.parquet"):
        line = say("query", two_sets.location, sql.format(file=tmp_path / file, folder=tmp_path)).error_line
        assert line.startswith("error: SQL: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.csv", "secret.parquet"]


def test_no_function_of_duckdb_tells_what_a_file_holds(two_sets: RunStore, tmp_path: Path) -> None:
    """Every table function is tried with a path for each text that it takes."""
    secret = tmp_path / "secret.csv"
    secret.write_text("telltale\n1\n")
    listed = """SELECT DISTINCT function_name, len(parameters), function_type FROM duckdb_functions()
                WHERE list_contains(parameter_types, 'VARCHAR') AND function_type IN ('table', 'pragma', 'table_macro')
                ORDER BY 1"""
    known = ask(two_sets, listed)
    assert len(known) > 5
    for name, count, _ in known:
        try:
            found = ask(two_sets, f"FROM {name}({', '.join([repr(str(secret))] * min(count, 3))})")
        except PipelineError:
            continue
        assert "telltale" not in str(found), name


def test_the_configuration_is_locked_and_reaches_nothing(two_sets: RunStore) -> None:
    names = ("enable_external_access", "lock_configuration", "autoload_known_extensions", "python_enable_replacements")
    asked = f"SELECT name, value FROM duckdb_settings() WHERE name IN {names} ORDER BY name"
    assert dict(ask(two_sets, asked)) == {
        "autoload_known_extensions": "false", "enable_external_access": "false", "lock_configuration": "true",
        "python_enable_replacements": "false",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT scor FROM boards", "did you mean score"),
        ("SELECT b.scroe FROM boards b", "did you mean score"),
        ("SELECT * FROM bords", "did you mean boards"),
        ("SELECT * FROM wrds", "did you mean words"),
        ("SELECT * FROM entirely", "known are boards, words"),
        ("SELECT medain(score) FROM boards", "medain"),
        ("SELECT score FROM boards GROUP BY dice", "GROUP BY"),
        ("SELECT board + 1 FROM boards", "No function matches"),
        ("SELECT cast(board AS INT) FROM boards", "Could not convert"),
        ("SELEC 1", "syntax error"),
        ("", "asks nothing"),
        ("/* nothing */", "asks nothing"),
        ("SELECT 1 AS a, 2 AS a", "more than one column 'a'"),
    ],
)
def test_what_cannot_be_answered_is_a_line_with_near_names(
    two_sets: RunStore, say: Callable[..., Outcome], sql: str, said: str
) -> None:
    line = say("query", two_sets.location, sql, "--format", "json").error_line
    assert line.startswith("error: SQL: ")
    assert said in line


def test_memory_is_bounded_and_sorts_go_on_in_a_folder_that_is_removed(
    two_sets: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sql = "SELECT hash(i) AS h, repeat('x', 100) FROM boards, range(200) r(i) ORDER BY hash(board_id, i)"
    held = []
    with query.answer(reader(two_sets), sql, 60) as batches:
        counted = 0
        for batch in batches:
            counted += batch.num_rows
            held.append(sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()))
    assert counted == 1_000_000
    assert max(held) > 10_000_000, "100 MB are sorted in 60"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(PipelineError, match="more than 60 MB") as refused:
        run_sql(reader(two_sets), "SELECT list(board || i) FROM boards, range(500) r(i)", 60)
    assert "--memory" in refused.value.hint
    assert list(tmp_path.iterdir()) == []


def test_an_answer_is_not_in_memory_at_once(two_sets: RunStore, tmp_path: Path) -> None:
    """No batch is asked for before those before it have been written."""
    with query.answer(reader(two_sets), "SELECT i, repeat('x', 50) AS x FROM range(1000000) r(i)") as batches:
        sizes = []
        out = tmp_path / "out"
        with out.open("wb", buffering=0) as sink:

            def watched(count: int) -> Any:
                for batch in batches:
                    sizes.append(out.stat().st_size)
                    yield batch

            reading = sql_tables.pa.RecordBatchReader.from_batches(batches.schema, watched(0))
            answers.write_csv(reading, sink)
    assert len(sizes) >= 10
    # Those that lie between source and file are at most a few.
    assert sizes[len(sizes) // 2] > 0.2 * out.stat().st_size


FORMS = "SELECT board, score, score / 2 AS half, nullif(dice, 'new') AS d, [words] AS l, sum(score) OVER () AS s, "
FORMS += "'a,\"b\n' AS q, true AS t, 'nan'::DOUBLE AS n, DATE '2020-02-03' AS day FROM boards ORDER BY dice, board_id"


def test_every_format_holds_the_same(two_sets: RunStore, tmp_path: Path, say: Callable[..., Outcome]) -> None:
    for form in ("csv", "json", "parquet"):
        out = tmp_path / f"out.{form}"
        assert say("query", two_sets.location, FORMS, "--format", form, "--out", out) == Outcome(0, "", "")
        if form != "parquet":
            assert say("query", two_sets.location, FORMS, "--format", form).out == out.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.json", "out.parquet"]
    as_json = json.loads((tmp_path / "out.json").read_text())
    as_csv = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(), newline="")))
    as_parquet = pq.read_table(tmp_path / "out.parquet").to_pylist()
    stored = rows(two_sets, "classic") + rows(two_sets, "new")
    total = sum(row["score"] for row in stored)
    assert len(as_json) == len(as_csv) == len(as_parquet) == len(stored) == 5_000
    for row, line, kept, true in zip(as_json, as_csv, as_parquet, stored, strict=True):
        assert row["board"] == line["board"] == kept["board"] == true["board"]
        assert row["half"] == float(line["half"]) == kept["half"] == true["score"] / 2
        assert row["l"] == json.loads(line["l"]) == kept["l"] == [true["words"]]
        assert row["s"] == int(line["s"]) == int(kept["s"]) == total
        assert row["q"] == line["q"] == 'a,"b\n'
        assert row["n"] is None
        assert (row["t"], line["t"]) == (True, "true")
        assert row["day"] == line["day"] == str(kept["day"]) == "2020-02-03"
    assert [row["d"] for row in as_json] == ["classic"] * 2_500 + [None] * 2_500
    assert [line["d"] for line in as_csv] == ["classic"] * 2_500 + [""] * 2_500


def test_a_table_shows_all_rows_in_columns(two_sets: RunStore, say: Callable[..., Outcome]) -> None:
    told = say("query", two_sets.location, "SELECT dice, board_id, avg(score) OVER () AS m FROM boards ORDER BY 1, 2")
    lines = told.out.splitlines()
    assert len(lines) == 2 + 5_000
    assert lines[0].split() == ["dice", "board_id", "m"]
    assert lines[-1].split()[:2] == ["new", "2499"]


def test_a_broken_part_leaves_no_half_answer(tmp_path: Path, say: Callable[..., Outcome]) -> None:
    make_run(tmp_path / "r", boards=4_000, dice=["new"])
    last = sorted((tmp_path / "r/boards/dice=new").iterdir())[-1]
    data = bytearray(last.read_bytes())
    data[100] ^= 1
    last.write_bytes(data)
    for form in ("table", "csv", "json"):
        sql = "SELECT board FROM boards"
        assert f"part {last} is not what was written" in say("query", tmp_path / "r", sql, "--format", form).error_line
        refused = say("query", tmp_path / "r", sql, "--format", form, "--out", tmp_path / "out").error_line
        assert f"part {last} is not what was written" in refused
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


@pytest.mark.parametrize("change", ["label", "rows", "text"])
def test_parts_with_a_true_checksum_and_a_false_content_are_refused_by_their_name(
    tmp_path: Path, say: Callable[..., Outcome], change: str
) -> None:
    store = make_run(tmp_path / "r", boards=2_000, dice=["new"])
    part = store.parts("new")[1]
    path = tmp_path / "r" / store.path("new", part)
    table = decode(path.read_bytes())
    label = store.label("new", part)
    if change == "label":
        label = store.label("new", store.parts("new")[0])
    elif change == "rows":
        table = table.slice(0, 999)
    else:
        texts = table.column("board").to_pylist()
        broken = [b"\xff\xfe" if place == 7 else text.encode() for place, text in enumerate(texts)]
        as_bytes = sql_tables.pa.array(broken, sql_tables.pa.binary())
        as_text = sql_tables.pa.Array.from_buffers(sql_tables.pa.string(), len(broken), as_bytes.buffers())
        table = table.set_column(1, table.schema.field("board"), as_text)
    path.write_bytes(encode(table, label))
    counted = () if change == "text" else ("SELECT count(*) FROM boards",)  # Which reads no text.
    for sql in ("SELECT max(upper(board)) FROM boards", *counted, "SELECT board FROM boards"):
        assert f"part {path} " in say("query", tmp_path / "r", sql).error_line


def test_only_parts_of_the_sets_that_are_asked_for_are_read(tmp_path: Path, say: Callable[..., Outcome]) -> None:
    store = make_run(tmp_path / "r", boards=2_000, dice=["new", "classic"])
    os.remove(tmp_path / "r" / store.path("classic", store.parts("classic")[0]))
    assert ask(open_run(str(tmp_path / "r")), "SELECT count(*) FROM boards WHERE dice = 'new'") == [(2_000,)]


def test_an_answer_goes_where_only_writing_works(
    two_sets: RunStore, say: Callable[..., Outcome], tmp_path: Path
) -> None:
    assert say("query", two_sets.location, "SELECT 1", "--out", "/dev/null").code == 0
    assert "cannot write" in say("query", two_sets.location, "SELECT 1", "--out", tmp_path / "no/out").error_line
    assert "cannot write" in say("query", two_sets.location, "SELECT 1", "--out", tmp_path).error_line


def test_the_version_of_duckdb_streams_answers() -> None:
    assert hasattr(duckdb.DuckDBPyRelation, "to_arrow_reader")

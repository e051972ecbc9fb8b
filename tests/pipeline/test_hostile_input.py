"""Whatever a file or an argument holds, a person gets an answer or one line: never a traceback, a hang or a crash."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import config
from pipeline.dice import load_dice
from pipeline.one_board import make_rules
from pipeline.storage import open_run
from pipeline.where import parse_where
from pipeline.wordlists import find_words, load_words
from solvers.boggle.trace import trace
from solvers.boggle.words import read_words
from solvers.errors import InputError
from solvers.grid import parse_board
from tests.pipeline.running import pipeline

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "50"))
"""More for a long session: FUZZ_EXAMPLES=100000 pytest tests/pipeline/test_hostile_input.py."""
fuzzed = settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
toml_like = st.lists(
    st.sampled_from(
        ['rows = 4', 'columns = 4', 'rows = -1', 'rows = 1e400', 'dice = ["A B C D E F"]', 'dice = [[1]]', 'dice = 3',
         'name = "\\u0000"', '[x]', 'a.b.c = 1', 'min_length = 99999999999999999999', 'scoring = "super"', '"" = 1',
         'rows = true', 'boards = 1', 'boards = 0x10', 'words = ["a"]', 'out = ""', 'dice = ["."]', "language = 'xx'"]
    ),
    max_size=8,
).map("\n".join)  # fmt: skip


def survives(call, *arguments) -> None:  # type: ignore[no-untyped-def]
    """The call answers, or refuses in one line."""
    message = "answered"
    try:
        call(*arguments)
    except InputError as error:
        message = str(error)
    assert message
    assert "\n" not in message


@fuzzed
@given(content=st.one_of(st.binary(max_size=300), toml_like.map(str.encode), st.text(max_size=200).map(str.encode)))
def test_dice_files(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "set.toml"
    file.write_bytes(content)
    survives(load_dice, str(file))


@fuzzed
@given(content=st.one_of(st.binary(max_size=300), toml_like.map(str.encode)))
def test_config_files(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "run.toml"
    file.write_bytes(content)
    survives(config.load, str(file), {})


@fuzzed
@given(content=st.one_of(st.binary(max_size=300), st.binary(max_size=100).map(lambda data: b"\x1f\x8b\x08" + data)))
def test_word_lists(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(content)
    survives(lambda: load_words(find_words(str(file))))


@fuzzed
@given(text=st.text(max_size=60), rows=st.integers(1, 6), cols=st.integers(1, 6))
def test_board_texts(text: str, rows: int, cols: int) -> None:
    survives(parse_board, text, rows, cols)
    survives(parse_board, text, rows, cols, {"A", "Qu", ""})
    survives(make_rules, text, None, None, None, "enable1", None, None, None)


@fuzzed
@given(grid=st.text(max_size=40), word=st.text(max_size=12), neighbours=st.sampled_from([4, 8]))
def test_traces(grid: str, word: str, neighbours: int) -> None:
    survives(trace, grid, word, neighbours)


@fuzzed
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                ["words", "score", "and", "or", "not", "(", ")", "<", ">=", "=", "1", "2.5", "between", "in", ","]
            ),
            max_size=14,
        ).map(" ".join),
    )
)
def test_conditions(text: str) -> None:
    survives(parse_where, text, ["words", "score"])


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    assert pipeline("run", "--boards", 200, "--out", "r", cwd=folder).code == 0
    return folder / "r"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@fuzzed
@given(data=st.data())
def test_run_files(stored: Path, tmp_path: Path, data: st.DataObject) -> None:
    """One value anywhere in run.json replaced by anything."""
    run = json.loads((stored / "run.json").read_text())
    place = run
    while True:
        key = data.draw(st.sampled_from(sorted(place)))
        if isinstance(place[key], dict) and place[key] and data.draw(st.booleans()):
            place = place[key]
        else:
            place[key] = data.draw(json_values)
            break
    (tmp_path / "run.json").write_text(json.dumps(run))

    def use() -> None:
        from pipeline.report.summary import summarize

        store = open_run(str(tmp_path))
        summarize(store)

    survives(use)


@fuzzed
@given(
    sql=st.lists(
        st.sampled_from(
            ["SELECT", "*", "FROM", "boards", "words", "WHERE", "score", ">", "(", ")", "''", ";", "GROUP BY", "--"]
        ),
        max_size=9,
    ).map(" ".join)
)
def test_sql(stored: Path, sql: str) -> None:
    from pipeline.query import run_sql

    survives(run_sql, open_run(str(stored)), sql)


def test_a_word_of_a_megabyte_and_ten_million_words_are_bounded() -> None:
    assert read_words("a" * 1_000_000 + "\nbee").skipped == 1
    with pytest.raises(InputError, match="at most 10,000,000"):
        read_words("a\n" * 10_000_001)

import operator
from fractions import Fraction

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import PipelineError
from pipeline.runs.where import MAX_NESTING, parse_where

COLUMNS = ["words", "score", "nodes", "longest", "dead_tiles"]
OPERATORS = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def board_columns():
    generator = np.random.default_rng(3)
    return {
        "words": generator.integers(0, 12, 200).astype(np.uint32),
        "score": generator.integers(0, 12, 200).astype(np.uint16),
        "nodes": generator.integers(0, 12, 200).astype(np.uint64),
        "longest": generator.integers(0, 12, 200).astype(np.uint8),
        "dead_tiles": generator.integers(0, 4, 200).astype(np.uint8),
    }


ARRAYS = board_columns()
numbers = st.one_of(st.integers(-3, 14).map(str), st.sampled_from(["2.5", "-0.5", "3.0", "7.", ".5", "300", "99999"]))
names = st.sampled_from(COLUMNS)


@st.composite
def conditions(draw, depth=0):
    """(text, function of a row) of a random condition."""
    kind = draw(st.sampled_from(["compare", "mirrored", "columns", "between", "in", "and", "or", "not", "group"]))
    if depth > 3 and kind in ("and", "or", "not", "group"):
        kind = "compare"
    column, other, value, high = draw(names), draw(names), draw(numbers), draw(numbers)
    sign = draw(st.sampled_from(sorted(OPERATORS)))
    negated = draw(st.booleans())
    compare = OPERATORS[sign]
    word = "not " if negated else ""
    if kind == "compare":
        return f"{column}{sign} {value}", lambda row: compare(row[column], Fraction(value))
    if kind == "mirrored":
        return f"{value} {sign}{column}", lambda row: compare(Fraction(value), row[column])
    if kind == "columns":
        return f"{column} {sign} {other}", lambda row: compare(row[column], row[other])
    if kind == "between":
        text = f"{column} {word}between {value} and {high}"
        return text, lambda row: (Fraction(value) <= row[column] <= Fraction(high)) != negated
    if kind == "in":
        return (
            f"{column} {word}IN ({value},{high})",
            lambda row: (row[column] in (Fraction(value), Fraction(high))) != negated,
        )
    text, function = draw(conditions(depth=depth + 1))
    if kind == "not":
        return f"not ({text})", lambda row: not function(row)
    if kind == "group":
        return f"( {text} )", function
    second, second_function = draw(conditions(depth=depth + 1))
    if kind == "and":
        return f"({text}) AND ({second})", lambda row: function(row) and second_function(row)
    return f"({text}) or ({second})", lambda row: function(row) or second_function(row)


def rows():
    return [dict(zip(ARRAYS, map(int, row), strict=True)) for row in zip(*ARRAYS.values(), strict=True)]


@pytest.fixture(scope="module")
def database():
    connection = duckdb.connect()
    connection.execute("create table boards (row integer, " + ", ".join(f"{name} integer" for name in COLUMNS) + ")")
    table = [[number, *row.values()] for number, row in enumerate(rows())]
    connection.executemany(f"insert into boards values ({', '.join('?' * (len(COLUMNS) + 1))})", table)
    yield connection
    connection.close()


@settings(max_examples=150)
@given(conditions())
def test_random_conditions_agree_with_python(condition):
    text, function = condition
    assert parse_where(text, COLUMNS).mask(ARRAYS).tolist() == [bool(function(row)) for row in rows()]


def flat_terms():
    term = st.tuples(st.sampled_from(["", "not "]), names, st.sampled_from(sorted(OPERATORS)), st.integers(0, 12))
    word = st.sampled_from([" and ", " or "])
    return st.lists(st.tuples(word, term), min_size=1, max_size=6).map(
        lambda parts: "".join(
            (joined if number else "") + f"{negation}{name} {sign} {value}"
            for number, (joined, (negation, name, sign, value)) in enumerate(parts)
        )
    )


@settings(max_examples=100)
@given(condition=st.one_of(conditions().map(lambda pair: pair[0]), flat_terms()))
def test_random_conditions_agree_with_duckdb(database, condition):
    rows_of_sql = database.execute(f"select ({condition}) from boards order by row").fetchall()
    assert parse_where(condition, COLUMNS).mask(ARRAYS).tolist() == [row[0] for row in rows_of_sql]


def test_the_example_of_a_makers_order():
    condition = parse_where("words between 100 and 150 and longest >= 8 and dead_tiles = 0", COLUMNS)
    arrays = {
        "words": np.array([100, 150, 151, 99, 120, 120], np.uint32),
        "longest": np.array([8, 9, 8, 8, 7, 8], np.uint8),
        "dead_tiles": np.array([0, 0, 0, 0, 0, 1], np.uint8),
    }
    assert condition.mask(arrays).tolist() == [True, True, False, False, False, False]
    assert condition.columns == {"words", "longest", "dead_tiles"}


def test_and_binds_more_than_or_and_not_more_than_and():
    arrays = {"words": np.array([1, 1, 0, 0]), "score": np.array([1, 0, 1, 0])}
    mask = parse_where("words = 1 or words = 0 and score = 1", COLUMNS).mask(arrays)
    assert mask.tolist() == [True, True, True, False]
    assert parse_where("not words = 1 and score = 1", COLUMNS).mask(arrays).tolist() == [False, False, True, False]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int64, np.int8])
@pytest.mark.parametrize("sign", sorted(OPERATORS))
def test_constants_at_and_beyond_the_ends_of_a_type_compare_exactly(dtype, sign):
    limits = np.iinfo(dtype)
    values = np.array([limits.min, limits.min + 1, 0, limits.max - 1, limits.max], dtype)
    ends = (limits.min, limits.max, limits.max - 1, 2**53, 2**64)
    constants = [value + step for value in ends for step in (Fraction(-1), Fraction(-1, 2), 0, Fraction(1, 2), 1)]
    for constant in constants:
        text = str(constant) if constant.denominator == 1 else f"{constant.numerator // 2}.5"
        if constant.denominator != 1 and constant < 0:
            text = f"-{-constant.numerator // 2}.5"
        condition = parse_where(f"nodes {sign} {text}", COLUMNS)
        expected = [OPERATORS[sign](int(value), Fraction(text)) for value in values]
        assert condition.mask({"nodes": values}).tolist() == expected


def test_floating_point_columns_are_compared_as_floats():
    condition = parse_where("words > 0.5 and words <= 10.0", COLUMNS)
    assert condition.mask({"words": np.array([0.5, 0.6, 10.0, 10.1])}).tolist() == [False, True, True, False]


def test_long_chains_are_no_deeper_than_short_ones():
    text = " or ".join(f"words = {number}" for number in range(600))
    mask = parse_where(text, COLUMNS).mask({"words": np.array([0, 599, 600])})
    assert mask.tolist() == [True, True, False]
    assert parse_where("not " * 2001 + "words = 1", COLUMNS).mask({"words": np.array([1, 2])}).tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "position", "found", "expected"),
    [
        ("", 1, "the end", "a column or a number"),
        ("   ", 4, "the end", "a column or a number"),
        ("words", 6, "the end", "'between' or 'in'"),
        ("words >", 8, "the end", "a number or a column"),
        ("words > >", 9, "'>'", "a number or a column"),
        ("words > 3 score < 2", 11, "'score'", "'and', 'or' or the end"),
        ("100 < words < 150", 13, "'<'", "'and', 'or' or the end"),
        ("word > 3", 1, "'word'", "did you mean words"),
        ("words > 3 and colour = 2", 15, "'colour'", "columns: words, score, nodes"),
        ("words between 3", 16, "the end", "'and'"),
        ("words between 3 or 4", 17, "'or'", "between 100 and 150"),
        ("words in 3", 10, "'3'", "'\\('"),
        ("words in ()", 11, "'\\)'", "a number or a column"),
        ("words in (3; 4)", 12, "';'", "a column, a number"),
        ("(words > 3", 11, "the end", "'and', 'or' or '\\)'"),
        ("words > 3)", 10, "'\\)'", "'and', 'or' or the end"),
        ("words not 3", 11, "'3'", "'between' or 'in'"),
        ("words => 3", 8, "'>'", "a number or a column"),
        ("words > 3x", 9, "'3x'", "a number"),
        ("words > 1.2.3", 9, "'1.2.3'", "a number"),
        ("words > '3'", 9, "\"'3'\"", "a number"),
        ("and words > 3", 1, "'and'", "a column or a number"),
        ("words > " + "9" * 41, 9, "'9999", "at most 40 characters"),
        ("__import__('os')", 1, "'__import__'", "a column"),
    ],
)
def test_a_broken_condition_names_position_token_and_what_was_expected(text, position, found, expected):
    with pytest.raises(PipelineError, match=f"position {position}: {found}.*{expected}"):
        parse_where(text, COLUMNS)


def test_depth_and_length_have_limits():
    deep = "(" * MAX_NESTING + "words = 1" + ")" * MAX_NESTING
    assert parse_where(deep, COLUMNS).mask({"words": np.array([1])}).tolist() == [True]
    with pytest.raises(PipelineError, match="parentheses within each other"):
        parse_where(f"({deep})", COLUMNS)
    with pytest.raises(PipelineError, match="at most 10,000"):
        parse_where("words = 1 or " * 1000, COLUMNS)


def test_names_are_read_in_either_case():
    assert parse_where("WORDS BETWEEN 1 AND 2", COLUMNS).columns == {"words"}


@settings(max_examples=200)
@given(st.text(alphabet="words score()<>=!,.0123 andornotbetween\t\n'\"é", max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        shown = str(len(parse_where(text, COLUMNS).mask(ARRAYS)))
    except PipelineError as error:
        shown = str(error)
    assert shown == "200" or (shown.startswith("condition ") and "\n" not in shown)

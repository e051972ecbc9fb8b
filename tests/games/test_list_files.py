"""Lists as they come: packed, in several encodings, with any ends of lines, as tables; and what is refused."""

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle.languages import words_of_language
from pipeline.games.boggle.words import WordSource, find_words, load_words, shipped_words
from pipeline.shipped import shipped_ids
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import build_lexicon
from tests.golden_data import GOLDEN
from tests.running import pipeline_inside

KINDS = {case["kind"]: case for case in json.loads((GOLDEN / "letters_cases.json").read_text("utf-8"))["cases"]}
WORDS = ["äpple", "cat", "ål", "zon"]
TEXT = "ål\ncat\nÄpple\nzon\n"


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def read(folder: Path, data: bytes | str, column: str | None = None, name: str = "own.txt", language: str = "sv"):  # type: ignore[no-untyped-def]
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_words(find_words(str(path), language, column))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress, zstd])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_packings_encodings_and_ends_of_lines(
    tmp_path: Path, pack: Callable[[bytes], bytes], encoding: str, end: str
) -> None:
    words = read(tmp_path, pack(TEXT.replace("\n", end).encode(encoding)))
    assert (list(words.words), words.skipped) == (["cat", "zon", "ål", "äpple"], 0)


def test_utf_16_of_the_other_order_of_bytes(tmp_path: Path) -> None:
    assert len(read(tmp_path, b"\xfe\xff" + TEXT.encode("utf-16-be")).words) == 4


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, zstd])
def test_a_broken_packing_is_named(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    data = pack(TEXT.encode() * 50)
    with pytest.raises(PipelineError, match="broken"):
        read(tmp_path, data[: len(data) // 2])


@pytest.mark.parametrize(
    ("text", "column", "words", "levels"),
    [
        (KINDS["counts behind a tab"]["file"], None, ["act", "cat", "cot"], [33, 120, 7]),
        ("cat 120\ncot 7\nact 33\n", None, ["act", "cat", "cot"], [33, 120, 7]),
        ("word\tcount\ncat\t120\ncot\t7\n", None, ["cat", "cot"], [120, 7]),
        ("word,count\ncat,120\ncot,7\n", None, ["cat", "cot"], [120, 7]),
        ('"word";"count"\n"cat";120\n"cot";7\n', None, ["cat", "cot"], [120, 7]),
        ("rank;Word;lemma\n1;cats;cat\n2;cot;cot\n", "Word", ["cats", "cot"], [1, 2]),
        ("rank;Word;lemma\n1;cats;cat\n2;cot;cot\n", "lemma", ["cat", "cot"], [1, 2]),
        ("rank;Word;lemma\n1;cats;cat\n2;cot;cot\n", "3", ["cat", "cot"], [1, 2]),
        ("cat\tn\ncot\tn\n", "1", ["cat", "cot"], None),
        ("cat\t3\ncat\t4\nCat\t5\n", None, ["cat"], [12]),
        ("cat\t1e3\ncot\t99999999999\n", None, ["cat", "cot"], [1000, 4294967295]),
    ],
)
def test_tables(tmp_path: Path, text: str, column: str | None, words: list[str], levels: list[int] | None) -> None:
    found = read(tmp_path, text, column, language="en")
    assert (list(found.words), found.skipped) == (words, 0)
    assert (None if found.levels is None else found.levels.tolist()) == levels


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("rank;Word;lemma\n1;cats;cat\n", None, "columns rank, Word, lemma; say which one holds the words: --column"),
        ("rank;Word;lemma\n1;cats;cat\n", "word", "no column 'word'; did you mean Word"),
        ("rank;Word;lemma\n1;cats;cat\n", "4", "no column '4'; known are rank, Word, lemma"),
        ("cat\ncot\n", "word", "is no table, so it has no column 'word'"),
        ("1\t2\n3\t4\n", None, "say which one holds the words"),
    ],
)
def test_tables_whose_words_are_not_clear(tmp_path: Path, text: str, column: str | None, message: str) -> None:
    with pytest.raises(PipelineError) as refusal:
        read(tmp_path, text, column)
    assert message in f"{refusal.value.message}; {refusal.value.hint}"


@pytest.mark.parametrize(
    "text",
    [
        KINDS["a list of Hunspell"]["file"],
        "3\r\nhond/Aa\r\nkat\r\nmuis/Zb\r\n",
        "2\nhus/ABC po:noun\nbil\n",
        "häst/AD\nko/AE\nhund\n",
        "1\nkot/123,45\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_dictionary_of_hunspell_is_refused_with_what_to_do(tmp_path: Path, text: str, encoding: str) -> None:
    with pytest.raises(PipelineError, match="dictionary of Hunspell") as refusal:
        read(tmp_path, text.encode(encoding), name="nl_NL.dic")
    assert "unmunch nl_NL.dic nl_NL.aff > nl_NL.txt" in refusal.value.hint


def test_a_plain_list_with_a_number_or_a_slash_in_it_is_read(tmp_path: Path) -> None:
    words = read(tmp_path, "3\ncat\ncot\nact\n")
    assert (len(words.words), [(one.reason, one.examples) for one in words.left_out]) == (3, [("a digit", ("3",))])
    words = read(tmp_path, "cat\nand/or\n" + "".join(f"{one}at\n" for one in "bfhmprsv"))
    assert (len(words.words), words.skipped) == (9, 1)


def test_what_is_skipped_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    read(tmp_path, "cat\ndon't\nwon't\nre-do\n3d\nvad är\n# comment\nf.d.\nc@t\n")
    assert "8 entries skipped: 2 with an apostrophe (don't), 1 with a hyphen (re-do)" in caplog.text


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    return lambda *arguments: pipeline_inside([str(one) for one in arguments], capsys, monkeypatch)


def test_shipped_lists_are_shown(run) -> None:  # type: ignore[no-untyped-def]
    found = {one["id"]: one for one in json.loads(run("lists", "--json").out)}
    assert (found["enable1"]["words"], found["opentaal_nl"]["words"]) == (172_820, 348_481)
    assert all(one["licence"] and one["credit"] for one in found.values())
    assert "172,820" in run("lists").out


def test_check_says_what_a_list_would_give(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "own.txt"
    path.write_text("niño\nNiño\ncaña\ncañá\nsí\nqat\nquino\nкот\nre-do\n", "utf-8")
    found = json.loads(
        run("lists", "check", path, "--language", "es", "--dice", "new", "--dice", "es_5x5", "--json").out
    )
    assert (found["entries"], found["words"], found["usable"], found["too_short"]) == (9, 6, 3, 1)
    assert found["not_written"] == {"words": 2, "examples": ["qat", "кот"]}
    assert found["folded_pairs"] == {"pairs": 1, "examples": [["caña", "cañá"]]}
    assert found["repeated"] == 1
    assert found["skipped"] == [{"reason": "a hyphen", "entries": 1, "examples": ["re-do"]}]
    assert found["dice"] == {"new": 1, "es_5x5": 3}
    assert list(found["letters"])[:4] == ["a", "c", "i", "n"]
    text = run("lists", "check", path, "--language", "es", "--dice", "new").out
    assert "own.txt: one word a line, utf-8, read as Spanish" in text
    assert "such as caña and cañá" in text


def test_a_column_is_chosen_on_the_command_line(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "own.csv"
    path.write_text("rank;Word;lemma\n1;cats;cat\n2;tacs;tac\n", "utf-8")
    solved = json.loads(run("solve", "CATS", "--words", path, "--column", "Word", "--json").out)
    assert [one["word"] for one in solved["found"]] == ["cats", "tacs"]
    assert "no meaning for the shipped list" in run("solve", "CATS", "--column", "Word").error_line
    assert "say which one holds the words" in run("solve", "CATS", "--words", path).error_line
    assert "language 'xx' is not known" in run("solve", "CATS", "--language", "xx").error_line


@pytest.mark.parametrize("source", shipped_words(), ids=lambda source: source.id)
def test_a_shipped_list_is_what_its_entry_says(source: WordSource) -> None:
    words = load_words(source)
    assert (len(words.words), words.skipped, words.merged) == (source.count, 0, 0)
    assert source.licence
    assert source.credit
    if "LICENSE" in source.licence:
        assert (source.path.parent / source.licence.split()[-1]).stat().st_size > 500
    if words.language.id != "nl":
        usable = build_lexicon(words, Alphabet.of_language(words.language), 2, 16).usable.mean()
        assert usable > 0.999
    assert (words.levels is not None) == (source.everyday > 0)


def test_the_list_of_a_language_is_of_that_language() -> None:
    named = {one: words_of_language(one) for one in shipped_ids("languages")}
    named = {one: words for one, words in named.items() if words}
    assert {find_words(words).language for words in named.values()} == set(named) == {"en", "nl", "es", "pl", "ru"}

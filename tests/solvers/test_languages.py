"""Every shipped language: what is folded, how it is sorted, and that words and tiles meet however they are typed."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.games.boggle.languages import find_language
from pipeline.shipped import shipped_ids
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.solve import SOLVERS, find_words, solve
from solvers.boggle.word_paths import tile_paths
from solvers.boggle.words import make_words
from solvers.errors import InputError
from solvers.grid import format_board, parse_board
from solvers.languages import PLAIN, Language, language_of

LANGUAGES = shipped_ids("languages")
languages = pytest.mark.parametrize("language_id", LANGUAGES)


def test_the_languages_asked_for_are_there() -> None:
    asked = "en nl de fr es it pt ca da nb sv fi is pl cs sk hu ro hr tr el ru uk"
    assert set(asked.split()) <= set(LANGUAGES)
    assert find_language("no") == find_language("nb")
    assert find_language("en").letters == PLAIN.letters


@pytest.mark.parametrize(
    ("language_id", "text", "folded"),
    [
        ("en", "Fiancée naïve Æon œuvre ﬁn", "fiancee naive aeon oeuvre fin"),
        ("nl", "Ĳs één coëfficiënt", "ijs een coefficient"),
        ("de", "Größe ÖL äußern ẞ", "groesse oel aeussern ss"),
        ("fr", "CŒUR garçon Noël lætitia ÿ", "coeur garcon noel laetitia y"),
        ("es", "NIÑO pingüino canción", "niño pinguino cancion"),
        ("it", "Perché città", "perche citta"),
        ("pt", "Coração às três", "coracao as tres"),
        ("ca", "Col·lecció COŀLEGI ça", "colleccio collegi ca"),
        ("da", "Ærø ÅR idé Händel", "ærø år ide hændel"),
        ("nb", "Bjørn SJØ allé", "bjørn sjø alle"),
        ("sv", "ÄLG Åre Ærø idé", "älg åre aero ide"),
        ("fi", "Äiti šakki", "äiti sakki"),
        ("is", "Það ÆTÍÐ Öl", "það ætíð öl"),
        ("pl", "ŁÓDŹ żółw café", "łódź żółw cafe"),
        ("cs", "ČEŠTINA Kůň Dvořák", "čeština kůň dvořák"),
        ("cs_plain", "ČEŠTINA Kůň Dvořák", "cestina kun dvorak"),
        ("sk", "Ľúbiť kŕč Mäso", "ľúbiť kŕč mäso"),
        ("hu", "ŐRÜLT hűtő", "őrült hűtő"),
        ("ro", "Ştiinţă și ÎN", "știință și în"),
        ("hr", "Ǆem ǉubav ĐAK", "džem ljubav đak"),
        ("tr", "İSTANBUL ISPARTA kâğıt", "istanbul ısparta kağıt"),
        ("el", "ΝΑΟΣ ναός Ϊ ΐ", "ναοσ ναοσ ι ι"),
        ("ru", "Ёлка ЙОД", "елка йод"),
        ("uk", "Ґанок їжак м'ята П’ять", "ґанок їжак мята пять"),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_what_is_folded_and_what_is_a_letter_of_its_own(language_id: str, text: str, folded: str, form: str) -> None:
    assert find_language(language_id).fold(unicodedata.normalize(form, text)) == folded


@pytest.mark.parametrize(
    ("language_id", "words"),
    [
        ("en", ["apple", "pear"]),
        ("es", ["mano", "maña", "masa"]),
        ("sv", ["zon", "ål", "älg", "öl"]),
        ("da", ["zone", "æble", "øl", "ål"]),
        ("pl", ["lama", "łapa", "mama"]),
        ("cs", ["cena", "čas", "had", "chata", "ikona"]),
        ("hu", ["cukor", "csak", "dél"]),
        ("hr", ["dan", "džem", "đak", "luk", "ljubav", "maj"]),
        ("tr", ["hal", "ıslak", "iz"]),
        ("uk", ["галка", "ґанок", "дім", "зима", "ира", "іва", "їжак"]),
    ],
)
def test_words_are_in_the_order_of_the_language(language_id: str, words: list[str]) -> None:
    assert list(make_words(words[::-1], find_language(language_id)).words) == words


@languages
@settings(max_examples=40)
@given(word=st.text(min_size=1, max_size=12))
def test_folding_twice_is_folding_once(language_id: str, word: str) -> None:
    language = find_language(language_id)
    once = language.fold(word)
    assert language.fold(once) == once
    assert language.face(language.face(word)) == language.face(word)


@languages
@settings(max_examples=15)
@given(text=st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6))
def test_a_text_is_folded_as_a_whole_as_line_by_line(language_id: str, text: str) -> None:
    language = find_language(language_id)
    lines = text.replace("\n", "").split()
    several = "\n".join(lines * 2_500)
    assert language.fold(several) == "\n".join([language.fold(line) for line in lines] * 2_500)


def typed(source: st.DataObject, text: str, language: Language) -> str:
    """The text as somebody may type it: capitals or small letters, composed or not."""
    cased = source.draw(st.sampled_from([text, language.upper(text), language.upper(text[:1]) + text[1:]]))
    return unicodedata.normalize(source.draw(st.sampled_from(["NFC", "NFD"])), cased)


@languages
@settings(max_examples=12, deadline=None)
@given(source=st.data())
def test_words_are_found_on_their_own_tiles_and_nowhere_else(language_id: str, source: st.DataObject) -> None:
    """Letters are drawn from few, so that words and boards meet; two of them may differ by a sign."""
    language = find_language(language_id)
    letters = [one for one in language.letters if len(one) == 1 and one != "q"]
    few = source.draw(st.lists(st.sampled_from(letters), min_size=2, max_size=5, unique=True))
    signed = [one for one in letters if unicodedata.normalize("NFD", one)[0] in letters and one not in few]
    if signed:
        one = source.draw(st.sampled_from(signed))
        few = [*few, one, unicodedata.normalize("NFD", one)[0]]
    words = source.draw(st.lists(st.text(few, min_size=1, max_size=5), min_size=1, max_size=12))
    tiles = source.draw(st.lists(st.sampled_from(few), min_size=9, max_size=9))
    tiles[: len(words[0])] = words[0]
    text = " ".join(typed(source, tile, language) for tile in tiles)
    faces = parse_board(text, 1, 9, None, language)
    book_words = make_words([typed(source, word, language) for word in words], language)
    assert set(book_words.words) == set(words)
    book = build_lexicon(book_words, Alphabet.at_hand(faces, language), 1, 9)
    cells = book.alphabet.ids(faces)
    expected = [word for word in book_words.words if tile_paths(tiles, 1, 9, word)]
    assert words[0] in expected
    rows = []
    for solver in SOLVERS:
        ids, columns = find_words(cells, 1, 9, book, solver)
        assert [book_words.words[number] for number in ids] == expected
        rows.append([column.tolist() for column in columns])
    assert rows[0] == rows[1] == rows[2]
    assert parse_board(format_board(faces), 1, 9, None, language) == faces


@languages
def test_a_wide_alphabet_gives_the_numbers_of_a_narrow_one(language_id: str) -> None:
    """All letters of the language and forty tiles more at hand, or only those on the boards: the same columns."""
    language = find_language(language_id)
    random = np.random.default_rng(5)
    letters = [one for one in language.letters if len(one) == 1 and one != "q"]
    few = random.choice(letters, 12, replace=False).tolist()
    words = {"".join(random.choice(few, random.integers(2, 7))) for _ in range(3_000)}
    book_words = make_words(sorted(words), language)
    pairs = [language.face(one + other) for one in letters[:8] for other in letters[-5:]]
    wide = build_lexicon(book_words, Alphabet.of_language(language, pairs), 2, 12)
    faces = [language.face(one) for one in few]
    narrow = build_lexicon(book_words, Alphabet.at_hand([*faces, pairs[0]], language), 2, 12)
    assert (wide.alphabet.wide, narrow.alphabet.wide) == (True, False)
    boards = random.integers(0, len(faces), (60, 12))
    shown = [[faces[face] for face in board] for board in boards.tolist()]
    shown[0][3] = ""
    columns = {
        name: [find_words(book.alphabet.ids(board), 3, 4, book, solver) for board in shown]
        for name, book, solver in (
            ("narrow", narrow, "numba"), ("wide", wide, "numba"), ("plain", wide, "reference"), ("dfs", narrow, "dfs"),
        )
    }  # fmt: skip
    expected = [(ids, [column.tolist() for column in row]) for ids, row in columns["plain"]]
    assert sum(len(ids) for ids, _ in expected) > 100
    for found in columns.values():
        assert [(ids, [column.tolist() for column in row]) for ids, row in found] == expected


def test_prefixes_that_the_tiles_cannot_finish_count() -> None:
    """`nodes` is about the list, not about what the tiles show."""
    words = make_words(["cat", "cats", "cot", "coz", "zoo"])
    rows = []
    hands = ("CATX", [*"CATX", "Ts"])
    for alphabet in (*map(Alphabet.at_hand, hands), Alphabet.of_language(PLAIN)):
        book = build_lexicon(words, alphabet, 3, 4)
        ids, columns = find_words(alphabet.ids("CATX"), 2, 2, book)
        assert ids == [0]
        rows.append(int(columns.nodes[0]))
    # 4 starts; c: 3 neighbours; ca: 2; cat: 1; z is no start; nothing else is a prefix
    assert rows == [10, 10, 10]
    only_beginnings = build_lexicon(make_words(["cab"]), Alphabet.at_hand("CATX"), 3, 4)
    ids, columns = find_words(only_beginnings.alphabet.ids("CATX"), 2, 2, only_beginnings)
    assert (ids, int(columns.nodes[0])) == ([], 9)


def test_no_tile_that_a_word_begins_with() -> None:
    book = build_lexicon(make_words(["cab"]), Alphabet.at_hand("XYZ"), 3, 4)
    for solver in SOLVERS:
        ids, columns = find_words(book.alphabet.ids("XYZX"), 2, 2, book, solver)
        assert (ids, int(columns.nodes[0]), int(columns.dead_tiles[0])) == ([], 4, 4)


def test_more_different_faces_than_a_byte_tells_apart_are_refused() -> None:
    with pytest.raises(InputError, match="different letters and faces"):
        Alphabet.at_hand([chr(0x4E00 + number) for number in range(260)])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "letters and units are texts"),
        ({"letters": ["a"]}, "letters and units are texts"),
        ({"letters": ""}, "0 letters"),
        ({"letters": "a b a"}, "'a' is given twice"),
        ({"letters": "A b"}, "'A' is not a small letter"),
        ({"letters": "a 1"}, "'1' is not a small letter"),
        ({"letters": "a b", "folds": {"b": "a"}}, "'b' is not a small letter that stays"),
        ({"letters": "a b", "folds": {"c": "d", "d": "c"}}, "'c' folds to 'd'"),
        ({"letters": "a b", "folds": {"c": "1"}}, "'c' folds to '1'"),
        ({"letters": "a b", "folds": {"c": 1}}, "folds is a table"),
        ({"letters": "a b", "cases": {"AB": "a"}}, "from one letter to one"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(fields: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        language_of(fields, "own")


def test_boards_of_a_33_letter_alphabet_equal_the_reference() -> None:
    """20,000 boards of all letters of Ukrainian at once: random words, a sample against the reference."""
    language = find_language("uk")
    assert len(language.cut_letters) == 33
    random = np.random.default_rng(33)
    letters = np.array(language.cut_letters)
    words = {"".join(random.choice(letters, random.integers(2, 6))) for _ in range(60_000)}
    book_words = make_words(sorted(words), language)
    book = build_lexicon(book_words, Alphabet.of_language(language), 2, 16)
    boards = random.integers(0, 33, (20_000, 16)).astype(np.uint8)
    assert len(np.unique(boards)) == 33
    counts = {solver: np.zeros(len(book.words), np.uint32) for solver in ("numba", "dfs")}
    found = {solver: solve(boards, 4, 4, book, solver=solver, frequency=counts[solver]) for solver in counts}
    assert found["numba"].words.sum() == counts["dfs"].sum() > 20_000
    assert np.array_equal(counts["numba"], counts["dfs"])
    few = slice(None, None, 200)
    expected = solve(boards[few], 4, 4, book, solver="reference")
    for column, other, truth in zip(found["numba"], found["dfs"], expected, strict=True):
        assert np.array_equal(column, other)
        assert np.array_equal(column[few], truth)

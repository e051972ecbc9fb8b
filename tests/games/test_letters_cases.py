"""Small boards with their right answers (letters_cases.json), and each kind of them in several languages."""

import json
import unicodedata
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle.one_board import SolvedBoard, make_rules, solve_board
from pipeline.games.boggle.words import find_words, load_words
from pipeline.runs.opening import reader
from pipeline.runs.verify import verify
from pipeline.store.reading import read_lexicon
from tests.golden_data import GOLDEN
from tests.stored import column, make_run, rows

CASES = json.loads((GOLDEN / "letters_cases.json").read_text("utf-8"))["cases"]
BOARDS = [case for case in CASES if "board" in case]


def toml(fields: dict[str, Any]) -> str:
    return "\n".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items())


def solved(folder: Path, board: str, words: list[str], language: str | None, **case: Any) -> SolvedBoard:
    path = folder / "list.txt"
    path.write_text("\n".join(words) + "\n", "utf-8")
    rows, cols, dice = case.get("rows"), case.get("cols"), None
    if "dice" in case:
        dice, rows, cols = str(folder / "dice.toml"), None, None
        Path(dice).write_text(toml(case["dice"]), "utf-8")
    rules = make_rules(
        board, dice, rows, cols, str(path), language, case.get("min_length"), None, None, case.get("bare_q", False)
    )
    return solve_board(rules, board, paths=True)


def found(*arguments: Any, **case: Any) -> list[str]:
    return [word.word for word in solved(*arguments, **case).found]


@pytest.mark.parametrize("case", BOARDS, ids=[case["kind"] for case in BOARDS])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_each_case(tmp_path: Path, case: dict[str, Any], form: str) -> None:
    options = {key: case[key] for key in ("rows", "cols", "min_length", "dice", "bare_q") if key in case}
    board = unicodedata.normalize(form, case["board"])
    answer = solved(tmp_path, board, case["words"], case["language"], **options)
    if "right" in case:
        assert {word.word for word in answer.found} == {unicodedata.normalize("NFC", word) for word in case["right"]}
    else:
        assert answer.longest == case["right_longest"]


@pytest.mark.parametrize(
    ("language", "words", "board", "right"),
    [
        ("da", ["sø", "so", "øl"], "SØLX", ["sø", "øl"]),
        ("nb", ["båt", "bat"], "BATX", ["bat"]),
        ("fi", ["yö", "yo"], "yöxx", ["yö"]),
        ("is", ["það", "pad", "þá"], "ÞAÐX", ["það"]),
        ("pl", ["łza", "lza"], "ŁZAX", ["łza"]),
        ("pl", ["łza", "lza"], "LZAX", ["lza"]),
        ("cs", ["čas", "cas"], "ČASX", ["čas"]),
        ("cs_plain", ["čas", "had"], "CASX", ["čas"]),
        ("sk", ["kôň", "kon"], "KÔŇX", ["kôň"]),
        ("hu", ["őr", "or", "ör"], "ŐRXX", ["őr"]),
        ("ro", ["şi", "si"], "ȘIXX", ["şi"]),
        ("hr", ["đak", "dak"], "ĐAKX", ["đak"]),
        ("tr", ["ısı", "isi"], "ISIX", ["ısı"]),
        ("tr", ["ısı", "isi"], "İSİX", ["isi"]),
        ("tr", ["ısı", "isi"], "isix", ["isi"]),
        ("el", ["ως", "ΩΣ"], "ΩΣΞΞ", ["ως"]),
        ("ru", ["ёж", "еж"], "ЁЖЪЪ", ["еж"]),
        ("uk", ["ґава", "гава"], "ҐАВА", ["ґава"]),
        ("uk", ["п'ять"], "ПЯТЬ", ["п'ять"]),
        ("pt", ["ação"], "ACAO", ["ação"]),
        ("ca", ["col·la"], "COLLAX", ["col·la"]),
        ("it", ["città"], "CITTAX", ["città"]),
        ("de", ["süß", "suess"], "SÜßX", ["suess"]),
        ("nl", ["ĳs", "ijs"], "IJSX", ["ijs"]),
        ("en", ["naïve", "café"], "CAFÉ", ["café"]),
        ("en", ["año", "ano"], "AÑOX", ["ano"]),
    ],
)
def test_letters_of_their_own_and_letters_that_fold(
    tmp_path: Path, language: str, words: list[str], board: str, right: list[str]
) -> None:
    size = {"rows": 2, "cols": 2} if len(board) == 4 else {"rows": 1, "cols": len(board)}
    for form in ("NFC", "NFD"):
        typed = unicodedata.normalize(form, board)
        assert found(tmp_path, typed, words, language, min_length=2, **size) == right
        listed = [unicodedata.normalize(form, word) for word in words]
        assert found(tmp_path, board, listed, language, min_length=2, **size) == right


@pytest.mark.parametrize(
    ("language", "faces", "words", "board", "right"),
    [
        ("de", "Ö L ß X", ["Öl", "Schloß"], "Ö L ß X", ["Öl"]),
        ("es", "Ñ I O N", ["niño", "nino"], "NIÑO", ["niño"]),
        ("tr", "İ I S N", ["isin", "ısin", "sin"], "İ S I N", ["ısin", "sin"]),
        ("hr", "Dž E P N", ["džep", "pen"], "Dž E P N", ["džep", "pen"]),
        ("hr", "ǅ E P N", ["džep"], "ǅEPN", ["džep"]),
        ("cs", "Ch A T C", ["chat", "chát"], "ChATC", ["chat"]),
        ("nl", "Ĳ S L K", ["ijs", "ĳsl"], "Ij S L K", ["ijs", "ĳsl"]),
        ("en", "Qu I T E", ["quit", "quite"], "QITE", ["quit", "quite"]),
        ("el", "Σ Ο Φ Α", ["σοφά", "σοφός"], "σοφα", ["σοφά"]),
    ],
)
def test_dice_of_a_language_and_a_list_given_by_path(
    tmp_path: Path, language: str, faces: str, words: list[str], board: str, right: list[str]
) -> None:
    dice = {"language": language, "rows": 2, "columns": 2, "dice": [" ".join([face] * 6) for face in faces.split()]}
    assert found(tmp_path, board, words, None, dice=dice, min_length=3 if "Öl" not in right else 2) == right


def test_faces_of_spanish_dice_find_nothing_in_an_english_list(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dice = {"language": "es", "rows": 1, "columns": 3, "dice": ["A A A A A A", "Ñ Ñ Ñ Ñ Ñ Ñ", "O O O O O O"]}
    assert found(tmp_path, "AÑO", ["ano", "año"], "en", dice=dice) == []
    assert "of language es, word list list is read as en" in caplog.text


def test_the_longest_word_is_longest_by_its_tiles(tmp_path: Path) -> None:
    assert solved(tmp_path, "OEFENX", ["öfen", "efenx"], "de", rows=1, cols=6).longest == "efenx"
    assert solved(tmp_path, "OEFENX", ["öfen", "efen"], "de", rows=1, cols=6).longest == "öfen"


def test_a_bare_q_is_q_where_it_is_asked_for(tmp_path: Path) -> None:
    words = ["qat", "quat", "suq", "quit"]
    assert found(tmp_path, "QATU", words, "en", rows=2, cols=2) == ["quat"]
    assert found(tmp_path, "QATU", words, "en", rows=2, cols=2, bare_q=True) == ["qat", "quat"]
    assert found(tmp_path, "suqx", words, "en", rows=2, cols=2, bare_q=True) == ["suq"]


def test_a_language_of_ones_own(tmp_path: Path) -> None:
    """Lithuanian, which is not shipped: its letters with signs stay letters, others fold."""
    path = tmp_path / "lt.toml"
    path.write_text(
        'letters = "a ą b c č d e ę ė f g h i į y j k l m n o p r s š t u ų ū v z ž"\nunits = ""\n', "utf-8"
    )
    assert found(tmp_path, "ŠALX", ["šalį", "šal", "sal"], str(path), rows=2, cols=2) == ["šal"]
    path.write_text('letters = "a b"\nsortes = "x"\n', "utf-8")
    with pytest.raises(PipelineError, match="unknown key 'sortes'"):
        found(tmp_path, "ABAB", ["ab"], str(path), rows=2, cols=2)


@pytest.mark.parametrize("words", list(permutations(["caña", "cana", "maña"])))
def test_a_run_of_sets_of_two_languages_whatever_the_order_of_the_list(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "list.txt"
    path.write_text("\n".join(words) + "\n", "utf-8")
    store = make_run(
        tmp_path / "run", boards=300, dice=["es_5x5", "big_1979"], words=str(path), language="es", min_length=3
    )
    assert read_lexicon(store).column("word").to_pylist() == ["cana", "caña", "maña"]
    verdict = verify(reader(store))
    assert (verdict.problems, verdict.solved_again > 0) == ([], True)


FIVE = ("es_5x5", "fr_4x4", "it_4x4", "new", "cs_4x4")


def test_five_sets_of_languages_share_a_list_with_foldings(tmp_path: Path) -> None:
    """Rows, counts of words, verify and single boards agree, and each board is what `solve` says of it."""
    listed = ["niño", "nino", "año", "ano", "été", "tête", "tete", "città", "chat", "char", "Öl", "rosa", "tea", "sea"]
    path = tmp_path / "list.txt"
    path.write_text("\n".join(listed) + "\n", "utf-8")
    store = make_run(
        tmp_path / "run", boards=600, dice=list(FIVE), words=str(path), language="es", min_length=3, chunk=250
    )
    assert verify(reader(store)).problems == []
    words = read_lexicon(store)
    counts = ranking_counts(store)
    for variant in FIVE:
        assert sum(counts[variant].values()) == sum(column(store, variant, "words"))
        seen: dict[str, int] = {}
        for row in rows(store, variant, 120):
            rules = make_rules(row["board"], variant, None, None, str(path), "es", 3, None)
            answer = solve_board(rules, row["board"])
            assert (len(answer.found), answer.nodes) == (row["words"], row["nodes"])
            for word in answer.found:
                seen[word.word] = seen.get(word.word, 0) + 1
        assert all(count <= counts[variant][word] for word, count in seen.items())
    assert "niño" in words.column("spelling").to_pylist()
    assert not any(counts[variant].get("niño") for variant in FIVE[1:])


def ranking_counts(store: Any) -> dict[str, dict[str, int]]:
    from pipeline.report.boggle import atlas as atlases

    atlas = atlases.load(reader(store))
    return {
        variant: dict(zip(atlas.spelling, atlas.boards[variant].tolist(), strict=True)) for variant in store.variants
    }


def test_the_same_list_in_other_forms_is_the_same_list(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    hashes = set()
    for words in (["niño", "été", "Ana"], ["Ana", "NIÑO", "été"], ["ete", "ana", "nin\u0303o", "niño"]):
        path.write_text("\n".join(words), "utf-8")
        hashes.add(load_words(find_words(str(path), "es")).sha256)
    assert len(hashes) == 1

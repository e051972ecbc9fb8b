"""The API answers what the solvers answer, and says what is wrong where it cannot."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from httpx import Response
from starlette.testclient import TestClient

from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.shakes import shake
from pipeline.web.app import create_app
from pipeline.web.boggle import _cuts, lexicon_key, read_board, solve_board
from pipeline.web.books import Books
from pipeline.web.models import SolveAnswer, SolveRequest
from pipeline.web.service import Service
from pipeline.web.settings import Limits, Settings
from pipeline.web.static_files import FOLDER
from solvers.boggle.budget import Budget
from solvers.boggle.solve import find_words
from solvers.boggle.trace import trace
from solvers.boggle.word_paths import tile_paths
from solvers.grid import format_board, neighbour_masks, parse_board
from solvers.kenken import read_puzzle, solve_reference
from tests.golden_data import GOLDEN, golden_boards, lexicon
from tests.web.conftest import HERE

KENKEN = json.loads((GOLDEN / "kenken.json").read_text())


def solve(client: TestClient, **request: Any) -> Response:
    return client.post("/api/v1/solve", json=request)


def problem(answer: Response, status: int, field: str | None = None) -> str:
    """The detail of a refusal, after checking that it is a whole problem document."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    if field is not None:
        assert [error["field"] for error in document["errors"]] == [field]
    return str(document["detail"])


@pytest.mark.parametrize("dice", golden_boards())
def test_golden_boards_have_their_golden_figures(client: TestClient, dice: str) -> None:
    golden = golden_boards()[dice]
    for row in range(0, len(golden.cells), 101):
        tiles = ["." if cell == 255 else golden.dice.alphabet.symbols[cell] for cell in golden.cells[row]]
        answer = solve(client, board=" ".join(tiles), dice=dice, words="enable2k", min_length=golden.min_length).json()
        for ours, theirs in (("count", "words"), ("score", "score"), ("nodes", "nodes"), ("dead_tiles", "dead_tiles")):
            assert answer[ours] == golden.columns[theirs][row], (dice, row, ours)
        assert len(answer["longest"] or "") == golden.columns["longest"][row]
        assert answer["score"] == sum(word["points"] for word in answer["found"])


def test_words_are_those_of_the_solver_in_every_order(client: TestClient) -> None:
    dice = load_dice("new")
    cells = dice.alphabet.ids(parse_board("perslatgsineters", 4, 4))
    book = lexicon("enable1", dice.alphabet, 3, 16)
    wanted = [book.words[number] for number in find_words(cells, 4, 4, book)[0]]
    by_order = {
        order: [
            one["word"] for one in solve(client, board="perslatgsineters", words="enable1", order=order).json()["found"]
        ]
        for order in ("alphabet", "length", "points")
    }
    assert by_order["alphabet"] == sorted(wanted)
    assert by_order["length"] == sorted(wanted, key=lambda word: (-len(word), word))
    points = [0, 0, 0, 1, 1, 2, 3, 5] + [11] * 30
    assert by_order["points"] == sorted(wanted, key=lambda word: (-points[len(word)], word))


@pytest.mark.parametrize("order", ["alphabet", "length", "points"])
@pytest.mark.parametrize("paths", [False, True])
def test_the_text_of_an_answer_is_that_of_its_model(client: TestClient, order: str, paths: bool) -> None:
    """It is put together by hand."""
    requests: list[dict[str, Any]] = [{"board": "perslatgsineters"}, {"board": "z" * 16}]
    for name in ("es_5x5", "super_big_2012"):
        dice = load_dice(name)
        requests.append({"board": format_board([dice.faces[face] for face in shake(dice, 1, 2, 1)[0]]), "dice": name})
    for request in requests:
        answer = solve(client, **request, order=order, paths=paths)
        assert answer.status_code == 200, answer.text
        assert SolveAnswer.model_validate_json(answer.content).model_dump_json() == answer.text


def test_words_are_spelled_as_their_list_does(tmp_path: Path) -> None:
    """But capitals alone say nothing of how a word is spelled."""
    path = tmp_path / "accents.txt"
    path.write_text("Mère\nmer\nRÊVER\nzoo\n", encoding="utf-8")
    books = Books((str(path),), 2)
    request = SolveRequest(board="MERE/REVE/URVE/EMXX", words="accents", order="length", paths=True)
    board = read_board(request, books)
    prepared = books.prepare(lexicon_key(request, board, books), 16)
    answer = json.loads(solve_board(request, board, prepared, Limits()))
    assert [word["word"] for word in answer["found"]] == ["rêver", "Mère", "mer"]
    assert answer["longest"] == "rêver"
    assert [len(word["path"]) for word in answer["found"]] == [5, 4, 3]


def test_paths_spell_their_words_over_touching_cells(client: TestClient) -> None:
    masks = neighbour_masks(6, 6).tolist()
    dice = load_dice("super_big_2012")
    board = format_board([dice.faces[face] for face in shake(dice, 3, 5, 1)[0]])
    answer = solve(client, board=board, dice="super_big_2012", words="enable1", paths=True).json()
    assert answer["count"] > 50
    for word in answer["found"]:
        path = word["path"]
        assert "".join(answer["tiles"][cell] for cell in path).lower() == word["word"]
        assert len(set(path)) == len(path)
        assert all(masks[here] >> there & 1 for here, there in itertools.pairwise(path))


def test_dutch_is_the_default_list(client: TestClient) -> None:
    assert client.get("/api/v1/words").json()[0]["id"] == "opentaal_nl"
    answer = solve(client, board="fietnnasboomkaas").json()
    assert answer["words"] == "opentaal_nl"
    assert {"fiets", "boom", "kaas"} <= {word["word"] for word in answer["found"]}


def test_the_unversioned_address_answers_the_same(client: TestClient) -> None:
    request = {"board": "perslatgsineters", "words": "enable1"}
    both = [client.post(f"{prefix}/solve", json=request).json() for prefix in ("/api", "/api/v1")]
    assert both[0].pop("milliseconds") > 0
    assert both[1].pop("milliseconds") > 0
    assert both[0] == both[1]


def test_a_smaller_board_after_a_larger_one_has_its_own_figures(client: TestClient) -> None:
    """All sizes share one trie."""
    for text, rows, columns in (("streaedlp", 3, 3), ("perslatesind", 3, 4), ("at", 2, 2)):
        board = text if len(text) == rows * columns else "atse"
        answer = solve(client, board=board, rows=rows, columns=columns, words="enable2k").json()
        alphabet = load_dice("new").alphabet
        book = lexicon("enable2k", alphabet, 3, rows * columns)
        ids, figures = find_words(alphabet.ids(parse_board(board, rows, columns)), rows, columns, book, "dfs")
        assert [one["word"] for one in answer["found"]] == [book.words[number] for number in ids]
        assert answer["nodes"] == int(figures.nodes[0])


def test_shakes_are_the_rows_of_a_run(client: TestClient) -> None:
    answer = client.get("/api/v1/shake", params={"dice": "classic", "seed": 7, "index": 40, "count": 5}).json()
    dice = load_dice("classic")
    wanted = [format_board([dice.faces[face] for face in board]) for board in shake(dice, 7, 40, 5)]
    assert [one["board"] for one in answer["boards"]] == wanted
    assert [one["index"] for one in answer["boards"]] == [40, 41, 42, 43, 44]


def test_tracing_agrees_with_the_solver_for_words(client: TestClient) -> None:
    random = np.random.default_rng(5)
    for _ in range(60):
        rows, columns = random.integers(2, 5, 2).tolist()
        board = "".join(random.choice(list("abc"), rows * columns))
        word = "".join(random.choice(list("abc"), random.integers(1, 6)))
        neighbours = int(random.choice([4, 8]))
        request = {"board": board, "rows": rows, "columns": columns, "word": word, "neighbours": neighbours}
        answer = client.post("/api/v1/trace", json=request).json()
        lines = [board[start : start + columns] for start in range(0, len(board), columns)]
        wanted = trace(lines, word, neighbours)
        assert (answer["found"], answer["ways"]) == (wanted.found, wanted.ways), request


def test_a_word_is_cut_into_tiles_of_several_letters(client: TestClient) -> None:
    """`in` on the tiles In, I, N of one row: by the tile alone, and by I then N."""
    request = {"board": "In I N . T e s t .", "rows": 3, "columns": 3, "word": "in", "words": "enable1"}
    answer = client.post("/api/v1/trace", json=request).json()
    assert (answer["found"], answer["ways"], answer["in_list"]) == (True, 2, True)
    quiet = {"board": "Qu I E T", "rows": 2, "columns": 2, "word": "Quiet", "neighbours": 4}
    assert client.post("/api/v1/trace", json=quiet).json()["found"] is False
    assert client.post("/api/v1/trace", json={**quiet, "neighbours": 8}).json()["path"] == [0, 1, 2, 3]


@pytest.mark.parametrize("golden", KENKEN, ids=lambda golden: golden["id"])
def test_pasted_puzzles_have_their_golden_solution(client: TestClient, golden: dict[str, Any]) -> None:
    rules = {"wide": "largest against" in golden["rules"], "hidden": "hidden" in golden["rules"]}
    text = json.dumps({"size": golden["size"], "cages": golden["cages"], "rules": rules})
    answer = client.post("/api/v1/kenken/solve", json={"puzzle": text}).json()
    assert answer["status"] == ("unique" if golden["solution"] else "multiple")
    if golden["solution"]:
        assert answer["solution"] == [int(digit) for row in golden["solution"] for digit in row]
    assert answer["svg"].startswith("<svg")
    again = client.post("/api/v1/kenken/solve", json={"puzzle": answer["map"]}).json()
    assert again["solution"] == answer["solution"]


@pytest.mark.parametrize("grade", [None, "easy", "hard"])
def test_generated_puzzles_have_one_solution_and_their_grade(client: TestClient, grade: str | None) -> None:
    request = {"size": 4, "grade": grade, "seed": 11}
    answer = client.post("/api/v1/kenken/generate", json=request).json()
    assert answer["status"] == "unique"
    assert grade in (None, answer["grade"])
    wanted = solve_reference(read_puzzle(answer["map"]))
    assert (wanted.status, wanted.solution) == ("unique", tuple(answer["solution"]))
    assert client.post("/api/v1/kenken/generate", json=request).json()["map"] == answer["map"]


@pytest.mark.parametrize(
    ("request_", "field", "said"),
    [
        ({"board": "ABC"}, "board", "3 tiles, but 4 x 4 cells"),
        ({"board": ""}, "board", "at least 1"),
        ({"board": "a" * 301}, "board", "at most 300"),
        ({"board": "abcdefghijklmno7"}, "board", ""),
        ({"board": "a" * 16, "dice": "nwe"}, "dice", "did you mean new"),
        ({"board": "a" * 16, "dice": "../new"}, "dice", ""),
        ({"board": "A" * 25, "dice": "new"}, "board", "but 4 x 4 cells"),
        ({"board": "a" * 16, "dice": "new", "rows": 5}, "rows", "has 4 rows, not 5"),
        ({"board": "a" * 16, "words": "enabel1"}, "words", "did you mean enable1"),
        ({"board": "a" * 49, "rows": 7, "columns": 7}, "rows", "less than or equal to 6"),
        ({"board": "a" * 16, "min_length": 0}, "min_length", "greater than or equal to 1"),
        ({"board": "a" * 16, "min_length": "3"}, "min_length", "integer"),
        ({"board": "a" * 16, "order": "size"}, "order", "alphabet"),
        ({"board": "a" * 16, "colour": "red"}, "colour", "not permitted"),
        ({"board": 16}, "board", "string"),
        ({"board": "Th An Xy " + "A " * 13}, "board", "no dice set shows all of"),
        ({}, "board", "required"),
    ],
)
def test_wrong_input_is_refused_by_field(client: TestClient, request_: dict[str, Any], field: str, said: str) -> None:
    answer = solve(client, **request_)
    detail = problem(answer, 422)
    assert said in detail
    assert answer.json()["errors"][0]["field"] == field


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/nothing", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e%2fapp.py", 404),
        ("GET", "/api/v1/solve", 405),
        ("DELETE", "/api/v1/runs", 405),
        ("GET", "/api/v1/shake?count=0", 422),
        ("GET", "/api/v1/shake?dice=new&rows=6", 422),
        ("GET", "/api/v1/compare", 422),
        ("POST", "/api/v1/solve", 415),
        ("POST", "/api/v1/runs", 415),
        ("GET", "/api/v1/runs?limit=0", 422),
        ("GET", "/api/v1/runs?sort=colour", 422),
        ("PUT", "/api/v1/kenken/hint", 405),
    ],
)
def test_every_refusal_is_a_problem_document(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    problem(answer, status)
    if status == 405:
        assert set(answer.headers["allow"].split(", ")) <= {"GET", "HEAD", "POST"}


def test_every_response_has_the_strict_headers(client: TestClient) -> None:
    for path in ("/", "/kenken", "/runs", "/compare", "/docs", "/static/solve.js", "/api/v1/dice", "/nothing"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers


def test_pages_hold_no_inline_script_no_style_and_no_outside_host(client: TestClient) -> None:
    for path in ("/", "/kenken", "/runs", "/compare?run=first&run=second", "/docs"):
        html = client.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", html), path
        assert not re.search(r"(?:src|href|action)=[\"']?(?:https?:)?//", html), path
    for name in sorted(path.name for path in FOLDER.iterdir()):
        text = client.get(f"/static/{name}").text
        assert text
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|innerHTML|eval\(|@import", text), name


@pytest.fixture
def open_client(service: Service) -> Iterator[TestClient]:
    settings = Settings(origins=("https://example.org",), outputs=service.settings.outputs)
    other = Service(settings)
    with TestClient(create_app(service=other), base_url="http://127.0.0.1", client=HERE) as client:
        yield client
    assert other.books.dice


def test_another_origin_is_let_in_only_where_it_was_asked_for(client: TestClient, open_client: TestClient) -> None:
    asked = {"Origin": "https://example.org"}
    assert "access-control-allow-origin" not in client.get("/api/v1/dice", headers=asked).headers
    assert (
        open_client.get("/api/v1/dice", headers=asked).headers["access-control-allow-origin"] == "https://example.org"
    )
    other = open_client.get("/api/v1/dice", headers={"Origin": "https://example.net"})
    assert "access-control-allow-origin" not in other.headers


def test_a_foreign_host_name_is_turned_away(client: TestClient) -> None:
    for host in ("example.org", "example.org:8000", "127.0.0.1.example.org"):
        problem(client.get("/api/v1/runs", headers={"Host": host}), 421)
    for host in ("localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000"):
        assert client.get("/api/v1/dice", headers={"Host": host}).status_code == 200


def test_the_page_speaks_the_language_of_the_browser(client: TestClient) -> None:
    def language(accept: str, query: str = "") -> str:
        html = (
            TestClient(client.app, base_url="http://127.0.0.1", client=HERE)
            .get(f"/{query}", headers={"Accept-Language": accept})
            .text
        )
        return "nl" if '<html lang="nl">' in html else "en" if '<html lang="en">' in html else "?"

    assert language("nl-NL,nl;q=0.9,en;q=0.8") == "nl"
    assert language("en-GB,en;q=0.9,nl;q=0.8") == "en"
    assert language("de,nl;q=0.5,en;q=0.2") == "nl"
    assert language("fr") == "en"
    assert language("") == "en"
    assert language("nl", "?lang=en") == "en"
    assert language("en;q=x,;;;,nl;q=0.1") == "nl"


def test_the_switch_is_remembered(client: TestClient) -> None:
    own = TestClient(client.app, base_url="http://127.0.0.1", client=HERE)
    assert '<html lang="nl">' in own.get("/?lang=nl", headers={"Accept-Language": "en"}).text
    assert '<html lang="nl">' in own.get("/kenken", headers={"Accept-Language": "en"}).text


def test_both_languages_say_everything() -> None:
    from pipeline.web.texts import TEXTS

    assert TEXTS["en"].keys() == TEXTS["nl"].keys()
    for key, english in TEXTS["en"].items():
        assert sorted(re.findall(r"{(\w+)}", english)) == sorted(re.findall(r"{(\w+)}", TEXTS["nl"][key])), key


NAMES = [
    "..",
    "../secret.md",
    "..%2f..%2fsecret.md",
    "%2e%2e",
    "empty",
    "broken%00",
    "first%2f..%2fsecond",
    ".",
    "y" * 300,
]


@pytest.mark.parametrize("name", NAMES)
def test_only_a_listed_run_is_opened(client: TestClient, name: str) -> None:
    for path in (
        f"/api/v1/runs/{name}/report",
        f"/api/v1/runs/{name}/boards",
        f"/api/v1/compare?run={name}&run=first",
    ):
        answer = client.get(path)
        assert answer.status_code in (404, 422), (path, answer.text)
        assert "not to be read" not in answer.text


def test_markup_is_escaped_on_the_pages(client: TestClient) -> None:
    html = client.get("/compare", params={"run": ["<script>alert(1)</script>", "first"]}).text
    assert "<script>alert" not in html
    html = client.get("/", params={"board": '"><img src=x>', "lang": '"><b>'}).text
    assert "<img" not in html
    assert "<b>" not in html


def test_a_word_of_very_many_cuts_ends_with_its_budget() -> None:
    """On tiles I, N and In the word of 24 `in` has cuts without number, and each of them a search."""
    tiles = Counter({"i": 24, "n": 24, "in": 24})
    budget = Budget(100_000)
    found = list(_cuts("in" * 24, tiles, budget))
    assert budget.left == 0
    assert 0 < len(found) <= 2_000
    scarce = Budget(100_000)
    assert list(_cuts("in" * 24 + "i", Counter({"i": 1, "n": 24, "in": 23}), scarce)) == []


def test_a_trace_that_its_steps_do_not_decide_or_count_says_what_is_known(client: TestClient) -> None:
    board = " ".join(["I", "N", "In", "In"] * 9)
    answer = client.post("/api/v1/trace", json={"board": board, "rows": 6, "columns": 6, "word": "in" * 24})
    assert answer.status_code in (200, 422), answer.text
    if answer.status_code == 200:
        assert answer.json()["ways"] is None or answer.json()["found"]


def test_dead_tiles_are_those_on_no_path_of_any_word(client: TestClient) -> None:
    """Boards where the first path of each word leaves out tiles that other paths use are among them."""
    random = np.random.default_rng(8)
    differs = 0
    for _ in range(40):
        board = "".join(random.choice(list("aelnrstqzzz"), 16))
        answer = solve(client, board=board, words="enable1", paths=True).json()
        faces = answer["tiles"]
        every = {
            cell for one in answer["found"] for path in tile_paths(faces, 4, 4, one["word"], 10_000) for cell in path
        }
        first = {cell for one in answer["found"] for cell in one["path"]}
        differs += first != every
        wanted = [cell for cell in range(16) if cell not in every] if answer["found"] else []
        assert answer["dead"] == wanted, board
        if answer["found"]:
            assert len(wanted) == answer["dead_tiles"]
        assert solve(client, board=board, words="enable1").json()["dead"] == []
    assert differs > 0


def test_all_tracings_are_listed_as_far_as_asked_for(client: TestClient) -> None:
    request = {"board": "perslatgsineters", "word": "rest"}
    every = [list(path) for path in tile_paths(list(request["board"]), 4, 4, "rest", 1000)]
    for most in (0, 1, 2, 100):
        answer = client.post("/api/v1/trace", json={**request, "paths": most}).json()
        assert answer["paths"] == every[:most]
        assert answer["ways"] == len(every)
        assert answer["path"] == every[0]

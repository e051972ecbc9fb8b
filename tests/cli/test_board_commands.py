"""One board at a time, from outside: solve, trace, paths, checks of dice, boards to order."""

import json
from itertools import permutations, product
from pathlib import Path

import duckdb
import pytest
from scipy import stats

from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.shakes import shake
from pipeline.runs.to_order import share_of_search
from solvers.boggle import reference
from solvers.boggle.alphabet import Alphabet
from solvers.grid import format_board, parse_board
from tests.golden_data import GOLDEN, golden_boards, word_list
from tests.running import Outcome, pipeline, pipeline_inside


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def inside(*arguments: object) -> Outcome:
        return pipeline_inside([str(word) for word in arguments], capsys, monkeypatch)

    return inside


def test_solve_finds_the_published_words_and_points(run) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(run("solve", "ADQPNLEMOSRTVKJH", "--words", "enable2k", "--paths", "--json").out)
    assert (found["words"], found["score"]) == (125, 233)
    words = [word["word"] for word in found["found"]]
    assert words == sorted(words)
    assert {"daleth", "landers", "merlons"} <= set(words)
    for word in found["found"]:
        assert "".join(found["faces"][cell] for cell in word["path"]).lower() == word["word"]
        assert len(set(word["path"])) == len(word["path"])
        steps = zip(word["path"], word["path"][1:], strict=False)
        assert all(max(abs(a // 4 - b // 4), abs(a % 4 - b % 4)) == 1 for a, b in steps)
    assert len(found["longest"]) == max(map(len, words))


@pytest.mark.parametrize(("sort", "first"), [("alphabetical", "ado"), ("length", "coat"), ("points", "coat")])
def test_solve_sorts_as_asked(run, sort: str, first: str) -> None:  # type: ignore[no-untyped-def]
    lines = run("solve", "CAT/DOG", "--sort", sort).out.splitlines()
    assert lines[:2] == ["C A T", "D O G"]
    assert lines[5].split()[0] == first


@pytest.mark.parametrize(
    ("text", "options", "rows", "columns"),
    [
        ("CAT/DOG", [], 2, 3),
        ("cat\ndog", [], 2, 3),
        ("abcdefghi", [], 3, 3),
        ("QuABCDEFGH", [], 3, 3),
        ("ABCD EFGH IJKL MNOP", [], 4, 4),
        ("qu a b c", [], 2, 2),
        ("abcdef", ["--rows", "2"], 2, 3),
        ("abcdef", ["--rows", "2", "--cols", "3"], 2, 3),
        ("qaicdrneetasnnil", ["--dice", "new"], 4, 4),
    ],
)
def test_the_size_follows_from_the_text_unless_given(
    run, text: str, options: list[str], rows: int, columns: int
) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(run("solve", text, *options, "--json").out)
    assert (found["rows"], found["columns"]) == (rows, columns)


def test_many_boards_get_one_line_each_with_the_golden_figures(tmp_path: Path) -> None:
    golden = golden_boards()["super_big_2012"]
    symbols = golden.dice.alphabet.symbols
    boards = [" ".join("." if cell == 255 else symbols[cell] for cell in row) for row in golden.cells.tolist()]
    outcome = pipeline(
        "solve", "-", "--dice", "super_big_2012", "--words", "enable2k", cwd=tmp_path, stdin="\n".join(boards) + "\n\n"
    )
    assert outcome.code == 0, outcome.err
    lines = [line.split("\t") for line in outcome.out.splitlines()]
    assert len(lines) == len(boards)
    for place, name in enumerate(("words", "score", "longest", "dead_tiles", "nodes"), 1):
        assert [int(line[place]) for line in lines] == golden.columns[name].tolist()
    assert parse_board(lines[0][0], 6, 6) == parse_board(boards[0], 6, 6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "ABCDE"], "5 letters make no square"),
        (["solve", ""], "is empty"),
        (["solve", "AB1D"], "'1' at row 2, column 1 is not a letter"),
        (["solve", "ABCDEFGHIJKLMNOX", "--dice", "described_2012", "--rows", "3", "--cols", "3"], "3 x 3 cells"),
        (["solve", "zzzzzzzzzzzzzzzz", "--dice", "described_2012"], "no die shows 'z'"),
        (["solve", "ABCD", "--sort", "size"], "--sort 'size' is not known"),
        (["solve", "A" * 49], "make no square"),
        (["solve", "ABCD", "--rows", "7", "--cols", "7"], "7 x 7"),
        (["trace", "AB\nC", "A"], "row"),
        (["trace", "", "A"], "empty"),
        (["trace", "AB", ""], "empty"),
        (["trace", "A"], "give a grid and a word"),
        (["trace", "AB", "A", "--neighbours", "6"], "6 neighbours"),
        (["paths", "8", "8"], "--force"),
        (["paths", "9", "9"], "64 cells"),
        (["paths", "0", "2"], "ROWS"),
        (["dice", "check-board", "new", "ABC"], "3 tiles"),
        (["dice", "check-word", "new", "a-b"], "something other than letters"),
        (["shake", "--where", "words >"], "condition 'words >', position 8"),
        (["shake", "--where", "wrds > 3"], "words"),
        (["shake", "--where", "words > 3", "--max-tries", "0"], "--max-tries"),
    ],
)
def test_wrong_input_is_one_line(run, arguments: list[str], message: str) -> None:  # type: ignore[no-untyped-def]
    assert message in run(*arguments).error_line


def test_plain_lines_and_spelled_out_lines_give_the_same(tmp_path: Path) -> None:
    plain = ["qaicdrneetasnnil", "QAICDRNEETASNNIL", "abcdefghijklmnop"]
    spelled = ["Qu A I C D R N E E T A S N N I L", "QuAICDRNEETASNNIL", "a b c d e f g h i j k l m n o p"]
    arguments = ("solve", "-", "--words", "enable2k")
    outcomes = [pipeline(*arguments, cwd=tmp_path, stdin="\n".join(lines)) for lines in (plain, spelled)]
    assert outcomes[0] == outcomes[1]
    assert [line.split("\t")[2] for line in outcomes[0].out.splitlines()] == ["1391", "1391", "18"]


def test_a_wrong_line_of_many_boards_is_named(tmp_path: Path) -> None:
    outcome = pipeline("solve", "-", "--rows", 2, "--cols", 2, cwd=tmp_path, stdin="abcd\nabcde\n")
    assert outcome.code == 2
    assert "line 2: " in outcome.err


@pytest.mark.parametrize(
    ("grid", "word", "options", "code"),
    [
        ("ILAW\nBNGE\nIUAO\nASRL", "BINGO", [], 0),
        ("ILAW\nBNGE\nIUAO\nASRL", "SINUS", [], 1),
        ("STAR\nPOOL\nENDS", "STOOLS", ["--neighbours", "4", "--case-sensitive"], 0),
        ("STAR\nPOOL\nENDS", "POP", ["--neighbours", "4"], 1),
        ("STAR\nPOOL\nENDS", "SAND", ["--neighbours", "4"], 1),
        ("AA\nAB", "AAA", ["--neighbours", "4"], 0),
        ("a", "A", ["--case-sensitive"], 1),
        ("a", "A", [], 0),
        ("./\n1-", "/.1-", [], 0),
        ("AB", "ABABABABABAB", [], 1),
    ],
)
def test_trace_answers_by_exit_code(run, grid: str, word: str, options: list[str], code: int) -> None:  # type: ignore[no-untyped-def]
    outcome = run("trace", grid, word, *options)
    assert outcome.code == code
    rows = [flag for row in grid.split("\n") for flag in ("--row", row)]
    assert run("trace", *rows, word, *options) == outcome


def test_trace_lists_every_way(run) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(run("trace", "AB\nBA", "AB", "--all", "--json").out)
    assert found["ways"] == 4
    assert sorted(found["paths"]) == [[0, 1], [0, 2], [3, 1], [3, 2]]


def test_paths_prints_the_published_numbers(run) -> None:  # type: ignore[no-untyped-def]
    published = json.loads((GOLDEN / "path_counts.json").read_text())["boards"]
    for board, figures in published.items():
        if board in ("3x4", "4x4", "5x5"):
            found = json.loads(run("paths", *board.split("x"), "--json").out)
            assert found["total"] == figures["total"]


def test_check_board_names_a_die_for_every_cell(run) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(run("dice", "check-board", "new", "qaicdrneetasnnil", "--json").out)
    dice = load_dice("new").dice
    faces = parse_board(found["board"], 4, 4)
    assert sorted(found["dice"]) == list(range(1, 17))
    assert all(face in dice[die - 1] for face, die in zip(faces, found["dice"], strict=True))
    assert run("dice", "check-board", "described_2012", "qaicdrneetasnnil").code == 1


def test_check_board_counts_every_roll_of_small_dice(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "tiny.toml").write_text('rows = 1\ncolumns = 3\ndice = ["A A B C D E", "A B B C F G", "A H I J K B"]\n')
    dice = load_dice(str(tmp_path / "tiny.toml")).dice
    wanted = sum(rolled == ("A", "B", "A") for order in permutations(dice) for rolled in product(*order))
    found = json.loads(run("dice", "check-board", tmp_path / "tiny.toml", "ABA", "--json").out)
    assert found["ways"] == wanted
    assert found["chance"] == pytest.approx(wanted / (6 * 6**3), rel=1e-12)


def test_check_word_knows_the_published_unplayable_words(run) -> None:  # type: ignore[no-untyped-def]
    for dice, word, code in [
        ("classic", "jerque", 1), ("classic", "powwow", 1), ("classic", "interdependence", 1), ("new", "jazz", 1),
        ("classic", "jazz", 1), ("new", "jerque", 0), ("new", "powwow", 0),
    ]:  # fmt: skip
        assert run("dice", "check-word", dice, word).code == code, (dice, word)


def test_boards_to_order_are_the_first_of_the_seed_that_satisfy_the_condition(tmp_path: Path) -> None:
    condition = "words between 100 and 150 and longest >= 8 and dead_tiles = 0"
    assert pipeline("run", "--boards", 2_000, "--seed", 5, "--out", "r", cwd=tmp_path).code == 0
    wanted = duckdb.sql(
        f"SELECT board_id, board, words FROM '{tmp_path}/r/boards/*/*.parquet' WHERE {condition} ORDER BY 1 LIMIT 7"
    ).fetchall()
    for workers in (1, 2):
        arguments = ["--where", condition, "--seed", 5, "--count", 7, "--workers", workers, "--json"]
        outcome = pipeline("shake", *arguments, cwd=tmp_path)
        assert outcome.code == 0, outcome.err
        found = json.loads(outcome.out)
        assert [(board["board_id"], board["board"], board["words"]) for board in found["boards"]] == wanted
        assert found["tried"] == wanted[-1][0] + 1
        assert found["complete"]
        assert found["share"]["low"] < found["share"]["value"] < found["share"]["high"]


def test_a_search_ends_clearly_at_its_limit(tmp_path: Path) -> None:
    outcome = pipeline("shake", "--where", "words > 100000", "--max-tries", 25_000, cwd=tmp_path)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("none of 25,000 boards satisfies 'words > 100000' (0.000 [0.000, ")
    assert outcome.err.endswith("; --max-tries looks at more\n")
    as_json = pipeline("shake", "--where", "words > 100000", "--max-tries", 25_000, "--json", cwd=tmp_path)
    assert as_json.code == 1
    assert json.loads(as_json.out)["boards"] == []


def test_a_condition_on_numbers_alone_is_true_or_false_of_every_board(tmp_path: Path) -> None:
    for condition, code, ids in (("1 = 1", 0, [3, 4]), ("1 = 2", 1, [])):
        arguments = ["--where", condition, "--index", 3, "--count", 2, "--max-tries", 100, "--json"]
        outcome = pipeline("shake", *arguments, cwd=tmp_path)
        assert outcome.code == code, outcome.err
        assert [board["board_id"] for board in json.loads(outcome.out)["boards"]] == ids


@pytest.mark.parametrize(("hits", "tried"), [(0, 10), (3, 10), (10, 10), (7, 100_000)])
def test_the_interval_of_a_share_is_exact(hits: int, tried: int) -> None:
    estimate = share_of_search(hits, tried, complete=False)
    exact = stats.binomtest(hits, tried).proportion_ci(method="exact")
    assert (estimate.low, estimate.high) == pytest.approx(tuple(exact), abs=1e-12)
    if hits:
        inverse = share_of_search(hits, tried, complete=True)
        # The chance of needing so many tries, or so few, at the ends of the interval.
        assert stats.nbinom.cdf(tried - hits, hits, inverse.low) == pytest.approx(0.025, abs=1e-9)
        if tried > hits:
            assert stats.nbinom.sf(tried - hits - 1, hits, inverse.high) == pytest.approx(0.025, abs=1e-9)


def test_solve_agrees_with_the_reference_on_shaken_boards(run) -> None:  # type: ignore[no-untyped-def]
    dice = load_dice("classic")
    words = [word for word in word_list("enable1").words if len(word) >= 3 and len(word) <= 6]
    trie = reference.build_trie(words, Alphabet.of_faces(dice.faces), 3)
    for board in shake(dice, 11, 0, 3).tolist():
        faces = [dice.faces[face] for face in board]
        found = json.loads(run("solve", format_board(faces), "--dice", "classic", "--json").out)
        expected = reference.solve(dice.alphabet.ids(faces), 4, 4, trie).words
        assert {word["word"] for word in found["found"] if word["letters"] <= 6} == expected

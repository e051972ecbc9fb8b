"""Every compiled solver gives the published numbers, and the numbers of the plain ones on boards of every kind."""

import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from solvers.bits import has_bmi2
from solvers.boggle import lexicon as lexicons
from solvers.boggle.alphabet import BLANK, Alphabet
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.solve import Columns, find_words, solve, unfinished
from solvers.boggle.words import read_words
from solvers.errors import InputError
from solvers.grid import neighbour_masks
from tests.solvers.boggle.kernel_cases import (
    DICE_SETS,
    FAST,
    GOLDEN,
    ROOT,
    SOLVERS,
    adversarial,
    assert_same,
    dice_set,
    enable2k,
    golden_boards,
    lexicon_of,
    lexicon_of_words,
    shaken,
    solve_by,
)

SOME_SETS = ("new", "big_2012", "super_big_2012", "cs_4x4")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("group", golden_boards(), ids=lambda group: group[0])
def test_golden_boards_in_all_columns(solver, group):
    _, rows, cols, min_length, scoring = group
    golden = golden_boards()[group]
    faces = [["" if face == "." else face for face in row["board"].split(" ")] for row in golden]
    lexicon = lexicon_of(frozenset(face for board in faces for face in board), min_length, rows * cols)
    boards = np.array([lexicon.alphabet.ids(board) for board in faces], np.uint8)
    columns = solve_by(solver, boards, rows, cols, lexicon, scoring)
    for name in ("words", "score", "nodes", "longest", "dead_tiles"):
        assert getattr(columns, name).tolist() == [int(row[name]) for row in golden], name
    for length in range(3, 8):
        assert columns.by_length[:, length - 1].tolist() == [int(row[f"n{length}"]) for row in golden], length
    assert columns.by_length[:, 7:].sum(axis=1).tolist() == [int(row["n8plus"]) for row in golden]


@pytest.mark.parametrize("solver", SOLVERS)
def test_performance_boggle_total_and_hash(solver):
    [entry] = [
        entry for entry in json.loads((GOLDEN / "published_stats.json").read_text()) if entry["id"] == "perf_boggle"
    ]
    words = [word for word in enable2k().words if len(word) <= 17 and "q" not in word.replace("qu", "")]
    lexicon = lexicon_of_words(words, ["Qu"], 3, 16)
    index = {symbol[0]: number for number, symbol in enumerate(lexicon.alphabet.symbols)}
    letters = "abcdefghijklmnopqrstuvwxyz"
    boards = []
    for base in ("abcdefghijklmnop", "catdlinemaropets"):
        board = list(base)
        for first_row in range(4):
            for second_row in range(4):
                for first in letters:
                    for second in letters:
                        board[first_row * 4 + 1] = first
                        board[second_row * 4 + 2] = second
                        boards.append([index[letter] for letter in board])
    scores = solve_by(solver, np.array(boards, np.uint8), 4, 4, lexicon).score.tolist()
    digest = 1234
    for score in scores:
        digest = digest * (123 + score) % 2**32 % (2**20 - 3)
    assert len(scores) == entry["figures"]["boards_per_rep"]
    assert sum(scores) == entry["figures"]["total_per_rep"]
    assert digest == int(entry["figures"]["hash"], 16)


@pytest.mark.parametrize(
    ("board", "rows", "cols", "score"),
    [
        ("perslatgsineters", 4, 4, 3625),
        ("streaedlp", 3, 3, 545),
        ("perslatesind", 3, 4, 1651),
        ("ligdrmanesietildsracsepes", 5, 5, 10406),
        ("hclbaiaertnssese", 4, 4, 2149),
        ("catdlinemaropets", 4, 4, 2338),
    ],
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_published_scores_of_rich_boards(solver, board, rows, cols, score):
    lexicon = lexicon_of(frozenset(["Qu"]), 3, rows * cols)
    boards = np.array([lexicon.alphabet.ids(board)], np.uint8)
    assert solve_by(solver, boards, rows, cols, lexicon).score.tolist() == [score]


def compare_on_dice(solver, name, count, seed):
    dice = dice_set(name)
    rows, cols, lexicon, scoring = dice["rows"], dice["cols"], dice["lexicon"], dice["scoring"]
    boards = shaken(dice["dice"], count, seed)
    counts, truth = np.zeros((2, len(lexicon.words)), np.uint32)
    expected = solve_by("dfs", boards, rows, cols, lexicon, scoring, truth)
    assert_same(solve_by(solver, boards, rows, cols, lexicon, scoring, counts), expected, boards)
    assert counts.tolist() == truth.tolist()
    assert int(counts.sum()) == int(expected.words.sum())


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("name", SOME_SETS)
def test_shaken_boards_and_word_counts_equal_dfs(solver, name):
    compare_on_dice(solver, name, 300, seed=11)


@pytest.mark.long
@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("name", DICE_SETS)
def test_ten_thousand_shaken_boards_of_every_set_equal_dfs(solver, name):
    compare_on_dice(solver, name, 10_000, seed=12)


@pytest.mark.long
@pytest.mark.parametrize("name", DICE_SETS)
def test_shaken_and_adversarial_boards_of_every_set_equal_the_reference(name):
    dice = dice_set(name)
    cells = dice["rows"] * dice["cols"]
    count = 50 if cells <= 16 else 10  # plain Python takes seconds for a large board of few letters
    boards = np.concatenate([shaken(dice["dice"], count, seed=13), adversarial(dice["lexicon"], cells, count, seed=14)])
    arguments = (boards, dice["rows"], dice["cols"], dice["lexicon"], dice["scoring"])
    expected = solve_by("reference", *arguments)
    for solver in SOLVERS:
        assert_same(solve_by(solver, *arguments), expected, boards)


def compare_on_adversarial_boards(solver, name, count, seed):
    dice = dice_set(name)
    rows, cols, lexicon = dice["rows"], dice["cols"], dice["lexicon"]
    boards = adversarial(lexicon, rows * cols, count, seed)
    expected = solve_by("dfs", boards, rows, cols, lexicon)
    assert_same(solve_by(solver, boards, rows, cols, lexicon), expected, boards)


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("name", SOME_SETS)
def test_adversarial_boards_equal_dfs(solver, name):
    compare_on_adversarial_boards(solver, name, 100, seed=21)


@pytest.mark.long
@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("name", SOME_SETS)
def test_two_thousand_adversarial_boards_equal_dfs(solver, name):
    compare_on_adversarial_boards(solver, name, 2_000, seed=22)


@pytest.mark.long
@pytest.mark.parametrize("features", ["", "+bmi2,+popcnt,+bmi"])
def test_the_kernel_compiles_for_a_plain_processor_and_loads_from_the_cache(tmp_path, features):
    code = """
import numpy as np
from tests.solvers.boggle.kernel_cases import dice_set, shaken, assert_same
from solvers.bits import fast_bmi2
from solvers.boggle import breadth_first
from solvers.boggle.solve import solve
dice = dice_set("new")
boards = shaken(dice["dice"], 200, seed=5)
assert_same(solve(boards, 4, 4, dice["lexicon"]), solve(boards, 4, 4, dice["lexicon"], solver="dfs"), boards)
stats = breadth_first.compiled(fast_bmi2(), False).stats
print(fast_bmi2(), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
    if features and not has_bmi2():
        pytest.skip("this processor has no BMI2")
    environment = os.environ | {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": features,
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }

    def run() -> list[str]:
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
        ).stdout.split()

    assert run() == [str(bool(features)), "0", "1"]
    assert run() == [str(bool(features)), "1", "0"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_sixteen_equal_letters_enter_every_path_of_the_grid(solver):
    paths = json.loads((GOLDEN / "path_counts.json").read_text())["boards"]["4x4"]
    lexicon = lexicon_of_words(["a" * letters for letters in range(1, 17)], [], 1, 16)
    columns = solve_by(solver, np.zeros((1, 16), np.uint8), 4, 4, lexicon)
    assert columns.words.tolist() == [16]
    assert columns.longest.tolist() == [16]
    assert columns.dead_tiles.tolist() == [0]
    assert columns.by_length.tolist() == [[1] * 16]
    assert columns.nodes.tolist() == [paths["total"]]


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize(("side", "letters"), [(5, 8), (6, 7)])
def test_larger_boards_of_one_letter_equal_dfs(solver, side, letters):
    lexicon = lexicon_of_words(["a" * length for length in range(3, letters + 1)], [], 3, side * side)
    boards = np.zeros((1, side * side), np.uint8)
    columns = solve_by(solver, boards, side, side, lexicon)
    assert columns.words.tolist() == [letters - 2]
    assert_same(columns, solve_by("dfs", boards, side, side, lexicon), boards)


@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("places", [0, 8, 300])
def test_a_full_stack_turns_the_search_depth_first_and_changes_no_number(solver, places):
    dice = dice_set("super_big_2012")
    boards = np.concatenate([shaken(dice["dice"], 40, seed=31), adversarial(dice["lexicon"], 36, 20, seed=32)])
    expected = solve_by("dfs", boards, 6, 6, dice["lexicon"])
    assert_same(solve_by(solver, boards, 6, 6, dice["lexicon"], stack_places=places), expected, boards)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_board_over_the_node_limit_stops_and_is_reported(solver):
    lexicon = lexicon_of_words(["a" * letters for letters in range(1, 37)], [], 1, 36)
    blank, letter = np.full(36, BLANK, np.uint8), np.zeros(36, np.uint8)
    boards = np.stack([blank, letter, blank])
    columns = solve_by(solver, boards, 6, 6, lexicon, node_limit=1_000_000)
    assert unfinished(columns, 1_000_000).tolist() == [1]
    assert 1_000_000 < int(columns.nodes[1]) < 1_100_000
    assert int(columns.words[1]) > 0
    assert_same(solve_by(solver, boards[:1], 6, 6, lexicon), Columns(*(column[2:] for column in columns)), boards[:1])


@pytest.mark.parametrize("solver", FAST)
def test_a_limit_that_no_board_passes_changes_nothing(solver):
    dice = dice_set("new")
    boards = shaken(dice["dice"], 50, seed=41)
    expected = solve_by("dfs", boards, 4, 4, dice["lexicon"])
    limit = int(expected.nodes.max())
    columns = solve_by(solver, boards, 4, 4, dice["lexicon"], node_limit=limit)
    assert unfinished(columns, limit).tolist() == []
    assert_same(columns, expected, boards)


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_tile_can_be_a_word(solver):
    lexicon = lexicon_of_words(["an", "ann", "a", "nan", "anna"], ["An"], 2, 4)
    boards = np.array([lexicon.alphabet.ids(tiles) for tiles in (["An", "N", "A", ""], ["A", "", "", "N"])], np.uint8)
    columns = solve_by(solver, boards, 2, 2, lexicon)
    assert_same(columns, solve_by("reference", boards, 2, 2, lexicon), boards)
    assert columns.words.tolist() == [4, 1]
    assert columns.by_length[:, :4].tolist() == [[0, 1, 2, 1], [0, 1, 0, 0]]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_word_with_several_cuts_is_one_word(solver):
    lexicon = lexicon_of_words(["inn", "hen", "then", "thin"], ["In", "He", "Th"], 3, 6)
    assert not lexicon.one_cut
    boards = np.array([lexicon.alphabet.ids(["In", "N", "I", "Th", "He", "H"])], np.uint8)
    columns = solve_by(solver, boards, 2, 3, lexicon)
    assert_same(columns, solve_by("reference", boards, 2, 3, lexicon), boards)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 36), (36, 1), (6, 6)])
def test_a_board_of_blanks_has_nothing_but_starts(solver, rows, cols):
    lexicon = lexicon_of_words(["a", "aa"], [], 1, rows * cols)
    columns = solve_by(solver, np.full((1, rows * cols), BLANK, np.uint8), rows, cols, lexicon)
    assert columns.nodes[0] == rows * cols
    assert not any(column.any() for name, column in columns._asdict().items() if name != "nodes")


@pytest.mark.parametrize("solver", ["numba", "dfs"])
def test_the_words_of_one_board_are_those_counted(solver):
    dice = dice_set("big_2012")
    lexicon = lexicon_of_words(enable2k().words[::50], dice["lexicon"].alphabet.symbols, 3, 25)
    assert not lexicon.one_cut
    for board in shaken(dice["dice"], 5, seed=51):
        frequency = np.zeros(len(lexicon.words), np.uint32)
        expected = solve(board[None], 5, 5, lexicon, solver="reference", frequency=frequency)
        found, columns = find_words(board.tolist(), 5, 5, lexicon, solver)
        assert found == np.flatnonzero(frequency).tolist()
        assert_same(columns, expected, board[None])


def test_threads_search_side_by_side():
    dice = dice_set("new")
    boards = shaken(dice["dice"], 4_000, seed=61)
    expected = solve(boards, 4, 4, dice["lexicon"])
    results: list[Columns | None] = [None] * 4

    def work(thread: int) -> None:
        results[thread] = solve(boards, 4, 4, dice["lexicon"])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for columns in results:
        assert_same(columns, expected, boards)


def test_one_work_array_serves_lexicons_of_any_size_in_turn():
    large, small = dice_set("new"), lexicon_of_words(["tea", "eat", "ate", "tee"], ["Qu"], 3, 16)
    boards = shaken(large["dice"], 100, seed=71)
    expected = [solve(boards, 4, 4, lexicon, solver="dfs") for lexicon in (small, large["lexicon"])]
    for _ in range(2):
        for lexicon, truth in zip((small, large["lexicon"]), expected, strict=True):
            assert_same(solve(boards, 4, 4, lexicon), truth, boards)


def test_boards_may_be_read_only_slices_of_other_arrays():
    dice = dice_set("new")
    wide = np.repeat(shaken(dice["dice"], 50, seed=81), 2, axis=1)
    wide.setflags(write=False)
    expected = solve(np.ascontiguousarray(wide[:, ::2]), 4, 4, dice["lexicon"], solver="dfs")
    assert_same(solve(wide[:, ::2], 4, 4, dice["lexicon"]), expected, wide)


@pytest.mark.parametrize("solver", ["numba", "dfs"])
def test_no_boards_give_no_rows(solver):
    columns = solve(np.empty((0, 16), np.uint8), 4, 4, dice_set("new")["lexicon"], solver=solver)
    assert {column.shape for column in columns} == {(0,), (0, 16)}


def test_a_frequency_table_of_another_length_is_refused():
    dice = dice_set("new")
    with pytest.raises(InputError, match=r"shape \(3,\)"):
        solve(shaken(dice["dice"], 1, seed=1), 4, 4, dice["lexicon"], frequency=np.zeros(3, np.uint32))


def test_the_last_symbols_of_a_full_alphabet_are_searched():
    faces = ["Th", "Qu", "In", "Er", "He", "An", "Zo"]
    lexicon = lexicon_of_words(["zzz", "thzin", "anzed", "zither", "zooms"], faces, 3, 9)
    assert len(Alphabet.of_faces(faces).symbols) == 32
    boards = adversarial(lexicon, 9, 60, seed=91)
    boards[:10] = lexicon.alphabet.ids(["Z", "Z", "Z", "Th", "Z", "In", "An", "Z", "Z"])
    expected = solve_by("reference", boards, 3, 3, lexicon)
    assert expected.words[0] == 2
    for solver in ("numba", "dfs", "numba with tables"):
        assert_same(solve_by(solver, boards, 3, 3, lexicon), expected, boards)


def paths_of(cells, rows, cols):
    """Every path of so many cells of a grid, as tuples."""
    masks = neighbour_masks(rows, cols).tolist()
    neighbours = [[other for other in range(rows * cols) if mask >> other & 1] for mask in masks]
    paths = [(cell,) for cell in range(rows * cols)]
    for _ in range(cells - 1):
        paths = [(*path, other) for path in paths for other in neighbours[path[-1]] if other not in path]
    return paths


@pytest.mark.parametrize("solver", SOLVERS)
def test_more_words_of_one_length_than_sixteen_bits_hold(solver):
    letters = "abcdefghijklmnop"
    words = ["".join(letters[cell] for cell in path) for path in paths_of(7, 4, 4)]
    lexicon = lexicon_of_words(words, [], 1, 16)
    columns = solve_by(solver, np.array([lexicon.alphabet.ids(list(letters.upper()))], np.uint8), 4, 4, lexicon)
    assert columns.words.tolist() == [68_272]
    assert columns.by_length[0].tolist() == [0] * 6 + [68_272] + [0] * 9
    assert columns.score.tolist() == [5 * 68_272]


def test_more_words_than_the_solver_can_tell_apart_are_refused_where_faces_make_several_cuts(monkeypatch):
    monkeypatch.setattr(lexicons, "MAX_NODES", 40)
    words = [*(f"zz{a}" for a in "abcdefghijklmnopqrstuvwxyz"), *(f"yy{a}" for a in "abcdefghijklmnopq"), "an"]
    faces = ["A", "N", "An"]
    with pytest.raises(InputError, match="has 44 words, at most 40 can be searched with these faces"):
        build_lexicon(read_words("\n".join(words)), Alphabet(tuple(face.lower() for face in faces)), 2, 4)
    assert build_lexicon(read_words("\n".join(words)), Alphabet(("a", "n")), 2, 4).one_cut

import random
import sys
import threading

import pytest

from solvers.boggle.budget import Budget
from solvers.boggle.trace import MAX_SIDE, fold_character, trace, trace_many
from solvers.boggle.word_paths import tile_paths
from solvers.errors import InputError

ILAW = ["ILAW", "BNGE", "IUAO", "ASRL"]
STAR = ["STAR", "POOL", "ENDS"]
ALL_A = ["AAAAA"] * 5
WALLED = ["AAAAA", "AAAAA", "AAAAA", "AAACC", "AAACB"]


def all_tracings(grid, word, neighbours):
    """Every tracing by plain recursion over rows and columns."""
    rows, cols = len(grid), len(grid[0])
    tracings = []

    def visit(row, col, path):
        if grid[row][col] != word[len(path)]:
            return
        path = [*path, row * cols + col]
        if len(path) == len(word):
            tracings.append(tuple(path))
            return
        for next_row in range(row - 1, row + 2):
            for next_col in range(col - 1, col + 2):
                if not (0 <= next_row < rows and 0 <= next_col < cols):
                    continue
                if neighbours == 4 and next_row != row and next_col != col:
                    continue
                if next_row * cols + next_col not in path:
                    visit(next_row, next_col, path)

    for row in range(rows):
        for col in range(cols):
            visit(row, col, [])
    return sorted(tracings)


def spells(grid, cells):
    cols = len(grid[0])
    return "".join(grid[cell // cols][cell % cols] for cell in cells)


@pytest.mark.parametrize(
    ("word", "found"), [("BINGO", True), ("LINGO", True), ("ILNBIA", True), ("BUNGIE", False), ("SINUS", False)]
)
def test_documented_words_on_a_board_of_sixteen_letters(word, found):
    answer = trace(ILAW, word)
    assert answer.found == found
    assert answer.ways == len(all_tracings(ILAW, word, 8))
    assert answer.path == () or spells(ILAW, answer.path) == word


@pytest.mark.parametrize(("word", "found"), [("STOOLS", True), ("POP", False), ("SAND", False)])
def test_documented_words_with_four_neighbours_and_case(word, found):
    assert trace(STAR, word, neighbours=4, case_sensitive=True).found == found


def test_a_cell_alone_and_a_corner_turned():
    assert trace(["A"], "A").path == (0,)
    assert trace(["AA", "AB"], "AAA", neighbours=4).ways == 2


def test_case_counts_only_where_it_is_asked_to():
    assert not trace(["A"], "a", case_sensitive=True).found
    assert trace(["A"], "a").found
    assert trace(["Éß"], "éß").found


@pytest.mark.parametrize("character", ["ß", "ẞ", "İ", "ŉ", "ǰ", "ΐ", "ﬁ", "ς", "K"])
def test_folding_a_character_never_makes_two(character):
    assert len(fold_character(character)) == 1


def test_a_word_longer_than_the_grid_is_not_there():
    assert trace(["AB"], "ABA") == trace(["A"], "A" * 10_000)
    assert not trace(["AB"], "ABA").found


def test_a_missing_letter_needs_no_search():
    answer = trace(ALL_A, "AAAAAAAAB", limit=0)
    assert not answer.found
    assert answer.ways == 0


def test_a_rare_last_letter_behind_a_wall_is_decided_in_no_step():
    assert not trace(WALLED, "AAAAAAAAB", limit=0).found
    assert not trace(WALLED, "BAAAAAAAA", limit=0).found


def test_words_of_one_letter_are_counted_as_paths_are(path_counts):
    by_cells = path_counts["5x5"]["by_cells"]
    for cells in (3, 8, 15, 25):
        assert trace(ALL_A, "A" * cells).ways == by_cells[str(cells)]


def test_a_word_without_a_repeated_letter_may_have_more_ways_than_64_bits_hold():
    grid = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/=!?.,;:()[]{}<>"] * 64
    answer = trace(grid, grid[0])
    walks = [1] * 64
    for _ in grid[0][1:]:
        walks = [sum(walks[max(0, row - 1) : row + 2]) for row in range(64)]
    assert answer.ways == sum(walks) > 2**64


@pytest.mark.parametrize("neighbours", [4, 8])
def test_the_whole_of_the_largest_grid_is_found_at_once(neighbours):
    grid = ["a" * MAX_SIDE] * MAX_SIDE
    answer = trace(grid, "a" * MAX_SIDE**2, neighbours, count=False, limit=100_000)
    assert answer.found
    assert sorted(answer.path) == list(range(MAX_SIDE**2))
    assert answer.ways is None


def test_dead_ends_and_colours_decide_without_a_long_search():
    comb = ["a" * 21] + ["ac" * 10 + "a"] * 5
    assert not trace(comb, "a" * 50, count=False, limit=10_000).found
    corner_missing = ["aaaaa"] * 4 + ["aaaac"]
    assert trace(corner_missing, "a" * 24, 4, limit=1_000_000).found
    other_colour_missing = ["acaaa"] + ["aaaaa"] * 4
    assert trace(other_colour_missing, "a" * 24, 8, limit=1_000_000).found
    two_missing = ["acaca"] + ["aaaaa"] * 4
    assert not trace(two_missing, "a" * 23, 4, limit=1_000_000).found


def test_long_words_on_large_random_grids_are_found():
    source = random.Random(12)
    for neighbours in (4, 8):
        grid = ["".join(source.choices("ab", k=MAX_SIDE)) for _ in range(MAX_SIDE)]
        word = "".join(source.choices("ab", k=200))
        answer = trace(grid, word, neighbours, count=False)
        assert spells(grid, answer.path) == word
        assert len(set(answer.path)) == len(word)
        steps = [
            (abs(a // 64 - b // 64), abs(a % 64 - b % 64)) for a, b in zip(answer.path, answer.path[1:], strict=False)
        ]
        assert all(max(step) == 1 and sum(step) <= (1 if neighbours == 4 else 2) for step in steps)


def test_starts_that_take_long_are_taken_up_again(monkeypatch):
    source = random.Random(31)
    monkeypatch.setattr(sys.modules["solvers.boggle.trace"], "_PATIENCE", 1)
    found = set()
    for _ in range(20):
        grid = ["".join(source.choices("ab", k=6)) for _ in range(6)]
        word = "".join(source.choices("ab", k=20))
        answer = trace(grid, word, 4, count=False)
        assert answer.found == (trace(grid, word, 4).ways > 0)
        found.add(answer.found)
    assert found == {True, False}


def test_counting_that_passes_the_limit_still_says_yes():
    grid = ["ab" * 8] * 8
    answer = trace(grid, "ab" * 10, limit=100_000)
    assert answer.found
    assert answer.ways is None
    assert answer.ways_at_least > 1000


def test_a_search_that_passes_the_limit_names_it_and_the_remedy():
    with pytest.raises(InputError, match=r"5 search steps do not decide.*raise the limit"):
        trace(ALL_A, "A" * 20, limit=5)


def test_thousands_of_random_grids_agree_with_plain_recursion():
    source = random.Random(20240501)
    seen = set()
    for case in range(2500):
        rows, cols = source.randint(1, 4), source.randint(1, 4)
        letters = "ABCD"[: source.randint(1, 4)]
        grid = ["".join(source.choices(letters, k=cols)) for _ in range(rows)]
        word = "".join(source.choices(letters, k=source.randint(1, 8 if len(letters) > 1 else 5)))
        neighbours = source.choice([4, 8])
        expected = all_tracings(grid, word, neighbours)
        answer = trace(grid, word, neighbours, paths=100_000)
        assert answer.paths == tuple(expected), (case, grid, word, neighbours)
        assert answer.ways == answer.ways_at_least == len(expected)
        assert answer.found == bool(expected)
        assert answer.path in expected or not expected
        assert trace(grid, word, neighbours).ways == len(expected), (case, grid, word, neighbours)
        seen.add(bool(expected))
    assert seen == {True, False}


def test_long_words_of_two_letters_agree_with_plain_recursion():
    source = random.Random(7)
    for _ in range(25):
        grid = ["".join(source.choices("AAB", k=4)) for _ in range(4)]
        neighbours = source.choice([4, 8])
        word = "".join(source.choices("AAB", k=source.randint(9, 12)))
        expected = all_tracings(grid, word, neighbours)
        assert trace(grid, word, neighbours).ways == len(expected), (grid, word, neighbours)


def test_no_more_paths_are_listed_than_asked_for():
    answer = trace(ALL_A, "AAAAAAAA", paths=3)
    assert len(set(answer.paths)) == 3
    assert answer.ways == 1_110_000
    assert all(len(path) == 8 for path in answer.paths)
    listed = trace(["ABAB"] * 4, "ABABAB", count=False, paths=5)
    assert len(listed.paths) == 5
    assert listed.ways is None


@pytest.mark.parametrize("neighbours", [4, 8])
def test_many_words_at_once_are_answered_as_one_by_one(neighbours):
    source = random.Random(99)
    for _ in range(25):
        rows, cols = source.randint(1, 5), source.randint(1, 5)
        grid = ["".join(source.choices("abC", k=cols)) for _ in range(rows)]
        words = ["".join(source.choices("abcABC", k=source.randint(1, 7))) for _ in range(40)]
        for case_sensitive in (False, True):
            many = trace_many(grid, words, neighbours, case_sensitive).tolist()
            assert many == [trace(grid, word, neighbours, case_sensitive).found for word in words]


def test_many_words_past_the_limit_are_searched_one_by_one():
    words = ["A" * 8 + "B", "A" * 20, "B", "AAB"]
    assert trace_many(WALLED, words, limit=5_000).tolist() == [False, True, True, False]


def test_listing_stops_before_memory_does():
    grid = ["ab" * 32] * MAX_SIDE
    assert len(trace(grid, "ab" * 200, count=False, paths=10**9, limit=1_000_000).paths) <= 20_000
    with pytest.raises(InputError, match="-1 paths"):
        trace(grid, "ab", paths=-1)


def test_text_with_a_row_a_line_is_a_grid_and_any_sign_a_cell():
    assert trace("a/.\n...\n", "a/.").found
    assert trace("ab\r\ncd", "abdc").found


@pytest.mark.parametrize(
    ("grid", "word", "neighbours", "message"),
    [
        ([], "A", 8, "grid is empty"),
        ("", "A", 8, "grid is empty"),
        ([""], "A", 8, "grid is empty"),
        (["AB", "C"], "A", 8, "row 2 has 1 cells, row 1 has 2"),
        (["AB"], "", 8, "word is empty"),
        (["AB"], "A", 6, "6 neighbours"),
        (["A" * 65], "A", 8, "at most 64 x 64"),
        (["A"] * 65, "A", 8, "at most 64 x 64"),
    ],
)
def test_wrong_input_is_named(grid, word, neighbours, message):
    with pytest.raises(InputError, match=message):
        trace(grid, word, neighbours)
    with pytest.raises(InputError, match=message):
        trace_many(grid, [word], neighbours)


def test_a_word_on_tiles_of_several_letters():
    faces = ["Qu", "A", "T", "In", "I", "N", "", "E", "Th"]
    assert tile_paths(faces, 3, 3, "Quat") == [(0, 1, 2)]
    assert tile_paths(faces, 3, 3, "quin") == [(0, 3)]
    assert tile_paths(faces, 3, 3, "quin", most=10) == [(0, 3), (0, 4, 5)]


def test_paths_on_plain_tiles_are_those_of_the_tracer():
    source = random.Random(5)
    for _ in range(300):
        grid = ["".join(source.choices("ABC", k=4)) for _ in range(4)]
        word = "".join(source.choices("ABC", k=source.randint(1, 7)))
        faces = list("".join(grid))
        expected = all_tracings(grid, word, 8)
        assert tile_paths(faces, 4, 4, word.lower(), most=100_000) == expected
        assert tile_paths(faces, 4, 4, word) == expected[:1]


def test_paths_over_tiles_agree_with_joining_every_path():
    source = random.Random(11)
    for _ in range(100):
        faces = source.choices(["A", "N", "An", "", "Na"], k=9)
        word = "".join(source.choices("an", k=source.randint(1, 6)))
        expected = []

        def visit(path, spelled, faces=faces, word=word, expected=expected):
            if spelled == word:
                expected.append(path)
            if len(spelled) >= len(word):
                return
            row, col = divmod(path[-1], 3)
            for cell in range(9):
                near = max(abs(cell // 3 - row), abs(cell % 3 - col)) == 1
                if near and faces[cell] and cell not in path:
                    visit((*path, cell), spelled + faces[cell].lower())

        for start in range(9):
            if faces[start]:
                visit((start,), faces[start].lower())
        assert tile_paths(faces, 3, 3, word, most=1000) == sorted(expected)


CHESSBOARD = [("AB" * 4)[row % 2 :][:6] for row in range(6)]


def test_a_count_that_takes_too_long_ends_with_what_is_known():
    """36 cells in two letters, all used: counting every way took twenty seconds."""
    answer = trace(CHESSBOARD, "AB" * 18)
    assert answer.found
    assert answer.ways is None
    assert answer.ways_at_least > 1
    assert answer == trace(CHESSBOARD, "AB" * 18), "steps are the same on every machine and at every time"


def test_searches_that_share_a_budget_do_no_more_than_it_allows():
    budget = Budget(1_000_000)
    trace(CHESSBOARD, "AB" * 18, budget=budget)
    assert budget.left == 0
    with pytest.raises(InputError, match="0 search steps do not decide"):
        trace(CHESSBOARD, "AB" * 18, budget=budget)


def test_a_search_can_be_ended_from_another_thread():
    budget = Budget(10**15)
    answers = []
    searching = threading.Thread(target=lambda: answers.append(trace(CHESSBOARD, "AB" * 18, budget=budget)))
    searching.start()
    while budget.left == 10**15:
        """Until it is found, and its ways are counted."""
    budget.stop()
    searching.join()
    assert answers[0].ways is None

"""Boards as text, and which cells touch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import InputError
from solvers.grid import format_board, neighbour_masks, parse_board

FACES = ["", "A", "B", "N", "Qu", "Th", "Ch", "Ñ"]


@pytest.mark.parametrize(
    "text",
    ["ABCD", "abcd", "AB CD", "ab/cd", "AB\nCD", "A B C D", "a b\nc d", "A/B/C/D"],
)
def test_plain_letters_in_any_layout(text: str) -> None:
    assert parse_board(text, 2, 2) == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("QuABC", ["Qu", "A", "B", "C"]),
        ("qabc", ["Qu", "A", "B", "C"]),
        ("qu a b c", ["Qu", "A", "B", "C"]),
        ("Q a th .", ["Qu", "A", "Th", ""]),
        ("A.ThB", ["A", "", "Th", "B"]),
        ("ab.d", ["A", "B", "", "D"]),
        ("n\u0303abc", ["Ñ", "A", "B", "C"]),
        ("QuA/.Th", ["Qu", "A", "", "Th"]),
    ],
)
def test_tiles_of_several_letters_blanks_and_accents(text: str, faces: list[str]) -> None:
    assert parse_board(text, 2, 2) == faces


def test_q_is_bare_where_the_dice_show_a_bare_q() -> None:
    assert parse_board("q", 1, 1, {"Q", "A"}) == ["Q"]
    assert parse_board("q", 1, 1, {"Qu", "A"}) == ["Qu"]


@given(st.lists(st.sampled_from(FACES), min_size=12, max_size=12))
def test_canonical_text_reads_back_as_the_same_board(faces: list[str]) -> None:
    assert parse_board(format_board(faces), 3, 4) == faces


@given(st.lists(st.sampled_from(FACES), min_size=6, max_size=6))
def test_tokens_read_back_as_the_same_board(faces: list[str]) -> None:
    assert parse_board(" ".join(face or "." for face in faces), 2, 3) == faces


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ABC", "3 tiles, but 2 x 2 cells"),
        ("ABCDE", "5 tiles"),
        ("", "0 tiles"),
        ("AB1D", "'1' at row 2, column 1 is not a letter"),
        ("abcde", "tile 1 starts with 'a'"),
        ("A B C D E", "5 tiles"),
    ],
)
def test_a_wrong_board_names_the_value_and_the_cell(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_board(text, 2, 2)


def test_a_tile_that_no_die_shows_is_named() -> None:
    with pytest.raises(InputError, match=r"no die shows 'X' \(row 2, column 2\)"):
        parse_board("ABCX", 2, 2, {"A", "B", "C"})


@given(st.integers(1, 8), st.integers(1, 8), st.sampled_from([4, 8]))
def test_cells_touch_within_a_king_or_rook_step(rows: int, cols: int, neighbours: int) -> None:
    masks = neighbour_masks(rows, cols, neighbours)
    for one in range(rows * cols):
        for other in range(rows * cols):
            down, right = abs(one // cols - other // cols), abs(one % cols - other % cols)
            touches = max(down, right) == 1 if neighbours == 8 else down + right == 1
            assert bool(int(masks[one]) >> other & 1) == touches


def test_another_neighbourhood_is_refused() -> None:
    with pytest.raises(InputError, match="6 neighbours"):
        neighbour_masks(2, 2, 6)

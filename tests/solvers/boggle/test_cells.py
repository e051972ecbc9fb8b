"""Use of cells: for every word the cells of all its paths, against a plain search."""

import numpy as np
import pytest

from solvers.boggle.alphabet import BLANK
from solvers.boggle.cells import use_of_cells
from solvers.boggle.lexicon import build_lexicon
from solvers.boggle.reference import TrieNode, build_trie
from solvers.boggle.scoring import points_table
from solvers.boggle.words import read_words
from solvers.errors import InputError
from solvers.grid import neighbour_masks
from tests.golden_data import golden_boards, small_lexicon


def cells_of_words(cells: list[int], rows: int, cols: int, trie: TrieNode) -> dict[str, set[int]]:
    """Every word with the union of the cells of its paths, by plain recursion."""
    masks = [int(mask) for mask in neighbour_masks(rows, cols)]
    found: dict[str, set[int]] = {}

    def visit(path: list[int], node: TrieNode) -> None:
        if node.word is not None:
            found.setdefault(node.word, set()).update(path)
        for cell in range(len(cells)):
            if cell not in path and (not path or masks[path[-1]] >> cell & 1) and cells[cell] in node.children:
                visit([*path, cell], node.children[cells[cell]])

    visit([], trie)
    return found


@pytest.mark.parametrize("dice", sorted(golden_boards()))
def test_every_cell_has_the_words_and_points_that_pass_it(dice: str) -> None:
    golden = golden_boards()[dice]
    boards = golden.cells[:4]
    words = read_words("\n".join(golden.lexicon.words[::15]))
    lexicon = build_lexicon(words, golden.dice.alphabet, golden.min_length, golden.rows * golden.cols)
    use = use_of_cells(boards, golden.rows, golden.cols, lexicon, golden.scoring)
    assert use.words.any()
    usable = [word for word, fits in zip(lexicon.words, lexicon.usable.tolist(), strict=True) if fits]
    trie = build_trie(usable, lexicon.alphabet, lexicon.min_length)
    points = points_table(golden.scoring)
    for board, cells in enumerate(boards.tolist()):
        found = cells_of_words(cells, golden.rows, golden.cols, trie)
        for cell in range(len(cells)):
            through = [word for word, used in found.items() if cell in used]
            assert use.words[board, cell] == len(through)
            assert use.points[board, cell] == sum(int(points[len(word)]) for word in through)


def test_a_tile_is_dead_where_no_word_passes_it() -> None:
    for golden in golden_boards().values():
        use = use_of_cells(golden.cells, golden.rows, golden.cols, golden.lexicon, golden.scoring)
        dead = ((use.words == 0) & (golden.cells != BLANK)).sum(axis=1)
        assert dead.tolist() == golden.columns["dead_tiles"].tolist()


def test_a_word_with_several_cuts_counts_once() -> None:
    lexicon = small_lexicon(["then"], cells=4, faces=("Th", "He", "N", "T"))
    cells = np.array([lexicon.alphabet.ids(["Th", "E", "N", "T"])], np.uint8)
    assert use_of_cells(cells, 2, 2, lexicon).words.tolist() == [[1, 1, 1, 0]]


def test_a_wrong_shape_and_a_strange_symbol_are_refused() -> None:
    lexicon = small_lexicon(["tea"], cells=4)
    with pytest.raises(InputError, match="cells"):
        use_of_cells(np.zeros((1, 9), np.uint8), 3, 3, lexicon)
    with pytest.raises(InputError, match="outside the alphabet"):
        use_of_cells(np.full((1, 4), 99, np.uint8), 2, 2, lexicon)

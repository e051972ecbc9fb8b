"""The flat trie holds exactly the nodes and words of the plain one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.boggle import reference
from solvers.boggle.alphabet import Alphabet
from solvers.boggle.lexicon import FIRST_CHILD, NODE_MASK, WORD_FLAG, Lexicon, build_lexicon
from solvers.boggle.words import read_words
from solvers.errors import InputError
from tests.golden_data import lexicon, published, word_list

MULTI = ("An", "Er", "He", "In", "Qu", "Th", "N", "I", "Q")


def spelled(book: Lexicon) -> dict[tuple[int, ...], int]:
    """Every node of a flat trie by the symbols that lead to it, with its word id."""
    found = {}
    waiting = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        record = int(book.trie.records[node])
        word = int(book.trie.word_ids[node])
        assert (record >> WORD_FLAG & 1) == (word >= 0)
        found[path] = word
        children = [symbol for symbol in range(32) if record >> symbol & 1]
        waiting += [
            ((record >> FIRST_CHILD & int(NODE_MASK)) + rank, (*path, symbol)) for rank, symbol in enumerate(children)
        ]
    return found


def plain(words: list[str], alphabet: Alphabet, min_length: int, cells: int) -> dict[tuple[int, ...], str | None]:
    found: dict[tuple[int, ...], str | None] = {(): None}
    for word in words:
        if len(word) >= min_length:
            for cut in reference.cuts(word, alphabet):
                for length in range(1, min(len(cut), cells) + 1):
                    found.setdefault(cut[:length], None)
                if len(cut) <= cells:
                    found[cut] = word
    return found


@settings(max_examples=200)
@given(
    words=st.sets(st.text("aeinqrthu", min_size=1, max_size=9), min_size=1, max_size=30),
    faces=st.sets(st.sampled_from(MULTI)),
    min_length=st.integers(1, 4),
    cells=st.integers(1, 8),
)
def test_the_flat_trie_equals_the_plain_one(words: set[str], faces: set[str], min_length: int, cells: int) -> None:
    alphabet = Alphabet.of_faces(faces)
    expected = plain(sorted(words), alphabet, min_length, cells)
    if expected == {(): None}:
        with pytest.raises(InputError, match="usable"):
            build_lexicon(read_words("\n".join(words)), alphabet, min_length, cells)
        return
    book = build_lexicon(read_words("\n".join(words)), alphabet, min_length, cells)
    found = spelled(book)
    assert {path: None if word < 0 else book.words[word] for path, word in found.items()} == expected
    cuttable = [len(word) >= min_length and any(reference.cuts(word, alphabet)) for word in sorted(words)]
    assert book.usable.tolist() == cuttable


def test_enable2k_has_the_published_number_of_words_and_trie_nodes() -> None:
    """172,203 words of 3 to 17 letters without a q that no u follows make 385,272 nodes, the root among them."""
    short = read_words("\n".join(word for word in word_list("enable2k").words if len(word) <= 17))
    book = build_lexicon(short, Alphabet.of_faces(()), 3, 36)
    described = published("perf_boggle")["dictionary"]
    assert f"{int(book.usable.sum()):,} words, {book.nodes:,} trie nodes" in described


def test_usable_words_of_enable1() -> None:
    """172,724 words of three and more letters, 29 of them with a q that no u follows."""
    words = word_list("enable1")
    book = lexicon("enable1", Alphabet.of_faces(()), 3, 16)
    assert int((words.letters >= 3).sum()) == 172_724
    assert int(book.usable.sum()) == 172_724 - 29


def test_many_words_of_enable2k_can_be_cut_in_several_ways() -> None:
    """75,566 words of four and more letters with An Er He In Qu Th."""
    alphabet = Alphabet.of_faces(["An", "Er", "He", "In", "Qu", "Th"])
    several = 0
    for word in word_list("enable2k").words:
        ways = reference.cuts(word, alphabet) if len(word) >= 4 else iter(())
        several += next(ways, None) is not None and next(ways, None) is not None
    assert several == 75_566


def test_a_word_of_fifty_in_is_no_trouble_and_is_cut_off() -> None:
    book = build_lexicon(read_words("in" * 50), Alphabet.of_faces(["In"]), 3, 9)
    expected = {cut[:length] for cut in reference.cuts("in" * 9, book.alphabet) for length in range(10)}
    assert set(spelled(book)) == {path for path in expected if len(path) <= 9}


def test_a_list_that_would_explode_is_refused_with_the_word() -> None:
    with pytest.raises(InputError, match="trie nodes"):
        build_lexicon(read_words("in" * 50), Alphabet.of_faces(["In"]), 3, 36)


@pytest.mark.parametrize("cells", [0, 37])
def test_boards_beyond_36_cells_are_refused(cells: int) -> None:
    with pytest.raises(InputError, match="cells"):
        build_lexicon(read_words("cat"), Alphabet.of_faces(()), 3, cells)


def test_code_that_reads_child_masks_is_refused_a_wide_trie() -> None:
    book = build_lexicon(read_words("cat"), Alphabet.of_faces(["An", "Er", "He", "In", "Th", "Ch", "Sh"]), 3, 16)
    with pytest.raises(InputError, match="33 different tiles"):
        _ = book.trie


def test_nodes_of_a_level_are_contiguous_and_children_follow_their_parents() -> None:
    book = lexicon("enable1", Alphabet.of_faces(()), 3, 16)
    first = (book.trie.records >> np.uint64(FIRST_CHILD) & NODE_MASK).astype(np.int64)
    parents = np.flatnonzero(first)
    assert np.all(first[parents] > parents)
    assert np.all(np.diff(first[parents]) > 0)

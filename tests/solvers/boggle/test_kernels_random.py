"""Random word lists on random grids: every compiled solver equals the reference in all columns and word counts."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.boggle.alphabet import BLANK
from tests.solvers.boggle.kernel_cases import SOLVERS, assert_same, lexicon_of_words, solve_by

FACES = ("A", "B", "C", "Qu", "An", "Cab", "")
GRIDS = st.tuples(st.integers(1, 6), st.integers(1, 6)) | st.sampled_from([(1, 9), (12, 1), (2, 18), (1, 36)])


@st.composite
def cases(draw):
    """A grid, a lexicon and two boards; on large grids words are short, or plain Python would walk too many paths."""
    rows, cols = draw(GRIDS)
    longest = 9 if rows * cols <= 9 else 5
    min_length = draw(st.integers(1, 3))
    words = draw(st.sets(st.text("abcnqu", min_size=1, max_size=longest), max_size=25)) | {"a" * min_length}
    faces = draw(st.lists(st.sampled_from(FACES), min_size=1, max_size=5))
    lexicon = lexicon_of_words(sorted(words), faces, min_length, rows * cols)
    symbols = lexicon.alphabet.ids([*faces, "A", "B", "C"])
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    blanks = [BLANK] * draw(st.integers(0, len(symbols)))
    return rows, cols, lexicon, random.choice(np.array(symbols + blanks, np.uint8), (2, rows * cols))


@settings(max_examples=80)
@given(case=cases(), places=st.sampled_from([0, 40, 8192]))
def test_random_lexicons_and_grids_equal_the_reference(case, places):
    rows, cols, lexicon, boards = case
    truth = np.zeros(len(lexicon.words), np.uint32)
    expected = solve_by("reference", boards, rows, cols, lexicon, frequency=truth)
    for solver in SOLVERS:
        options = {} if solver == "dfs" else {"stack_places": places}
        counts = np.zeros(len(lexicon.words), np.uint32)
        assert_same(solve_by(solver, boards, rows, cols, lexicon, frequency=counts, **options), expected, boards)
        assert counts.tolist() == truth.tolist()

"""Random word lists on random grids: every compiled solver equals the reference in all columns and word counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_cases import COMPILED, FAST, assert_same, lexicon_of_words, solve_by

from solvers.boggle.alphabet import BLANK

FACES = ("A", "B", "C", "Qu", "An", "Cab", "")
GRIDS = st.tuples(st.integers(1, 6), st.integers(1, 6)) | st.sampled_from([(1, 9), (12, 1), (2, 18), (1, 36)])


@st.composite
def cases(draw):
    rows, cols = draw(GRIDS)
    words = draw(st.sets(st.text("abcnqu", min_size=1, max_size=7), min_size=1, max_size=25)) | {"a"}
    faces = draw(st.lists(st.sampled_from(FACES), min_size=1, max_size=5))
    lexicon = lexicon_of_words(sorted(words), faces, draw(st.integers(1, 3)) if max(map(len, words)) > 2 else 1, rows * cols)
    seed = draw(st.integers(0, 2**32 - 1))
    symbols = [*lexicon.alphabet.ids(face for face in faces if face), *lexicon.alphabet.ids("abc")]
    pool = symbols + [BLANK] * draw(st.integers(0, len(symbols)))
    # long words of few letters on a large grid have too many paths for plain Python
    boards = np.random.default_rng(seed).choice(np.array(pool, np.uint8), (2, rows * cols))
    return rows, cols, lexicon, boards


@settings(max_examples=120, deadline=None)
@given(case=cases(), places=st.sampled_from([0, 40, 8192]))
def test_random_lexicons_and_grids_equal_the_reference(case, places):
    rows, cols, lexicon, boards = case
    truth = np.zeros(len(lexicon.words), np.uint32)
    expected = solve_by("reference", boards, rows, cols, lexicon, frequency=truth)
    for solver in COMPILED:
        name = solver if isinstance(solver, str) else solver.values[0]
        if name == "numba with BMI2" and solver.marks[0].args[0]:
            continue
        options = {} if name == "dfs" else {"stack_places": places}
        counts = np.zeros(len(lexicon.words), np.uint32)
        columns = solve_by(name, boards, rows, cols, lexicon, frequency=counts, **options)
        assert_same(columns, expected, boards)
        assert counts.tolist() == truth.tolist()

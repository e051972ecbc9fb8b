"""Every format reads what it writes, and says where a malformed text breaks."""

import contextlib
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import InputError
from solvers.kenken import (
    STANDARD,
    Cage,
    Puzzle,
    Rules,
    Spec,
    draw_svg,
    draw_text,
    draw_texts,
    generate,
    keen_ids,
    pack,
    read_ids,
    read_keen,
    read_puzzle,
    solve_batch,
    write_keen,
    write_puzzle,
)
from solvers.kenken.keen_id import _gap_letters, _read_block, _shorten, read_keen_slowly


def test_every_keen_id_round_trips(keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]) -> None:
    assert len(keen_rows) == 1081
    for row, puzzle in zip(keen_rows, keen_puzzles, strict=True):
        assert write_keen(puzzle) == row["game_id"]


def test_ids_in_the_notes_of_public_puzzles_are_those_written(cases: dict[str, tuple[Puzzle, tuple[int, ...]]]) -> None:
    assert write_keen(cases["p3-unique"][0]) == "3:_a_aa_3a,a5a4a2m2s2"
    assert write_keen(cases["p4-needs-search"][0]) == "4:a_b_a_a__a__a_aa,m3m24d2d2s1a4s2"
    assert write_keen(cases["exact-division"][0]) == "5:a_9a_a_a__abab_a_bb,a10m10s3m12a7s2m10d2a11s1"


@pytest.mark.parametrize("format", ["map", "json", "keen"])
def test_every_format_round_trips(format: str, keen_puzzles: list[Puzzle]) -> None:
    for puzzle in keen_puzzles[::9]:
        assert read_puzzle(write_puzzle(puzzle, format)) == puzzle


@pytest.mark.parametrize("format", ["map", "json"])
def test_variant_rules_round_trip(format: str) -> None:
    for rules in (Rules(hidden=True), Rules(wide=True, from_zero=True), Rules(True, True, True)):
        puzzle = generate(Spec("k4", 4, rules=rules), 3, 0, 1).puzzle(0)
        assert read_puzzle(write_puzzle(puzzle, format)) == puzzle


def test_long_runs_without_lines_are_written_with_z() -> None:
    whole = Puzzle(6, (Cage("+", 126, tuple(range(36))),))
    assert write_keen(whole) == "6:zzj,a126"
    assert read_keen("6:zzj,a126") == whole
    assert write_keen(Puzzle(5, (Cage("+", 75, tuple(range(25))),))) == "5:zo,a75"
    fifteen = Puzzle(15, (Cage("+", 15 * 120, tuple(range(225))),))
    assert read_keen(write_keen(fifteen)) == fifteen


@pytest.mark.parametrize(
    ("gaps", "letters"), [(0, "_"), (1, "a"), (25, "y"), (26, "za"), (50, "zy"), (51, "zza"), (76, "z3a")]
)
def test_letters_tell_the_edges_before_a_line(gaps: int, letters: str) -> None:
    assert _shorten(_gap_letters(gaps)) == letters
    # A 7x7 grid has 84 edges and the dummy: so many without a line, one with, and the rest without until the last.
    lines, _ = _read_block(letters + _shorten(_gap_letters(83 - gaps)), 0, 7)
    assert [i for i, line in enumerate(lines) if line] == [gaps]


def test_a_difficulty_letter_and_the_multiplication_mark_may_follow_the_size() -> None:
    plain = read_keen("3:_a_aa_3a,a5a4a2m2s2")
    assert read_keen("3dn:_a_aa_3a,a5a4a2m2s2") == plain
    assert read_keen("3dum:_a_aa_3a,a5a4a2m2s2\n") == plain


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 1),
        ("3", 1),
        ("17:a,a1", 1),
        ("3dq:_a_aa_3a,a5a4a2m2s2", 1),
        ("3:_a_aa_3A,a5a4a2m2s2", 10),
        ("3:_a_aa_3,a5a4a2m2s2", 10),
        ("3:_a_aa_3b,a5a4a2m2s2", 10),
        ("3:_a_aa_99,a5a4a2m2s2", 8),
        ("3:_0a_aa_3a,a5a4a2m2s2", 3),
        ("3:_a_aa_3a;a5a4a2m2s2", 11),
        ("3:_a_aa_3a", 11),
        ("3:_a_aa_3a,a5a4a2m2", 20),
        ("3:_a_aa_3a,a5a4a2m2s", 20),
        ("3:_a_aa_3a,a5x4a2m2s2", 14),
        ("3:_a_aa_3a,a5a4m2m2s2", 16),
        ("3:_a_aa_3a,a5a4a2m2s2a1", 22),
        ("3:_a_aa_3a,a5a4a2m2s٢", 20),
    ],
)
def test_a_malformed_id_is_refused_at_the_position_where_it_breaks(text: str, position: int) -> None:
    with pytest.raises(InputError, match=f"breaks at position {position}: "):
        read_keen(text)


@given(st.text("_abz39,:ams2d", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (read_keen, read_puzzle):
        with contextlib.suppress(InputError):
            assert reader("3:" + text).size == 3


def test_a_cage_map_is_read() -> None:
    puzzle = read_puzzle("\n  aab\n  c2b\n  ccb\n\na: 3 +\nb: 6×\n  c: 7+\n")
    assert puzzle.cages[0] == Cage("+", 3, (0, 1))
    assert puzzle.cages[1] == Cage("*", 6, (2, 5, 8))
    assert puzzle.cages[3] == Cage("=", 2, (4,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aa\nab\n", "cage a at row 1, column 1 has no clue"),
        ("aa\na\n\na: 4+", "line 2, column 2: the end of the line"),
        ("aa\naab\n\na: 4+", "line 2, column 3: 'b'"),
        ("aa\na-\n\na: 4+", "line 2, column 2: '-'"),
        ("aa\na1\n\na: 4+\na: 4+", "line 5, column 1: 'a'"),
        ("aa\na1\n\nb: 4+", "line 4, column 1: 'b'"),
        ("aa\na1\n\na 4+", "line 4, column 5: the end of the line"),
        ("aa\na1\n\n a:  +4", "line 4, column 6: '\\+4'"),
        ("aa\na1\n\na: 4+\nrules: odd", "line 5: rule 'odd'"),
    ],
)
def test_a_malformed_map_is_refused_at_its_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_puzzle(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "JSON breaks at line 1, column 2"),
        ("[]", "JSON holds list, no object"),
        ('{"size": 3}', "JSON has no cages"),
        ('{"size": 3, "cages": 1}', "cages is 1"),
        ('{"size": 3, "cages": [1]}', "cage 1 is 1"),
        ('{"size": 3, "cages": [{"target": 1}]}', "cage 1 has no cells"),
        ('{"size": 3, "cages": [{"target": 1, "cells": 0}]}', "cage 1 has cells 0"),
        ('{"size": 3, "cages": [{"target": 1, "cells": ["0"]}]}', "cage 1 has cell '0'"),
        ('{"size": 3, "cages": [{"target": "1", "cells": [0]}]}', "row 1, column 2 is in no cage"),
        ('{"size": 1, "cages": [{"target": "1", "cells": [0]}]}', "has target '1'"),
        ('{"size": 3, "cages": [{"target": 1, "cells": [0], "sum": 1}]}', "cage 1 has entry 'sum'"),
        ('{"size": 3, "cages": [], "rule": {}}', "entry 'rule'"),
        ('{"size": 3, "cages": [], "rules": "odd"}', "rules 'odd'"),
        ('{"size": 3, "size": 4, "cages": []}', "entry 'size' is there twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"size": 1, "cages": [{"target": ' + "1" * 5000 + ', "cells": [0]}]}', "a number too long to read"),
        ('{"size": 1, "cages": [{"target": 1e400, "cells": [0]}]}', "has target inf"),
        ("   ", "the text is empty"),
    ],
)
def test_malformed_json_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_puzzle(text)


def test_a_hidden_operator_is_h_in_an_id_and_needs_the_rules() -> None:
    hidden = Puzzle(2, (Cage("?", 3, (0, 1)), Cage("?", 2, (2, 3))), Rules(hidden=True))
    assert write_keen(hidden) == "2:b__,h3h2"
    assert read_keen("2:b__,h3h2", Rules(hidden=True)) == hidden
    with pytest.raises(InputError, match="breaks at position 7: 'h3h2'"):
        read_keen("2:b__,h3h2")


def test_ids_of_a_batch_are_those_of_its_puzzles(keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]) -> None:
    for size in range(4, 10):
        chosen = [i for i, puzzle in enumerate(keen_puzzles) if puzzle.size == size]
        assert keen_ids(pack([keen_puzzles[i] for i in chosen])) == [keen_rows[i]["game_id"] for i in chosen]
    whole = Puzzle(15, (Cage("+", 15 * 120, tuple(range(225))),))
    single = Puzzle(1, (Cage("=", 1, (0,)),))
    large = Puzzle(15, tuple(Cage("*", 1307674368000, tuple(range(r * 15, r * 15 + 15))) for r in range(15)))
    for puzzle in (whole, single, large):
        assert keen_ids(pack([puzzle, puzzle])) == [write_keen(puzzle)] * 2
    hidden = generate(Spec("h", 5, rules=Rules(True, True, True)), 1, 0, 20)
    assert keen_ids(hidden) == [write_keen(hidden.puzzle(i)) for i in range(20)]
    assert keen_ids(pack([])) == []


def test_the_text_drawing_shows_cages_clues_and_digits() -> None:
    puzzle = read_puzzle("aab\nc2b\nccb\n\na: 3+\nb: 6*\nc: 7+\n")
    assert draw_text(puzzle, (2, 1, 3, 3, 2, 1, 1, 3, 2)) == (
        "┌─────────┬────┐\n"
        "│3+       │6×  │\n"
        "│ 2    1  │ 3  │\n"
        "├────┬────┤    │\n"
        "│7+  │2   │    │\n"
        "│ 3  │ 2  │ 1  │\n"
        "│    └────┤    │\n"
        "│         │    │\n"
        "│ 1    3  │ 2  │\n"
        "└─────────┴────┘\n"
    )
    with pytest.raises(InputError, match="a solution of 8 digits"):
        draw_text(puzzle, (1,) * 8)


def test_the_svg_drawing_is_well_formed_and_holds_every_clue_and_digit(keen_puzzles: list[Puzzle]) -> None:
    puzzle = keen_puzzles[0]
    root = ElementTree.fromstring(draw_svg(puzzle, (1, 2, 3, 4) * 4))
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(texts) == len(puzzle.cages) + 16
    assert len(list(ElementTree.fromstring(draw_svg(puzzle)).iter("{http://www.w3.org/2000/svg}text"))) == len(
        puzzle.cages
    )


def test_drawings_of_a_batch_are_those_of_its_puzzles(
    keen_rows: list[dict[str, str]], keen_puzzles: list[Puzzle]
) -> None:
    for size in range(4, 10):
        chosen = [i for i, puzzle in enumerate(keen_puzzles) if puzzle.size == size][::5]
        batch = pack([keen_puzzles[i] for i in chosen])
        solved = [tuple(map(int, keen_rows[i]["solution"])) for i in chosen]
        assert draw_texts(batch) == [draw_text(keen_puzzles[i]) for i in chosen]
        expected = [draw_text(keen_puzzles[i], digits) for i, digits in zip(chosen, solved, strict=True)]
        assert draw_texts(batch, np.array(solved, np.uint8)) == expected
    for spec in (
        Spec("x", 12),
        Spec("y", 16, cage_sizes=((1, 12), (2, 4)), operators=(("lcm", 1), ("-", 1))),
        Spec("z", 1),
        Spec("h", 4, rules=Rules(True, True, True)),
    ):
        batch = generate(spec, 1, 0, 2)
        solution = solve_batch(batch).solution
        assert draw_texts(batch, solution) == [draw_text(batch.puzzle(i), solution[i].tolist()) for i in range(2)]
    with pytest.raises(InputError, match="shape"):
        draw_texts(batch, solution[:1])


def read_plainly(text: str, rules: Rules) -> Puzzle | str:
    """The puzzle, or what is wrong."""
    try:
        return read_keen_slowly(text, rules)
    except InputError as error:
        return str(error)


def test_ids_read_in_bulk_are_those_read_plainly(keen_rows: list[dict[str, str]]) -> None:
    """A kernel reads them, the plain reader is the specification: of right lines and of lines broken anywhere."""
    lines = [row["game_id"] for row in keen_rows[::4]]
    broken = [line[: i % len(line)] + "_am9z,:3"[i % 8] + line[i % len(line) + i % 2 :] for i, line in enumerate(lines)]
    every = [*lines, *broken, "", "  " + lines[0] + " ", "4d", "x", "٣:_", lines[3].replace("m", "h")]
    found = read_ids([line.encode() for line in every] + [b"\xff"])
    puzzles = {}
    for places, batch in found.groups:
        for i, place in enumerate(places.tolist()):
            puzzles[place] = batch.puzzle(i)
    assert set(puzzles) | set(found.errors) == set(range(len(every) + 1))
    assert not set(puzzles) & set(found.errors)
    for place, line in enumerate(every):
        assert (puzzles.get(place) or str(found.errors[place])) == read_plainly(line, STANDARD)
    assert len(found.errors) > 100
    assert read_ids([]) == ([], {})


@settings(max_examples=300)
@given(st.lists(st.text("_abz39,:ams2dh1", max_size=24), max_size=4), st.booleans())
def test_any_id_is_read_as_plainly(texts: list[str], hidden: bool) -> None:
    rules = Rules(hidden=hidden, wide=hidden)
    found = read_ids([b"2:" + text.encode() for text in texts], rules)
    right = {place: batch.puzzle(i) for places, batch in found.groups for i, place in enumerate(places.tolist())}
    for place, text in enumerate(texts):
        assert (right.get(place) or str(found.errors[place])) == read_plainly("2:" + text, rules)


@pytest.mark.parametrize(
    "rules", [Rules(hidden=True), Rules(wide=True), Rules(from_zero=True), Rules(True, True, True)]
)
def test_ids_are_read_under_rules(rules: Rules) -> None:
    batch = generate(Spec("k5", 5, rules=rules), 2, 0, 40)
    found = read_ids([text.encode() for text in keen_ids(batch)], rules)
    assert not found.errors
    [(places, read)] = found.groups
    assert places.tolist() == list(range(40))
    assert [read.puzzle(i) for i in range(40)] == [batch.puzzle(i) for i in range(40)]

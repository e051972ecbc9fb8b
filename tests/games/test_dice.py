"""The shipped dice sets are the documented ones; wrong sets are refused with the reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import dice_from_dict, load_dice, shipped_dice
from tests.golden_data import GOLDEN

DOCUMENTED = {one["id"]: one for one in json.loads((GOLDEN / "dice_sets.json").read_text())["sets"]}


def test_every_documented_set_is_shipped_and_no_other() -> None:
    assert {dice.id for dice in shipped_dice()} == set(DOCUMENTED)


@pytest.mark.parametrize("dice_id", DOCUMENTED)
def test_a_shipped_set_is_the_documented_one(dice_id: str) -> None:
    dice, documented = load_dice(dice_id), DOCUMENTED[dice_id]
    assert [list(die) for die in dice.dice] == documented["dice"]
    assert (dice.rows, dice.columns) == (documented["rows"], documented["cols"])
    assert dice.min_length == documented["min_word_length"]
    assert (dice.language, dice.name) == (documented["language"], documented["name"])
    assert dice.official_product == documented["official_product"]
    assert len(dice.sources) >= len(documented["sources"])
    assert dice.scoring == ("super" if dice_id == "super_big_2012" else "standard")


def fields(**changes: Any) -> dict[str, Any]:
    return {"rows": 1, "columns": 2, "dice": ["A B C D E F", "G H I J K Qu"], **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dice": ["A B C D E", "G H I J K L"]}, r"die 1 \(A B C D E\) has 5 faces, not six"),
        ({"dice": ["A B C D E F", "G H I J K 7"]}, r"die 2 .*face '7' is not a letter"),
        ({"dice": ["A B C D E F"]}, "1 dice do not fill a grid of 1 x 2 = 2"),
        ({"dice": [" ".join(["A"] * 100_000)] * 2}, r"die 1 \(A A A A A A A A \.\.\.\) has 100000 faces"),
        ({"dice": ["A B C D E Abcde", "G H I J K L"]}, "'Abcde' has more than 4 letters"),
        ({"dice": "A B C"}, "dice is a list of texts"),
        ({"dice": [1, 2]}, "dice is a list of texts"),
        ({"rows": 0}, "rows 0"),
        ({"rows": "1"}, "rows '1'"),
        ({"rows": 7, "columns": 7}, "more than 36 cells"),
        ({"scoring": "triple"}, "scoring 'triple' is not known"),
        ({"language": "xx"}, "language 'xx' is not known"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"rows": None}, "rows None"),
    ],
)
def test_a_wrong_set_is_refused_with_the_reason(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        dice_from_dict(fields(**changes), "d", "d.toml")


def test_a_missing_key_is_named() -> None:
    with pytest.raises(PipelineError, match="key 'dice' is missing"):
        dice_from_dict({"rows": 1, "columns": 1}, "d", "d.toml")


def test_a_set_by_path_takes_the_name_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('rows = 1\ncolumns = 1\ndice = ["a b c d e ."]\n')
    dice = load_dice(str(file))
    assert (dice.id, dice.faces) == ("mine", ("", "A", "B", "C", "D", "E"))


@pytest.mark.parametrize("name", ["2024.toml", "My Set.toml", "a=b.toml"])
def test_a_file_name_that_cannot_be_an_id_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text('rows = 1\ncolumns = 1\ndice = ["a b c d e f"]\n')
    with pytest.raises(PipelineError, match=r"id .* is not usable"):
        load_dice(str(file))


def test_an_unknown_id_is_answered_with_the_nearest() -> None:
    with pytest.raises(PipelineError, match="did you mean new"):
        load_dice("nwe")
    with pytest.raises(PipelineError, match="did you mean classic"):
        load_dice("clasic")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"rows = ", b"x" * (2 << 20), b"[" * 5000])
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(PipelineError, match=r"bad\.toml"):
        load_dice(str(file))

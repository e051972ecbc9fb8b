"""One bit flipped anywhere in a run's folder: every command says what is right, or refuses and names the file."""

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.proofs import flipped_bits
from tests.running import Outcome, pipeline_inside
from tests.stored import make_run


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    return lambda *arguments: pipeline_inside([str(one) for one in arguments], capsys, monkeypatch)


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[flipped_bits.Sound]]:
    """Sound runs with all that is said of them; the current folder is theirs for the while."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("sound"))
        yield [flipped_bits.make(keep, pages=False) for keep in flipped_bits.READERS]
    for number, handler in before.items():
        signal.signal(number, handler)


def test_one_bit_flipped_in_a_part_is_right_or_refused_by_name(sounds: list[flipped_bits.Sound]) -> None:
    """Eight places of those of `python -m tests.proofs.flipped_bits`: parts come first by name."""
    answers = [found for *_, found in flipped_bits.places(sounds, seed=2, first=1, last=8)]
    assert all(found["refused"] for found in answers)
    assert any(found["mended"] for found in answers)


def test_a_report_that_was_made_is_not_trusted(sounds: list[flipped_bits.Sound]) -> None:
    _, found = flipped_bits.one_place(sounds[0], "report/summary.json", flipped_bits.random.Random(1))
    assert set(found) == {"right"}


@pytest.mark.parametrize("name", ["run.json", "words/lexicon.parquet"])
@pytest.mark.parametrize("place", [0, 1])
def test_one_bit_flipped_in_what_is_there_once(sounds: list[flipped_bits.Sound], name: str, place: int) -> None:
    chance = flipped_bits.random.Random(f"{name} {place}")
    _, found = flipped_bits.one_place(sounds[place], name, chance)
    assert found["refused"]


@pytest.mark.parametrize(
    "change",
    [
        lambda run: run["plan"].update(boards=1_000),
        lambda run: run["settings"].update(words="enable2k"),
        lambda run: run.update(command="pipeline run"),
        lambda run: run.pop("checksum"),
        lambda run: run.update(checksum="0" * 64),
    ],
)
def test_a_run_json_that_says_something_else_than_what_was_written_is_refused(
    tmp_path: Path, say: Callable[..., Outcome], change: Callable[[dict[str, object]], object]
) -> None:
    make_run(tmp_path / "r", boards=2_000, dice=["new"])
    file = tmp_path / "r/run.json"
    content = json.loads(file.read_text())
    change(content)
    file.write_text(json.dumps(content))
    for arguments in (["report", "--no-html"], ["verify"], ["boards", "--best", "1"]):
        line = say(arguments[0], tmp_path / "r", *arguments[1:]).error_line
        assert f"{file} is broken: it is not what was written (its checksum differs)" in line

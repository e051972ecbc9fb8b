"""What comes in from outside: for each kind of input what is done with it, good examples, and pieces to break it with.

The tests and `python -m tests.proofs.fuzz` use the same targets, and one meaning of surviving: whatever the input,
there is an answer that can be printed, or one line that refuses it.
"""

import atexit
import contextlib
import csv
import fcntl
import gzip
import hashlib
import io
import json
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import typer

from pipeline import config
from pipeline.cli import boards, dice, kenken, results
from pipeline.games.boggle.dice import load_dice
from pipeline.games.boggle.words import find_words, load_words
from pipeline.games.kenken.puzzles import read_puzzles
from pipeline.games.kenken.specs import load_spec
from pipeline.report import text as report_text
from pipeline.report.boggle import atlas
from pipeline.report.boggle.words import listing
from pipeline.report.summary import summarize
from pipeline.runs import answers, query, until
from pipeline.runs.opening import open_run, reader
from pipeline.runs.verify import verify
from pipeline.runs.where import parse_where
from pipeline.shipped import configs_root
from pipeline.stats.histograms import Histogram
from pipeline.store import files, lock, parts
from pipeline.store.run_file import run_id
from pipeline.store.run_store import RunStore, check_free, find_run
from solvers.boggle.lexicon import build_lexicon
from solvers.errors import InputError
from solvers.kenken import Rules, draw_svg, parse_grade, read_keen, read_puzzle, write_puzzle
from tests.golden_data import GOLDEN
from tests.stored import make_run


@dataclass(frozen=True)
class Target:
    """`use` is given any bytes and an empty folder of its own; it returns what a person would see.

    `change`, where there is one, makes a broken example that keeps its structure.
    """

    name: str
    use: Callable[[bytes, Path], str]
    seeds: Callable[[], list[bytes]]
    pieces: list[bytes] = field(default_factory=list)
    change: Callable[[random.Random], bytes] | None = None


def survives(target: Target, data: bytes, folder: Path) -> None:
    """Raises anything but InputError that the program raises, and AssertionError for what cannot be shown."""
    shown(lambda: target.use(data, folder))


def shown(call: Callable[[], Any]) -> str:
    """What a person sees of a call: its answer, or the one line that refuses."""
    try:
        answer = str(call())
        answer.encode()
    except InputError as error:
        answer = str(error)
        assert answer.strip()
        assert answer.isprintable(), answer
    return answer


def printed(command: Callable[..., None], *arguments: Any, **options: Any) -> str:
    """What a command of the command line prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(typer.Exit):
        command(*arguments, **options)
    return out.getvalue()


def as_argument(data: bytes) -> str:
    """Text as it comes from a command line, where anything that is no text has been refused."""
    return data.replace(b"\0", b"").decode("utf-8", "replace")


def option(data: bytes, choices: int) -> tuple[int, bytes]:
    """A choice that the first byte makes, and the rest."""
    return (data[0] % choices if data else 0), data[1:]


def with_options(examples: list[bytes], choices: int) -> list[bytes]:
    return [bytes([number % choices]) + example for number, example in enumerate(examples)]


def shipped(kind: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((configs_root() / kind).glob("*.toml"))]


def file_of(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


@cache
def few_words() -> bytes:
    return "\n".join(load_words(find_words("enable1")).words[::400]).encode()


TOML = [
    b'"', b"'", b"""'''""", b"[", b"]", b"[[", b"{", b"}", b"=", b".", b",", b"\n", b"#", b"\\u0000", b"\\U0010ffff",
    b"true", b"nan", b"inf", b"-1", b"1e400", b"0x10", b"1979-05-27", b"9" * 400, b"9" * 5000, b"[" * 500, b"a." * 500,
    b'"\\n"', b"\xff", b"\xc3\xb1", b"\xc3\x9f", b"\xe2\x80\xa8",
]  # fmt: skip


def use_dice(data: bytes, folder: Path) -> str:
    file = file_of(folder, "own.toml", data)
    load_dice(file)
    words = file_of(folder, "few.txt", few_words())
    board = printed(dice.shake, file, seed=1, index=5, count=2)
    text = board.splitlines()[0].removeprefix("board 5: ")
    return (
        printed(dice.dice_show, file)
        + printed(dice.dice_show, file, json=True)
        + shown(lambda: printed(dice.check_board, file, text))
        + shown(lambda: printed(boards.solve, text, dice=file, words=words))
    )


def use_config(data: bytes, folder: Path) -> str:
    resolved = config.load(file_of(folder, "own.toml", data), {})
    for reference in resolved.config.dice:
        shown(lambda reference=reference: load_dice(reference))
    if resolved.config.until is not None:
        return until.parse(resolved.config.until, resolved.config.game, ["a", "b"]).text
    return str(resolved)


CONFIG = b"""game = "boggle"
boards = "10M"
dice = ["classic", "new"]
words = "enable2k"
language = "en"
min_length = 4
scoring = "super"
seed = 7
workers = 2
worker_memory = 4096
out = "outputs/x"
chunk = 1000
keep = "histograms"
until = "mean(score) +- 0.5"
solver = "dfs"
executor = "serial"
"""


def use_spec(data: bytes, folder: Path) -> str:
    spec = load_spec(file_of(folder, "own.toml", data))
    return json.dumps(spec.identity()) + spec.notes


def use_words(data: bytes, folder: Path) -> str:
    choice, data = option(data, 6)
    dice = load_dice(("new", "es_5x5", "big_2012")[choice % 3])
    language = ("en", "de", "es")[choice % 3]
    packed = gzip.compress(data, 1) if choice >= 3 else data
    words = load_words(find_words(file_of(folder, "own.txt", packed), language))
    lexicon = build_lexicon(words, dice.alphabet, dice.min_length, dice.cells)
    return f"{lexicon.words} {words.spelling}"


def use_packed_words(data: bytes, folder: Path) -> str:
    return str(load_words(find_words(file_of(folder, "own.gz", data))).words)


def use_board(data: bytes, folder: Path) -> str:
    choice, data = option(data, 8)
    text, words = as_argument(data), file_of(folder, "few.txt", few_words())
    given = ({"dice": "new"}, {"dice": "es_5x5"}, {"dice": "big_2012"}, {"rows": 2, "cols": 3}, {"rows": 6, "cols": 6},
             {"cols": 3}, {}, {"dice": "super_big_2012"})[choice]  # fmt: skip
    if text == "-":
        return ""
    checked = shown(lambda: printed(dice.check_board, given.get("dice", "new"), text))
    solved = shown(lambda: printed(boards.solve, text, words=words, paths=True, **given))
    return checked + solved + shown(lambda: printed(boards.solve, text, words=words, json=True, **given))


def use_boards(data: bytes, folder: Path) -> str:
    """Many boards on standard input."""
    choice, data = option(data, 3)
    words = file_of(folder, "few.txt", few_words())
    with mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8")):
        given: dict[str, Any] = ({"dice": "new"}, {"dice": "es_5x5"}, {"rows": 3, "cols": 3})[choice]
        with contextlib.redirect_stderr(io.StringIO()) as refused:
            answered = printed(boards.solve, "-", words=words, **given)
    assert all(line.isprintable() for line in refused.getvalue().split("\n")), refused.getvalue()
    return answered + refused.getvalue()


def use_check_word(data: bytes, folder: Path) -> str:
    choice, data = option(data, 3)
    return printed(dice.check_word, ("new", "es_5x5", "big_2012")[choice], as_argument(data).split(" "))


def use_trace(data: bytes, folder: Path) -> str:
    choice, data = option(data, 16)
    rows = as_argument(data).split("\n")
    options = {"neighbours": (8, 4, 8, 5)[choice % 4], "case_sensitive": bool(choice & 4), "all": bool(choice & 8)}
    return printed(boards.trace, ["\n".join(rows[:-1]), rows[-1]], **options) + shown(
        lambda: printed(boards.trace, [rows[-1]], row=rows[:-1], json=True, **options)
    )


COLUMNS = ["board_id", "words", "score", "nodes", "longest", "dead_tiles", "words_2"]


def use_where(data: bytes, folder: Path) -> str:
    condition = parse_where(as_argument(data), COLUMNS)
    arrays = {name: np.arange(20, dtype=np.uint16) for name in COLUMNS}
    condition.mask({name: arrays[name] for name in condition.columns}, 20)
    return condition.text


def use_until(data: bytes, folder: Path) -> str:
    choice, data = option(data, 3)
    game, variants = (("boggle", ["new"]), ("boggle", ["new", "classic"]), ("kenken", ["k6x6", "k9x9"]))[choice]
    target = until.parse(as_argument(data), game, variants)
    histograms = {name: Histogram.of([1, 2, 3, 50], [5, 8, 900, 1]) for name in variants}
    found = target.estimates(until.Evidence(histograms, dict.fromkeys(histograms), {}))
    stop = until.outcome(target, 2000, found, target.met(found))
    return until.sentence(stop, "boards") + json.dumps(stop.model_dump(), allow_nan=False)


def use_counts(data: bytes, folder: Path) -> str:
    """Numbers as written on the command line."""
    text = as_argument(data)
    return "".join(
        shown(lambda key=key: config.load(None, {key: text})) for key in ("boards", "chunk", "seed", "until")
    )


def use_names(data: bytes, folder: Path) -> str:
    """Ids and paths, as typed; not addresses, which would be asked for over the network."""
    text = as_argument(data)
    if "://" in text:
        return ""
    calls: list[Callable[[str], Any]] = [
        load_dice, load_spec, find_words, config.find_config, parse_grade,
        lambda name: open_run(find_run(name)), lambda name: check_free(files.local_folder(name)),
        lambda name: find_words("enable1", name),
        lambda name: config.load(None, {"dice": [name, name], "scoring": name, "keep": name}),
    ]  # fmt: skip
    return "".join(shown(lambda call=call: call(text)) for call in calls)


def use_kenken(data: bytes, folder: Path) -> str:
    """As typed: a Keen id or a path."""
    choice, data = option(data, 8)
    text = as_argument(data)
    return "" if text.strip() == "-" else _solved(text, choice)


def use_puzzles(data: bytes, folder: Path) -> str:
    """A file of Keen ids, cage maps or JSON."""
    choice, data = option(data, 8)
    return _solved(file_of(folder, "own.txt", data), choice)


def _solved(reference: str, choice: int) -> str:
    rules = {"hidden": bool(choice & 1), "wide": bool(choice & 2), "from_zero": bool(choice & 4)}
    puzzles = read_puzzles(reference, Rules(**rules))
    texts = [printed(kenken.solve, reference, node_limit=500, json=json, **rules) for json in (False, True)]
    for puzzle in puzzles:
        for form in ("keen", "map", "json"):
            text = write_puzzle(puzzle, form)
            assert read_puzzle(text, puzzle.rules) == puzzle, (form, text)
            texts.append(text)
        texts.append(draw_svg(puzzle))
    return "".join(texts)


@cache
def keen_ids() -> list[bytes]:
    with gzip.open(GOLDEN / "keen_puzzles.csv.gz", "rt") as file:
        return [row["game_id"].encode() for row in csv.DictReader(file)][::40]


@cache
def puzzle_files() -> list[bytes]:
    puzzles = [read_keen(one.decode()) for one in keen_ids()[:12]]
    return [write_puzzle(puzzle, form).encode() for puzzle in puzzles for form in ("map", "json")] + [
        b"\n".join(keen_ids()[:4]),
        b"aab\nc2b\nccb\n\na: 3+\nb: 6*\nc: 4?\nrules: hidden wide from_zero\n",
        b'{"size": 2, "cages": [{"op": "?", "target": 3, "cells": [0, 1]}, {"op": "-", "target": 1, "cells": [2, 3]}],'
        b' "rules": {"hidden": true}, "notes": "x"}',
    ]


@cache
def example_run() -> tuple[Path, dict[str, bytes]]:
    """A small run with words, and its files by path."""
    folder = Path(tempfile.mkdtemp(prefix="shakedown-example-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    words = file_of(folder, "few.txt", few_words())
    make_run(folder / "r", boards=60, chunk=30, dice=["new", "classic"], words=words)
    files = {
        str(path.relative_to(folder / "r")): path.read_bytes()
        for path in sorted((folder / "r").rglob("*"))
        if path.suffix == ".parquet" and "report" not in path.parts
    }
    return folder / "r", files | {"run.json": (folder / "r/run.json").read_bytes()}


def copy_of_run(folder: Path, changed: dict[str, bytes]) -> Path:
    run = folder / "r"
    for name, data in {**example_run()[1], **changed}.items():
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(data)
    return run


def reported(store: RunStore) -> str:
    def summary() -> str:
        figures = summarize(reader(store)).figures
        json.dumps(figures, allow_nan=False)
        about = reader(store).game
        return report_text.terminal(figures, about, "r") + report_text.markdown(figures, about)

    return (
        shown(summary)
        + shown(lambda: json.dumps(listing(atlas.load(reader(store)), None, 5)))
        + shown(lambda: reader(store).best(store.variants[0], store.boards, 3))
        + shown(lambda: query.run_sql(reader(store), "SELECT dice, avg(score), max(board) FROM boards GROUP BY dice"))
        + shown(lambda: query.run_sql(reader(store), "SELECT word, sum(boards) FROM words GROUP BY word LIMIT 3"))
    )


def use_run_json(data: bytes, folder: Path) -> str:
    """Any run.json beside sound parts; what it says it is, it is: its run id is made to fit."""
    with contextlib.suppress(ValueError, RecursionError):
        run = json.loads(data)
        if isinstance(run, dict) and "identity" in run and isinstance(run.get("run_id"), str):
            run["run_id"] = run_id(run["identity"])
            data = json.dumps(run).encode()
    store = open_run(str(copy_of_run(folder, {"run.json": data})))
    return shown(lambda: str(verify(reader(store), 2).problems)) + reported(store)


ODD_VALUES = [None, True, -1, 0, 2**70, float("inf"), "", "x\n", "\ud800", "../..", [], [1], [[]], {}, {"a": 1}, 3.5]


def change_run_json(chance: random.Random) -> bytes:
    """One or two values anywhere replaced by anything, or removed."""
    run = json.loads(example_run()[1]["run.json"])
    for _ in range(chance.choice((1, 1, 2))):
        place: Any = run
        while True:
            key = chance.choice(sorted(place) if isinstance(place, dict) else range(len(place)))
            if isinstance(place[key], dict | list) and place[key] and chance.random() < 0.7:
                place = place[key]
                continue
            if chance.random() < 0.2:
                del place[key]
            else:
                place[key] = chance.choice(ODD_VALUES)
            break
    return json.dumps(run).encode()


def use_parts(data: bytes, folder: Path) -> str:
    """Bytes of a part replaced: one byte says which part, then four say where and by what; none of it may be missed."""
    names = [name for name in example_run()[1] if name != "run.json"]
    choice, data = option(data, 2 * len(names))
    name, sealed = names[choice // 2], bool(choice % 2)
    whole = example_run()[1][name]
    changed = broken(whole, data)
    store = open_run(str(copy_of_run(folder, {name: seal(changed) if sealed else changed})))
    found = verify(reader(store), 2)
    if not sealed:
        assert bool(found.problems) == (changed != whole), found
    return str(found.problems) + reported(store)


def broken(whole: bytes, edits: bytes) -> bytes:
    """The file with up to sixteen bytes changed: an edit is a place in three bytes and a mask; mask 0 cuts it off."""
    data = bytearray(whole)
    for edit in (edits[start : start + 4] for start in range(0, min(len(edits) - 3, 64), 4)):
        place = int.from_bytes(edit[:3]) % len(whole)
        # Most of what a reader acts upon is in the footer.
        place = len(whole) - 1 - place // 8 if place % 8 == 0 else place
        if edit[3] == 0:
            del data[place:]
        elif place < len(data):
            data[place] ^= edit[3]
    return bytes(data)


def seal(data: bytes) -> bytes:
    """The same bytes with a true checksum, where there is a place for one."""
    try:
        start, end = parts._checksum_span(data)
    except ValueError:
        return data
    blank = data[:start] + b"0" * 64 + data[end:]
    return data[:start] + hashlib.sha256(blank).hexdigest().encode() + data[end:]


def part_edits() -> list[bytes]:
    chance = random.Random(1)
    return [bytes([number]) + chance.randbytes(4 * (1 + number % 3)) for number in range(24)]


@cache
def example_store() -> RunStore:
    return open_run(str(example_run()[0]))


def use_sql(data: bytes, folder: Path) -> str:
    sql = as_argument(data)
    # Products of tables take as long as they are large.
    if sql.lower().count("join") + sql.count(",") > 6:
        return ""

    def written(form: str) -> str:
        with query.answer(reader(example_store()), sql) as batches, answers.whole(batches, form) as told:
            return told.read().decode()

    return "".join(shown(lambda form=form: written(form)) for form in ("table", "json", "csv"))


SQL = [
    b"SELECT dice, avg(score) AS mean, max(words) AS most FROM boards GROUP BY dice ORDER BY dice",
    b"SELECT board, score FROM boards WHERE longest >= 7 AND words BETWEEN 3 AND 9 LIMIT 5",
    b"SELECT w.word, w.boards FROM words w WHERE w.word LIKE 'a%' ORDER BY 2 DESC",
    b"WITH x AS (SELECT score FROM boards) SELECT count(*), sum(score) FROM x HAVING count(*) > 1",
    b"SELECT CASE WHEN score > 5 THEN 'a' ELSE upper(board) END, substr(board, 1, 2) FROM boards b",
    b"SELECT DISTINCT cast(score AS VARCHAR) || 'x', round(nodes / 3.0, 1) FROM boards UNION ALL SELECT 'a', 1.0",
]


def use_pattern(data: bytes, folder: Path) -> str:
    """Which words of a run to list."""
    choice, data = option(data, 4)
    chosen = {"json": choice == 1, "never": choice == 2, "rarest": choice == 3}
    return printed(results.words, str(example_run()[0]), top=3, pattern=as_argument(data), **chosen)


def use_lock(data: bytes, folder: Path) -> str:
    """Whatever the lock file holds, whether somebody holds it or not."""
    choice, data = option(data, 2)
    file = file_of(folder, lock.LOCK_FILE, data)
    with Path(file).open() as held:
        if choice:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with lock.hold(folder):
            assert not choice
            return Path(file).read_text()


BOARDS = [
    b"ADQPNLEMOSRTVKJH", b"ADQuPNLEMOSRTVKJH", b"qaicdrneetasnnil", b"A B C D/E F G H/I J K L/M N O P",
    b"AB.\nCDE\nFGH", b"ThAnErHeInQu..ABCDEFGHIJKLMNOPQRST", "ñABCDEFGHIJKLMNOPQRSTUVWX".encode(), b"abcdef", b"A_-B.C",
]  # fmt: skip
LINES = [b"\n".join(BOARDS[:2]), BOARDS[6], b"abcdefghi\n\nIHGFEDCBA\n"]
TRACES = [b"ILAW\nBNGE\nIUAO\nASRL\nBINGO", b"aaa\naaa\naaaa"]
UNTIL = [
    b"mean(score) +- 0.5", b"difference(score) +- 0.5", b"median(nodes) \xc2\xb1 1", b"p95(words) +/- 2",
    b"share(words = 0) +- 0.1 %", b"mean(steps) +- .1",
]  # fmt: skip
WHERE = [b"words between 100 and 150 and longest >= 8 and dead_tiles = 0", b"not (score in (1, 2, 3.5) or nodes <> 7)"]
NUMBERS = [b"250000", b"1_000_000", b"1e6", b"10M", b"1.5k", b"1,000"]
NAMES = [b"new", b"6x6", b"./own.toml", b"enable1", b"hard", b"~/x.toml", b"outputs/x"]
LOCKS = [b"process 12 on host\n", b""]
LETTERS = [
    b".", b"Qu", b"q", b"Th", b" ", b"/", b"\n", b"\r", b"\t", b"_", b"-", b"\xff",
    *(text.encode() for text in ("ñ", "ß", "İ", "ǆ", "ﬁ", "e\u0301", "字", "\u2028", "😀", "Σς")),
]  # fmt: skip
TOKENS = [
    b"words", b"score", b"longest", b"and", b"or", b"not", b"(", b")", b"<", b">=", b"<>", b"=", b"1", b"-2.5", b".5",
    b"1e9", b"between", b"in", b",", b"9" * 50, b"9" * 5000, b"(" * 200, b"+-", b"%", b"p00",
    "²".encode(), "٣".encode(),
]  # fmt: skip
ODD_NAMES = [
    b"~", b"/", b"..", b"a" * 300, b"\n", b"\x1b[2J", b"\xff", "\u2028".encode(), b"15x15", b"~nobody/a", b".toml",
]  # fmt: skip
KEEN = [b"_", b"z", b"a9", b"h3", b"m0", b"d1", b"9" * 30]
PUZZLE = [b"rules: hidden", b"\n\n\n", b'"size"', b'"cages"', b"1e400", b"9" * 5000, b"[" * 5000, b"?", *LETTERS]
JSON = [b"null", b"true", b"-1", b"1e400", b"NaN", b"[]", b"{}", b'""', b"9" * 5000, b'"\\ud800"', b"[" * 5000]
KEYWORDS = re.findall(
    rb"\S+",
    b"SELECT FROM WHERE GROUP BY ORDER LIMIT OFFSET boards words score board * ( ) '' ; -- JOIN USING ON OVER "
    b"PARTITION NULL IS NOT INTERVAL CAST DATE 0 -1 1e400 EXPLAIN SHOW TABLES DROP TABLE CREATE TRUNCATE",
)


def lists() -> list[bytes]:
    return [few_words()[:300], "ñandú\nStraße\n".encode()]


TARGETS = {
    target.name: target
    for target in (
        Target("dice", use_dice, lambda: shipped("dice"), TOML + LETTERS),
        Target("config", use_config, lambda: [*shipped("runs"), CONFIG], TOML),
        Target("spec", use_spec, lambda: shipped("kenken"), TOML),
        Target("words", use_words, lambda: with_options(lists() * 3, 6), LETTERS),
        Target(
            "packed words", use_packed_words, lambda: [gzip.compress(one, mtime=0) for one in lists()], [b"\x1f\x8b"]
        ),
        Target("board", use_board, lambda: with_options(BOARDS, 8), LETTERS),
        Target("boards", use_boards, lambda: with_options(LINES, 3), LETTERS),
        Target("word", use_check_word, lambda: with_options([b"jazz jerque powwow", "ñandú".encode()], 3), LETTERS),
        Target("trace", use_trace, lambda: with_options(TRACES * 8, 16), LETTERS),
        Target("where", use_where, lambda: WHERE, TOKENS),
        Target("until", use_until, lambda: with_options(UNTIL, 3), TOKENS),
        Target("numbers", use_counts, lambda: NUMBERS, TOKENS),
        Target("names", use_names, lambda: NAMES, ODD_NAMES),
        Target("kenken", use_kenken, lambda: with_options(keen_ids(), 8), KEEN),
        Target("puzzles", use_puzzles, lambda: with_options(puzzle_files(), 8), PUZZLE),
        Target("run.json", use_run_json, lambda: [example_run()[1]["run.json"]], JSON, change_run_json),
        Target("parts", use_parts, part_edits),
        Target("sql", use_sql, lambda: SQL, KEYWORDS),
        Target(
            "pattern",
            use_pattern,
            lambda: with_options([b"re*", b"?a?e", b"*s"], 4),
            [b"*", b"?", b"[", b"]", *LETTERS],
        ),
        Target("lock", use_lock, lambda: with_options(LOCKS * 2, 2), [b"\n", b"\xff", b"\x1b[2J"]),
    )
}


def mutated(target: Target, chance: random.Random) -> bytes:
    """An example of the target with some pieces of it cut, doubled, swapped or replaced, or plain noise."""
    if target.change is not None and chance.random() < 0.8:
        return target.change(chance)
    if chance.random() < 0.05:
        return chance.randbytes(chance.randrange(200))
    seeds = target.seeds()
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(data) + 1)
        length = min(chance.choice((0, 0, 1, 1, 2, 5, 20)), len(data) - at)
        other = chance.choice(seeds)
        start = chance.randrange(len(other) + 1)
        pieces = target.pieces if chance.random() < 0.6 else []
        piece = chance.choice([b"", chance.randbytes(1), other[start : start + chance.randrange(30)], *pieces])
        data[at : at + length] = piece
    return bytes(data)

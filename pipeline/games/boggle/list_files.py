"""Files of word lists as they come: packed or plain, in several encodings, one word a line or a table."""

import bz2
import contextlib
import csv
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError, nearest, os_error

MAX_BYTES = 1 << 28
_PACKINGS = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {
    "gzip": gzip.open, "xz": lzma.open, "bz2": bz2.open, "not packed": contextlib.nullcontext,
    "zstd": lambda file: _open_zstd(file),
}  # fmt: skip
_SAMPLE = 1_000
_MOST = 0.8
"""Share of the lines that have to be of a form for the file to be of it."""
_FLAGGED = re.compile(r"^[^\s/]+/[^\s/]+(\s.*)?$")
_COUNTED = re.compile(r"^\S+ +\d+$")


@dataclass(frozen=True)
class Entries:
    """What a file holds. `form`: one word a line, or of a table its columns; `numbers`: uint32[texts], or None."""

    texts: list[str]
    numbers: npt.NDArray[np.uint32] | None = None
    form: str = "one word a line"
    packing: str = "not packed"
    encoding: str = "utf-8"


def read_text(path: Path) -> tuple[str, str, str]:
    """Return the text of a file with LF as the end of lines, how it was packed, and its encoding.

    Raises PipelineError for a file that cannot be read, is too large, empty, binary or in an unknown encoding.
    """
    data, packing = _unpack(path)
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise PipelineError(f"word list {path} is a binary file", "a word list is text with one word a line")
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "save it as UTF-8, such as with `iconv -f latin1 -t utf-8`"
        raise PipelineError(f"word list {path} is not {encoding.upper()} text (line {line})", hint) from error
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise PipelineError(f"word list {path} is empty")
    return text, packing, encoding


def read_entries(text: str, path: Path, column: str | None = None) -> Entries:
    """Return the words of a text, and the number beside each if it is a table with one.

    `column`: name or number (from 1) of the column that holds the words of a table.

    Raises PipelineError for a dictionary of Hunspell, and for a table whose column of words is not clear.
    """
    lines = text.split("\n")
    sample = [line for line in lines[:_SAMPLE] if line.strip()]
    _refuse_hunspell(sample, path)
    if (delimiter := _delimiter(sample, column)) is not None:
        return _read_table(lines, delimiter, path, column)
    if column is not None:
        raise PipelineError(f"word list {path} is no table, so it has no column {column!r}", "leave out --column")
    if _share(sample, _COUNTED) >= _MOST:
        pairs = [line.rsplit(None, 1) if _COUNTED.match(line.strip()) else [line, "0"] for line in lines]
        return Entries(
            [pair[0] for pair in pairs if pair], _numbers([pair[-1] for pair in pairs if pair]), "word count"
        )
    return Entries(lines)


def _unpack(path: Path) -> tuple[bytes, str]:
    packing = "not packed"
    try:
        with path.open("rb") as file:
            start = file.read(6)
            packing = next((name for magic, name in _PACKINGS.items() if start.startswith(magic)), packing)
            file.seek(0)
            with _OPENERS[packing](file) as stream:
                data = stream.read(MAX_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError) as error:
        raise PipelineError(f"word list {path} is a broken {packing} file: {error}") from error
    except OSError as error:
        if packing != "not packed" and error.errno is None:
            raise PipelineError(f"word list {path} is a broken {packing} file: {error}") from error
        raise os_error("read word list", error) from error
    if len(data) > MAX_BYTES:
        raise PipelineError(f"word list {path} is larger than {MAX_BYTES:,} bytes")
    return data, packing


def _open_zstd(file: BinaryIO) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd")


def _refuse_hunspell(sample: list[str], path: Path) -> None:
    counted = bool(sample) and sample[0].strip().isdigit()
    flagged = sum(_FLAGGED.match(line) is not None for line in sample)
    if (counted and flagged) or flagged >= max(2, 0.1 * len(sample)):
        example = next(line for line in sample if _FLAGGED.match(line)).strip()[:40]
        stem = path.name.split(".")[0]
        raise PipelineError(
            f"word list {path} is a dictionary of Hunspell: {example!r} stands for words that a .aff file makes",
            f"write its words out: `unmunch {stem}.dic {stem}.aff > {stem}.txt` (hunspell-tools), and give that",
        )


def _share(sample: list[str], pattern: re.Pattern[str]) -> float:
    return sum(pattern.match(line.strip()) is not None for line in sample) / max(1, len(sample))


def _delimiter(sample: list[str], column: str | None) -> str | None:
    """What splits the fields of a table; None for a text that is none."""
    for delimiter in "\t;,":
        if sum(delimiter in line for line in sample) >= _MOST * len(sample):
            return delimiter
    if column is not None:
        return next((delimiter for delimiter in "\t;," if sample and delimiter in sample[0]), None)
    return None


def _read_table(lines: list[str], delimiter: str, path: Path, column: str | None) -> Entries:
    if delimiter == "\t":
        rows = [line.split("\t") for line in lines if line.strip()]
    else:
        try:
            rows = [row for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter) if row]
        except csv.Error as error:
            raise PipelineError(f"word list {path} is a broken table: {error}") from error
    width = max(map(len, rows))
    body = rows[1 : _SAMPLE + 1] or rows[:1]
    numeric = [_is_numeric(body, place) for place in range(width)]
    headed = len(rows) > 1 and (
        not any(_is_number(field) for field in rows[0])
        and (any(numeric) or delimiter != "\t" or column in list(map(str.strip, rows[0])))
    )
    header = rows[0] if headed else []
    place = _column_of_words(header, numeric, body, path, column)
    if headed:
        rows = rows[1:]
    texts = [row[place] if place < len(row) else "" for row in rows]
    number = next((other for other in range(width) if numeric[other] and other != place), None)
    numbers = None if number is None else _numbers([row[number] if number < len(row) else "0" for row in rows])
    kind = {"\t": "tabs", ";": "semicolons", ",": "commas"}[delimiter]
    shown = ", ".join(name.strip() for name in header) if header else f"{width} without a header"
    return Entries(texts, numbers, f"a table split by {kind}, columns {shown}")


def _column_of_words(
    header: list[str], numeric: list[bool], body: list[list[str]], path: Path, column: str | None
) -> int:
    names = [name.strip() for name in header]
    if column is not None:
        if column in names:
            return names.index(column)
        if column.isdigit() and 1 <= int(column) <= len(numeric):
            return int(column) - 1
        known = names or [str(number) for number in range(1, len(numeric) + 1)]
        raise PipelineError(f"word list {path} has no column {column!r}", nearest(column, known))
    able = [place for place, is_numeric in enumerate(numeric) if not is_numeric]
    filled = [place for place in able if any(place < len(row) and row[place].strip() for row in body)]
    if len(filled) == 1 or (filled and not names and filled[0] == 0 and len(filled) == 1):
        return filled[0]
    known = names or [str(number) for number in range(1, len(numeric) + 1)]
    raise PipelineError(
        f"word list {path} is a table of columns {', '.join(known)[:80]}",
        "say which one holds the words: --column NAME, or its number",
    )


def _is_numeric(body: list[list[str]], place: int) -> bool:
    fields = [row[place] for row in body if place < len(row) and row[place].strip()]
    return bool(fields) and all(map(_is_number, fields))


def _is_number(field: str) -> bool:
    try:
        return float(field) >= 0
    except ValueError:
        return False


def _numbers(fields: list[str]) -> npt.NDArray[np.uint32]:
    """Counts or levels; what is no number is 0, what is larger than 4,294,967,295 is that."""
    values = np.array([float(field) if _is_number(field) else 0.0 for field in fields])
    return np.minimum(np.nan_to_num(values, posinf=4294967295.0), 4294967295.0).astype(np.uint32)

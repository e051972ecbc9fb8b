"""Answers of queries as files and texts, written batch by batch: memory does not grow with them."""

import base64
import contextlib
import csv
import datetime
import decimal
import io
import itertools
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from pipeline.errors import PipelineError, nearest, os_error
from pipeline.tables import Table

SHOWN = 1_000
"""Rows that decide how wide the columns of a table are."""


def write_csv(batches: pa.RecordBatchReader, sink: IO[bytes]) -> None:
    """Write a line of names and a line a row; what is missing is empty, lists and structures are JSON."""
    import polars as pl

    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(batches.schema.names)
    sink.write(header.getvalue().encode())
    for batch in batches:
        columns = {
            str(place): column if _is_flat(column.type) else pa.array(map(_field, column.to_pylist()), pa.string())
            for place, column in enumerate(batch.columns)
        }
        pl.DataFrame(columns).write_csv(sink, include_header=False)


def write_json(batches: pa.RecordBatchReader, sink: IO[bytes]) -> None:
    """Write one array with an object a row.

    Raises PipelineError where two columns have the same name.
    """
    names = batches.schema.names
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PipelineError(f"SQL: the answer has more than one column {twice[0]!r}", "name them apart with AS")
    sink.write(b"[")
    first = True
    for batch in batches:
        if batch.num_rows:
            sink.write((("" if first else ",") + _objects(batch)).encode())
            first = False
    sink.write(b"]\n")


def _objects(batch: pa.RecordBatch) -> str:
    """Rows as JSON objects with commas between."""
    rows = batch.to_pylist()
    style: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}
    try:
        if all(_is_flat(field.type) for field in batch.schema):
            return json.dumps(rows, default=_plain, **style)[1:-1]
    except ValueError:
        pass  # A float that is no number, which JSON has not: each value is looked at.
    return json.dumps(_plain(rows), **style)[1:-1]


def write_parquet(batches: pa.RecordBatchReader, sink: IO[bytes]) -> None:
    """Write Parquet with a row group a batch; sums of whole numbers are decimals without a fraction."""
    import pyarrow.parquet as pq

    with pq.ParquetWriter(sink, batches.schema, compression="ZSTD") as writer:
        for batch in batches:
            writer.write_batch(batch)


def write_table(batches: pa.RecordBatchReader, sink: IO[bytes]) -> None:
    """Write all rows under each other, numbers to the right; the first rows decide the widths."""
    rows: list[list[str]] = []
    names = batches.schema.names
    left = frozenset(field.name for field in batches.schema if not _is_number(field.type))
    table: Table | None = None
    for batch in batches:
        for row in zip(*(map(_cell, column.to_pylist()) for column in batch.columns), strict=True):
            # A cell of several lines, such as a plan, goes on below.
            rows += [list(line) for line in itertools.zip_longest(*(cell.split("\n") for cell in row), fillvalue="")]
            if len(rows) >= SHOWN:
                table = _flush(sink, table, names, rows, left)
                rows = []
    _flush(sink, table, names, rows, left)


def _flush(
    sink: IO[bytes], before: Table | None, names: list[str], rows: list[list[str]], left: frozenset[str]
) -> Table:
    if before is None:
        before = Table("", names, rows, left)
        sink.write((before.text() + "\n").encode())
    elif rows:
        sink.write(("\n".join(before.lines(rows)) + "\n").encode())
    return before


FORMATS: dict[str, Callable[[pa.RecordBatchReader, IO[bytes]], None]] = {
    "table": write_table, "csv": write_csv, "json": write_json, "parquet": write_parquet
}  # fmt: skip


def check_format(name: str) -> None:
    """Raises PipelineError for a format that is not known."""
    if name not in FORMATS:
        raise PipelineError(f"format {name!r} is not known", nearest(name, FORMATS))


def save(batches: pa.RecordBatchReader, form: str, out: Path) -> None:
    """Write an answer into a file, which is there whole or not at all.

    Raises PipelineError where it cannot be written.
    """
    try:
        if out.exists() and not out.is_file():
            with out.open("wb") as sink:
                FORMATS[form](batches, sink)
            return
        number, name = tempfile.mkstemp(prefix=f".{out.name}-", dir=out.parent)
        try:
            with open(number, "wb") as sink:
                FORMATS[form](batches, sink)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, out)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise os_error("write", OSError(error.errno, error.strerror, str(out))) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def whole(batches: pa.RecordBatchReader, form: str) -> Iterator[IO[bytes]]:
    """Give an answer once all of it is there, in memory while it is small and else in a temporary file."""
    with tempfile.SpooledTemporaryFile(max_size=1 << 23) as sink:
        FORMATS[form](batches, sink)
        sink.seek(0)
        yield sink


def _is_flat(kind: pa.DataType) -> bool:
    """True for what CSV and JSON can write as it is."""
    return _is_number(kind) or pa.types.is_string(kind) or pa.types.is_boolean(kind) or pa.types.is_date(kind)


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _plain(value: Any) -> Any:
    """A value as JSON has it: decimals are numbers, times are ISO 8601, bytes base64, and what is no number is null."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, pa.MonthDayNano):
        return _interval(*value)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _interval(months: int, days: int, nanoseconds: int) -> str:
    """A span of time: `2 months 1 day 0.5 seconds`."""
    named = ((months, "month"), (days, "day"), (nanoseconds / 1e9, "second"))
    return " ".join(f"{number:g} {unit}{'s' * (number != 1)}" for number, unit in named if number) or "0 seconds"


def _field(value: Any) -> Any:
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _cell(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, float):
        return f"{value:.6g}" if (value and abs(value) < 1e-3) or abs(value) >= 1e15 else f"{value:.6f}"
    return " ".join(str(_field(value)).split()) if not isinstance(value, str) else value

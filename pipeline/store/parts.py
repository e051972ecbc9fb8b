"""Parquet parts: a table as bytes that carry their own checksum, and names that carry their range of ids.

The footer holds `sha256:` and the hash of the whole file with that hash written as zeros, so that one file, put once,
can prove that not a bit of it changed.
"""

import hashlib
import io
import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

WORDS = "words"
"""Folder of the word counts."""
WORDS_SCHEMA = pa.schema(
    [pa.field("word_id", pa.uint32(), nullable=False), pa.field("boards", pa.uint64(), nullable=False)]
)
HISTOGRAMS = "histograms"
"""Folder of exact histograms, in runs that keep no rows."""
HISTOGRAMS_SCHEMA = pa.schema(
    [
        pa.field("column", pa.string(), nullable=False),
        pa.field("value", pa.int64(), nullable=False),
        pa.field("count", pa.uint64(), nullable=False),
    ]
)
TOP = "top"
"""Folder of the best rows, in runs that keep no others."""
SUMS = "sums"
"""Folder of exact sums of columns and of products of two columns."""
SUMS_SCHEMA = pa.schema(
    [
        pa.field("first", pa.string(), nullable=False),
        pa.field("second", pa.string(), nullable=False),
        pa.field("sum", pa.decimal128(38, 0), nullable=False),
    ]
)
UNREADABLE = (OSError, UnicodeDecodeError, pa.ArrowException)
"""What reading a broken Parquet file raises."""
SPARSE = 20
"""A column with fewer than one number in so many that is not 0 is hardly anything but zeros."""
_SAMPLE = 10_000
"""Rows, the first of a part, by which a column is judged."""
_COUNTS = {"boards", "count"}
_PACKED = "DELTA_BINARY_PACKED"
_LABEL = "shakedown.holds"
_ZEROS = b"0" * 64
_PLACE = re.compile(rb"shakedown\.checksum.{1,8}?sha256:([0-9a-f]{64})", re.DOTALL)
_NAME = re.compile(r"part-(\d{15})-(\d{15})\.parquet")


class Part(NamedTuple):
    """Rows start .. end - 1 of one variant."""

    start: int
    end: int

    @property
    def rows(self) -> int:
        return self.end - self.start

    @property
    def name(self) -> str:
        return f"part-{self.start:015d}-{self.end:015d}.parquet"


def parse_name(name: str) -> Part | None:
    match = _NAME.fullmatch(name)
    return Part(int(match[1]), int(match[2])) if match else None


def encode(table: pa.Table, label: str = "") -> bytes:
    """Return the table as one Parquet file, with statistics of its numbers, checksum, and a label that says what it
    holds.
    """
    sink = io.BytesIO()
    encodings = _encodings(table)
    # Of packed numbers zstd finds little more: much work in rows, hardly any in the few that count words and values.
    rows = _COUNTS.isdisjoint(table.column_names)
    packed = {name for name, encoding in encodings.items() if rows and encoding == _PACKED}
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression={name: "NONE" if name in packed else "ZSTD" for name in table.column_names},
        compression_level={name: 1 for name in table.column_names if name not in packed},
        # The first and last of some texts help no reader to skip any.
        write_statistics=[field.name for field in table.schema if not pa.types.is_string(field.type)],
        use_dictionary=False,
        column_encoding=encodings,
        write_batch_size=1 << 14,
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_LABEL: label, "shakedown.checksum": "sha256:" + _ZEROS.decode()})
    with sink.getbuffer() as data:
        start, end = _checksum_span(data)
        data[start:end] = hashlib.sha256(data).hexdigest().encode()
    return sink.getvalue()


def _encodings(table: pa.Table) -> dict[str, str]:
    """Packed whole numbers and texts: smaller than plain ones, and there is half as much for zstd to do.

    Columns of hardly anything but zeros stay plain, as zstd alone is faster with them, and so do the counts of words
    and values, of which it makes less. Every DuckDB reads these; BYTE_STREAM_SPLIT would pack counts closer still, but
    DuckDB before 2.0 refuses it.
    """
    found = {}
    some = table.slice(0, _SAMPLE)
    for field in table.schema:
        if pa.types.is_integer(field.type):
            if field.name not in _COUNTS and SPARSE * np.count_nonzero(some.column(field.name)) >= some.num_rows:
                found[field.name] = _PACKED
        elif pa.types.is_string(field.type):
            found[field.name] = "DELTA_LENGTH_BYTE_ARRAY"
    return found


class UnsoundError(Exception):
    """A stored table is not what it should be; says what is wrong, as a clause."""


def open_sound(data: bytes, label: str, schema: pa.Schema | None = None) -> pq.ParquetFile:
    """Open a stored table whose checksum, label and columns (None: whatever they are) are as they should be.

    Raises UnsoundError. Neither copies the bytes nor reads more of them than the footer, beside the checksum.
    """
    if not data:
        raise UnsoundError("is empty")
    if not is_whole(data):
        raise UnsoundError("is not what was written (its checksum differs)")
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        found = file.schema_arrow
    except UNREADABLE as error:
        raise UnsoundError(f"cannot be read ({str(error).splitlines()[0]})") from error
    held = (file.metadata.metadata or {}).get(_LABEL.encode(), b"").decode(errors="replace")
    if held != label:
        raise UnsoundError(f"holds something else ({held or 'no rows of a run'})")
    if schema is not None and not found.equals(schema):
        raise UnsoundError("has other columns than this version writes")
    return file


def problem(data: bytes, label: str, schema: pa.Schema | None = None) -> str:
    """Return what is wrong with a stored table, as a clause; empty for a sound one."""
    try:
        open_sound(data, label, schema)
    except UnsoundError as error:
        return str(error)
    return ""


def is_whole(data: bytes) -> bool:
    """True where the file is, to the bit, what `encode` wrote."""
    try:
        start, end = _checksum_span(data)
    except ValueError:
        return False
    # Piece by piece: a copy would take three times as long as the hash.
    view, digest = memoryview(data), hashlib.sha256()
    for piece in (view[:start], _ZEROS, view[end:]):
        digest.update(piece)
    return digest.hexdigest().encode() == view[start:end]


def _checksum_span(data: bytes | memoryview) -> tuple[int, int]:
    footer = int.from_bytes(data[-8:-4], "little") + 8
    matches = list(_PLACE.finditer(data, max(0, len(data) - footer)))
    if not matches:
        raise ValueError("no checksum in the footer")
    return matches[-1].span(1)


def decode(data: bytes) -> pa.Table:
    """Return the table of a Parquet file, read by this thread alone: a thread of Arrow's pool that is still starting
    when a short program ends takes the whole process with it ("terminate called without an active exception").
    """
    return pq.ParquetFile(pa.BufferReader(data)).read(use_threads=False)

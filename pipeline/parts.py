"""Parquet parts: a table as bytes that carry their own checksum, and names that carry their range of ids.

The footer holds `sha256:` and the hash of the whole file with that hash written as zeros, so that one file, put once,
can prove that not a bit of it changed.
"""

import hashlib
import io
import re
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

WORDS_SCHEMA = pa.schema(
    [pa.field("word_id", pa.uint32(), nullable=False), pa.field("boards", pa.uint64(), nullable=False)]
)
_ZEROS = b"0" * 64
_PLACE = re.compile(rb"shakedown\.checksum.{1,8}?sha256:([0-9a-f]{64})", re.DOTALL)
_NAME = re.compile(r"part-(\d{15})-(\d{15})\.parquet")


class Part(NamedTuple):
    """Rows start .. end - 1 of one variant."""

    start: int
    end: int

    @property
    def name(self) -> str:
        return f"part-{self.start:015d}-{self.end:015d}.parquet"


def parse_name(name: str) -> Part | None:
    match = _NAME.fullmatch(name)
    return Part(int(match[1]), int(match[2])) if match else None


def encode(table: pa.Table, row_group: int | None = None) -> bytes:
    """The table as one Parquet file, zstd, with statistics and checksum."""
    sink = io.BytesIO()
    with pq.ParquetWriter(
        sink, table.schema, compression="zstd", compression_level=1, write_statistics=True, use_dictionary=False
    ) as writer:
        writer.write_table(table, row_group_size=row_group)
        writer.add_key_value_metadata({"shakedown.checksum": "sha256:" + _ZEROS.decode()})
    data = bytearray(sink.getbuffer())
    start, end = _checksum_span(data)
    data[start:end] = hashlib.sha256(data).hexdigest().encode()
    return bytes(data)


def is_whole(data: bytes) -> bool:
    """True where the file is, to the bit, what `encode` wrote."""
    try:
        start, end = _checksum_span(data)
    except ValueError:
        return False
    blank = data[:start] + _ZEROS + data[end:]
    return hashlib.sha256(blank).hexdigest().encode() == data[start:end]


def _checksum_span(data: bytes | bytearray) -> tuple[int, int]:
    matches = list(_PLACE.finditer(data, max(0, len(data) - (1 << 20))))
    if not matches:
        raise ValueError("no checksum in the footer")
    return matches[-1].span(1)


def decode(data: bytes) -> pa.Table:
    return pq.read_table(io.BytesIO(data))

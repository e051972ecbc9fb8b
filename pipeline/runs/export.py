"""All rows of a run as one file: part by part, so memory holds one of them."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from pipeline.errors import PipelineError, nearest, os_error
from pipeline.runs.rows import Rows
from pipeline.stopping import safe_point

if TYPE_CHECKING:
    from pipeline.runs.reading import Reader

FORMATS = ("csv", "json", "parquet", "arrow")
"""json: one object a line; arrow: the file format of Arrow, also known as Feather 2."""


def export(reader: "Reader", form: str, columns: Sequence[str], sink: IO[bytes]) -> int:
    """Write the rows of every set, the id of the set in a column of its own; returns how many rows.

    columns: names in the order wanted; none stands for all. Raises PipelineError for an unknown format or column, and
    for a run without rows.
    """
    if form not in FORMATS:
        raise PipelineError(f"format {form!r} is not known", nearest(form, FORMATS))
    reader.need_rows("export")
    assert isinstance(reader, Rows)
    partition = reader.store.partition
    known = [*reader.game.schema.names, partition]
    for name in columns:
        if name not in known:
            raise PipelineError(f"run {reader.store.location} has no column {name!r}", nearest(name, known))
    wanted = list(columns) or known
    rows = 0
    with _Writer(form, sink) as writer:
        for table in _tables(reader, wanted, partition):
            safe_point()
            writer.write(table)
            rows += len(table)
    return rows


def _tables(reader: Rows, wanted: list[str], partition: str) -> Iterator[pa.Table]:
    stored = [name for name in wanted if name != partition] or [reader.game.layout.id_column]
    for variant in reader.variants:
        reader.require(variant, reader.store.boards)
        for part in reader.store.parts(variant):
            table = reader.read(variant, part, stored)
            if partition in wanted:
                table = table.append_column(partition, pa.array([variant] * len(table), pa.string()))
            yield table.select(wanted)


class _Writer:
    """Writes tables of one schema, one behind the other."""

    def __init__(self, form: str, sink: IO[bytes]) -> None:
        self.form, self.sink = form, sink
        self.inner: Any = None

    def __enter__(self) -> "_Writer":
        return self

    def write(self, table: pa.Table) -> None:
        if self.form == "json":
            import polars as pl

            pl.DataFrame(table).write_ndjson(self.sink)
            return
        if self.inner is None:
            self.inner = self._open(table.schema)
        self.inner.write_table(table)

    def _open(self, schema: pa.Schema) -> Any:
        if self.form == "csv":
            import pyarrow.csv

            # Its own header is quoted, whatever the names; ours never need it.
            self.sink.write((",".join(schema.names) + "\n").encode())
            options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed")
            return pyarrow.csv.CSVWriter(self.sink, schema, write_options=options)
        if self.form == "parquet":
            import pyarrow.parquet

            return pyarrow.parquet.ParquetWriter(self.sink, schema, compression="zstd")
        return pa.ipc.new_file(self.sink, schema)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self.inner is not None and kind is None:
            self.inner.close()


def export_to(reader: "Reader", form: str, columns: Sequence[str], out: Path) -> int:
    """As `export`, into a file that is there whole or not at all."""
    half = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        with half.open("wb") as sink:
            rows = export(reader, form, columns, sink)
        half.replace(out)
    except OSError as error:
        raise os_error("write", error) from error
    finally:
        half.unlink(missing_ok=True)
    return rows

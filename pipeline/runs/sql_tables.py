"""Tables of a run as SQL reads them: rows part by part, checked when read; small tables made when asked for."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.acero as acero
import pyarrow.dataset as ds
import pyarrow.fs as fs

from pipeline.errors import PipelineError
from pipeline.runs.reading import Reader
from pipeline.store.parts import WORDS, Part
from pipeline.store.reading import REPAIR, parts_of, read_lexicon

if TYPE_CHECKING:
    from pipeline.runs.rows import Rows

Source = Any
"""What DuckDB scans as often as a query needs it: a dataset of pyarrow, or an object that gives an Arrow stream."""


class Fault:
    """The first error of reading a run, which DuckDB would tell in its own words."""

    error: PipelineError | None = None

    def note(self, error: PipelineError) -> None:
        self.error = self.error or error


class Parts(ds.FileSystemDataset):
    """The row parts of a run, of all variants, as a dataset: pyarrow chooses the parts and we read and check them.

    Its files lie nowhere, so that whoever passed over `scanner` would find none instead of unchecked ones.
    """

    reader: "Rows"
    fault: Fault
    parts: dict[str, tuple[str, Part]]

    def scanner(self, columns: Sequence[str] | None = None, filter: Any = None, **_: Any) -> "Scan":
        """Return a scan of some columns (None: all), of the rows for which a condition holds."""
        return Scan(self, self.schema.names if columns is None else list(columns), filter)


class Scan:
    """One scan of the parts; memory holds one of them."""

    def __init__(self, parts: Parts, columns: list[str], condition: Any) -> None:
        self.parts = parts
        self.columns = columns
        self.condition = condition
        self.projected_schema = pa.schema([parts.schema.field(name) for name in columns])

    def to_reader(self) -> pa.RecordBatchReader:
        """Return the rows; reading raises PipelineError as `Reader.read` does."""
        return pa.RecordBatchReader.from_batches(self.projected_schema, self._batches())

    def _batches(self) -> Iterator[pa.RecordBatch]:
        reader = self.parts.reader
        partition = reader.store.partition
        # Names within the condition's values are read too, which costs little and cannot be wrong.
        asked = set(re.findall(r"\w+", str(self.condition))) if self.condition is not None else set()
        needed = [name for name in self.parts.schema.names if name in asked or name in self.columns]
        stored = [name for name in needed if name != partition] or [reader.game.layout.id_column]
        for fragment in self.parts.get_fragments(self.condition):
            variant, part = self.parts.parts[fragment.path]
            try:
                table = reader.read(variant, part, stored)
            except PipelineError as error:
                self.parts.fault.note(error)
                raise
            if partition in needed:
                table = table.append_column(partition, pa.repeat(pa.scalar(variant), table.num_rows))
            if self.condition is not None:
                table = _where(table, self.condition)
            yield from table.select(self.columns).cast(self.projected_schema).to_batches()


def _where(table: pa.Table, condition: Any) -> pa.Table:
    """The rows for which a condition holds, in their order."""
    source = acero.Declaration("table_source", acero.TableSourceNodeOptions(table))
    kept = acero.Declaration("filter", acero.FilterNodeOptions(condition))
    return acero.Declaration.from_sequence([source, kept]).to_table(use_threads=False)


def rows(reader: "Rows", fault: Fault) -> Parts:
    """Return whatever rows are there, of all variants, with their name in the column of the partition.

    Raises PipelineError for a variant without parts.
    """
    store = reader.store
    schema = reader.game.schema.remove_metadata().append(pa.field(store.partition, pa.string()))
    form, nowhere = ds.ParquetFileFormat(), fs.SubTreeFileSystem("/nowhere", fs.LocalFileSystem())
    found = {
        store.path(variant, part): (variant, part) for variant in store.variants for part in parts_of(store, variant)
    }
    fragments = [
        form.make_fragment(path, nowhere, partition_expression=ds.field(store.partition) == variant)
        for path, (variant, _) in found.items()
    ]
    table = Parts(fragments, schema, form, nowhere)
    table.reader, table.fault, table.parts = reader, fault, found
    return table


class Later:
    """A table that is made at its first scan, and kept."""

    def __init__(self, make: Callable[[], pa.Table], fault: Fault) -> None:
        self._make = make
        self._fault = fault
        self._made: pa.Table | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as an Arrow stream; raises PipelineError where it cannot be made."""
        if self._made is None:
            try:
                self._made = self._make()
            except PipelineError as error:
                self._fault.note(error)
                raise
        return self._made.to_reader().__arrow_c_stream__()


def words(reader: Reader) -> pa.Table:
    """Return the word list with how many boards show each word, of every variant: words that none shows are left out.

    Memory holds the counts of one part beside the sums.
    """
    store = reader.store
    lexicon = read_lexicon(store)
    found = []
    for variant in store.variants:
        sums = np.zeros(lexicon.num_rows, np.uint64)
        for part in store.parts(variant):
            counted = reader.word_counts(variant, part)
            ids = counted.column("word_id").to_numpy()
            if len(ids) and int(ids.max()) >= len(sums):
                place = store.files.url(store.path(variant, part, WORDS))
                raise PipelineError(f"part {place} counts words that the word list has not", REPAIR)
            np.add.at(sums, ids, counted.column("boards").to_numpy())
        seen = np.flatnonzero(sums)
        table = lexicon.take(pa.array(seen)).append_column("boards", pa.array(sums[seen]))
        found.append(table.append_column(store.partition, pa.repeat(pa.scalar(variant), len(seen))))
    # In the order that the table has always had: the number, the count, whose it is, then the word.
    first = ["word_id", "boards", store.partition]
    whole = pa.concat_tables(found)
    return whole.select(first + [name for name in whole.column_names if name not in first])

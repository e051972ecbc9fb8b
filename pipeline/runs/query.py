"""SQL over the rows of a run."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pyarrow as pa

from pipeline.errors import PipelineError, os_error
from pipeline.runs.reading import Reader
from pipeline.store.parts import WORDS
from pipeline.store.reading import read_lexicon

FORMATS = ("table", "csv", "json", "parquet")
_REFUSALS = (pl.exceptions.PolarsError, ValueError, TypeError, OSError, NotImplementedError)


def tables(reader: Reader) -> dict[str, pl.LazyFrame]:
    """Return the tables that a query sees: what the run keeps, and `words` with their counts."""
    found = reader.frames()
    if WORDS in reader.schemas:
        store = reader.store
        lexicon = pl.DataFrame(read_lexicon(store)).lazy()
        counts = []
        for variant in store.variants:
            counted = [reader.word_counts(variant, part) for part in store.parts(variant)]
            frame = pl.DataFrame(pa.concat_tables(counted)).lazy()
            summed = frame.group_by("word_id").agg(pl.col("boards").sum())
            counts.append(summed.with_columns(pl.lit(variant).alias(store.partition)))
        found[WORDS] = pl.concat(counts).join(lexicon, on="word_id")
    return found


def run_sql(reader: Reader, sql: str) -> pl.DataFrame:
    """Return the answer of a query.

    Raises PipelineError with polars' reason and the names of tables and columns.
    """
    store, frames = reader.store, tables(reader)
    try:
        with _without_backtraces():
            return pl.SQLContext(frames).execute(sql, eager=True)
    except (pl.exceptions.PanicException, *_REFUSALS) as error:
        columns = ", ".join(_columns(frames[store.main_kind]))
        lacks = store.mode.lacks()
        lacking = f"; the run keeps {lacks} (--keep {store.run.keep})" if lacks else ""
        raise PipelineError(
            f"SQL: {' '.join(str(error).split())[:300]}",
            f"tables: {', '.join(frames)}; columns of {store.main_kind}: {columns}{lacking}",
        ) from error


@contextlib.contextmanager
def _without_backtraces() -> Iterator[None]:
    """Polars writes a page to standard error where a broken part makes it panic; its exception says enough."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _columns(frame: pl.LazyFrame) -> list[str]:
    """Names of the columns; none where the part that would tell them is broken."""
    try:
        return frame.collect_schema().names()
    except (pl.exceptions.PanicException, pl.exceptions.PolarsError, OSError):
        return []


def write(frame: pl.DataFrame, form: str) -> str | bytes:
    """Return the answer as text, or as the bytes of a Parquet file.

    Raises PipelineError for an unknown format.
    """
    if form == "csv":
        return frame.write_csv()
    if form == "json":
        return frame.write_json() + "\n"
    if form == "parquet":
        import io

        sink = io.BytesIO()
        frame.write_parquet(sink)
        return sink.getvalue()
    if form != "table":
        raise PipelineError(f"format {form!r} is not known", f"known are {', '.join(FORMATS)}")
    with pl.Config(tbl_rows=-1, tbl_cols=-1, tbl_width_chars=200, tbl_hide_dataframe_shape=True, fmt_str_lengths=80):
        return str(frame) + "\n"


def save(data: str | bytes, out: Path) -> None:
    try:
        out.write_bytes(data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        raise os_error("write", error) from error

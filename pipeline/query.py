"""SQL over the rows of a run."""

from pathlib import Path

import polars as pl

from pipeline.errors import PipelineError, os_error
from pipeline.parts import WORDS
from pipeline.rows import scan_stored
from pipeline.storage import RunStore

FORMATS = ("table", "csv", "json", "parquet")


def tables(store: RunStore) -> dict[str, pl.LazyFrame]:
    """The tables that a query sees: the rows under the game's name (`boards`), and `words` with their counts."""
    found = {store.rows_folder: pl.concat([scan_stored(store, variant) for variant in store.variants])}
    if store.files.exists(f"{WORDS}/lexicon.parquet"):
        lexicon = pl.scan_parquet(store.files.url(f"{WORDS}/lexicon.parquet"))
        counts = [
            pl.scan_parquet(paths, hive_partitioning=False)
            .group_by("word_id")
            .agg(pl.col("boards").sum())
            .with_columns(pl.lit(variant).alias(store.partition))
            for variant in store.variants
            if (paths := store.part_paths(variant, WORDS))
        ]
        if counts:
            found[WORDS] = pl.concat(counts).join(lexicon, on="word_id")
    return found


def run_sql(store: RunStore, sql: str) -> pl.DataFrame:
    """The answer of a query.

    Raises PipelineError with polars' reason and the names of tables and columns.
    """
    frames = tables(store)
    try:
        return pl.SQLContext(frames).execute(sql, eager=True)
    except (pl.exceptions.PolarsError, ValueError, TypeError, OSError, NotImplementedError) as error:
        columns = ", ".join(frames[store.rows_folder].collect_schema().names())
        raise PipelineError(
            f"SQL: {' '.join(str(error).split())[:300]}",
            f"tables: {', '.join(frames)}; columns of {store.rows_folder}: {columns}",
        ) from error


def write(frame: pl.DataFrame, form: str) -> str | bytes:
    """The answer as text, or as the bytes of a Parquet file.

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

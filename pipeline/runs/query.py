"""SQL over the rows of a run."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pipeline.errors import PipelineError, os_error
from pipeline.runs.reading import scan_stored
from pipeline.store.kinds import BOARDS
from pipeline.store.parts import HISTOGRAMS, TOP, WORDS
from pipeline.store.run_store import RunStore

FORMATS = ("table", "csv", "json", "parquet")
_REFUSALS = (pl.exceptions.PolarsError, ValueError, TypeError, OSError, NotImplementedError)


def tables(store: RunStore) -> dict[str, pl.LazyFrame]:
    """The tables that a query sees: the rows under the game's name (`boards`), and `words` with their counts."""
    if store.keep == BOARDS:
        found = {store.rows_folder: pl.concat([scan_stored(store, variant) for variant in store.variants])}
    else:
        found = _condensed(store)
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


def _condensed(store: RunStore) -> dict[str, pl.LazyFrame]:
    """Tables of a run without rows: `histograms` (column, value, count) summed over the parts, and `top`."""
    summed, top = [], []
    for variant in store.variants:
        paths = store.part_paths(variant)
        if not paths:
            raise PipelineError(f"run {store.location} has no parts of {variant} yet", "start it with `pipeline run`")
        name = pl.lit(variant).alias(store.partition)
        counts = pl.scan_parquet(paths, hive_partitioning=False)
        summed.append(counts.group_by("column", "value").agg(pl.col("count").sum()).with_columns(name))
        if best := store.part_paths(variant, TOP):
            top.append(pl.scan_parquet(best, hive_partitioning=False).with_columns(name))
    return {HISTOGRAMS: pl.concat(summed)} | ({TOP: pl.concat(top)} if top else {})


def run_sql(store: RunStore, sql: str) -> pl.DataFrame:
    """The answer of a query.

    Raises PipelineError with polars' reason and the names of tables and columns.
    """
    frames = tables(store)
    try:
        with _without_backtraces():
            return pl.SQLContext(frames).execute(sql, eager=True)
    except (pl.exceptions.PanicException, *_REFUSALS) as error:
        columns = ", ".join(_columns(frames[store.main_kind]))
        lacking = "" if store.keep == BOARDS else f"; the run keeps no {store.rows_folder} (--keep {store.keep})"
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

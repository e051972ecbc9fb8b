"""The rows of a run as polars frames, after the parts' schemas have been checked."""

# polars is imported inside functions: a process that has used it must not fork workers afterwards.
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.histograms import Histogram, of_columns
from pipeline.storage import RunStore


def scan(store: RunStore, variant: str, boards: int | None = None) -> pl.LazyFrame:
    """Rows of one variant (the first `boards` of them), with its id in the partition column.

    Raises PipelineError where rows are missing or a part has another schema.
    """
    wanted = store.boards if boards is None else boards
    missing = store.missing(variant, wanted)
    if missing:
        held = wanted - sum(gap.end - gap.start for gap in missing)
        raise PipelineError(
            f"run {store.location} holds {held:,} of {wanted:,} {store.rows_folder} of {variant}",
            "finish it with the same `pipeline run` command, or report fewer with --boards",
        )
    return _checked_scan(store, variant, wanted)


def scan_stored(store: RunStore, variant: str) -> pl.LazyFrame:
    """Whatever rows of a variant are there."""
    if not store.parts(variant):
        raise PipelineError(f"run {store.location} has no parts of {variant} yet", "start it again with `pipeline run`")
    return _checked_scan(store, variant, None)


def _checked_scan(store: RunStore, variant: str, boards: int | None) -> pl.LazyFrame:
    kind = game(store.run["game"])
    paths = store.part_paths(variant, boards=boards)
    for path in paths:
        check_schema(path, kind.schema)
    frame = pl.scan_parquet(paths, hive_partitioning=False)
    if boards is not None:
        frame = frame.filter(pl.col(kind.layout.id_column) < boards)
    return frame.with_columns(pl.lit(variant).alias(kind.layout.partition))


def check_schema(path: str, schema: pa.Schema) -> None:
    try:
        found = pq.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        raise PipelineError(
            f"part {path} is broken: {str(error).splitlines()[0]}", "`pipeline verify` lists all broken parts"
        ) from error
    if not found.equals(schema):
        raise PipelineError(f"part {path} has another schema than this version writes", "remove it and run again")


def histograms(store: RunStore, variant: str, boards: int) -> dict[str, Histogram]:
    """Of every metric and every further integer column that the game's report needs."""
    kind = game(store.run["game"])
    columns = [metric.name for metric in kind.metrics] + list(kind.columns)
    return of_columns(scan(store, variant, boards), columns)

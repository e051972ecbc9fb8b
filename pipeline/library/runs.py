"""Runs: made, opened, and read as frames, figures and charts."""

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pipeline.cli.progress import RunProgress
from pipeline.config import load
from pipeline.errors import PipelineError
from pipeline.games import game as game_named
from pipeline.library.inputs import as_pipeline_error
from pipeline.runs.opening import open_run as open_stored
from pipeline.runs.opening import reader
from pipeline.runs.reading import Reader
from pipeline.runs.run import run as run_missing
from pipeline.store.run_store import find_run

if TYPE_CHECKING:
    import altair
    import polars as pl

    from pipeline.report.summary import Summary


class Run:
    """A run that is stored: its rows as frames, its figures, its charts. Made by `run` and `open_run`.

    Every method raises PipelineError where a part is missing or is not what was written.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __repr__(self) -> str:
        return f"Run({self.path!r}, {self.boards:,} {self._reader.store.rows_folder} of {', '.join(self.variants)})"

    @property
    def path(self) -> str:
        """Its folder or address."""
        return self._reader.store.location

    @property
    def boards(self) -> int:
        """Boards of each dice set, or puzzles of each spec."""
        return self._reader.store.boards

    @property
    def variants(self) -> list[str]:
        """Ids of its dice sets or specs."""
        return self._reader.variants

    def frame(self) -> "pl.LazyFrame":
        """Return its rows, one a board (or puzzle) of every set, with the column `dice` (or `spec`).

        Raises PipelineError for a run that keeps no rows.
        """
        import polars as pl

        from pipeline.runs.rows import Rows
        from pipeline.store.reading import parts_of

        reader = self._reader
        reader.need_rows("frame()")
        assert isinstance(reader, Rows)
        frames = []
        for variant in reader.variants:
            for part in parts_of(reader.store, variant):
                reader.read(variant, part, [reader.game.layout.id_column])
            frame = pl.scan_parquet(reader.store.part_paths(variant), hive_partitioning=False, glob=False)
            frames.append(frame.with_columns(pl.lit(variant).alias(reader.store.partition)))
        return pl.concat(frames)

    def words(self) -> "pl.DataFrame":
        """Return every word that was found, with the number of boards that show it.

        Columns: word_id, boards, dice, word, spelling, length, points.

        Raises PipelineError for a run that counts no words.
        """
        import polars as pl

        from pipeline.runs.sql_tables import words
        from pipeline.store.parts import WORDS

        if WORDS not in self._reader.schemas:
            raise PipelineError(f"run {self.path} counts no words", "boards are counted by word, puzzles have none")
        found = pl.from_arrow(words(self._reader))
        assert isinstance(found, pl.DataFrame)
        return found

    @property
    def summary(self) -> dict[str, Any]:
        """Every figure of its report: the content of summary.json."""
        return self._summary.figures

    @cached_property
    def _summary(self) -> "Summary":
        from pipeline.report.summary import summarize

        return summarize(self._reader)

    def compare(self, *others: "Run") -> list[dict[str, Any]]:
        """Return each later set against the first: differences with intervals, effect, distance, who wins how often.

        Raises PipelineError where there is one set alone, or the runs are of different games.
        """
        from pipeline.runs.compare import compare_runs

        return compare_runs([self._reader, *(other._reader for other in others)])

    def query(self, sql: str) -> "pl.DataFrame":
        """Return the answer of a query, in the SQL of DuckDB, over its tables: `boards` and `words`, or `puzzles`.

        Raises PipelineError with the reason and the names of tables and columns.
        """
        import polars as pl

        from pipeline.runs.query import run_sql

        found = pl.from_arrow(run_sql(self._reader, sql))
        assert isinstance(found, pl.DataFrame)
        return found

    def figures(self) -> list[str]:
        """Return the names of the charts that its report has."""
        return list(self._figures)

    def figure(self, name: str) -> "altair.TopLevelMixin":
        """Return one chart of its report, which a notebook shows.

        Raises PipelineError with the known names.
        """
        if name not in self._figures:
            from pipeline.errors import nearest

            raise PipelineError(f"run {self.path} has no chart {name!r}", nearest(name, self._figures))
        return self._figures[name]

    @cached_property
    def _figures(self) -> dict[str, Any]:
        from pipeline.report.page import all_sections

        sections = all_sections(self._reader, self._summary)
        return {one.name: one.titled() for section in sections for one in section.figures}


@as_pipeline_error
def open_run(path: str) -> Run:
    """Return a run by its folder, its name under outputs/, or its address (s3://bucket/prefix).

    Raises PipelineError where there is none, with the nearest names.
    """
    return Run(reader(open_stored(find_run(str(path)))))


@as_pipeline_error
def run(
    *,
    config: str | None = None,
    game: str | None = None,
    boards: int | str | None = None,
    dice: str | Sequence[str] | None = None,
    spec: str | Sequence[str] | None = None,
    words: str | None = None,
    language: str | None = None,
    column: str | None = None,
    min_length: int | None = None,
    scoring: str | None = None,
    seed: int | None = None,
    node_limit: int | None = None,
    keep: str | None = None,
    until: str | None = None,
    out: str | None = None,
    chunk: int | str | None = None,
    workers: int | None = None,
    worker_memory: int | None = None,
    solver: str | None = None,
    executor: str = "thread",
    scheduler: str | None = None,
    progress: bool = True,
) -> Run:
    """Shake boards or make puzzles, solve them all, store one row each, and return the run.

    The options are those of `pipeline run`, with the same defaults, and give the same rows; started again with the same
    ones it goes on where it stopped. executor: by default threads of this process, which must not be forked once it has
    used polars; "process" is faster by a little in a fresh program. progress: a bar on standard error or in the
    notebook.

    Raises PipelineError for options that are wrong or contradict the run that is there; what was stored stays.
    """
    flags = {
        "game": game, "boards": boards, "dice": _listed(dice), "spec": _listed(spec), "words": words,
        "language": language, "column": column, "min_length": min_length, "scoring": scoring, "seed": seed,
        "node_limit": node_limit, "keep": keep, "until": until, "out": out, "chunk": chunk, "workers": workers,
        "worker_memory": worker_memory, "solver": solver, "executor": executor, "scheduler": scheduler,
    }  # fmt: skip
    if executor == "process" and "polars" in sys.modules:
        raise PipelineError(
            'executor="process" forks this process, which has used polars', 'leave it out, or give "thread" or "serial"'
        )
    resolved = load(config, flags)
    bar = RunProgress(not progress, game_named(resolved.config.game).layout.rows)
    with bar:
        finished = run_missing(resolved, bar.callbacks())
    return Run(reader(finished.store, finished.workload))


def _listed(given: str | Sequence[str] | None) -> list[str] | None:
    return given if given is None else [given] if isinstance(given, str) else list(given)

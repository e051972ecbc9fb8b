"""What reports need to know of a game without making its workload."""

from dataclasses import dataclass
from functools import cache

import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.games.game import Layout, Metric


@dataclass(frozen=True)
class Game:
    layout: Layout
    schema: pa.Schema
    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    """Integer columns whose histograms the report's sections need beside the metrics."""
    verb: str = "gives"
    """What a set does with the first metric, in the sentence that heads a report."""


@cache
def game(name: str) -> Game:
    """`boggle` or `kenken`; only the modules of the game that is asked for are imported.

    Raises PipelineError for any other.
    """
    if name == "boggle":
        from pipeline.games.boggle import workload as boggle

        return Game(boggle.LAYOUT, boggle.SCHEMA, boggle.METRICS, boggle.LENGTH_COLUMNS)
    if name == "kenken":
        from pipeline.games.kenken import workload as kenken

        return Game(kenken.LAYOUT, kenken.SCHEMA, kenken.METRICS, (), "needs")
    raise PipelineError(f"game {name!r} is not known", "known are boggle, kenken")


def counted_columns(name: str) -> list[str]:
    """Integer columns of a game that have histograms: its metrics and what else its report adds up."""
    kind = game(name)
    return [metric.name for metric in kind.metrics] + list(kind.columns)

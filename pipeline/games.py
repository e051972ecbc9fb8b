"""What reports need to know of a game without making its workload."""

from dataclasses import dataclass

import pyarrow as pa

from pipeline import boggle, kenken
from pipeline.errors import PipelineError
from pipeline.workloads import Layout, Metric


@dataclass(frozen=True)
class Game:
    layout: Layout
    schema: pa.Schema
    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    """Integer columns whose histograms the report's sections need beside the metrics."""
    verb: str = "gives"
    """What a set does with the first metric, in the sentence that heads a report."""


GAMES = {
    "boggle": Game(boggle.LAYOUT, boggle.SCHEMA, boggle.METRICS, boggle.LENGTH_COLUMNS),
    "kenken": Game(kenken.LAYOUT, kenken.SCHEMA, kenken.METRICS, (), "needs"),
}


def game(name: str) -> Game:
    if name not in GAMES:
        raise PipelineError(f"game {name!r} is not known", f"known are {', '.join(GAMES)}")
    return GAMES[name]


def counted_columns(name: str) -> list[str]:
    """Integer columns of a game that have histograms: its metrics and what else its report adds up."""
    kind = game(name)
    return [metric.name for metric in kind.metrics] + list(kind.columns)

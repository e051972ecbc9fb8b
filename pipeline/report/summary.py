"""The summary of a run: every figure of the report as plain data."""

from dataclasses import dataclass
from typing import Any

from pipeline.report.section import wing_of
from pipeline.runs.compare import Side, compare_sides, first_items
from pipeline.runs.ranking import best_first
from pipeline.runs.reading import Reader
from pipeline.runs.standings import FROM, rank, ranked_metric
from pipeline.runs.until import sentence
from pipeline.stats.controls import CONTROLLED_FROM, Sample
from pipeline.stats.description import describe, without_nan
from pipeline.stats.histograms import Histogram

TOP_ROWS = 10


@dataclass(frozen=True)
class Summary:
    """`figures`: plain data for JSON, nan as None; `histograms`: what they were made from, by variant and column."""

    figures: dict[str, Any]
    histograms: dict[str, dict[str, Histogram]]


def summarize(reader: Reader, boards: int | None = None) -> Summary:
    """Return the figures of the first `boards` rows (default: all planned) of each variant, and the variants compared.

    Raises PipelineError where rows are missing.
    """
    store, game = reader.store, reader.game
    count = store.boards if boards is None else boards
    by_variant: dict[str, dict[str, Histogram]] = {}
    variants: dict[str, dict[str, Any]] = {}
    samples: dict[str, Sample | None] = {}
    for variant in store.variants:
        sample = samples[variant] = reader.sample(variant, count)
        ranking = best_first(TOP_ROWS, game.ranked_by) if game.ranked_by else None
        columns = by_variant[variant] = reader.histograms(variant, count, ranking.add if ranking else None)
        variants[variant] = {
            "n": count,
            "metrics": {metric.name: describe(columns[metric.name], metric, sample) for metric in game.metrics},
            **wing_of(game).figures(reader, variant, columns, sample),
        }
        if ranking:
            names = (game.layout.id_column, game.layout.text_column, *(metric.name for metric in game.metrics))
            best = reader.best(variant, count, TOP_ROWS, ranking)
            variants[variant]["top_boards"] = [{name: row[name] for name in names} for row in best]
    described = game.describe(store.run)
    sides = [Side(reader, variant, variant) for variant in store.variants]
    every = list(by_variant.values()), list(samples.values())
    items = first_items(sides, count)
    ranked = (
        [one.as_dict() for one in rank(sides, count, *every, ranked_metric(sides), items)] if len(sides) >= FROM else []
    )
    figures = {
        "run": {
            "name": store.name,
            "run_id": store.run.run_id,
            "game": store.run.game,
            "item": game.layout.item,
            "rows": game.layout.rows,
            "variant": game.layout.variant_key,
            "boards": count,
            "settings": store.run.settings.model_dump(),
            "words": described.words,
            "facts": described.facts,
            "names": described.names,
            "versions": store.run.versions,
            "command": store.run.command,
            "started": store.run.started,
            "keep": store.run.keep,
            "notes": notes(reader, count),
            "cautions": cautions(reader),
        },
        "variants": variants,
        "standings": ranked,
        "comparisons": compare_sides(sides, count, *every, items),
    }
    return Summary(without_nan(figures), by_variant)


def notes(reader: Reader, boards: int) -> list[str]:
    """Return what a reader must know of how the first `boards` rows came to be, in sentences."""
    stop = reader.store.run.until
    why = [sentence(stop, reader.store.rows_folder)] if stop and stop.boards == boards else []
    few = boards < CONTROLLED_FROM and reader.game.keeps_sums
    plain = [f"Means are plain ones: below {CONTROLLED_FROM:,} {reader.store.rows_folder} controls make none surer."]
    return [*why, *cautions(reader), *(plain if few else []), *reader.notes()]


def cautions(reader: Reader) -> list[str]:
    """Return what is not alike among the sets, or was left out of what they are measured with, in sentences."""
    return [*unequal(reader), *reader.game.notes(reader.store.run)]


def unequal(reader: Reader) -> list[str]:
    """Return the rules that are not the same for all sets of a run, in sentences."""
    rules = {variant: reader.rules(variant) for variant in reader.variants}
    found = []
    for rule in next(iter(rules.values())):
        by_value: dict[str, list[str]] = {}
        for variant, its in rules.items():
            by_value.setdefault(its[rule], []).append(variant)
        if len(by_value) > 1:
            told = ", ".join(f"{value} for {', '.join(sets)}" for value, sets in by_value.items())
            found.append(f"The rules differ: {rule} is {told}.")
    return found

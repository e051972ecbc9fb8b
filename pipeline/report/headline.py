"""The answer in a sentence: which set gives more, by how much, how sure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.tables import number, p_value, percent_interval, with_interval, worth

ALPHA = 0.05


@dataclass(frozen=True)
class Headline:
    """`answer` is one sentence; `details` are sentences that say how sure it is."""

    answer: str
    details: tuple[str, ...]


def headline(figures: Mapping[str, Any], verb: str = "gives") -> Headline:
    """Of a run with one set: what a row holds. With more: which set gives most, each against the first.

    `verb` is what a set does with the first metric: it gives words, it needs nodes.
    """
    variants = figures["variants"]
    counts = [key for key, one in next(iter(variants.values()))["metrics"].items() if one["kind"] == "count"]
    if not counts:
        return Headline(f"{sum(one['n'] for one in variants.values()):,} rows", ())
    if not figures["comparisons"]:
        return _single(next(iter(variants)), next(iter(variants.values())), counts, verb)
    return _several(figures, counts, verb)


def _single(variant: str, section: Mapping[str, Any], counts: list[str], verb: str) -> Headline:
    metrics = section["metrics"]
    first = metrics[counts[0]]
    answer = f"{variant} {verb} {number(first['mean']['value'])} {first['unit']}"
    if "score" in metrics and counts[0] != "score":
        answer += f", worth {number(metrics['score']['mean']['value'])} points"
    details = [
        f"{metrics[key]['title'].capitalize()}: mean {with_interval(metrics[key]['mean'])} (95 % interval), half of "
        f"all between {number(metrics[key]['q1']['value'])} and {number(metrics[key]['q3']['value'])}."
        for key in counts[:2]
    ]
    return Headline(answer + ".", (*details, f"From {section['n']:,} seeded items{_as_from(section['n'], first)}."))


def _as_from(n: int, metric: Mapping[str, Any]) -> str:
    if metric["mean"]["method"] != "controlled":
        return ""
    return f"; what is known exactly makes them tell as much of {metric['title']} as {worth(n, metric['mean'])} would"


def _several(figures: Mapping[str, Any], counts: list[str], verb: str) -> Headline:
    main = counts[0]
    comparisons = figures["comparisons"]
    sentences, answers = [], []
    for comparison in comparisons:
        metric = comparison["metrics"][main]
        unit = figures["variants"][comparison["a"]]["metrics"][main]["unit"]
        answers.append(_answer(comparison, metric, unit, verb))
        sentences += _details(comparison, main)
    if len(comparisons) == 1:
        return Headline(answers[0], tuple(sentences))
    means = {name: section["metrics"][main]["mean"]["value"] for name, section in figures["variants"].items()}
    order = sorted(means, key=lambda name: -means[name])
    unit = figures["variants"][order[0]]["metrics"][main]["unit"]
    answer = (
        f"{order[0]} {verb} most: {number(means[order[0]])} {unit}; least: {order[-1]} with {number(means[order[-1]])}."
    )
    return Headline(answer, (*answers, *sentences))


def _answer(comparison: Mapping[str, Any], metric: Mapping[str, Any], unit: str, verb: str) -> str:
    a, b, shift = comparison["a"], comparison["b"], metric["difference"]
    if metric["p_value_holm"] is None or metric["p_value_holm"] >= ALPHA:
        return (
            f"No difference between {a} and {b} can be told: {number(metric['mean_a'])} and "
            f"{number(metric['mean_b'])} {unit}."
        )
    more, less = (b, a) if shift["value"] > 0 else (a, b)
    high, low = sorted((metric["mean_a"], metric["mean_b"]), reverse=True)
    return f"{more} {verb} more than {less}: {number(high)} {unit} against {number(low)}{_more(metric)}."


def _more(metric: Mapping[str, Any]) -> str:
    """By how many percent the richer set is ahead, with the interval."""
    relative = metric["relative_interval"]
    if relative["low"] is None:
        return ""
    bounds = [1 + relative[key] for key in ("value", "low", "high")]
    if metric["difference"]["value"] < 0:
        bounds = [1 / bounds[0], 1 / bounds[2], 1 / bounds[1]]
    ahead = dict(zip(("value", "low", "high"), (bound - 1 for bound in bounds), strict=True))
    value, _, interval = percent_interval(ahead).removesuffix(" %").partition(" ")
    return f", {value} % more (95 % interval {interval.strip('[]').replace(', ', ' to ')} %)"


def _details(comparison: Mapping[str, Any], main: str) -> list[str]:
    a, b = comparison["a"], comparison["b"]
    metrics = comparison["metrics"]
    shown = [main] + [key for key in ("score",) if key in metrics and key != main]
    sentences = []
    for key in shown:
        metric = metrics[key]
        relative = f", {100 * metric['relative']:+.1f} %" if metric["relative"] is not None else ""
        sentences.append(
            f"{metric['title'].capitalize()}, {b} less {a}: {with_interval(metric['difference'])} "
            f"(95 % interval){relative}; {_sureness(metric['p_value_holm'])}."
        )
    odds = metrics[main]["odds"]
    one_of_each = f"One {comparison['item']} of each: {b} has more {metrics[main]['title']}"
    sentences.append(
        f"{one_of_each} {percent_plain(odds['b_above'])} of the time, {a} "
        f"{percent_plain(odds['a_above'])}; the sets differ by {abs(metrics[main]['effect'] or 0):.2f} standard "
        "deviations, so much of what a player meets is chance."
        if abs(metrics[main]["effect"] or 0) < 0.5
        else f"{one_of_each} {percent_plain(odds['b_above'])} of the time."
    )
    if comparison["paired"]:
        sentences.append(
            f"Each {comparison['item']} of both sides comes from the same roll, and they are compared in pairs."
        )
    return sentences + [f"Note: {warning}." for warning in comparison["warnings"]]


def _sureness(p: float | None) -> str:
    if p is None:
        return "too few rows to test"
    if p >= ALPHA:
        return f"chance alone explains it (p = {p_value(p)} after Holm's correction)"
    shown = p_value(p)
    return f"p {shown if shown.startswith('<') else '= ' + shown} after Holm's correction"


def percent_plain(share: float | None) -> str:
    """Return one decimal: 9.3 %."""
    return "-" if share is None else f"{100 * share:.1f} %"

"""The summary as tables, for the terminal and for report.md."""

import shlex
import string
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.games.game import Game
from pipeline.report.categories import difference_tables, share_tables
from pipeline.report.section import wing_of
from pipeline.tables import Table, mean_interval, number, p_value, percent, percent_interval, worth

_QUANTILES = ("p1", "p5", "q1", "median", "q3", "p95", "p99")
_QUANTILE_TITLES = ("1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %")


def tables(summary: dict[str, Any], game: Game) -> list[Table]:
    """Return all tables of a report in reading order."""
    found = [metric_table(name, section, summary["run"]) for name, section in summary["variants"].items()]
    for name, section in summary["variants"].items():
        found += wing_of(game).tables(name, section)
        found += share_tables(name, section, summary["run"]["rows"])
    for comparison in summary["comparisons"]:
        found += comparison_tables(comparison)
    return found


def standing_tables(tables: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Return sets in order of a mean, those of the same rules in one table."""
    found = []
    for one in tables:
        rules = ", ".join(f"{name} {value}" for name, value in one["rules"].items())
        rows = [
            [
                str(row["place"]),
                row["name"],
                mean_interval(row["mean"]),
                worth(one["boards"], row["mean"]),
                "-" if row["to_first"] is None else mean_interval(row["to_first"]),
                "-" if row["to_next"] is None else mean_interval(row["to_next"]),
                "-" if row["to_next"] is None else p_value(row["to_next"]["p_value_holm"]),
                " ".join(string.ascii_lowercase[group - 1 : group] or str(group) for group in row["groups"]),
            ]
            for row in one["rows"]
        ]
        header = ["", "set", f"{one['unit']} [95 % interval]", "as from boards", "to the first", "ahead of the next",
                  "p (Holm)", "alike"]  # fmt: skip
        note = (
            "sets that share a letter under `alike` cannot be told apart"
            if any(row["groups"] for row in one["rows"])
            else "any two of these sets can be told apart"
        )
        if len(rows) > 1:
            found.append(Table(f"By {one['title']} ({rules})", header, rows, frozenset({"set", "alike"}), note))
        else:
            found.append(Table(f"No other set has these rules: {rules}", header[:4], [rows[0][:4]], frozenset({"set"})))
    return found


def comparison_tables(comparison: dict[str, Any]) -> list[Table]:
    """Return what is counted, then shares of categories where there are any."""
    return [comparison_table(comparison), *difference_tables(comparison)]


def metric_table(variant: str, section: dict[str, Any], run: dict[str, Any]) -> Table:
    rows = []
    for metric in section["metrics"].values():
        if metric["kind"] == "count":
            rows.append(
                [
                    metric["title"],
                    mean_interval(metric["mean"]),
                    worth(section["n"], metric["mean"]),
                    number(metric["sd"]),
                    number(metric["min"]),
                    *(number(metric[name]["value"]) for name in _QUANTILES),
                    number(metric["max"]),
                ]
            )
    per = f"per {run['item']}"
    shares = [f"{run['rows']} {what}: {percent_interval(share)}" for what, share in section.get("shares", {}).items()]
    return Table(
        f"{variant}: {section['n']:,} {run['rows']}",
        [per, "mean [95 % interval]", f"as from {run['rows']}", "sd", "min", *_QUANTILE_TITLES, "max"],
        rows,
        frozenset({per}),
        "; ".join(shares),
    )


def comparison_table(comparison: dict[str, Any]) -> Table:
    rows = []
    for metric in comparison["metrics"].values():
        odds = metric["odds"]
        rows.append(
            [
                metric["title"],
                number(metric["mean_a"]),
                number(metric["mean_b"]),
                mean_interval({**metric["difference"], "method": metric["method"]}),
                worth(comparison["n"], metric),
                percent(metric["relative"]),
                "-" if metric["effect"] is None else f"{metric['effect']:+.3f}",
                p_value(metric["p_value_holm"]),
                f"{metric['ks']:.4f}",
                percent(odds["b_above"]),
                percent(odds["tie"]),
                " ".join(f"{q['difference']['value']:+,}" for q in metric["quantiles"].values()),
            ]
        )
    a, b = comparison["a"], comparison["b"]
    item = comparison["item"]
    how = f"{item} by {item}, from the same rolls" if comparison["paired"] else f"independent {item}s"
    header = [
        f"per {item}", a, b, f"{b} - {a} [95 % interval]", f"as from {item}s", "relative", "effect", "p (Holm)", "KS",
        f"P({b} > {a})", "P(tie)", "5/25/50/75/95 %",
    ]  # fmt: skip
    return Table(
        f"{b} against {a} ({how})",
        header,
        rows,
        frozenset({f"per {item}"}),
        "\n".join(f"note: {warning}" for warning in comparison["warnings"]),
    )


def terminal(summary: dict[str, Any], game: Game, location: str, details: bool = False) -> str:
    """Return the report as text for a terminal; of many sets their order alone, unless `details` are asked for.

    location: of the run, for the command that shows them.
    """
    ranked = standing_tables(summary["standings"])
    more = [] if ranked and not details else tables(summary, game)
    hint = [f"every set by itself: pipeline report {shlex.quote(location)} --details"] if ranked and not details else []
    return "\n\n".join([*(table.text() for table in [*ranked, *more]), *_notes(summary), *hint])


def _notes(summary: dict[str, Any]) -> list[str]:
    return ["\n".join(textwrap.fill(note, 120) for note in notes)] if (notes := summary["run"]["notes"]) else []


def markdown(summary: dict[str, Any], game: Game) -> str:
    """Return the report as a page of markdown."""
    run = summary["run"]
    lines = [
        f"# {run['name']}",
        "",
        f"- command: `{run['command']}`",
        f"- run id: `{run['run_id']}`",
        f"- seed: {run['settings']['seed']}",
        *(f"- {name}: {fact}" for name, fact in run["facts"].items()),
        f"- versions: {', '.join(f'{name} {version}' for name, version in run['versions'].items())}",
        *(f"- note: {note}" for note in run["notes"]),
        "",
    ]
    every = [*standing_tables(summary["standings"]), *tables(summary, game)]
    return "\n".join(lines) + "\n\n".join(table.markdown() for table in every) + "\n"

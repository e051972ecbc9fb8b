"""The summary as tables, for the terminal and for report.md."""

import textwrap
from typing import Any

from pipeline.report.categories import difference_tables, share_tables
from pipeline.tables import Table, number, p_value, percent, percent_interval, with_interval

_QUANTILES = ("p1", "p5", "q1", "median", "q3", "p95", "p99")
_QUANTILE_TITLES = ("1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %")


def tables(summary: dict[str, Any]) -> list[Table]:
    """All tables of a report in reading order."""
    found = [metric_table(name, section, summary) for name, section in summary["variants"].items()]
    for name, section in summary["variants"].items():
        if "by_length" in section:
            found += [length_table(name, section), top_table(name, section)]
        found += share_tables(name, section, summary["run"]["rows"])
    for comparison in summary["comparisons"]:
        found += comparison_tables(comparison)
    return found


def comparison_tables(comparison: dict[str, Any]) -> list[Table]:
    """What is counted, then shares of categories where there are any."""
    return [comparison_table(comparison), *difference_tables(comparison)]


def metric_table(variant: str, section: dict[str, Any], summary: dict[str, Any]) -> Table:
    rows = []
    for metric in section["metrics"].values():
        if metric["kind"] == "count":
            rows.append(
                [
                    metric["title"],
                    with_interval(metric["mean"]),
                    number(metric["sd"]),
                    number(metric["min"]),
                    *(number(metric[name]["value"]) for name in _QUANTILES),
                    number(metric["max"]),
                ]
            )
    per = f"per {summary['run']['item']}"
    note = ""
    if "shares" in section:
        note = (
            f"boards with no word: {percent_interval(section['shares']['no_word'])}, "
            f"with a dead tile: {percent_interval(section['shares']['dead_tile'])}"
        )
    return Table(
        f"{variant}: {section['n']:,} {summary['run']['rows']}",
        [per, "mean [95 % interval]", "sd", "min", *_QUANTILE_TITLES, "max"],
        rows,
        frozenset({per}),
        note,
    )


def length_table(variant: str, section: dict[str, Any]) -> Table:
    rows = [
        [
            str(row["length"]),
            number(row["words_a_board"]),
            percent(row["share_of_words"]),
            number(row["points_a_board"]),
            percent(row["share_of_points"]),
            percent_interval(row["boards_with_exactly"]),
            percent_interval(row["boards_with_at_least"]),
        ]
        for row in section["by_length"]
    ]
    header = [
        "letters",
        "words/board",
        "of words",
        "points/board",
        "of points",
        "boards with one",
        "with one as long or longer",
    ]
    return Table(f"{variant}: words by length", header, rows)


def top_table(variant: str, section: dict[str, Any]) -> Table:
    rows = [
        [row["board"], number(row["score"]), number(row["words"]), number(row["longest"]), str(row["board_id"])]
        for row in section["top_boards"]
    ]
    return Table(f"{variant}: best boards", ["board", "points", "words", "longest", "id"], rows, frozenset({"board"}))


def comparison_table(comparison: dict[str, Any]) -> Table:
    rows = []
    for metric in comparison["metrics"].values():
        odds = metric["odds"]
        rows.append(
            [
                metric["title"],
                number(metric["mean_a"]),
                number(metric["mean_b"]),
                with_interval(metric["difference"]),
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
    how = f"paired by {item}: the same {item}s on both sides" if comparison["paired"] else f"independent {item}s"
    header = [
        f"per {item}", a, b, f"{b} - {a} [95 % interval]", "relative", "effect", "p (Holm)", "KS",
        f"P({b} > {a})", "P(tie)", "5/25/50/75/95 %",
    ]  # fmt: skip
    return Table(
        f"{b} against {a} ({how})",
        header,
        rows,
        frozenset({f"per {item}"}),
        "\n".join(f"note: {warning}" for warning in comparison["warnings"]),
    )


def terminal(summary: dict[str, Any]) -> str:
    return "\n\n".join([*(table.text() for table in tables(summary)), *_notes(summary)])


def _notes(summary: dict[str, Any]) -> list[str]:
    return ["\n".join(textwrap.fill(note, 120) for note in notes)] if (notes := summary["run"]["notes"]) else []


def spec_line(settings: dict[str, Any]) -> str:
    """`6x6; cages of 1, 2, 3, 4 cells 4 : 48 : 32 : 16; operators + - * / 3 : 3 : 2 : 2`, and what else it asks for."""
    size = settings["size"]
    said = [f"{size}x{size}"]
    for title, weights in (("cages of cells", settings["cage_sizes"]), ("operators", settings["operators"])):
        said.append(f"{title} {', '.join(weights)} by weights {' : '.join(map(str, weights.values()))}")
    if settings["rules"]:
        said.append(f"rules {', '.join(settings['rules'])}")
    if settings["grade"]:
        said.append(f"grade {settings['grade']}")
    return "; ".join(said)


def markdown(summary: dict[str, Any]) -> str:
    run = summary["run"]
    settings = run["settings"]
    lines = [
        f"# {run['name']}",
        "",
        f"- command: `{run['command']}`",
        f"- run id: `{run['run_id']}`",
        f"- seed: {settings['seed']}",
        *([f"- word list: {settings['words']} ({settings['word_count']:,} words)"] if "words" in settings else []),
        *(f"- spec {name}: {spec_line(one)}" for name, one in settings.get("spec", {}).items()),
        f"- versions: {', '.join(f'{name} {version}' for name, version in run['versions'].items())}",
        "",
    ]
    lines[-1:-1] = [f"- note: {note}" for note in run["notes"]]
    return "\n".join(lines) + "\n\n".join(table.markdown() for table in tables(summary)) + "\n"

"""What runs under outputs/ hold: opened by a name of the listing and by nothing else."""

import json
from pathlib import Path
from typing import Any

from pipeline.games.boggle.columns import LAYOUT
from pipeline.runs.opening import open_run, reader
from pipeline.runs.ranking import worst_first
from pipeline.runs.reading import Reader
from pipeline.tables import Table
from pipeline.web.listing import Listing, report_file
from pipeline.web.problems import INVALID, RefusalError, about

SUMMARY_FILE = "report/summary.json"
MAX_REPORT_BYTES = 64 << 20


def read_report(listing: Listing, name: str) -> tuple[bytes, str]:
    """Return content and media type. Raises RefusalError 404 where the run or its report is missing."""
    path = report_file(listing.folder(name))
    if path is None:
        raise RefusalError(404, "this run has no report yet; `pipeline report` writes it", field="name")
    return _read(path, "report"), "text/html" if path.suffix == ".html" else "text/plain"


def _read(path: Path, what: str) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_REPORT_BYTES + 1)
    except OSError as error:
        raise RefusalError(404, f"the {what} of this run cannot be read", field="name") from error
    if len(content) > MAX_REPORT_BYTES:
        raise RefusalError(404, f"the {what} of this run is larger than {MAX_REPORT_BYTES:,} bytes", field="name")
    return content


def detail(listing: Listing, name: str) -> dict[str, Any]:
    """A run with its settings and the summary that `pipeline report` wrote, if it did. Raises RefusalError 404."""
    folder = listing.folder(name)
    shown = listing.entry(name, folder)
    if shown["state"] == "broken":
        return {**shown, "keep": "", "command": "", "settings": {}, "versions": {}, "summary": None}
    run = _open(folder).store.run
    return {
        **shown,
        "keep": run.keep,
        "command": run.command,
        "settings": run.settings.model_dump(),
        "versions": run.versions,
        "summary": summary(folder),
    }


def summary(folder: Path) -> dict[str, Any] | None:
    """Figures of the report as it holds them; None without one."""
    path = folder / SUMMARY_FILE
    if not path.is_file():
        return None
    try:
        found = json.loads(_read(path, "summary"))
    except ValueError as error:
        raise RefusalError(404, "the summary of this run is no JSON; write the report again", field="name") from error
    return found if isinstance(found, dict) else None


def best_boards(
    listing: Listing, name: str, variant: str | None, worst: bool, limit: int, offset: int
) -> dict[str, Any]:
    """The boards of the highest or the lowest score. Raises RefusalError 404, or 422 where rows are missing."""
    run = _open_boggle(listing, name)
    chosen, boards = _variant(run, variant), run.store.boards
    count = min(limit + offset, boards)
    with about("name"):
        if worst:
            run.need_rows("a list of the lowest scores")
            rows = run.ranked(chosen, boards, worst_first(count, "score"))
        else:
            rows = run.best(chosen, boards, count)
    return {"variant": chosen, "boards": rows[offset:], "total": boards}


def common_words(
    listing: Listing, name: str, variant: str | None, rarest: bool, limit: int, offset: int
) -> dict[str, Any]:
    """The words on most boards, or on fewest. Raises RefusalError 404, or 422 where word counts are missing."""
    run = _open_boggle(listing, name)
    chosen = _variant(run, variant)
    from pipeline.report.boggle import atlas

    with about("name"):
        counted = atlas.load(run)
        ids = atlas.select(counted, chosen, rarest=rarest)
        words = atlas.entries(counted, chosen, ids[offset : offset + limit])
    return {"variant": chosen, "words": words, "total": len(ids)}


def _open_boggle(listing: Listing, name: str) -> Reader:
    run = _open(listing.folder(name))
    if run.store.run.game != LAYOUT.game:
        raise RefusalError(422, "this is a run of puzzles: it has no boards and no words", INVALID, "name")
    return run


def _variant(run: Reader, variant: str | None) -> str:
    if variant is not None and variant not in run.variants:
        detail = f"{variant!r} is not in this run: it holds {', '.join(run.variants)}"
        raise RefusalError(422, detail, INVALID, "variant")
    return variant or run.variants[0]


def compare(listing: Listing, names: list[str]) -> dict[str, Any]:
    """Each later run or dice set against the first, as figures and as tables. Raises RefusalError 404 or 422."""
    readers = [_open(listing.folder(name)) for name in names]
    from pipeline.report.text import comparison_tables
    from pipeline.runs.compare import compare_runs

    with about("run"):
        comparisons = compare_runs(readers)
        tables = [table for one in comparisons for table in comparison_tables(one)]
    return {"comparisons": comparisons, "tables": [_as_data(table) for table in tables]}


def share_tables(comparison: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of a comparison that are about shares of categories."""
    from pipeline.report.categories import difference_tables

    return [_as_data(table) for table in difference_tables(comparison)]


def _as_data(table: Table) -> dict[str, Any]:
    rows = [list(row) for row in table.rows]
    return {"title": table.title, "header": list(table.header), "rows": rows, "note": table.note}


def _open(folder: Path) -> Reader:
    with about("run"):
        return reader(open_run(str(folder)))

"""Runs under outputs/: listed by what is there, opened by a name of the list and by nothing else."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.games.boggle.columns import LAYOUT
from pipeline.runs.opening import open_run, reader
from pipeline.runs.ranking import worst_first
from pipeline.runs.reading import Reader
from pipeline.store.run_store import RUN_FILE, RunStore
from pipeline.web.problems import INVALID, RefusalError, about
from pipeline.web.running import is_running

REPORT_FILES = ("report/index.html", "report/report.md")
SUMMARY_FILE = "report/summary.json"
MAX_REPORT_BYTES = 64 << 20
MAX_RUNS = 500
"""Runs that are looked at; older ones are counted and left out."""
SORTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "date": lambda run: (run["changed"], run["name"]),
    "name": lambda run: run["name"],
    "boards": lambda run: (run["stored"], run["name"]),
    "size": lambda run: (run["bytes"], run["name"]),
}


def folders(outputs: Path) -> dict[str, Path]:
    """Run folders by name, the latest first."""
    try:
        found = [path.parent for path in outputs.glob(f"*/{RUN_FILE}")]
        found.sort(key=lambda folder: (-(folder / RUN_FILE).stat().st_mtime, folder.name))
    except OSError:
        return {}
    return {folder.name: folder for folder in found[:MAX_RUNS]}


def folder_of(outputs: Path, name: str) -> Path:
    """Raises RefusalError 404 for a name that is not listed."""
    folder = folders(outputs).get(name)
    if folder is None:
        raise RefusalError(404, "there is no run of this name", field="name")
    return folder


def entries(outputs: Path) -> list[dict[str, Any]]:
    """Every run, the latest first; a folder that cannot be opened is `broken` and says why."""
    return [entry(name, folder) for name, folder in folders(outputs).items()]


def listing(outputs: Path, search: str, sort: str, limit: int, offset: int) -> dict[str, Any]:
    """The runs whose name, variants or words hold `search`, in order; dates and numbers with the greatest first."""
    every = entries(outputs)
    wanted = search.strip().lower()
    found = [
        run
        for run in every
        if wanted in " ".join([run["name"], run["game"], *run["variants"], run["words"] or "", run["state"]]).lower()
    ]
    found.sort(key=SORTS[sort], reverse=sort != "name")
    return {"runs": found[offset : offset + limit], "total": len(found)}


def entry(name: str, folder: Path) -> dict[str, Any]:
    """Return how a run stands; `broken` with its problem where it cannot be opened."""
    try:
        store = open_run(str(folder))
        stored, size, changed = _stored(store)
    except PipelineError as error:
        return _broken(name, folder, str(error))
    if is_running(folder):
        state = "running"
    else:
        state = "done" if all(count >= store.boards for count in stored.values()) else "stopped"
    return {
        "name": name,
        "game": store.run.game,
        "state": state,
        "boards": store.boards,
        "stored": sum(stored.values()),
        "planned": store.boards * len(store.variants),
        "stored_by_variant": stored,
        "variants": store.variants,
        "words": game(store.run.game).describe(store.run).words,
        "seed": store.run.settings.seed,
        "started": store.run.started,
        "changed": _time(changed),
        "bytes": size,
        "report": report_file(folder) is not None,
        "problem": None,
    }


def _broken(name: str, folder: Path, problem: str) -> dict[str, Any]:
    return {
        "name": name, "game": "", "state": "broken", "boards": 0, "stored": 0, "planned": 0, "stored_by_variant": {},
        "variants": [], "words": None, "seed": None, "started": "", "changed": _time(_changed(folder)), "bytes": 0,
        "report": report_file(folder) is not None, "problem": problem,
    }  # fmt: skip


def _stored(store: RunStore) -> tuple[dict[str, int], int, float]:
    """Committed rows by variant, bytes of all parts, and when the last of them came."""
    rows, size = {}, 0
    changed = _changed(Path(store.location))
    for variant in store.variants:
        parts = store.parts(variant)
        rows[variant] = sum(min(part.end, store.boards) - min(part.start, store.boards) for part in parts)
        for kind in store.kinds:
            size += sum(store.files.sizes(store.folder(variant, kind)).values())
        changed = max(changed, _changed(Path(store.location) / store.folder(variant), ""))
    for place in ("", "report"):
        size += sum(store.files.sizes(place).values())
    return rows, size, changed


def _changed(folder: Path, name: str = RUN_FILE) -> float:
    try:
        return os.stat(folder / name).st_mtime
    except OSError:
        return 0.0


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def report_file(folder: Path) -> Path | None:
    return next((folder / name for name in REPORT_FILES if (folder / name).is_file()), None)


def read_report(outputs: Path, name: str) -> tuple[bytes, str]:
    """Return the content and media type. Raises RefusalError 404 where the run or its report is missing."""
    path = report_file(folder_of(outputs, name))
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


def detail(outputs: Path, name: str) -> dict[str, Any]:
    """A run with its settings and the summary that `pipeline report` wrote, if it did. Raises RefusalError 404."""
    folder = folder_of(outputs, name)
    shown = entry(name, folder)
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


def best_boards(outputs: Path, name: str, variant: str | None, worst: bool, limit: int, offset: int) -> dict[str, Any]:
    """The boards of the highest or the lowest score. Raises RefusalError 404, or 422 where rows are missing."""
    run = _open_boggle(outputs, name)
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
    outputs: Path, name: str, variant: str | None, rarest: bool, limit: int, offset: int
) -> dict[str, Any]:
    """The words on most boards, or on fewest. Raises RefusalError 404, or 422 where word counts are missing."""
    run = _open_boggle(outputs, name)
    chosen = _variant(run, variant)
    from pipeline.report.boggle import atlas

    with about("name"):
        counted = atlas.load(run)
        ids = atlas.select(counted, chosen, rarest=rarest)
        words = atlas.entries(counted, chosen, ids[offset : offset + limit])
    return {"variant": chosen, "words": words, "total": len(ids)}


def _open_boggle(outputs: Path, name: str) -> Reader:
    run = _open(folder_of(outputs, name))
    if run.store.run.game != LAYOUT.game:
        raise RefusalError(422, "this is a run of puzzles: it has no boards and no words", INVALID, "name")
    return run


def _variant(run: Reader, variant: str | None) -> str:
    if variant is not None and variant not in run.variants:
        detail = f"{variant!r} is not in this run: it holds {', '.join(run.variants)}"
        raise RefusalError(422, detail, INVALID, "variant")
    return variant or run.variants[0]


def compare(outputs: Path, names: list[str]) -> dict[str, Any]:
    """Each later run or dice set against the first, as figures and as tables. Raises RefusalError 404 or 422."""
    readers = [_open(folder_of(outputs, name)) for name in names]
    from pipeline.report.text import comparison_table
    from pipeline.runs.compare import compare_runs

    with about("run"):
        comparisons = compare_runs(readers)
        tables = [comparison_table(one) for one in comparisons]
    return {
        "comparisons": comparisons,
        "tables": [
            {
                "title": table.title,
                "header": list(table.header),
                "rows": [list(row) for row in table.rows],
                "note": table.note,
            }
            for table in tables
        ],
    }


def _open(folder: Path) -> Reader:
    with about("run"):
        return reader(open_run(str(folder)))

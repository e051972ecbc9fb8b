"""Runs under outputs/: listed by what is there, opened by a name of the list and by nothing else."""

from pathlib import Path
from typing import Any

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.runs.opening import open_run, reader
from pipeline.runs.reading import Reader
from pipeline.store.run_store import RUN_FILE, RunStore
from pipeline.web.problems import RefusalError, about

REPORT_FILES = ("report/index.html", "report/report.md")
MAX_REPORT_BYTES = 64 << 20
MAX_RUNS = 500


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


def listing(outputs: Path) -> list[dict[str, Any]]:
    """Runs that can be opened; a broken folder is left out."""
    runs = []
    for name, folder in folders(outputs).items():
        try:
            store = open_run(str(folder))
        except PipelineError:
            continue
        runs.append(_entry(name, folder, store))
    return runs


def _entry(name: str, folder: Path, store: RunStore) -> dict[str, Any]:
    return {
        "name": name,
        "game": store.run.game,
        "boards": store.boards,
        "variants": store.variants,
        "words": game(store.run.game).describe(store.run).words,
        "seed": store.run.settings.seed,
        "report": report_file(folder) is not None,
    }


def report_file(folder: Path) -> Path | None:
    return next((folder / name for name in REPORT_FILES if (folder / name).is_file()), None)


def read_report(outputs: Path, name: str) -> tuple[bytes, str]:
    """Return the content and media type. Raises RefusalError 404 where the run or its report is missing."""
    path = report_file(folder_of(outputs, name))
    if path is None:
        raise RefusalError(404, "this run has no report yet; `pipeline report` writes it", field="name")
    try:
        with path.open("rb") as file:
            content = file.read(MAX_REPORT_BYTES + 1)
    except OSError as error:
        raise RefusalError(404, "the report of this run cannot be read", field="name") from error
    if len(content) > MAX_REPORT_BYTES:
        raise RefusalError(404, f"the report of this run is larger than {MAX_REPORT_BYTES:,} bytes", field="name")
    return content, "text/html" if path.suffix == ".html" else "text/plain"


def compare(outputs: Path, names: list[str]) -> list[dict[str, Any]]:
    """Return the tables of each later run or dice set against the first. Raises RefusalError 404 or 422."""
    readers = [_open(folder_of(outputs, name)) for name in names]
    from pipeline.report.text import comparison_table
    from pipeline.runs.compare import compare_runs

    with about("run"):
        tables = [comparison_table(one) for one in compare_runs(readers)]
    return [
        {
            "title": table.title,
            "header": list(table.header),
            "rows": [list(row) for row in table.rows],
            "note": table.note,
        }
        for table in tables
    ]


def _open(folder: Path) -> Reader:
    with about("run"):
        return reader(open_run(str(folder)))

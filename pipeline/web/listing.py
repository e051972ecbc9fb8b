"""Runs under outputs/: which there are and how each stands. What has not changed is not read again."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.runs.opening import open_run
from pipeline.store.run_store import RUN_FILE, RunStore
from pipeline.web.problems import RefusalError
from pipeline.web.running import is_running

REPORT_FILES = ("report/index.html", "report/report.md")
MAX_RUNS = 2_000
"""Runs that are looked at; older ones are counted and left out."""
SETTLED = 2.0
"""Seconds after which a folder's time tells one change from the next, whatever the clock of its file system."""
Entry = dict[str, Any]
Stamp = tuple[tuple[int, int, int], ...]
SORTS: dict[str, Callable[[Entry], Any]] = {
    "date": lambda run: (run["changed"], run["name"]),
    "name": lambda run: run["name"],
    "boards": lambda run: (run["stored"], run["name"]),
    "size": lambda run: (run["bytes"], run["name"]),
}


class Listing:
    """The runs of one folder. Any thread may ask: at worst a run is read twice."""

    def __init__(self, outputs: Path) -> None:
        self.outputs = outputs
        self._known: dict[Path, tuple[list[Path], Stamp, Entry]] = {}

    def folders(self) -> tuple[dict[str, Path], int]:
        """Return run folders by name, the latest first, and how many older ones are left out."""
        try:
            found = [path.parent for path in self.outputs.glob(f"*/{RUN_FILE}")]
            found.sort(key=lambda folder: (-(folder / RUN_FILE).stat().st_mtime, folder.name))
        except OSError:
            return {}, 0
        return {folder.name: folder for folder in found[:MAX_RUNS]}, max(0, len(found) - MAX_RUNS)

    def folder(self, name: str) -> Path:
        """Raises RefusalError 404 for a name that is not listed."""
        folder = self.folders()[0].get(name)
        if folder is None:
            raise RefusalError(404, "there is no run of this name", field="name")
        return folder

    def entries(self) -> list[Entry]:
        """Return every run, the latest first; a folder that cannot be opened is `broken` and says why."""
        folders, _ = self.folders()
        self._known = {folder: known for folder, known in self._known.items() if folders.get(folder.name) == folder}
        return [self.entry(name, folder) for name, folder in folders.items()]

    def page(self, search: str, sort: str, limit: int, offset: int) -> dict[str, Any]:
        """Return the runs whose name, variants, words or state hold `search`, in order: names upwards, dates and
        numbers with the greatest first.
        """
        wanted = search.strip().lower()
        found = [run for run in self.entries() if wanted in _words_of(run)]
        found.sort(key=SORTS[sort], reverse=sort != "name")
        return {"runs": found[offset : offset + limit], "total": len(found), "left_out": self.folders()[1]}

    def entry(self, name: str, folder: Path) -> Entry:
        """Return how a run stands; `broken` with its problem where it cannot be opened."""
        known = self._known.get(folder)
        if known is not None and known[1] == _stamp(known[0]):
            found = known[2]
        else:
            found = self._read(name, folder)
        if found["state"] == "broken":
            return found
        if is_running(folder):
            state = "running"
        else:
            state = (
                "done" if all(count >= found["boards"] for count in found["stored_by_variant"].values()) else "stopped"
            )
        return {**found, "state": state}

    def _read(self, name: str, folder: Path) -> Entry:
        try:
            store = open_run(str(folder))
            places = [folder / RUN_FILE, folder, folder / "report"]
            places += [folder / store.folder(variant, kind) for variant in store.variants for kind in store.kinds]
            stamp = _stamp(places)
            found = _entry(name, folder, store)
        except PipelineError as error:
            self._known.pop(folder, None)
            return _broken(name, folder, str(error))
        latest = max(time_ns for time_ns, _, _ in stamp)
        if latest < (time.time() - SETTLED) * 1e9:
            self._known[folder] = (places, stamp, found)
        else:
            self._known.pop(folder, None)
        return found


def report_file(folder: Path) -> Path | None:
    """Return the report of a run, the page before the plain one; None where it has none."""
    return next((folder / name for name in REPORT_FILES if (folder / name).is_file()), None)


def _words_of(run: Entry) -> str:
    return " ".join([run["name"], run["game"], *run["variants"], run["words"] or "", run["state"]]).lower()


def _entry(name: str, folder: Path, store: RunStore) -> Entry:
    """All but the state, which changes with no file."""
    stored, size, changed = _stored(store)
    return {
        "name": name,
        "game": store.run.game,
        "state": "",
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


def _broken(name: str, folder: Path, problem: str) -> Entry:
    return {
        "name": name, "game": "", "state": "broken", "boards": 0, "stored": 0, "planned": 0, "stored_by_variant": {},
        "variants": [], "words": None, "seed": None, "started": "", "changed": _time(_changed(folder / RUN_FILE)),
        "bytes": 0, "report": report_file(folder) is not None, "problem": problem,
    }  # fmt: skip


def _stored(store: RunStore) -> tuple[dict[str, int], int, float]:
    """Committed rows by variant, bytes of all parts, and when the last of them came."""
    rows, size = {}, 0
    changed = _changed(Path(store.location) / RUN_FILE)
    for variant in store.variants:
        parts = store.parts(variant)
        rows[variant] = sum(min(part.end, store.boards) - min(part.start, store.boards) for part in parts)
        for kind in store.kinds:
            size += sum(store.files.sizes(store.folder(variant, kind)).values())
        changed = max(changed, _changed(Path(store.location) / store.folder(variant)))
    for place in ("", "report"):
        size += sum(store.files.sizes(place).values())
    return rows, size, changed


def _stamp(places: list[Path]) -> Stamp:
    """Time, file number and size of each place; a part that comes or goes changes its folder's time."""
    found = []
    for place in places:
        try:
            stat = os.stat(place)
        except OSError:
            found.append((0, 0, 0))
        else:
            found.append((stat.st_mtime_ns, stat.st_ino, stat.st_size))
    return tuple(found)


def _changed(place: Path) -> float:
    try:
        return os.stat(place).st_mtime
    except OSError:
        return 0.0


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))

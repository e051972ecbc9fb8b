"""`pipeline verify` of a run that keeps no rows: do its parts agree with each other, and with boards solved again?"""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from pipeline.games import counted_columns, game
from pipeline.runs.condense import best_rows, condense, histograms_of
from pipeline.runs.rebuild import workload
from pipeline.store import parts
from pipeline.store.kinds import RANKED_BY
from pipeline.store.parts import HISTOGRAMS, TOP, WORDS, Part
from pipeline.store.run_store import RunStore

PART_FOR_EACH = 100
"""The smallest part is solved again whole where it holds at most so many rows for each row of the sample."""


def wrong_part(store: RunStore, variant: str, part: Part, faults: Mapping[str, str]) -> str:
    """What is wrong with a part of sound checksum, as a clause; kinds with a fault are left out."""

    def read(kind: str) -> pa.Table | None:
        path = f"{store.folder(variant, kind)}/{part.name}"
        return None if path in faults or not store.files.exists(path) else parts.decode(store.files.read(path))

    main, top, words = read(HISTOGRAMS), read(TOP), read(WORDS)
    rows = part.end - part.start
    assert main is not None
    histograms = histograms_of(main)
    if list(histograms) != counted_columns(store.run["game"]):
        return "has histograms of other columns than this version writes"
    for name, histogram in histograms.items():
        if histogram.n != rows:
            return f"counts {histogram.n:,} rows in column {name}, its name says {rows:,}"
    if top is not None:
        id_column = game(store.run["game"]).layout.id_column
        ids = top.column(id_column).to_numpy()
        scores = top.column(RANKED_BY).to_numpy()
        if not top.num_rows or ids.min() < part.start or ids.max() >= part.end or best_rows([top], id_column) != top:
            return f"has rows in {TOP}/ that are not of its range, or out of order"
        if scores[0] != histograms[RANKED_BY].values[-1]:
            return f"has {scores[0]} as best {RANKED_BY} in {TOP}/, {histograms[RANKED_BY].values[-1]} in its histogram"
    if words is not None and "words" in histograms:
        found = int(words.column("boards").to_numpy().sum(dtype=np.uint64))
        if found != histograms["words"].total:
            return f"has {found:,} finds in {WORDS}/, {histograms['words'].total:,} in its histogram"
    return ""


def condense_again(store: RunStore, sound: list[tuple[str, Part]], sample: int, seed: int) -> tuple[int, list[str]]:
    """Rows solved again, and what differed: best rows of the parts, and the smallest part whole if it is small."""
    if not sound or not sample:
        return 0, []
    maker = workload(store)
    problems = []
    again = 0
    for place in np.random.default_rng(seed).permutation(len(sound)).tolist():
        variant, part = sound[place]
        top = _sound(store, variant, part, TOP)
        if again >= sample or top is None:
            continue
        id_column = maker.layout.id_column
        for row in top.to_pylist()[: sample - again]:
            again += 1
            item = row[id_column]
            solved = maker.solve_chunk(variant, Part(item, item + 1)).rows.to_pylist()[0]
            if solved != row:
                column = next(name for name in row if row[name] != solved[name])
                problems.append(
                    f"{variant} row {item}: {column} is {row[column]!r}, solved again it is {solved[column]!r}"
                )
    variant, part = min(sound, key=lambda one: one[1].end - one[1].start)
    if part.end - part.start <= PART_FOR_EACH * sample:
        made = condense(maker, counted_columns(store.run["game"]), variant, part, store.keep)
        again += part.end - part.start
        for kind, table in made.items():
            stored = _sound(store, variant, part, kind)
            if stored is not None and not stored.equals(table):
                problems.append(f"{store.folder(variant, kind)}/{part.name} is not what its rows give, solved again")
    return again, problems


def _sound(store: RunStore, variant: str, part: Part, kind: str) -> pa.Table | None:
    """The table of a part; None where it is gone or broken, which is said elsewhere."""
    path = f"{store.folder(variant, kind)}/{part.name}"
    data = store.files.read(path) if store.files.exists(path) else b""
    return parts.decode(data) if parts.is_whole(data) else None

"""The word atlas: on how many boards each word appeared, which words the dice can show at all, which stay unseen."""

import fnmatch
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import PipelineError
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs import rebuild
from pipeline.runs.condensed import check_edge
from pipeline.runs.reading import require
from pipeline.shipped import nearest
from pipeline.stats import estimates
from pipeline.stats.histograms import Histogram
from pipeline.store.kinds import NONE_BUT_TOP
from pipeline.store.parts import UNREADABLE, WORDS, WORDS_SCHEMA
from pipeline.store.run_store import RunStore
from solvers.boggle.matching import showable_words
from solvers.boggle.scoring import points_table

CORE = 1_000
"""Words whose share of all finds tells how concentrated they are."""


@dataclass(frozen=True)
class Atlas:
    """Words of a run by word id. `boards`: for each variant how many of its `n` boards show the word, int64[words]."""

    workload: BoggleWorkload
    words: Sequence[str]
    spelling: Sequence[str]
    boards: dict[str, npt.NDArray[np.int64]]
    n: dict[str, int]

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Letters of each word: int64[words]."""
        return np.fromiter(map(len, self.words), np.int64, len(self.words))

    @cached_property
    def usable(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Words that count under the rules of each variant: bool[words]."""
        return {variant: self._spread(variant, self.workload.lexicon(variant).usable) for variant in self.boards}

    @cached_property
    def showable(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Usable words that some arrangement of each variant's dice shows: bool[words]."""
        return {
            variant: self._spread(
                variant, showable_words(self.workload.lexicon(variant), self.workload.dice_set(variant).dice)
            )
            for variant in self.boards
        }

    def points(self, variant: str) -> npt.NDArray[np.int64]:
        """Points of each word: int64[words]."""
        table = points_table(self.workload.scoring(self.workload.dice_set(variant))).astype(np.int64)
        return table[np.minimum(self.lengths, 255)]

    def _spread(self, variant: str, flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """From the word ids of a variant's own list to those of the run."""
        own = self.workload.lexicon(variant).words
        if len(own) == len(self.words):
            return flags
        spread = np.zeros(len(self.words), np.bool_)
        spread[np.searchsorted(np.array(self.words), np.array(own))] = flags
        return spread


def load(store: RunStore, boards: int | None = None, workload: BoggleWorkload | None = None) -> Atlas:
    """Word counts over the parts that lie within the first `boards` rows (default: all planned).

    `workload` is the run's, where it was made again already.

    Raises PipelineError for a run without words, with missing rows, or with word counts that are broken or missing.
    """
    wanted = store.boards if boards is None else boards
    table = rebuild.read_lexicon(store)
    counts, sizes = {}, {}
    for variant in store.variants:
        require(store, variant, wanted)
        if store.keep == NONE_BUT_TOP:
            raise PipelineError(
                f"run {store.location} keeps no word counts (--keep {store.keep})",
                "make a run with --keep histograms and another --out",
            )
        check_edge(store, wanted)
        counts[variant], sizes[variant] = count_words(store, variant, wanted, table.num_rows)
    return Atlas(
        workload or rebuild.boggle(store),
        table.column("word").to_pylist(),
        table.column("spelling").to_pylist(),
        counts,
        sizes,
    )


def count_words(store: RunStore, variant: str, boards: int, words: int) -> tuple[npt.NDArray[np.int64], int]:
    """Boards that show each word, int64[words], and how many boards were looked at.

    A part is counted whole or not at all, so the boards are fewer than asked where `boards` ends inside a part.
    """
    total = np.zeros(words, np.int64)
    seen = 0
    counted = set(store.parts(variant, WORDS))
    for part in store.parts(variant):
        if part.end > boards:
            break
        if part not in counted:
            raise PipelineError(
                f"run {store.location} has no word counts of its {variant} {store.rows_folder} "
                f"{part.start:,} to {part.end - 1:,}",
                "remove the part and start the same `pipeline run` again",
            )
        path = f"{store.folder(variant, WORDS)}/{part.name}"
        place = store.files.url(path)
        try:
            table = pq.read_table(pa.BufferReader(store.files.read(path)))
        except UNREADABLE as error:
            raise PipelineError(
                f"part {place} is broken: {str(error).splitlines()[0]}", "`pipeline verify` lists all broken parts"
            ) from error
        if not table.schema.equals(WORDS_SCHEMA):
            raise PipelineError(f"part {place} has another schema than this version writes", "remove it and run again")
        ids = table.column("word_id").to_numpy()
        if len(ids) and int(ids.max()) >= words:
            raise PipelineError(f"part {place} is broken: it counts a word that is not in the list", "run again")
        total[ids] += table.column("boards").to_numpy().astype(np.int64)
        seen += part.end - part.start
    return total, seen


def select(
    atlas: Atlas,
    variant: str,
    length: int | None = None,
    pattern: str | None = None,
    rarest: bool = False,
    never: bool = False,
    impossible: bool = False,
    only_in: Sequence[str] = (),
    not_in: Sequence[str] = (),
) -> npt.NDArray[np.int64]:
    """Word ids that fit, in the order to show them: commonest first, rarest first, or by the alphabet.

    `pattern` holds letters, `?` for any letter, `*` for any letters. `never`: the dice can show the word, no board
    did. `impossible`: usable, but no arrangement shows it. `only_in` and `not_in` are variants that can or cannot
    show it.
    """
    for one in (variant, *only_in, *not_in):
        if one not in atlas.boards:
            raise PipelineError(f"dice set {one!r} is not in this run", nearest(one, list(atlas.boards)))
    if never and impossible:
        raise PipelineError("--never and --impossible exclude each other", "give one of them")
    boards = atlas.boards[variant]
    if impossible:
        chosen = atlas.usable[variant] & ~atlas.showable[variant]
    elif never:
        chosen = atlas.showable[variant] & (boards == 0)
    elif only_in or not_in:
        chosen = atlas.usable[variant].copy()
    else:
        chosen = boards > 0
    for one in only_in:
        chosen = chosen & atlas.showable[one]
    for one in not_in:
        chosen = chosen & atlas.usable[one] & ~atlas.showable[one]
    if length is not None:
        chosen = chosen & (atlas.lengths == length)
    ids = np.flatnonzero(chosen)
    if pattern is not None:
        wanted = pattern.lower()
        ids = np.array([one for one in ids.tolist() if fnmatch.fnmatchcase(atlas.words[one], wanted)], np.int64)
    if rarest:
        found = ids[boards[ids] > 0]
        return found[np.lexsort((found, boards[found]))]
    return ids[np.lexsort((ids, -boards[ids]))]


def entries(atlas: Atlas, variant: str, ids: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Words as data: spelling, length, points, boards, share of boards with interval."""
    points = atlas.points(variant)
    n = atlas.n[variant]
    return [
        {
            "word": atlas.words[one],
            "spelling": atlas.spelling[one],
            "length": int(atlas.lengths[one]),
            "points": int(points[one]),
            "boards": int(atlas.boards[variant][one]),
            "share": estimates.share_estimate(int(atlas.boards[variant][one]), n)._asdict(),
        }
        for one in ids.tolist()
    ]


def overview(atlas: Atlas, variant: str) -> dict[str, Any]:
    """How many words there are, can be shown, were seen; and the share of all finds that the commonest have.

    `not_usable`: long enough, but no tiles spell them, such as a q without its u.
    """
    boards = atlas.boards[variant]
    usable, showable = atlas.usable[variant], atlas.showable[variant]
    finds = int(boards.sum())
    core = int(np.sort(boards)[-CORE:].sum())
    return {
        "n": atlas.n[variant],
        "words": len(atlas.words),
        "usable": int(usable.sum()),
        "not_usable": int((atlas.lengths >= atlas.workload.lexicon(variant).min_length).sum() - usable.sum()),
        "showable": int(showable.sum()),
        "impossible": int((usable & ~showable).sum()),
        "seen": int((boards > 0).sum()),
        "never": int((showable & (boards == 0)).sum()),
        "finds": finds,
        "core": CORE,
        "core_share": core / finds if finds else None,
    }


def growth(atlas: Atlas, variant: str, points: int = 40) -> list[tuple[int, float]]:
    """(boards, distinct words expected on that many of the run's boards, drawn without replacement).

    Exact from how many boards each word was on: a word on f of n boards is missed by m of them with chance
    C(n - f, m) / C(n, m). Source: Hurlbert, Ecology 52 (1971), as rarefaction.
    """
    n = atlas.n[variant]
    spread = Histogram.of(atlas.boards[variant][atlas.boards[variant] > 0])
    sizes = sorted({max(1, round(n ** (place / points))) for place in range(1, points + 1)}) if n else []
    left = n - spread.values
    log_left = log_factorial(left)
    curve = []
    for m in sizes:
        can_miss = left >= m
        chance = np.exp(
            log_left[can_miss] - log_factorial(left[can_miss] - m) + (math.lgamma(n - m + 1) - math.lgamma(n + 1))
        )
        curve.append((m, float(spread.n - spread.counts[can_miss] @ chance)))
    return curve


def log_factorial(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """ln(n!) of each value, by Stirling's series from 16 on: exact to fourteen digits."""
    small = np.array([math.lgamma(value + 1) for value in range(16)])
    x = np.maximum(values, 16) + 1.0
    series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5) - 1 / (1680 * x**7)
    large = (x - 0.5) * np.log(x) - x + math.log(2 * math.pi) / 2 + series
    return np.where(values < 16, small[np.minimum(values, 15)], large)


def concentration(atlas: Atlas, variant: str, points: int = 60) -> list[tuple[int, float]]:
    """(k, share of all finds that the k commonest words have)."""
    ordered = np.sort(atlas.boards[variant][atlas.boards[variant] > 0])[::-1]
    if not len(ordered):
        return []
    cumulative = np.cumsum(ordered)
    ranks = sorted({max(1, round(len(ordered) ** (place / points))) for place in range(points + 1)})
    return [(rank, float(cumulative[rank - 1] / cumulative[-1])) for rank in ranks]

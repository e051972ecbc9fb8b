"""The word atlas: on how many boards each word appeared, which words the dice can show at all, which stay unseen."""

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError, nearest
from pipeline.games.boggle.game import board_run
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs.reading import Reader
from pipeline.stats import estimates
from pipeline.store.parts import WORDS
from pipeline.store.reading import REPAIR, read_lexicon
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

    def only(self, variants: Iterable[str]) -> "Atlas":
        """Return the atlas of some variants, with what is known of them already."""
        chosen = list(variants)
        part = replace(self, boards={one: self.boards[one] for one in chosen}, n={one: self.n[one] for one in chosen})
        for name in ("usable", "showable"):
            if name in vars(self):
                vars(part)[name] = {one: vars(self)[name][one] for one in chosen}
        return part

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
        """Return the points of each word: int64[words]."""
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


def load(reader: Reader, boards: int | None = None) -> Atlas:
    """Return the word counts over the parts that lie within the first `boards` rows (default: all planned).

    Raises PipelineError for a run without words, with missing rows, or with word counts that are broken or missing.
    """
    store = reader.store
    wanted = store.boards if boards is None else boards
    board_run(store)
    workload = reader.workload
    reader.check_edge(wanted)
    table = read_lexicon(store)
    counts, sizes = {}, {}
    for variant in store.variants:
        reader.require(variant, wanted)
        counts[variant], sizes[variant] = count_words(reader, variant, wanted, table.num_rows)
    return Atlas(workload, table.column("word").to_pylist(), table.column("spelling").to_pylist(), counts, sizes)


def count_words(reader: Reader, variant: str, boards: int, words: int) -> tuple[npt.NDArray[np.int64], int]:
    """Return the on how many boards each word is, int64[words], and how many boards were looked at.

    A part is counted whole or not at all, so the boards are fewer than asked where `boards` ends inside a part.
    """
    total = np.zeros(words, np.int64)
    seen = 0
    for part in reader.store.parts(variant):
        if part.end > boards:
            break
        table = reader.word_counts(variant, part)
        ids = table.column("word_id").to_numpy()
        if len(ids) and int(ids.max()) >= words:
            place = reader.store.files.url(reader.store.path(variant, part, WORDS))
            raise PipelineError(f"part {place} is broken: it counts a word that is not in the list", REPAIR)
        total[ids] += table.column("boards").to_numpy().astype(np.int64)
        seen += part.rows
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
    """Return the word ids that fit, in the order to show them: commonest first, rarest first, or by the alphabet.

    `pattern` holds letters, `?` for any letter, `*` for any letters. `never`: the dice can show the word, no board
    did. `impossible`: usable, but no arrangement shows it. `only_in` and `not_in` are variants that can or cannot
    show it.
    """
    for one in (variant, *only_in, *not_in):
        if one not in atlas.boards:
            raise PipelineError(f"dice set {one!r} is not in this run", nearest(one, list(atlas.boards)))
    for sign in pattern or "":
        if not sign.isalpha() and sign not in "?*":
            raise PipelineError(
                f"--pattern {pattern!r}: {sign!r} is no letter",
                "it takes letters, ? for any letter and * for any letters",
            )
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
    """Return the words as data: spelling, length, points, boards, share of boards with interval."""
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
    """Return how many words there are, can be shown, were seen; and the share of all finds that the commonest have.

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

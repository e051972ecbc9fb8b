"""What makes a board rich: letters, vowels, places; and what search costs against what it finds.

Letters and vowels are read off the first boards of a run, shaken again from their ids; use of cells comes from
solving fewer of them again.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.games.boggle.dice import DiceSet
from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.vowels import is_vowel
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.runs.reading import Reader
from pipeline.stats import estimates
from pipeline.stats.histograms import Histogram
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.cells import use_of_cells
from solvers.grid import PLACES, place_of_cells

LETTER_BOARDS = 100_000
CELL_BOARDS = 8_000
NODE_BINS = 24
LEAST = 30
"""Boards below which no mean is given."""


def effects(reader: Reader, boards: int) -> dict[str, dict[str, Any]]:
    """Return for each variant `sections` of its first boards; the variants side by side, as kernels release the
    GIL.
    """
    _ = reader.workload
    with ThreadPoolExecutor(2) as pool:
        made = pool.map(lambda variant: sections(reader, variant, boards), reader.variants)
        return dict(zip(reader.variants, made, strict=True))


def sections(reader: Reader, variant: str, boards: int) -> dict[str, Any]:
    """Return all effects of one variant as data; every mean with interval."""
    workload: BoggleWorkload = reader.workload
    dice = workload.dice_set(variant)
    n = min(boards, LETTER_BOARDS)
    first = reader.first_rows(variant, ("score", "nodes"), n)
    scores, nodes = first["score"], first["nodes"]
    faces = shake(dice, workload.seed, 0, n)
    return {
        "boards": n,
        "mean_score": estimates.mean(Histogram.of(scores)),
        "letters": letter_effects(dice, faces, scores),
        "vowels": vowel_effects(dice, faces, scores),
        "nodes": score_by_nodes(scores, nodes),
        "cells": cell_use(workload, variant, faces[:CELL_BOARDS]),
    }


def letter_effects(dice: DiceSet, faces: npt.NDArray[np.uint8], scores: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """For each face: boards with it, mean score with it less mean score without, mean score with it at each place."""
    places = place_of_cells(dice.rows, dice.columns)
    rows = []
    for number, face in enumerate(dice.faces):
        shown = faces == number
        present = shown.any(axis=1)
        row: dict[str, Any] = {"face": face or ".", "boards": int(present.sum()), "difference": None}
        with_it, without = scores[present], scores[~present]
        if min(len(with_it), len(without)) >= LEAST:
            row["difference"] = estimates.mean_difference(Histogram.of(without), Histogram.of(with_it)).mean._asdict()
        for place, name in enumerate(PLACES):
            here = shown[:, places == place].any(axis=1)
            row[name] = _mean(scores[here])
        rows.append(row)
    return rows


def vowel_effects(dice: DiceSet, faces: npt.NDArray[np.uint8], scores: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return the mean score by the vowels that the tiles of a board show (a `Qu` counts for its u)."""
    rules = dice.rules
    vowels = np.array([sum(is_vowel(letter, rules.id) for letter in rules.lower(face)) for face in dice.faces])
    on_board = vowels[faces].sum(axis=1)
    return [
        {"vowels": number, "boards": int((on_board == number).sum()), "score": _mean(scores[on_board == number])}
        for number in range(int(on_board.max()) + 1)
        if (on_board == number).sum() >= LEAST
    ]


def _mean(scores: npt.NDArray[np.int64]) -> dict[str, float] | None:
    return estimates.mean_estimate(Histogram.of(scores))._asdict() if len(scores) >= LEAST else None


def score_by_nodes(scores: npt.NDArray[np.int64], nodes: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Return the correlation, and mean, 5 % and 95 % quantile of the score in bins of nodes with about equally many
    boards.
    """
    varied = len(scores) > 1 and np.ptp(scores) > 0 and np.ptp(nodes) > 0
    return {
        "correlation": float(np.corrcoef(scores, nodes)[0, 1]) if varied else None,
        "bins": [
            {
                "nodes": float(nodes[rows].mean()),
                "boards": len(rows),
                "score": _mean(scores[rows]),
                "p5": estimates.quantile(Histogram.of(scores[rows]), 0.05),
                "p95": estimates.quantile(Histogram.of(scores[rows]), 0.95),
            }
            for rows in _equal_bins(nodes)
        ],
    }


def _equal_bins(values: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
    order = np.argsort(values, kind="stable")
    for rows in np.array_split(order, min(NODE_BINS, max(1, len(values) // LEAST))):
        if len(rows) >= LEAST:
            yield rows


def cell_use(workload: BoggleWorkload, variant: str, faces: npt.NDArray[np.uint8]) -> dict[str, Any]:
    """Return the words and points through each cell, the share of boards on which it is dead, and dead tiles by face
    and
    place.
    """
    dice = workload.dice_set(variant)
    symbols = symbols_of_faces(faces, dice.faces, dice.alphabet)
    use = use_of_cells(symbols, dice.rows, dice.columns, workload.lexicon(variant), workload.scoring(dice))
    blank = np.array([not face for face in dice.faces])[faces]
    dead = (use.words == 0) & ~blank
    n = len(faces)
    places = np.broadcast_to(place_of_cells(dice.rows, dice.columns), faces.shape)
    return {
        "boards": n,
        "rows": dice.rows,
        "columns": dice.columns,
        "words": [_estimate(use.words[:, cell]) for cell in range(dice.cells)],
        "points": [_estimate(use.points[:, cell]) for cell in range(dice.cells)],
        "dead": [estimates.share_estimate(int(dead[:, cell].sum()), n)._asdict() for cell in range(dice.cells)],
        "dead_by_face": [
            {
                "face": face,
                "tiles": int((faces == number).sum()),
                "dead": _share(dead, faces == number),
                **{name: _share(dead, (faces == number) & (places == place)) for place, name in enumerate(PLACES)},
            }
            for number, face in enumerate(dice.faces)
            if face and (faces == number).any()
        ],
    }


def _estimate(values: npt.NDArray[np.uint32]) -> dict[str, float]:
    return estimates.mean_estimate(Histogram.of(values))._asdict()


def _share(dead: npt.NDArray[np.bool_], tiles: npt.NDArray[np.bool_]) -> dict[str, float] | None:
    count = int(tiles.sum())
    return estimates.share_estimate(int((dead & tiles).sum()), count)._asdict() if count else None

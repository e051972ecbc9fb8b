"""Points by number of letters."""

import numpy as np
import numpy.typing as npt

from solvers.errors import InputError


def _table(name: str) -> npt.NDArray[np.uint16]:
    lengths = np.arange(256)
    points = np.select(
        [lengths == 0, lengths <= 4, lengths == 5, lengths == 6, lengths == 7], [0, 1, 2, 3, 5], default=11
    )
    if name == "super":
        points = np.where(lengths >= 9, 2 * lengths, points)
    return points.astype(np.uint16)


SCORINGS = {
    "standard": "1 point to 4 letters, then 2, 3, 5, and 11 from 8 letters on",
    "super": "as standard, but words of 9 and more letters score 2 points a letter (Super Big Boggle)",
}


def points_table(name: str) -> npt.NDArray[np.uint16]:
    """Return the points of a word by its number of letters: uint16[256].

    Raises InputError for an unknown scoring.
    """
    if name not in SCORINGS:
        raise InputError(f"scoring {name!r} is not known", f"known are {', '.join(SCORINGS)}")
    return _table(name)

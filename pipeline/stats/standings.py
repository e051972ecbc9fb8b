"""Sets in order of a mean: who is ahead of whom, and who cannot be told apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pipeline.stats.controls import MeanDifference, MeanEstimate
from pipeline.stats.distances import holm

ALPHA = 0.05


@dataclass(frozen=True)
class Standing:
    """One set. `to_first`, `to_next`: its mean less that of the first, and of the next one; None for those themselves.
    p-values are adjusted for all pairs. groups: numbers of the groups that it is in; members of a group cannot be told
    apart.
    """

    place: int
    name: str
    mean: MeanEstimate
    to_first: Mapping[str, Any] | None
    to_next: Mapping[str, Any] | None
    groups: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), "mean": self.mean.as_dict(), "groups": list(self.groups)}


def standings(means: Mapping[str, MeanEstimate], difference: Callable[[str, str], MeanDifference]) -> list[Standing]:
    """Return the sets by falling mean. difference: of two names, the second's mean less the first's.

    Every pair is tested, with Holm's correction for all of them; where means are exact, unequal ones differ. A group is
    as many sets, one behind the other, as of which no two differ; most are in one, some in several.
    """
    order = sorted(means, key=lambda name: (-means[name].value, name))
    pairs = list(combinations(range(len(order)), 2))
    found = {(i, j): difference(order[j], order[i]) for i, j in pairs}
    # Exact differences are no tests: they are there, or they are not.
    p_values = [
        one.difference.p_value if one.method != "exact" else 0.0 if one.difference.mean.value else 1.0
        for one in found.values()
    ]
    adjusted = dict(zip(pairs, holm(p_values), strict=True))
    groups = _groups(len(order), lambda i, j: not adjusted[i, j] < ALPHA)

    def told(i: int, j: int) -> dict[str, Any] | None:
        if not i < j < len(order):
            return None
        one = found[i, j]
        return {**one.difference.mean._asdict(), "method": one.method, "p_value_holm": adjusted[i, j]}

    rows = []
    for place, name in enumerate(order):
        first = told(0, place)
        if first is not None:
            first |= {"value": -first["value"], "low": -first["high"], "high": -first["low"]}
        mine = tuple(number for number, members in enumerate(groups, 1) if place in members)
        rows.append(Standing(place + 1, name, means[name], first, told(place, place + 1), mine))
    return rows


def _groups(size: int, alike: Callable[[int, int], bool]) -> list[range]:
    """The longest runs of places of which no two are told apart, those of one place alone left out."""
    found: list[range] = []
    for start in range(size):
        end = start + 1
        while end < size and all(alike(place, end) for place in range(start, end)):
            end += 1
        if end - start > 1 and (not found or end > found[-1].stop):
            found.append(range(start, end))
    return found


def names_of(group: int, rows: Sequence[Standing]) -> list[str]:
    """Return the sets of a group."""
    return [row.name for row in rows if group in row.groups]

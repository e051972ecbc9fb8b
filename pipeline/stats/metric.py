"""What a histogram is a histogram of."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """An integer column that a report describes. A category has names for its values and no mean."""

    name: str
    title: str
    unit: str
    kind: Literal["count", "category"] = "count"
    labels: tuple[str, ...] = ()

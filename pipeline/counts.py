"""Numbers of boards as people write them: 250000, 1_000_000, 1e12, 10M."""

import re
from decimal import Decimal

_COUNT = re.compile(r"(-?\d[\d_]*(?:\.\d+)?)(?:[eE]\+?(\d{1,2}))?\s*([kKMGBT]?)")
_UNITS = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "B": 9, "T": 12}


def parse_count(text: str) -> int:
    """A whole number; k, M, G (or B) and T stand for thousand, million, billion and a thousand billions.

    Raises ValueError for anything that is not a whole number written so.
    """
    match = _COUNT.fullmatch(text.strip().replace(",", "_"))
    if match is None:
        raise ValueError(f"{text!r} is not a whole number such as 250000, 1_000_000, 1e6 or 10M")
    digits, exponent, unit = match.groups()
    value = Decimal(digits.replace("_", "")).scaleb(int(exponent or 0) + _UNITS[unit])
    if value != value.to_integral_value():
        raise ValueError(f"{text!r} is not a whole number")
    return int(value)

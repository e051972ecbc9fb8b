"""What makes a run that run: a JSON-able description whose hash names it."""

import hashlib
import json
from typing import Any

SEMANTICS = 1
"""Raised whenever the meaning of a column or the way a board follows from its seed changes."""


def run_id(identity: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON of the identity, in hex."""
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def difference(stored: Any, wanted: Any, path: str = "") -> str:
    """The first thing that differs between two identities, in words."""
    if isinstance(stored, dict) and isinstance(wanted, dict):
        for key in [*stored, *(key for key in wanted if key not in stored)]:
            place = f"{path}.{key}" if path else str(key)
            if key not in wanted:
                return f"it has {place}, this one has not"
            if key not in stored:
                return f"it has no {place}"
            if stored[key] != wanted[key]:
                return difference(stored[key], wanted[key], place)
    if isinstance(stored, list) and isinstance(wanted, list) and len(stored) == len(wanted):
        for number, (one, other) in enumerate(zip(stored, wanted, strict=True), 1):
            if one != other:
                return difference(one, other, f"{path} {number}")
    return f"its {path} is {_short(stored)}, not {_short(wanted)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."

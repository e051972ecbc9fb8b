"""What kind of puzzle is generated: size, cage sizes, operators, rules, grade."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from solvers.errors import InputError
from solvers.kenken.codes import GRADES, MAX_SIZE, OPERATORS, RUNGS
from solvers.kenken.model import STANDARD, Rules

MAX_CAGE = 12
_MAX_WEIGHT = 1_000_000
_SIZE_NAME = re.compile(r"([1-9]\d?)x\1", re.ASCII)

FLAGS = tuple(field.name for field in fields(Rules) if field.type is bool)
"""The rules that are true or false."""
DEFAULT_CAGE_SIZES = {1: 4, 2: 48, 3: 32, 4: 16}
DEFAULT_OPERATORS = {"+": 3, "-": 3, "*": 2, "/": 2}


@dataclass(frozen=True)
class Spec:
    """A kind of puzzle.

    cage_sizes: weight of each number of cells, in order of cells. operators: weight of each of codes.OPERATORS,
    drawn among those that a cage's digits allow. grade: one of codes.GRADES, or None to take every unique puzzle.
    Raises InputError for values out of range. `id` and `notes` are no part of the identity.
    """

    id: str
    size: int
    cage_sizes: tuple[tuple[int, int], ...] = tuple(sorted(DEFAULT_CAGE_SIZES.items()))
    operators: tuple[tuple[str, int], ...] = tuple(DEFAULT_OPERATORS.items())
    rules: Rules = STANDARD
    grade: str | None = None
    notes: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.id):
            raise InputError(f"spec id {self.id!r}", "use a-z first, then a-z, 0-9 and _")
        if not _whole(self.size) or not 1 <= self.size <= MAX_SIZE:
            raise InputError(f"spec {self.id}: size {self.size!r}", f"sizes are 1..{MAX_SIZE}")
        for cells, weight in self.cage_sizes:
            if not _whole(cells) or not 1 <= cells <= MAX_CAGE:
                raise InputError(f"spec {self.id}: cages of {cells!r} cells", f"cages have 1..{MAX_CAGE} cells")
            self._check_weight(f"cages of {cells} cells", weight)
        for operator, weight in self.operators:
            if operator not in OPERATORS:
                raise InputError(
                    f"spec {self.id}: operator {operator!r}", f"operators are {' '.join(OPERATORS)}; rules hide them"
                )
            self._check_weight(f"operator {operator}", weight)
        for name, weights in (("cage_sizes", self.cage_sizes), ("operators", self.operators)):
            if not any(weight for _, weight in weights):
                raise InputError(f"spec {self.id}: no {name} with a weight above 0", "give at least one")
        if self.rules.hidden:
            for operator, weight in self.operators:
                if weight and operator not in self.rules.hides:
                    raise InputError(
                        f"spec {self.id}: hidden cages of operator {operator}, which the rules do not hide",
                        f"add it to hides, or leave it out; hides are {' '.join(self.rules.hides)}",
                    )
        if self.grade is not None and self.grade not in GRADES:
            raise InputError(f"spec {self.id}: grade {self.grade!r}", f"grades are {', '.join(GRADES)}")

    def _check_weight(self, what: str, weight: object) -> None:
        if not _whole(weight) or not 0 <= weight <= _MAX_WEIGHT:  # type: ignore[operator]
            raise InputError(
                f"spec {self.id}: weight {weight!r} of {what}", f"weights are whole numbers 0..{_MAX_WEIGHT}"
            )

    def identity(self) -> dict[str, Any]:
        """Return what decides the puzzles, JSON-able: specs of equal identity give equal puzzles from a seed."""
        return {
            "size": self.size,
            "cage_sizes": {str(cells): weight for cells, weight in sorted(self.cage_sizes) if weight},
            "operators": {operator: weight for operator, weight in sorted(self.operators) if weight},
            "rules": {name: getattr(self.rules, name) for name in FLAGS} | self.rules.told(),
            "grade": self.grade,
        }


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def parse_grade(text: str) -> str:
    """Return the grade that a grade name (`hard`) or a rung name (`cage_tuples`) stands for; raises InputError."""
    if text in RUNGS:
        return GRADES[RUNGS.index(text)]
    if text not in GRADES:
        raise InputError(f"grade {text!r}", f"grades are {', '.join(GRADES)}")
    return text


def spec_id(name: str) -> str:
    """Return the id that a name given by a person stands for: `6x6` is `k6x6`, all others are ids themselves."""
    return f"k{name}" if _SIZE_NAME.fullmatch(name) else name


def spec_for_size(name: str) -> Spec:
    """Return the default spec of a size named as `6x6`; raises InputError for another form or a size out of range."""
    match = _SIZE_NAME.fullmatch(name)
    if match is None:
        raise InputError(f"spec {name!r}", "name a size as 6x6")
    return Spec(spec_id(name), int(match[1]))


def read_rules(value: object, where: str) -> Rules:
    """Return the rules from a mapping of names to true or false, and `hides` to a list of operators.

    Raises InputError naming what is unknown.
    """
    known = [field.name for field in fields(Rules)]
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: rules {value!r}", f"give an object with any of {', '.join(known)}")
    for name, flag in value.items():
        if name not in known:
            raise InputError(f"{where}: rule {name!r}", f"rules are {', '.join(known)}")
        if name == "hides":
            if not isinstance(flag, list | tuple) or not all(isinstance(symbol, str) for symbol in flag):
                raise InputError(f"{where}: hides = {flag!r:.60}", 'give a list of operators, such as ["+", "gcd"]')
        elif not isinstance(flag, bool):
            raise InputError(f"{where}: rule {name} = {flag!r}", "rules are true or false")
    found: dict[str, Any] = {name: tuple(flag) if name == "hides" else flag for name, flag in value.items()}
    return Rules(**found)


def spec_from_dict(values: Mapping[str, Any], id: str) -> Spec:
    """Return a Spec from what a TOML file says: size, cage_sizes, operators (tables of weights), rules, grade, notes.

    Raises InputError naming the entry that is unknown or wrong.
    """
    known = ("size", "cage_sizes", "operators", "rules", "grade", "notes")
    for name in values:
        if name not in known:
            raise InputError(f"spec {id}: entry {name!r}", f"entries are {', '.join(known)}")
    if "size" not in values:
        raise InputError(f"spec {id} has no size", "add a line such as size = 6")
    for name in ("cage_sizes", "operators"):
        if not isinstance(values.get(name, {}), Mapping):
            raise InputError(f"spec {id}: {name} = {values[name]!r}", "give a table of weights")
    sizes: dict[Any, Any] = {}
    for cells, weight in values.get("cage_sizes", DEFAULT_CAGE_SIZES).items():
        sizes[int(cells) if re.fullmatch(r"[0-9]{1,4}", str(cells)) else cells] = weight
    operators = values.get("operators", DEFAULT_OPERATORS)
    grade = values.get("grade")
    return Spec(
        id,
        values["size"],
        tuple(sorted(sizes.items(), key=lambda item: str(item[0]).zfill(4))),
        tuple(operators.items()),
        read_rules(values.get("rules", {}), f"spec {id}"),
        None if grade is None else parse_grade(str(grade)),
        str(values.get("notes", "")),
    )

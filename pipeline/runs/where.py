"""Conditions on the columns of a board: a small part of SQL's WHERE, read once and evaluated on arrays.

condition  = and-part { "or" and-part }
and-part   = not-part { "and" not-part }
not-part   = "not" not-part | "(" condition ")" | comparison
comparison = operand ( = | == | != | <> | < | <= | > | >= ) operand
           | operand ["not"] "between" operand "and" operand
           | operand ["not"] "in" "(" operand { "," operand } ")"
operand    = column | number
"""

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from pipeline.errors import PipelineError

MAX_LETTERS = 10_000
MAX_NESTING = 100
MAX_DIGITS = 40
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?![\w.])|(?P<name>[^\W\d]\w*)|(?P<sign><>|[<>!=]=|[<>=(),]))"
)
_SIGNS = {"=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_KEYWORDS = frozenset(["and", "or", "not", "between", "in"])
_UFUNCS: dict[str, Any] = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}

Mask = npt.NDArray[np.bool_]
Operand = str | Fraction


@dataclass(frozen=True)
class Compare:
    """left and right: a column's name or a number; sign: one of = <> < <= > >=."""

    left: Operand
    sign: str
    right: Operand


@dataclass(frozen=True)
class Junction:
    """`parts` joined by `and` or `or`."""

    word: str
    parts: tuple["Node", ...]


@dataclass(frozen=True)
class Negation:
    part: "Node"


Node = Compare | Junction | Negation


@dataclass(frozen=True)
class Condition:
    """`columns`: the columns it reads."""

    text: str
    node: Node
    columns: frozenset[str]

    def mask(self, arrays: Mapping[str, npt.NDArray[Any]], size: int | None = None) -> Mask:
        """Return bool[n], True where the condition holds; arrays: one of length n for each of `columns`.

        Integer columns are compared exactly, with decimals too; floating-point columns as floats. A condition on
        numbers alone, such as 1 = 1, needs `size`, which is n.
        """
        return _evaluate(self.node, arrays, len(next(iter(arrays.values()))) if size is None else size)


def parse_where(text: str, columns: Sequence[str]) -> Condition:
    """Read a condition over the given columns; upper and lower case of words do not matter.

    Raises PipelineError that names the position (from 1), the token found there, and what was expected.
    """
    if len(text) > MAX_LETTERS:
        raise PipelineError(f"the condition has {len(text):,} characters; at most {MAX_LETTERS:,} are read")
    reader = _Reader(text, columns)
    node = reader.condition(0)
    if reader.token:
        reader.fail("'and', 'or' or the end")
    return Condition(text, node, frozenset(_names(node)))


def _names(node: Node) -> Iterable[str]:
    if isinstance(node, Compare):
        return [operand for operand in (node.left, node.right) if isinstance(operand, str)]
    parts = (node.part,) if isinstance(node, Negation) else node.parts
    return [name for part in parts for name in _names(part)]


class _Reader:
    """`token` is the one not yet read, empty at the end; `kind` is number, name or sign; `start` is where it begins."""

    def __init__(self, text: str, columns: Sequence[str]) -> None:
        self.text = text
        self.columns = {column.lower(): column for column in columns}
        self.token = self.kind = ""
        self.start = self.end = 0
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.end)
        if match is not None and match.lastgroup is not None:
            self.kind = match.lastgroup
            self.token = match[self.kind]
            self.start, self.end = match.span(self.kind)
            return
        rest = self.text[self.end :]
        self.start = self.end + len(rest) - len(rest.lstrip())
        self.end = len(self.text)
        self.kind, self.token = "", ""
        if rest.strip():
            self.token = re.split(r"[\s<>=!(),]", rest.lstrip(), maxsplit=1)[0] or rest.lstrip()[0]
            self.fail("a column, a number, a comparison, or a parenthesis")

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        found = repr(self.token[:40]) if self.token else "the end"
        raise PipelineError(
            f"condition {self.text[:60]!r}, position {self.start + 1}: {found} where {expected} was expected",
            hint or f"columns: {', '.join(self.columns.values())}",
        )

    def at(self, *words: str) -> bool:
        return self.token.lower() in words

    def take(self, *words: str) -> bool:
        if self.at(*words):
            self.advance()
            return True
        return False

    def condition(self, depth: int) -> Node:
        parts = [self.and_part(depth)]
        while self.take("or"):
            parts.append(self.and_part(depth))
        return parts[0] if len(parts) == 1 else Junction("or", tuple(parts))

    def and_part(self, depth: int) -> Node:
        parts = [self.not_part(depth)]
        while self.take("and"):
            parts.append(self.not_part(depth))
        return parts[0] if len(parts) == 1 else Junction("and", tuple(parts))

    def not_part(self, depth: int) -> Node:
        negated = False
        while self.take("not"):
            negated = not negated
        if self.at("("):
            if depth == MAX_NESTING:
                self.fail(f"no more than {MAX_NESTING} parentheses within each other")
            self.advance()
            part = self.condition(depth + 1)
            if not self.take(")"):
                self.fail("'and', 'or' or ')'")
        else:
            part = self.comparison()
        return Negation(part) if negated else part

    def comparison(self) -> Node:
        left = self.operand("a column or a number")
        if self.token in _SIGNS:
            sign = _SIGNS[self.token]
            self.advance()
            return Compare(left, sign, self.operand("a number or a column"))
        negated = self.take("not")
        part: Node
        if self.take("between"):
            low = self.operand("a number or a column")
            if not self.take("and"):
                self.fail("'and'", "a range is written: between 100 and 150")
            high = self.operand("a number or a column")
            part = Junction("and", (Compare(left, ">=", low), Compare(left, "<=", high)))
        elif self.take("in"):
            part = Junction("or", tuple(Compare(left, "=", value) for value in self.values()))
        elif negated:
            self.fail("'between' or 'in'")
        else:
            self.fail("=, <>, <, <=, >, >=, 'between' or 'in'")
        return Negation(part) if negated else part

    def values(self) -> list[Operand]:
        if not self.take("("):
            self.fail("'('", "a list is written: in (6, 7, 8)")
        values = [self.operand("a number or a column")]
        while self.take(","):
            values.append(self.operand("a number or a column"))
        if not self.take(")"):
            self.fail("',' or ')'")
        return values

    def operand(self, expected: str) -> Operand:
        name = self.token.lower()
        if self.kind == "number" and len(name) > MAX_DIGITS:
            self.fail(f"a number of at most {MAX_DIGITS} characters")
        elif self.kind == "number":
            value: Operand = Fraction(self.token)
        elif self.kind == "name" and name not in _KEYWORDS:
            if name not in self.columns:
                near = difflib.get_close_matches(name, self.columns, 1)
                known = f"columns: {', '.join(self.columns.values())}"
                self.fail("a column", f"did you mean {self.columns[near[0]]}? {known}" if near else known)
            value = self.columns[name]
        else:
            self.fail(expected)
        self.advance()
        return value


def _evaluate(node: Node, arrays: Mapping[str, npt.NDArray[Any]], size: int) -> Mask:
    if isinstance(node, Negation):
        return ~_evaluate(node.part, arrays, size)
    if isinstance(node, Junction):
        join: Any = np.logical_and if node.word == "and" else np.logical_or
        mask = _evaluate(node.parts[0], arrays, size)
        for part in node.parts[1:]:
            mask = join(mask, _evaluate(part, arrays, size))
        return mask
    left, sign, right = node.left, node.sign, node.right
    if isinstance(left, Fraction):
        if isinstance(right, Fraction):
            return np.full(size, bool(_UFUNCS[sign](left, right)))
        left, sign, right = right, _MIRRORED[sign], left
    if isinstance(right, str):
        result: Mask = _UFUNCS[sign](arrays[left], arrays[right])
        return result
    return _compare(arrays[left], sign, right)


def _compare(values: npt.NDArray[Any], sign: str, number: Fraction) -> Mask:
    if values.dtype.kind not in "iu":
        compared: Mask = _UFUNCS[sign](values, float(number))
        return compared
    if sign in ("<>", ">", ">="):
        return ~_compare(values, {"<>": "=", ">": "<=", ">=": "<"}[sign], number)
    limits = np.iinfo(values.dtype)
    if sign == "=":
        if number.denominator != 1 or not limits.min <= number <= limits.max:
            return np.zeros(len(values), np.bool_)
        equal: Mask = values == values.dtype.type(int(number))
        return equal
    most = math.floor(number) if sign == "<=" else math.ceil(number) - 1
    if most < limits.min:
        return np.zeros(len(values), np.bool_)
    below: Mask = values <= values.dtype.type(min(most, limits.max))
    return below

"""Numbers that the arrays of puzzles and results hold, and the bounds of what is solved."""

from collections.abc import Mapping
from types import MappingProxyType

MAX_SIZE = 15
MAX_TARGET = 2**63 - 1

GIVEN, PLUS, MINUS, TIMES, DIVIDE, HIDDEN = range(6)
SYMBOLS = "=+-*/?"
"""Operator symbols by code: a given digit, the four operators, and the hidden operator."""

NONE, UNIQUE, MULTIPLE, GAVE_UP = range(4)
STATUSES = ("none", "unique", "multiple", "gave_up")
"""Names of the status codes: gave_up means that the node limit came first."""

UNKNOWN_DIGIT = 255
"""What a solution array holds where no solution was found; 0 is a digit under the rules with digits from 0."""

RUNGS = ("singles", "hidden_singles", "cage_tuples", "forced_lines", "search")
"""The ladder of solving rules from weakest to strongest; a grade code is an index into it."""
GRADES = ("easy", "normal", "hard", "extreme", "unreasonable")
"""What people call the rungs, in the same order."""
UNGRADED = 255
"""The grade of a puzzle without a proven unique solution."""

OPERATOR_CODES: Mapping[str, int] = MappingProxyType({symbol: code for code, symbol in enumerate(SYMBOLS)})

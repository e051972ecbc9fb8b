"""Numbers that the arrays of puzzles and results hold, and the bounds of what is solved."""

from collections.abc import Mapping
from types import MappingProxyType

MAX_SIZE = 16
MAX_CAGES = 255
"""The number of cages is kept in a byte."""
MAX_TARGET = 2**63 - 1

GIVEN, PLUS, MINUS, TIMES, DIVIDE, HIDDEN, MODULO, POWER, GCD, LCM, OR = range(11)
SYMBOLS = ("=", "+", "-", "*", "/", "?", "%", "^", "gcd", "lcm", "|")
"""Operator symbols by code: a given digit, the four operators, the hidden one, and those of Calcudoku (remainder,
power, greatest common divisor, least common multiple, bitwise or)."""
BASIC = ("+", "-", "*", "/")
"""What a hidden operator may be where the rules do not say."""
OPERATORS = tuple(symbol for symbol in SYMBOLS if symbol not in "=?")
TWO_CELLS = ("%", "^")
"""Operators of two cells under any rules."""

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

"""KenKen: puzzles, formats, solver, generator and grades over arrays.

Bad input raises solvers.errors.InputError. The names below are the whole interface.
"""

from solvers.kenken.batch import PuzzleBatch, operator_counts, pack
from solvers.kenken.codes import GRADES, MAX_SIZE, RUNGS, STATUSES, SYMBOLS, UNGRADED, UNKNOWN_DIGIT
from solvers.kenken.draw import draw_svg, draw_text
from solvers.kenken.draw_batch import draw_texts
from solvers.kenken.formats import puzzle_from_dict, puzzle_to_dict, read_puzzle, write_puzzle
from solvers.kenken.generate import generate, generate_counted
from solvers.kenken.grade import MEANINGS, confusion, confusion_markdown
from solvers.kenken.keen_batch import keen_id_arrays, keen_ids
from solvers.kenken.keen_id import write_keen
from solvers.kenken.keen_parse import ReadIds, read_ids, read_keen
from solvers.kenken.model import STANDARD, Cage, Puzzle, Rules
from solvers.kenken.reference import solve_reference
from solvers.kenken.solve import Answer, Results, answer, solve, solve_batch
from solvers.kenken.spec import Spec, parse_grade, spec_for_size, spec_from_dict, spec_id
from solvers.kenken.split import Part, PartOutcome, merge, solve_part, split

__all__ = [
    "GRADES",
    "MAX_SIZE",
    "MEANINGS",
    "RUNGS",
    "STANDARD",
    "STATUSES",
    "SYMBOLS",
    "UNGRADED",
    "UNKNOWN_DIGIT",
    "Answer",
    "Cage",
    "Part",
    "PartOutcome",
    "Puzzle",
    "PuzzleBatch",
    "ReadIds",
    "Results",
    "Rules",
    "Spec",
    "answer",
    "confusion",
    "confusion_markdown",
    "draw_svg",
    "draw_text",
    "draw_texts",
    "generate",
    "generate_counted",
    "keen_id_arrays",
    "keen_ids",
    "merge",
    "operator_counts",
    "pack",
    "parse_grade",
    "puzzle_from_dict",
    "puzzle_to_dict",
    "read_ids",
    "read_keen",
    "read_puzzle",
    "solve",
    "solve_batch",
    "solve_part",
    "solve_reference",
    "spec_for_size",
    "spec_from_dict",
    "spec_id",
    "split",
    "write_keen",
    "write_puzzle",
]

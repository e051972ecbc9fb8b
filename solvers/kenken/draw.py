"""Draw a puzzle with its cages, empty or with a solution: as text and as SVG."""

from collections.abc import Sequence

from solvers.errors import InputError
from solvers.kenken.codes import OPERATOR_CODES
from solvers.kenken.model import Puzzle

SIGNS = ("", "+", "−", "×", "÷", "", "mod", "^", "gcd", "lcm", "|")
"""What stands after a target, by operator code."""
# Corner characters by the arms that leave them: up 1, right 2, down 4, left 8.
CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8


def clue(puzzle: Puzzle, cell: int) -> str:
    """Return what is printed in the corner of a cell: the clue of the cage whose first cell it is, else nothing."""
    cage = puzzle.cages[puzzle.cage_of[cell]]
    return f"{cage.target}{SIGNS[OPERATOR_CODES[cage.operator]]}" if cage.cells[0] == cell else ""


def _check(puzzle: Puzzle, solution: Sequence[int]) -> None:
    if solution and len(solution) != puzzle.size**2:
        raise InputError(f"a solution of {len(solution)} digits", f"the grid has {puzzle.size**2} cells")


def _owner(puzzle: Puzzle, row: int, column: int) -> int:
    inside = 0 <= row < puzzle.size and 0 <= column < puzzle.size
    return puzzle.cage_of[row * puzzle.size + column] if inside else -1


def draw_text(puzzle: Puzzle, solution: Sequence[int] = ()) -> str:
    """Return the grid in box characters, clues above digits; `solution` holds digits row by row, or nothing."""
    _check(puzzle, solution)
    size = puzzle.size
    clues = [clue(puzzle, cell) for cell in range(size * size)]
    width = max(4, *(len(text) for text in clues))
    lines = []
    for row in range(size + 1):
        lines.append(_border(puzzle, row, width))
        if row == size:
            break
        digits = [str(solution[row * size + column]) if solution else "" for column in range(size)]
        for texts, align in ((clues[row * size : (row + 1) * size], "<"), (digits, "^")):
            line = ""
            for column in range(size + 1):
                line += "│" if _owner(puzzle, row, column - 1) != _owner(puzzle, row, column) else " "
                if column < size:
                    line += f"{texts[column]:{align}{width}}"
            lines.append(line)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _border(puzzle: Puzzle, row: int, width: int) -> str:
    """The line of characters above a row of cells."""
    line = ""
    for column in range(puzzle.size + 1):
        above_left, above = _owner(puzzle, row - 1, column - 1), _owner(puzzle, row - 1, column)
        below_left, below = _owner(puzzle, row, column - 1), _owner(puzzle, row, column)
        arms = _UP * (above_left != above) + _RIGHT * (above != below)
        arms += _DOWN * (below_left != below) + _LEFT * (above_left != below_left)
        line += CORNERS[arms]
        if column < puzzle.size:
            line += ("─" if above != below else " ") * width
    return line


def draw_svg(puzzle: Puzzle, solution: Sequence[int] = (), cell_size: int = 64) -> str:
    """Return a stand-alone SVG of the grid, `cell_size` pixels a cell; `solution` holds digits row by row, or
    nothing.
    """
    _check(puzzle, solution)
    size, step, margin = puzzle.size, cell_size, 4
    side = size * step + 2 * margin
    thin: list[str] = []
    thick: list[str] = []
    texts: list[str] = []
    for row in range(size + 1):
        for column in range(size + 1):
            x, y = margin + column * step, margin + row * step
            owner = _owner(puzzle, row, column)
            for other, stroke, inside in (
                (_owner(puzzle, row - 1, column), f"M{x} {y}h{step}", column < size),
                (_owner(puzzle, row, column - 1), f"M{x} {y}v{step}", row < size),
            ):
                if inside:
                    (thin if other == owner else thick).append(stroke)
    for cell in range(size * size):
        x, y = margin + cell % size * step, margin + cell // size * step
        if label := clue(puzzle, cell):
            texts.append(f'<text x="{x + step // 12}" y="{y + step // 4}" font-size="{step * 7 // 32}">{label}</text>')
        if solution:
            texts.append(
                f'<text x="{x + step // 2}" y="{y + step * 13 // 16}" font-size="{step // 2}" '
                f'text-anchor="middle">{solution[cell]}</text>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" viewBox="0 0 {side} {side}" '
        f'font-family="sans-serif" fill="#000">\n<rect width="{side}" height="{side}" fill="#fff"/>\n'
        f'<path d="{"".join(thin)}" fill="none" stroke="#bbb" stroke-width="1"/>\n'
        f'<path d="{"".join(thick)}" fill="none" stroke="#000" stroke-width="3" stroke-linecap="square"/>\n'
        + "\n".join(texts)
        + "\n</svg>\n"
    )

"""KenKen puzzles as plain calls."""

from pipeline.errors import PipelineError
from pipeline.games.kenken import puzzles, specs
from pipeline.library.inputs import as_pipeline_error
from solvers.kenken import STANDARD, Answer, Puzzle, Rules, Spec
from solvers.kenken import generate as generate_batch
from solvers.kenken import solve as solve_one

__all__ = ["Answer", "Puzzle", "Rules", "Spec", "generate", "solve"]


@as_pipeline_error
def solve(puzzle: str | Puzzle, *, rules: Rules = STANDARD, limit: int = 2, node_limit: int = 10_000_000) -> Answer:
    """Return the solution of a puzzle, whether it is the only one, its grade, and what the search took.

    puzzle: a Keen id, or a Puzzle. rules: of an id, which says nothing of them. limit: solutions at which counting
    stops, 2 at least; node_limit: nodes after which the search gives up (`status` is "node_limit" then).

    Raises PipelineError for what is no puzzle, and limits that cannot tell one solution from several.
    """
    if isinstance(puzzle, str):
        found = puzzles.read_puzzles(puzzle, rules)
        if len(found) != 1:
            raise PipelineError(f"{len(found)} puzzles where one is wanted", "give them one by one")
        puzzle = found[0]
    return solve_one(puzzle, limit, node_limit)


@as_pipeline_error
def generate(spec: str | Spec | int = 6, count: int = 1, seed: int = 1, first: int = 0) -> list[Puzzle]:
    """Return the puzzles first .. first + count - 1 of a seed, each with exactly one solution.

    spec: a size, or an id or file of sizes, operators and rules. `pipeline kenken generate` makes the same ones.

    Raises PipelineError for a spec that cannot be read or that yields no puzzle.
    """
    if isinstance(spec, int):
        spec = f"{spec}x{spec}"
    batch = generate_batch(specs.load_spec(spec) if isinstance(spec, str) else spec, seed, first, count)
    return [batch.puzzle(place, trusted=True) for place in range(count)]

"""KenKen puzzles as a workload: generate, solve, one row a puzzle."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.errors import PipelineError, nearest
from pipeline.games.game import ChunkTables
from pipeline.games.kenken.columns import LAYOUT, OPERATORS, SCHEMA
from pipeline.games.kenken.run_file import PuzzleSettings, SpecSettings
from pipeline.games.kenken.specs import check_distinct
from pipeline.store.parts import Part
from pipeline.store.run_file import SEMANTICS
from solvers.errors import InputError
from solvers.kenken import GRADES, UNGRADED, Spec, generate, keen_id_arrays, operator_counts, solve_batch
from solvers.kenken.generate import GENERATOR_VERSION, spec_key
from solvers.kenken.solve import DEFAULT_NODE_LIMIT

log = logging.getLogger("shakedown")
SOLVER_VERSION = 1
"""Raised whenever nodes, placed, steps or grade of the same puzzle change."""
SOLVERS = ("numba",)


def rules_told(spec: Spec) -> list[str]:
    """Return the rules beyond the standard ones, as words: `hidden`, `hides + gcd`."""
    told = spec.rules.told()
    return [name if value is True else f"{name} {' '.join(value)}" for name, value in told.items()]


@dataclass(frozen=True)
class KenKenWorkload:
    """Puzzles of one or more specs under one seed, each solved to a proof of uniqueness within `node_limit` nodes."""

    specs: tuple[Spec, ...]
    seed: int = 1
    node_limit: int = DEFAULT_NODE_LIMIT
    solver: str = "numba"
    layout = LAYOUT
    smallest_chunk = 5_000
    """Rows of a part at least: a few seconds of work."""

    def __post_init__(self) -> None:
        check_distinct(list(self.specs))
        if self.solver not in SOLVERS:
            raise PipelineError(f"solver {self.solver!r} is not known for kenken", nearest(self.solver, SOLVERS))

    @property
    def variants(self) -> Sequence[str]:
        return [spec.id for spec in self.specs]

    def identity(self) -> dict[str, Any]:
        return {
            "game": LAYOUT.game,
            "semantics": SEMANTICS,
            "seed": self.seed,
            "generator version": GENERATOR_VERSION,
            "solver": f"{self.solver} {SOLVER_VERSION}",
            "node limit": self.node_limit,
            "spec": [spec.identity() for spec in self.specs],
        }

    def settings(self) -> PuzzleSettings:
        return PuzzleSettings(
            seed=self.seed,
            node_limit=self.node_limit,
            spec={
                spec.id: SpecSettings(
                    size=spec.size,
                    cage_sizes={str(cells): weight for cells, weight in spec.cage_sizes if weight},
                    operators={operator: weight for operator, weight in spec.operators if weight},
                    rules=rules_told(spec),
                    grade=spec.grade,
                    notes=spec.notes,
                )
                for spec in self.specs
            },
        )

    def items(self) -> dict[str, str]:
        return {spec.id: "{:08x}{:08x}".format(*map(int, spec_key(spec, self.seed))) for spec in self.specs}

    def build(self) -> None:
        """A spec that gives no unique puzzle is refused here, by its first one."""
        for spec in self.specs:
            try:
                generate(spec, self.seed, 0, 1)
            except InputError as error:
                raise PipelineError(error.message, error.hint) from error

    def prepare(self) -> None:
        for variant in self.variants:
            self.solve_chunk(variant, Part(0, 2))

    def lexicon_table(self) -> None:
        return None

    def spec(self, variant: str) -> Spec:
        return next(spec for spec in self.specs if spec.id == variant)

    def solve_chunk(self, variant: str, part: Part) -> ChunkTables:
        try:
            batch = generate(self.spec(variant), self.seed, part.start, part.rows)
        except InputError as error:
            raise PipelineError(error.message, error.hint) from error
        results = solve_batch(batch, node_limit=self.node_limit)
        text, offsets = keen_id_arrays(batch)
        arrays = [
            pa.array(np.arange(part.start, part.end, dtype=np.uint64)),
            pa.StringArray.from_buffers(batch.length, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(text)),
            pa.array(batch.cages),
            *(pa.array(np.ascontiguousarray(counts)) for counts in operator_counts(batch)[:, : len(OPERATORS)].T),
            pa.array(results.status),
            pa.array(results.solutions),
            pa.array(results.nodes),
            pa.array(results.placed),
            pa.array(np.where(results.grade == UNGRADED, np.uint8(len(GRADES)), results.grade)),
            pa.array(results.steps),
        ]
        undecided = int((results.grade == UNGRADED).sum())
        if undecided:
            log.warning("%s puzzles of %s are undecided at %s nodes", undecided, variant, self.node_limit)
        return ChunkTables(pa.Table.from_arrays(arrays, schema=SCHEMA))

    def short_name(self) -> str:
        """Return what the folder of a run is called, before the digits of its id."""
        ids = [spec.id.removeprefix("k") if spec.id[1:2].isdigit() else spec.id for spec in self.specs]
        shown = "-".join(ids) if len(ids) <= 3 else f"{ids[0]}-and-{len(ids) - 1}-more"
        return f"kenken-{shown}-s{self.seed}"

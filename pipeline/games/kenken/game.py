"""KenKen puzzles as a game: what its runs ask for, store and say of themselves."""

from typing import TYPE_CHECKING

from pipeline.errors import PipelineError
from pipeline.games.game import Description, Game
from pipeline.games.kenken.columns import LAYOUT, METRICS, SCHEMA
from pipeline.games.kenken.run_file import PuzzleRun
from pipeline.games.kenken.specs import load_spec
from pipeline.games.kenken.workload import KenKenWorkload
from pipeline.store.kinds import ROWS, Mode
from pipeline.store.run_file import RunFile, difference
from pipeline.store.run_store import RunStore
from solvers.errors import InputError
from solvers.kenken import spec_from_dict

if TYPE_CHECKING:
    from pipeline.config import RunConfig


class KenKen(Game):
    """Generated puzzles and what solving them takes."""

    layout = LAYOUT
    schema = SCHEMA
    metrics = METRICS
    options = ("spec", "node_limit")
    verb = "needs"
    run_file = PuzzleRun

    def workload(self, config: "RunConfig", mode: Mode = ROWS) -> KenKenWorkload:
        """Return the puzzles of the config's specs."""
        specs = tuple(load_spec(reference) for reference in config.spec)
        return KenKenWorkload(specs, config.seed, config.node_limit, config.solver)

    def workload_of(self, store: RunStore, solver: str = "numba") -> KenKenWorkload:
        """Return what generates and solves as a stored run did.

        Raises PipelineError where its specs are not usable, or another version made its puzzles.
        """
        assert isinstance(store.run, PuzzleRun)
        made = store.run.made_from
        try:
            specs = tuple(spec_from_dict(entry, variant) for variant, entry in store.run.entries.items())
        except InputError as error:
            raise PipelineError(f"run {store.location}: {error.message}", error.hint) from error
        workload = KenKenWorkload(specs, made.seed, made.node_limit, solver)
        if workload.identity() != store.run.identity:
            raise PipelineError(
                f"run {store.location} comes from another version: "
                f"{difference(store.run.identity, workload.identity())}",
                "make the run again; its rows can still be reported",
            )
        return workload

    def describe(self, run: RunFile) -> Description:
        """Return what each spec asks for, and its notes."""
        assert isinstance(run, PuzzleRun)
        specs = run.settings.spec
        facts = {f"spec {variant}": one.line() for variant, one in specs.items()}
        return Description(None, facts, {variant: one.notes for variant, one in specs.items()})

    def rules(self, run: RunFile, variant: str) -> dict[str, str]:
        """Return the limit of nodes."""
        assert isinstance(run, PuzzleRun)
        return {"node limit": str(run.made_from.node_limit)}


GAME = KenKen()

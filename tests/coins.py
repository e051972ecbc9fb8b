"""A third game, to prove that a game is one object: throws of n coins. And a fifth executor, a third mode of --keep.

Nothing of the program names it: `register` adds one entry to each table, as the program's own are.
"""

import os
import signal
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline import executors, games
from pipeline.config import RunConfig
from pipeline.errors import PipelineError
from pipeline.executors.base import Executor, Item, Result
from pipeline.games.game import ChunkTables, Description, Game, Layout
from pipeline.stats.metric import Metric
from pipeline.store import kinds
from pipeline.store.kinds import Mode
from pipeline.store.parts import Part
from pipeline.store.run_file import Entry, RunFile
from pipeline.store.run_store import RunStore

LAYOUT = Layout(
    "coins", rows="throws", partition="coins", item="throw", id_column="throw_id", text_column="faces",
    variant_key="purse",
)  # fmt: skip
SCHEMA = pa.schema(
    [
        pa.field("throw_id", pa.uint64(), nullable=False),
        pa.field("faces", pa.string(), nullable=False),
        pa.field("heads", pa.uint8(), nullable=False),
        pa.field("changes", pa.uint8(), nullable=False),
        pa.field("first", pa.uint8(), nullable=False),
    ]
)
KILL_AT = "COINS_KILL_AT"
"""Environment variable: the row at which the process that throws it is killed."""


class CoinSettings(Entry):
    seed: int
    coins: dict[str, int]


class CoinRun(RunFile):
    settings: CoinSettings


def throw(seed: int, coins: int, number: int) -> str:
    """The faces of one throw, a pure function of seed, coins and number."""
    random = np.random.Generator(np.random.Philox(key=[seed, coins], counter=[number, 0, 0, 0]))
    return "".join("TH"[face] for face in random.integers(0, 2, coins).tolist())


@dataclass(frozen=True)
class CoinWorkload:
    coins: dict[str, int]
    seed: int
    solver: str = "numba"
    layout = LAYOUT
    smallest_chunk = 50

    @property
    def variants(self) -> list[str]:
        return list(self.coins)

    def identity(self) -> dict[str, Any]:
        return {"game": "coins", "seed": self.seed, "purse": list(self.coins.values())}

    def settings(self) -> CoinSettings:
        return CoinSettings(seed=self.seed, coins=self.coins)

    def items(self) -> dict[str, str]:
        return {name: f"{self.seed}-{count}" for name, count in self.coins.items()}

    def build(self) -> None:
        """Nothing is shared."""

    def prepare(self) -> None:
        """Nothing is compiled."""

    def lexicon_table(self) -> None:
        return None

    def short_name(self) -> str:
        return f"coins-{'-'.join(self.coins)}-s{self.seed}"

    def solve_chunk(self, variant: str, part: Part) -> ChunkTables:
        if part.start <= int(os.environ.get(KILL_AT, "-1")) < part.end:
            os.kill(os.getpid(), signal.SIGKILL)
        faces = [throw(self.seed, self.coins[variant], number) for number in range(part.start, part.end)]
        columns = [
            list(range(part.start, part.end)),
            faces,
            [one.count("H") for one in faces],
            [sum(a != b for a, b in pairwise(one)) for one in faces],
            [int(one[0] == "H") for one in faces],
        ]
        return ChunkTables(
            pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)
        )


class Coins(Game):
    layout = LAYOUT
    schema = SCHEMA
    metrics = (
        Metric("heads", "heads", "heads a throw"),
        Metric("changes", "changes", "changes a throw"),
        Metric("first", "first coin", "throws", "category", ("tails", "heads")),
    )
    options = ("spec",)
    ranked_by = "heads"
    run_file = CoinRun

    def workload(self, config: RunConfig, mode: Mode) -> CoinWorkload:
        for name in config.spec:
            if not (name[:1] == "c" and name[1:].isdigit()):
                raise PipelineError(f"purse {name!r} is not known", "write --spec c3 for three coins")
        return CoinWorkload({name: int(name[1:]) for name in config.spec}, config.seed)

    def workload_of(self, store: RunStore, solver: str) -> CoinWorkload:
        assert isinstance(store.run, CoinRun)
        return CoinWorkload(store.run.settings.coins, store.run.settings.seed)

    def describe(self, run: RunFile) -> Description:
        assert isinstance(run, CoinRun)
        return Description(facts={f"purse {name}": f"{count} coins" for name, count in run.settings.coins.items()})


GAME = Coins()


class BackwardsExecutor(Executor):
    """The last item first, in a thread of its own."""

    def run(
        self, task: Callable[[Item], Result], items: Iterable[Item], on_start: Callable[[], None] | None = None
    ) -> Generator[Result]:
        with ThreadPoolExecutor(1) as pool:
            if on_start:
                on_start()
            yield from pool.map(task, reversed(list(items)))


ROWS_ALONE = Mode("rows-alone", rows=True, words=False, top=False, largest_chunk=250_000)


def register() -> None:
    games.TABLE["coins"] = "tests.coins"
    executors.TABLE["backwards"] = BackwardsExecutor
    kinds.MODES[ROWS_ALONE.name] = ROWS_ALONE

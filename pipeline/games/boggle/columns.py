"""Names, columns and metrics of letter-dice boards."""

import pyarrow as pa

from pipeline.games.game import Layout
from pipeline.stats.metric import Metric
from solvers.boggle.ways import PAIR_LENGTHS

LENGTH_COLUMNS = (*tuple(f"words_{length}" for length in range(1, 16)), "words_16plus")
LAYOUT = Layout(
    "boggle",
    rows="boards",
    partition="dice",
    item="board",
    id_column="board_id",
    text_column="board",
    variant_key="dice set",
)
WAYS_COLUMNS = (*tuple(f"ways_{letters}" for letters in range(1, 16)), "ways_16plus")
"""Ways to spell words of so many letters: their means are known exactly."""
METRICS = (
    Metric("words", "words", "words a board"),
    Metric("score", "score", "points a board"),
    Metric("longest", "longest word", "letters"),
    Metric("dead_tiles", "dead tiles", "tiles a board"),
    Metric("nodes", "nodes", "calls of the pruned search"),
)
SCHEMA = pa.schema(
    [
        pa.field("board_id", pa.uint64(), nullable=False),
        pa.field("board", pa.string(), nullable=False),
        pa.field("words", pa.uint32(), nullable=False),
        pa.field("score", pa.uint32(), nullable=False),
        pa.field("nodes", pa.uint64(), nullable=False),
        pa.field("ways", pa.uint64(), nullable=False),
        pa.field("longest", pa.uint8(), nullable=False),
        pa.field("dead_tiles", pa.uint8(), nullable=False),
        *(pa.field(name, pa.uint32(), nullable=False) for name in LENGTH_COLUMNS),
    ]
)


def summed(shortest: int) -> tuple[str, ...]:
    """Return the columns of which a set's sums are kept, with those of all products; pairs begin at the shortest
    words."""
    pairs = (f"pairs_{letters}" for letters in range(shortest, shortest + PAIR_LENGTHS))
    return (*(metric.name for metric in METRICS), *LENGTH_COLUMNS, *WAYS_COLUMNS, *pairs)

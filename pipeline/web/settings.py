"""What a server is started with, and the bounds of one request."""

from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_WORDS = "opentaal_nl"
MIN_SIDE, MAX_SIDE = 2, 6
MAX_BOARD_TEXT = 300
"""Characters of a board: 36 tiles of up to four letters, with room for what splits them."""
MAX_WORD = 64
MAX_MIN_LENGTH = 16
MAX_SHAKES = 100
MAX_LISTED = 100
"""Rows that one answer about a run lists."""
MAX_PATHS = 100
"""Tracings of a word that one answer lists."""
MAX_PUZZLE_TEXT = 8_000
MIN_KENKEN, MAX_KENKEN = 3, 9


@dataclass(frozen=True)
class Limits:
    """Bounds of one request; seconds are waited for, nodes and steps are searched."""

    body_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    head_seconds: float = 10.0
    """A connection on which no request begins for so long is closed."""
    per_client: int = 256
    """Connections that one client may hold; one more ends its longest silent one."""
    solve_seconds: float = 5.0
    solve_nodes: int = 20_000_000
    trace_steps: int = 2_000_000
    trace_ways: int = 1_000
    build_seconds: float = 20.0
    kenken_seconds: float = 10.0
    kenken_nodes: int = 200_000
    kenken_attempts: int = 2_000
    run_seconds: float = 30.0
    rate: float = 20.0
    """Requests a second of one client that is not this machine, in the long run; more at once up to `burst`."""
    burst: int = 100
    streams: int = 224
    """Event streams open at once: fewer than the connections of one client, who can still ask for other things."""
    threads: int = 2
    waiting: int = 64
    """Requests of one kind that may wait for a thread; more are turned away."""
    batch: int = 16
    """Boards that a thread takes at once."""
    lexicons: int = 16
    """Prepared tries that are kept, about 20 MB each."""


@dataclass(frozen=True)
class Settings:
    """`words`: lists beside the shipped ones, as ids or paths; `origins`: allowed to ask from other sites."""

    words: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    outputs: Path = Path("outputs")
    allow_runs: int = 0
    """Boards of one dice set that a run started by a request may have; 0: none can be started."""
    local_only: bool = True
    """Answer only requests that name this machine as host: a page elsewhere cannot point its own name here."""
    limits: Limits = field(default_factory=Limits)

"""`pipeline plan`: what a large run would cost, from a short probe on this machine.

The probe solves and encodes chunks as a worker would. Time grows with the boards; so do the bytes of rows. Histograms
and word counts grow ever more slowly with a part, so their size is measured on parts of several sizes and carried on
by the power law between the last two, never beyond a part in which every word of the list was seen.
"""

import math
import time
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from pipeline.games import game
from pipeline.games.game import Layout, Workload
from pipeline.runs import chunks
from pipeline.runs.condense import chunk_tables, sums_of
from pipeline.stats.controls import CONTROLLED_FROM, controlled
from pipeline.stats.estimates import normal_quantile
from pipeline.stats.moments import Moments
from pipeline.store import parts
from pipeline.store.kinds import Mode
from pipeline.store.parts import SUMS, WORDS, Part
from pipeline.tables import Table, duration, size

PROBE_SECONDS = 1.5
"""CPU time of the timed chunks of one variant, at least."""
MOST_PROBED = 400_000


@dataclass(frozen=True)
class Probe:
    """Measured in one process: rows solved and encoded, CPU seconds of that, and bytes of a part by its rows."""

    variant: str
    rows: int
    cpu_seconds: float
    wall_seconds: float
    part_bytes: dict[int, dict[str, int]]
    """Rows of a part: bytes by kind."""
    words_limit: int
    """Bytes of a part of word counts in which every word of the list was seen."""
    spreads: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Standard deviations of a row, plain and controlled, by metric."""

    @property
    def rate(self) -> float:
        """Rows a second of one core."""
        return self.rows / self.cpu_seconds

    def bytes_of(self, rows: int) -> float:
        """Return the bytes of all parts of a chunk of so many rows."""
        (few, small), (many, large) = sorted(self.part_bytes.items())[-2:]
        total = 0.0
        for kind, held in large.items():
            power = min(1.0, max(0.0, math.log(held / small[kind]) / math.log(many / few)))
            grown = held * (rows / many) ** power
            total += min(grown, self.words_limit) if kind == WORDS and self.words_limit else grown
        return total


@dataclass(frozen=True)
class Plan:
    """What `boards` rows of each variant would cost on `cores` cores like the probe's."""

    boards: int
    cores: int
    keep: str
    chunk: int
    probes: list[Probe]
    layout: Layout

    @property
    def core_hours(self) -> float:
        return sum(self.boards / probe.rate for probe in self.probes) / 3600

    @property
    def parts(self) -> int:
        """Chunks of all variants."""
        return -(-self.boards // self.chunk) * len(self.probes)

    @property
    def wall_seconds(self) -> float:
        """Chunks are handed out whole, so the last round of them may leave cores idle."""
        slowest = max(self.chunk / probe.rate for probe in self.probes)
        return max(self.core_hours * 3600 / min(self.cores, self.parts), min(slowest, self.core_hours * 3600))

    @property
    def bytes(self) -> float:
        rows = min(self.chunk, self.boards)
        return sum(probe.bytes_of(rows) for probe in self.probes) * self.boards / rows

    def as_dict(self) -> dict[str, Any]:
        return {
            "boards": self.boards, "cores": self.cores, "keep": self.keep, "chunk": self.chunk, "parts": self.parts,
            "core_hours": self.core_hours, "wall_seconds": self.wall_seconds, "bytes": self.bytes,
            "measured": [
                {"variant": one.variant, "rows": one.rows, "cpu_seconds": one.cpu_seconds,
                 "wall_seconds": one.wall_seconds, "rows_per_core_second": one.rate,
                 "part_bytes": {str(rows): kinds for rows, kinds in one.part_bytes.items()},
                 "half_widths": {
                     name: {"plain": self.half_width(plain), "controlled": self.half_width(controlled)}
                     for name, (plain, controlled) in one.spreads.items()
                 }}
                for one in self.probes
            ],
        }  # fmt: skip

    def tables(self) -> list[Table]:
        rows, variant = self.layout.rows, self.layout.variant_key
        cost = Table(
            f"{self.boards:,} {rows} of each {variant}, --keep {self.keep}, on {self.cores:,} cores",
            ["what", "estimate"],
            [
                ["core-hours", f"{self.core_hours:,.3g}"],
                ["time", duration(self.wall_seconds)],
                ["bytes", size(self.bytes)],
                ["parts", f"{self.parts:,} of {min(self.chunk, self.boards):,} {rows}"],
            ],
            frozenset({"what"}),
        )
        basis = [
            [one.variant, f"{one.rows:,}", f"{one.cpu_seconds:.2f} s", f"{one.rate:,.0f}", str_of_bytes(one)]
            for one in self.probes
        ]
        measured = Table(
            "measured here, in one process",
            [variant, rows, "CPU time", f"{rows}/s of a core", "bytes of a part"],
            basis,
            frozenset({variant}),
            f"time grows with the {rows}; cores that share memory bandwidth with others are slower than one alone",
        )
        return [cost, measured, *self._sureness()]

    def half_width(self, spread: float) -> float:
        """Return half the width of the 95 % interval of a mean over all rows."""
        return normal_quantile() * spread / math.sqrt(self.boards)

    def _sureness(self) -> list[Table]:
        rows = [
            [one.variant, name, f"± {self.half_width(plain):.3g}", f"± {self.half_width(controlled):.3g}"]
            for one in self.probes
            for name, (plain, controlled) in one.spreads.items()
        ]
        if not rows:
            return []
        header = [self.layout.variant_key, "mean of", "plain", "with what is known exactly"]
        return [Table("95 % intervals of means, in the end", header, rows, frozenset(header[:2]))]


def str_of_bytes(probe: Probe) -> str:
    return ", ".join(f"{size(sum(kinds.values()))} at {rows:,}" for rows, kinds in list(probe.part_bytes.items())[-2:])


def make_plan(workload: Workload, mode: Mode, boards: int, cores: int, chunk: int | None = None) -> Plan:
    """Probe each variant for some seconds, and carry on."""
    wanted = chunk or chunks.default_chunk(boards, workload.smallest_chunk, mode)
    workload.prepare()
    probes = [probe(workload, mode, variant, boards) for variant in workload.variants]
    return Plan(boards, cores, mode.name, wanted, probes, workload.layout)


def probe(workload: Workload, mode: Mode, variant: str, boards: int) -> Probe:
    """Solve and encode parts of doubling size until enough time was measured; `boards` are planned."""
    sums = Moments.none(())
    cpu = wall = 0.0
    start, rows = 0, workload.smallest_chunk // 5
    part_bytes: dict[int, dict[str, int]] = {}
    while (cpu < PROBE_SECONDS and start < MOST_PROBED) or len(part_bytes) < 2:
        part = Part(start, start + rows)
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        tables = chunk_tables(workload, mode, variant, part)
        part_bytes[rows] = {kind: len(parts.encode(table)) for kind, table in tables.items()}
        cpu += time.process_time() - cpu_before
        wall += time.perf_counter() - wall_before
        if SUMS in tables:
            sums += sums_of(tables[SUMS])
        start, rows = part.end, 2 * rows
    return Probe(
        variant,
        start,
        cpu,
        wall,
        part_bytes,
        _words_limit(workload, tables.get(WORDS)),
        _spreads(workload, variant, sums, boards),
    )


def _spreads(workload: Workload, variant: str, sums: Moments, boards: int) -> dict[str, tuple[float, float]]:
    """Of the first two metrics, from the probed rows, with the controls that so many boards will have."""
    about = game(workload.layout.game)
    known = about.known(workload, variant) if about.keeps_sums and boards >= CONTROLLED_FROM else None
    if known is None:
        return {}
    found = {}
    for metric in about.metrics[:2]:
        got = controlled(sums, {metric.name: 1.0}, known.controls(boards))
        found[metric.name] = (math.sqrt(got.plain_variance * got.n), math.sqrt(got.variance * got.n))
    return found


def _words_limit(workload: Workload, words: pa.Table | None) -> int:
    """An id of four bytes and a count of eight for every word of the list; 0 where no words are counted."""
    lexicon = workload.lexicon_table()
    return 0 if words is None or lexicon is None else 12 * lexicon.num_rows

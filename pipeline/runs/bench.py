"""`pipeline bench`: boards a second of the shakes and of every solver, side by side in one process and one minute.

All measured things take turns on the same chunk of boards, each round in another order, so that a busy machine slows
them alike; what is reported are medians over the rounds. The clock is the thread's CPU time; the wall's is given too.
"""

import itertools
import multiprocessing
import statistics as plain
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.errors import PipelineError
from pipeline.games.boggle.game import GAME
from pipeline.games.boggle.shakes import shake
from pipeline.games.boggle.workload import BoggleWorkload
from pipeline.stats.moments import Moments, moments
from pipeline.stats.oracle import Check, check
from pipeline.store.parts import Part
from pipeline.tables import Table, number
from solvers.boggle.boards import symbols_of_faces
from solvers.boggle.entered import count_entered
from solvers.boggle.solve import SOLVERS, solve

ROUNDS = 24
REFERENCE_BOARDS = 2
"""Boards of a round for the plain Python solver, which takes thousands of times longer."""
BASE = "dfs"
ENTERED_BOARDS = 2_000
BARE_CHUNK = 5_000
BARE_TIMES = 2


@dataclass(frozen=True)
class Line:
    """One measured thing. Rates are boards a second of one thread, medians over `rounds`; `ratio` is to `dfs`."""

    name: str
    boards: int
    rounds: int
    cpu_rate: float
    wall_rate: float
    ratio: float | None


@dataclass(frozen=True)
class Bare:
    """Bare processes that shake and solve side by side, nothing stored: boards/s of all together, the best not alone.

    `rate` is the median of `rates`.
    """

    workers: int
    seconds: float
    rates: list[float]

    @property
    def rate(self) -> float:
        return plain.median(self.rates)


@dataclass(frozen=True)
class Bench:
    """Figures of one dice set."""

    dice: str
    words: str
    solver: str
    boards: int
    entered: float
    nodes: float
    lines: list[Line]
    bare: Bare | None
    checks: list[Check]

    def as_dict(self) -> dict[str, Any]:
        return {
            "dice": self.dice, "words": self.words, "boards": self.boards, "entered_a_board": self.entered,
            "nodes_a_board": self.nodes, "lines": [vars(line) for line in self.lines],
            "bare": None if self.bare is None else {**vars(self.bare), "rate": self.bare.rate, "solver": self.solver},
            "checks": [vars(one) for one in self.checks],
        }  # fmt: skip

    def table(self) -> Table:
        rows = [
            [
                line.name,
                number(round(line.cpu_rate)),
                number(round(line.wall_rate)),
                "-" if line.ratio is None else f"{line.ratio:.3g}",
                f"{line.boards:,}",
            ]
            for line in self.lines
        ]
        note = (
            f"{self.entered:,.1f} positions entered and {self.nodes:,.1f} nodes a board; medians over interleaved "
            f"rounds of the same boards, one thread"
        )
        if self.bare is not None:
            each = ", ".join(f"{rate:,.0f}" for rate in self.bare.rates)
            rows.append([f"{self.bare.workers} bare processes together", "-", number(round(self.bare.rate)), "-", "-"])
            note += (
                f"\nbare processes: shake and {self.solver} with word counts, nothing stored, side by side; runs of "
                f"{self.bare.seconds:.1f} s: {each} boards/s"
            )
        if self.checks:
            farthest = max(self.checks, key=lambda one: abs(one.errors))
            note += (
                f"\nsimulated means against exact ones, {len(self.checks)} of these boards: farthest apart are "
                f"{farthest.column}, by {farthest.errors:+.1f} standard errors"
                + (": shakes or solver are at fault" if farthest.fault else "")
            )
        header = ["what", "boards/s of CPU time", "boards/s of wall time", f"ratio to {BASE}", "boards"]
        return Table(f"{self.dice}, {self.words}", header, rows, frozenset({"what"}), note)


def bench(workload: BoggleWorkload, variant: str, boards: int, workers: int, bare_seconds: float = 2.0) -> Bench:
    """Measure one variant of a workload on its first `boards` boards; with two workers and more also bare processes.

    Raises PipelineError where there are fewer boards than rounds.
    """
    if boards < ROUNDS:
        raise PipelineError(f"--boards {boards} is too few to measure", f"give {ROUNDS} or more")
    bare = bare_processes(workload, variant, workers, bare_seconds) if workers > 1 else None
    lines, nodes = measure(workload, variant, boards)
    dice = workload.dice_set(variant)
    few = shake(dice, workload.seed, 0, min(boards, ENTERED_BOARDS))
    symbols = symbols_of_faces(few, dice.faces, dice.alphabet)
    entered = count_entered(symbols, dice.rows, dice.columns, workload.lexicon(variant))
    return Bench(
        variant, workload.words_id, workload.solver, boards, float(entered.mean()), nodes, lines, bare,
        oracle(workload, variant, boards),
    )  # fmt: skip


def oracle(workload: BoggleWorkload, variant: str, boards: int) -> list[Check]:
    """Return the means of ways and nodes of the first boards against their exact values."""
    known = GAME.known(workload, variant)
    sums = Moments.none(())
    for start in range(0, boards, BARE_CHUNK):
        sums += moments(workload.counted(variant, Part(start, min(start + BARE_CHUNK, boards))))
    return [] if known is None else check(sums.over(known.columns), known)


def measure(workload: BoggleWorkload, variant: str, boards: int) -> tuple[list[Line], float]:
    """Return a line for the shakes and for each solver, and nodes a board."""
    dice, lexicon = workload.dice_set(variant), workload.lexicon(variant)
    scoring = workload.scoring(dice)
    frequency = np.zeros(len(lexicon.words), np.uint32)
    chunk = boards // ROUNDS
    nodes = 0
    symbols = np.empty(0, np.uint8)
    faces = np.empty(0, np.uint8)

    def solver(name: str, counting: bool, count: int) -> Callable[[], None]:
        def work() -> None:
            nonlocal nodes
            columns = solve(
                symbols[:count], dice.rows, dice.columns, lexicon, scoring, name, frequency if counting else None
            )
            nodes += int(columns.nodes.sum()) if name == BASE else 0

        return work

    def shaking() -> None:
        shake(dice, workload.seed, 0, chunk)

    def converting() -> None:
        symbols_of_faces(faces, dice.faces, dice.alphabet)

    things: dict[str, tuple[Callable[[], None], int]] = {
        "shake": (shaking, chunk),
        "faces to symbols": (converting, chunk),
    }
    for name in SOLVERS:
        count = min(chunk, REFERENCE_BOARDS) if name == "reference" else chunk
        things[f"solve, {name}"] = (solver(name, False, count), count)
        if name not in ("reference", BASE):
            things[f"solve, {name}, with word counts"] = (solver(name, True, count), count)
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in things}
    for place in range(-1, ROUNDS):
        # Round -1 compiles, and warms the caches; it is not counted.
        faces = shake(dice, workload.seed, max(place, 0) * chunk, chunk)
        symbols = symbols_of_faces(faces, dice.faces, dice.alphabet)
        names = list(things)
        turn = place % len(names)
        for name in names[turn:] + names[:turn]:
            cpu, wall = time.thread_time(), time.perf_counter()
            things[name][0]()
            cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
            if place >= 0:
                spent[name].append((cpu / things[name][1], wall / things[name][1]))
        if place < 0:
            nodes = 0
    base = [cpu for cpu, _ in spent[f"solve, {BASE}"]]
    lines = [
        Line(
            name,
            things[name][1] * ROUNDS,
            ROUNDS,
            1 / plain.median(cpu for cpu, _ in times),
            1 / plain.median(wall for _, wall in times),
            plain.median(mine / cpu for mine, (cpu, _) in zip(base, times, strict=True))
            if name.startswith("solve")
            else None,
        )
        for name, times in spent.items()
    ]
    return lines, nodes / (chunk * ROUNDS)


def bare_processes(workload: BoggleWorkload, variant: str, workers: int, seconds: float) -> Bare:
    """Shake and solve in `workers` forked processes at once, each on boards of its own, `BARE_TIMES` times over."""
    if "fork" not in multiprocessing.get_all_start_methods():
        raise PipelineError("this system has no fork", "leave --workers out")
    workload.prepare()
    context = multiprocessing.get_context("fork")
    rates = []
    for _ in range(BARE_TIMES):
        barrier, queue = context.Barrier(workers), context.SimpleQueue()
        processes = [
            context.Process(target=_work_bare, args=(workload, variant, place, barrier, queue, seconds))
            for place in range(workers)
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        if any(process.exitcode for process in processes):
            raise PipelineError("a bare process ended unexpectedly", "free memory or give fewer --workers", exit_code=1)
        rates.append(sum(queue.get() for _ in processes))
    return Bare(workers, seconds, rates)


def _work_bare(workload: BoggleWorkload, variant: str, place: int, barrier: Any, queue: Any, seconds: float) -> None:
    work = bare_work(workload, variant, place)
    barrier.wait()
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        done = next(work)
    queue.put(done / elapsed)


def bare_work(workload: BoggleWorkload, variant: str, place: int) -> Iterator[int]:
    """Shake and solve without end, and store nothing; the boards done so far. Other places have other boards."""
    dice, lexicon = workload.dice_set(variant), workload.lexicon(variant)
    frequency = np.zeros(len(lexicon.words), np.uint32)
    for done in itertools.count(0, BARE_CHUNK):
        faces = shake(dice, workload.seed, (place << 40) + done, BARE_CHUNK)
        symbols = symbols_of_faces(faces, dice.faces, dice.alphabet)
        solve(symbols, dice.rows, dice.columns, lexicon, workload.scoring(dice), workload.solver, frequency)
        yield done + BARE_CHUNK

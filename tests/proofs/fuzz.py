"""Fuzz everything that comes in from outside: `python -m tests.proofs.fuzz [SECONDS] [--only TARGET] [--folder DIR]`.

With atheris (`pip install '.[fuzz]'`) mutations are guided by coverage; without it they are random. Each target of
tests/hostile.py runs for so many seconds in a process of its own. What it finds is kept in the folder and used again:
`<target>/corpus` the inputs that reached something new, `<target>/faults` one input for each place where an exception,
a wrong answer, a crash or more than ten seconds came to light. Ends with a table of processor seconds, inputs and
faults of all that the folder has seen, and with exit code 1 where there are faults.
"""

import argparse
import hashlib
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SLOW = 10.0
"""Processor seconds after which an answer is a hang; on the wall three times as many, for the machine may be busy."""
LONGEST = 8192
"""Bytes of an input."""
OWN_SHARE = 0.3
"""Of the inputs, those made from the target's own pieces, some longer than a dictionary of libFuzzer can hold."""
MEMORY = 3000
"""MB that the process of one target may hold."""
BEGUN = "seconds before the first input:"
COMPILED = re.compile(r"from solvers\.jit import")


def kernel_modules() -> list[str]:
    """Modules that numba compiles: instrumented byte code is nothing it understands."""
    sources = [path for package in ("solvers", "pipeline") for path in (ROOT / package).rglob("*.py")]
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sources if COMPILED.search(path.read_text())
    ]


def place_of(error: BaseException) -> str:
    """What names a fault: the kind of error and the innermost line of the program."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if str(ROOT) in frame.filename]
    where = f"{Path(frames[-1].filename).stem} line {frames[-1].lineno}" if frames else "elsewhere"
    return f"{type(error).__name__} in {where}"


def one_input(target: Any, data: bytes, faults: Path) -> None:
    """Use an input; keep it where it brings a fault to light that is not kept yet."""
    from tests.hostile import survives

    started = time.process_time()
    place, told = "", ""
    with tempfile.TemporaryDirectory() as name:
        try:
            survives(target, data, Path(name))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            place, told = place_of(error), traceback.format_exc()
    if time.process_time() - started > SLOW:
        place, told = "hang", f"{time.process_time() - started:.0f} seconds"
    if place:
        name = re.sub(r"\W+", "-", place)
        if not (faults / f"{name}.txt").exists():
            (faults / f"{name}.input").write_bytes(data)
            (faults / f"{name}.txt").write_text(f"{place}\n{data[:300]!r}\n{told}", errors="backslashreplace")
            print(f"FAULT {target.name}: {place}", file=sys.stderr, flush=True)


def fuzz_here(name: str, seconds: int, folder: Path) -> None:
    """Fuzz one target in this process, which ends with it."""
    corpus, faults = folder / name / "corpus", folder / name / "faults"
    for each in (corpus, faults):
        each.mkdir(parents=True, exist_ok=True)
    try:
        import atheris
    except ImportError:
        from tests.hostile import TARGETS

        _without_guidance(TARGETS[name], seconds, faults)
        return
    with atheris.instrument_imports(include=["pipeline", "solvers", "tomllib", "json"], exclude=kernel_modules()):
        from tests.hostile import TARGETS, mutated
    target = TARGETS[name]
    for seed in target.seeds():
        (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    dictionary = folder / name / "dictionary"
    dictionary.write_text("".join(quoted(piece) + "\n" for piece in target.pieces if len(piece) <= 60))
    with tempfile.TemporaryDirectory() as unused:
        # What is compiled or loaded once is no hang.
        for seed in target.seeds():
            one_input(target, seed, Path(unused))
    print(f"{BEGUN} {time.process_time()}", file=sys.stderr, flush=True)
    arguments = [
        sys.argv[0], f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={3 * SLOW:.0f}",
        f"-rss_limit_mb={MEMORY}", "-print_final_stats=1", f"-artifact_prefix={faults}/",
        *([f"-dict={dictionary}"] if target.pieces else []), str(corpus),
    ]  # fmt: skip
    use: Callable[[bytes], None] = lambda data: one_input(target, data, faults)  # noqa: E731

    def change(data: bytes, longest: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.random() < OWN_SHARE:
            return mutated(target, chance)[:longest]
        return atheris.Mutate(data, longest)

    atheris.Setup(arguments, use, custom_mutator=change)
    atheris.Fuzz()


def quoted(piece: bytes) -> str:
    """As libFuzzer reads it in a dictionary."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in piece) + '"'


def _without_guidance(target: Any, seconds: int, faults: Path) -> None:
    from tests.hostile import mutated

    print(f"{BEGUN} {time.process_time()}", file=sys.stderr, flush=True)
    chance = random.Random(time.time_ns())
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        one_input(target, mutated(target, chance), faults)
        count += 1
    print(f"stat::number_of_executed_units: {count}", file=sys.stderr)


def fuzz_apart(name: str, seconds: int, folder: Path) -> None:
    """Fuzz one target in a process of its own and add what it did to the totals."""
    command = [sys.executable, "-m", "tests.proofs.fuzz", str(seconds), "--folder", str(folder), "--here", name]
    before = seconds_of_children()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
    begun = re.search(rf"{BEGUN} ([\d.]+)", done.stderr)
    executions = re.findall(r"stat::number_of_executed_units:\s*(\d+)", done.stderr) or re.findall(
        r"^#(\d+)\s", done.stderr, re.MULTILINE
    )
    if not executions or not begun:
        raise SystemExit(f"{name} did not begin:\n{done.stderr[-2000:]}")
    if done.returncode:
        (folder / name / "faults" / f"exit-code-{done.returncode}.txt").write_text(done.stderr[-5000:])
    used = seconds_of_children() - before - float(begun[1])
    slice_ = {"seconds": used, "inputs": int(executions[-1]), "asked": seconds}
    with (folder / name / "slices.jsonl").open("a") as file:
        file.write(json.dumps(slice_) + "\n")


def seconds_of_children() -> float:
    """Processor seconds of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def totals_of(folder: Path, name: str) -> tuple[float, int, int]:
    """Processor seconds, inputs and faults of a target."""
    slices = [json.loads(line) for line in (folder / name / "slices.jsonl").read_text().splitlines()]
    faults = faults_of(folder, name)
    return sum(one["seconds"] for one in slices), sum(one["inputs"] for one in slices), len(faults)


def faults_of(folder: Path, name: str) -> list[Path]:
    kept = (folder / name / "faults").glob("*")
    return sorted(path for path in kept if path.suffix != ".input")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=int, nargs="?", default=60, help="for each target")
    parser.add_argument("--only", metavar="TARGET", nargs="+")
    parser.add_argument("--folder", type=Path, default=Path(".fuzz"))
    parser.add_argument("--here", metavar="TARGET", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    if asked.here:
        fuzz_here(asked.here, asked.seconds, folder)
        return
    from tests.hostile import TARGETS

    folder.mkdir(parents=True, exist_ok=True)
    for name in asked.only or TARGETS:
        fuzz_apart(name, asked.seconds, folder)
    known = [name for name in TARGETS if (folder / name / "slices.jsonl").exists()]
    rows = [(name, *totals_of(folder, name)) for name in known]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows), sum(row[3] for row in rows)))
    print(f"{'target':14}{'seconds':>9}{'inputs':>12}{'faults':>8}")
    for name, seconds, inputs, faults in rows:
        print(f"{name:14}{seconds:>9,.0f}{inputs:>12,}{faults:>8}")
    sys.exit(1 if rows[-1][3] else 0)


if __name__ == "__main__":
    main()

"""Every test of the solvers with bounds checks in every kernel: `python -m tests.proofs.bounds [pytest's options]`.

What would be read or written beside an array is an IndexError then. The kernels are compiled for it anew, into a cache
of their own. The cases that are hostile to kernels (full and empty boards, lists with millions of words, KenKen rows
without cages) are among these tests.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PLANTED = """
import numpy as np
from solvers.jit import kernel
@kernel
def beside(values):
    return values[3]
beside(np.zeros(3, np.int64))
"""


def main() -> int:
    """Return pytest's exit code; raises SystemExit where the checks do not check."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache}
        planted = subprocess.run([sys.executable, "-c", PLANTED], env=environment, stderr=subprocess.PIPE, text=True)
        if "IndexError" not in planted.stderr:
            raise SystemExit(f"a planted fault was not found: {planted.stderr or 'no message'}")
        tests = Path(__file__).parents[1] / "solvers"
        command = [sys.executable, "-m", "pytest", str(tests), *sys.argv[1:]]
        return subprocess.run(command, env=environment, cwd=tests.parents[1]).returncode


if __name__ == "__main__":
    sys.exit(main())

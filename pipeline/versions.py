"""Versions of the program and of what decides its figures."""

import platform
from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "shakedown-boards"
"""What the package is called where packages are installed from; `shakedown` is another project there."""


def own_version() -> str:
    """Return the version of this program; 0 where it is not installed."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "0"


def versions() -> dict[str, str]:
    """Return the versions that a run is stored with: of Python, of the program, and of its libraries."""
    found = {"python": platform.python_version(), "shakedown": own_version()}
    return found | {name: version(name) for name in ("numba", "numpy", "pyarrow", "polars")}

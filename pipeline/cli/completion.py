"""What a shell may complete: ids of what is shipped, and runs under outputs/."""

from collections.abc import Callable, Iterable

Completion = Callable[[str], list[str]]


def ids(kind: str) -> Completion:
    """Return a completion of the shipped ids of a kind, a folder of configs/; a path is left to the shell."""

    def complete(incomplete: str) -> list[str]:
        from pipeline.shipped import shipped_ids

        return [one for one in shipped_ids(kind) if one.startswith(incomplete)]

    return complete


def names(known: Iterable[str]) -> Completion:
    """Return a completion of some names."""

    def complete(incomplete: str) -> list[str]:
        return [one for one in known if one.startswith(incomplete)]

    return complete


def runs(incomplete: str) -> list[str]:
    """Return the names of runs under outputs/ that begin so, and `latest` where there is one."""
    from pipeline.store.run_store import LATEST, run_names

    known = run_names()
    return [name for name in [*known, *([LATEST] if known else [])] if name.startswith(incomplete)]


def topics(incomplete: str) -> list[str]:
    """Return the topics of the guide that begin so."""
    from pipeline.guide import ORDER

    return [topic for topic in ORDER if topic.startswith(incomplete)]

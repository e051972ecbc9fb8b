"""The guide: markdown files beside this one, a topic each."""

from pathlib import Path

from pipeline.errors import PipelineError, nearest

FOLDER = Path(__file__).parent
ORDER = (
    "first-answers", "dice", "words", "report", "comparing", "exact", "kenken", "clusters", "python", "web", "columns",
    "method", "promises", "speed",
)  # fmt: skip
"""Topics in reading order."""


def title(topic: str) -> str:
    """Return the heading of a topic."""
    return text(topic).partition("\n")[0].lstrip("# ")


def text(topic: str) -> str:
    """Return a topic as markdown.

    Raises PipelineError for one that there is not, with the nearest.
    """
    if topic not in ORDER:
        raise PipelineError(f"the guide has no topic {topic!r}", nearest(topic, ORDER))
    return (FOLDER / f"{topic}.md").read_text(encoding="utf-8")

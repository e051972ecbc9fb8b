"""Make the summary and store it beside the rows: report/summary.json and report/report.md."""

import json
from typing import Any

from pipeline.report import text
from pipeline.report.summary import summarize
from pipeline.storage import RunStore


def report(store: RunStore, boards: int | None = None) -> dict[str, Any]:
    """Write the report of a run; returns the summary.

    Raises PipelineError where rows are missing or the folder cannot be written.
    """
    summary = summarize(store, boards)
    store.files.write("report/summary.json", (json.dumps(summary, indent=2, ensure_ascii=False) + "\n").encode())
    store.files.write("report/report.md", text.markdown(summary).encode())
    return summary

"""Make the report of a run and store it beside the rows, under report/."""

import json
import logging
import time

from pipeline.report import text
from pipeline.report.summary import Summary, summarize
from pipeline.runs.reading import Reader
from pipeline.store.run_store import RunStore

log = logging.getLogger("shakedown")
PAGE = "report/index.html"


def report(reader: Reader, boards: int | None = None) -> Summary:
    """Write summary.json, report.md and histograms.parquet; returns what they were made from.

    Raises PipelineError where rows are missing or the folder cannot be written.
    """
    store = reader.store
    summary = summarize(reader, boards)
    as_json = json.dumps(summary.figures, indent=2, ensure_ascii=False, allow_nan=False)
    store.files.write("report/summary.json", (as_json + "\n").encode())
    store.files.write("report/report.md", text.markdown(summary.figures, reader.game).encode())
    store.files.write("report/histograms.parquet", _histogram_table(store, summary))
    return summary


def _histogram_table(store: RunStore, summary: Summary) -> bytes:
    """Columns <dice or spec>, metric, value, count: every figure of the report follows from these."""
    import numpy as np
    import pyarrow as pa

    from pipeline.store.parts import encode

    keys, metrics, values, counts = [], [], [], []
    for variant, columns in summary.histograms.items():
        for name, histogram in columns.items():
            keys += [variant] * len(histogram.values)
            metrics += [name] * len(histogram.values)
            values.append(histogram.values)
            counts.append(histogram.counts)
    return encode(
        pa.table(
            {store.partition: keys, "metric": metrics, "value": np.concatenate(values), "count": np.concatenate(counts)}
        )
    )


def page(reader: Reader, summary: Summary) -> str:
    """Write index.html and charts/*.svg; returns where the page is."""
    from pipeline.report.page import make_page

    started = time.monotonic()
    store = reader.store
    made = make_page(reader, summary)
    for name, svg in made.charts.items():
        store.files.write(f"report/charts/{name}.svg", svg.encode())
    store.files.write(PAGE, made.html.encode())
    log.info("page written in %.1f s", time.monotonic() - started)
    return store.files.url(PAGE)

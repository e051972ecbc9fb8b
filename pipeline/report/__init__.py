"""From the rows of a run to tables for people: summary (data), then text, markdown or html of it."""

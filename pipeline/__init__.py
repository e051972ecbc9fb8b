"""Runs: seeded items in, Parquet rows and reports out. Imports solvers, never the other way round."""

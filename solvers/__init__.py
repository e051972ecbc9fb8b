"""Pure solvers: arrays in, arrays out. Knows nothing of runs, files, polars or the command line."""

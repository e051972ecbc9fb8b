"""Where chunks run: in this process, in a pool of processes, on a Dask cluster."""

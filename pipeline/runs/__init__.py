"""Make, read and check a run."""

"""Histograms in, figures out: nothing here sees a row or a run."""

"""The folder of a run; knows no game."""

"""The study file of runs and checkpoints, and the runner that drives any search."""

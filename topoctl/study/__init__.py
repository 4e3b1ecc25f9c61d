"""The study file of runs and checkpoints, the runner that drives any search, and the presets."""

"""Study: one SQLite file of runs, candidates and checkpoints; the runner that fills it; the presets."""

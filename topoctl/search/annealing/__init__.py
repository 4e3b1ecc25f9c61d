"""Simulated annealing of grid, diagrid and general graphs by exchanging links. Nakano et al. (2016)."""

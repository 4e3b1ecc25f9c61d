"""Simulated annealing of grid, diagrid and general graphs by exchanging links. Nakano et al. (2016)."""

from topoctl.search.annealing.search import AnnealingSearch

__all__ = ["AnnealingSearch"]

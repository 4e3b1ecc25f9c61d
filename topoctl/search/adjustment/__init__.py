"""Networks of another order brought to the order that is asked for, as where annealing begins."""

from topoctl.search.adjustment.search import GraphSearch

__all__ = ["GraphSearch"]

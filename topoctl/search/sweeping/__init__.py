"""A table of annealing searches, one cell after another: degrees and lengths of links on floors."""

from topoctl.search.sweeping.request import Cell, SweepRequest
from topoctl.search.sweeping.search import SweepSearch

__all__ = ["Cell", "SweepRequest", "SweepSearch"]

"""The kernels in numpy and plain Python: slow, obvious, and equal to the native ones in every result."""

from topoctl.kernels.fallback.bfs import bfs
from topoctl.kernels.fallback.equality import equality_levels
from topoctl.kernels.fallback.hop_annealing import anneal_hops
from topoctl.kernels.fallback.latency import latency
from topoctl.kernels.fallback.link_annealing import anneal_links

__all__ = [
    "anneal_hops",
    "anneal_links",
    "bfs",
    "equality_levels",
    "latency",
]

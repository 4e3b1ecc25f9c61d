"""The kernels in numpy and plain Python: slow, obvious, and equal to the native ones in every result."""

from topoctl.kernels.fallback.anneal import anneal_links
from topoctl.kernels.fallback.bfs import bfs
from topoctl.kernels.fallback.equality import equality_levels
from topoctl.kernels.fallback.exchange import equality_exchange
from topoctl.kernels.fallback.latency import latency

__all__ = [
    "anneal_links",
    "bfs",
    "equality_exchange",
    "equality_levels",
    "latency",
]

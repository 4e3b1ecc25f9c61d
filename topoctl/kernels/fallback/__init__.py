"""The kernels in numpy and plain Python: slow, obvious, and equal to the native ones in every result.

A kernel is one line here; the compiled ones register themselves.
"""

from topoctl.kernels.fallback.bfs import bfs as bfs
from topoctl.kernels.fallback.equality import equality_levels as equality_levels
from topoctl.kernels.fallback.hop_annealing import anneal_hops as anneal_hops
from topoctl.kernels.fallback.latency import latency as latency
from topoctl.kernels.fallback.link_annealing import anneal_links as anneal_links

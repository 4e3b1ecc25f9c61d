"""The annealed exchange of links without a compiler: the native walk, step by step, on Python integers."""

from topoctl.kernels.fallback.link_annealing.walker import anneal_links

__all__ = ["anneal_links"]

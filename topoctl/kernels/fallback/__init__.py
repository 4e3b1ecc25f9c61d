"""The kernels in numpy: the same names, arguments and results as the compiled extension."""

from topoctl.kernels.fallback.bfs import bfs

__all__ = ["bfs"]

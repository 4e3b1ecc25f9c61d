"""Which way of finding the distances of a changed network is the fastest."""

from __future__ import annotations

from topoctl.kernels.walks import Method

__all__ = ["best_method"]


def best_method(sources: int, order: int, radix: int, predicts: bool) -> Method:
    return "full"

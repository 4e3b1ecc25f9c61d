"""Equality: chordal rings that mix odd and even hops. Liang et al., J. Supercomputing 79 (2023)."""

from topoctl.families.equality.family import EQUALITY
from topoctl.families.equality.network import Equality

__all__ = ["EQUALITY", "Equality"]

"""What a walker without a compiler makes small, and what its networks are judged by."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from topoctl.kernels.fallback.acceptance import Allowance


class Score(NamedTuple):
    """What networks are judged by; see :class:`topoctl.kernels.link_annealing.PairScore`."""

    unreached: int
    beyond: int
    diameter: int
    distance_sum: int
    at_diameter: int
    optical: int

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, best first."""
        return self.unreached, self.beyond, self.optical, self.distance_sum


class Energy(Protocol):
    """What is known of a network, and of the one that a move proposes instead."""

    @property
    def score(self) -> Score:
        """The score of the network that was kept last."""

    def propose(self, allowance: Allowance) -> bool:
        """Look at the changed network; False where it is refused, be it by prediction."""

    def accept(self) -> None:
        """Keep what was proposed."""

    def far(self) -> list[int]:
        """The routers that some source is further from than the target, ascending."""

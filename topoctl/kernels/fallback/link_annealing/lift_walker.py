"""One network whose voltages are annealed without a compiler: the native walker, step by step."""

from __future__ import annotations

from topoctl.kernels.fallback.draws import below
from topoctl.kernels.fallback.link_annealing.lift import Lift
from topoctl.kernels.fallback.link_annealing.walker import LinkWalker

SHIFT_SHARE, SPLIT_SHARE = 341, 64  # of 1024 draws


class LiftWalker(LinkWalker):
    """One annealed network, by moves of its voltage graph."""

    network: Lift

    def make(self, where: int, whither: int) -> bool:
        """Make the move that three random words choose; False where it would break a rule."""
        network = self.network
        ports = len(network.ports)
        kind, port = self.word >> 32 & 1023, below(self.word, ports)
        voltage = below(whither, self.walk.symmetry_order)
        involution, other = self.involution(where), self.involution(whither)
        if kind < SHIFT_SHARE:
            return network.shift(port, voltage, involution)
        if kind < SHIFT_SHARE + SPLIT_SHARE and involution is not None and other is not None:
            return network.split(port, involution, other)
        return network.exchange(port, below(where, ports), voltage, involution)

    def involution(self, word: int) -> int | None:
        """One of the involutions of the group, by the high half of a draw; None where it has none."""
        involutions = self.network.involutions
        return involutions[below(word >> 32, len(involutions))] if involutions else None

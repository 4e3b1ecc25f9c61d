"""One network whose voltages are annealed without a compiler: the native walker, step by step."""

from __future__ import annotations

from topoctl.kernels.fallback.draws import below, draw
from topoctl.kernels.fallback.link_annealing.lift import Lift
from topoctl.kernels.fallback.link_annealing.walker import ATTEMPTS_PER_MOVE, LinkWalker

SHIFT_SHARE, SPLIT_SHARE = 341, 64  # of 1024 draws


class LiftWalker(LinkWalker):
    """One annealed network, by moves of its voltage graph."""

    network: Lift

    def propose(self) -> bool:
        """Draw until a move keeps the rules, and make it; False where none was found."""
        network = self.network
        ports, elements = len(network.ports), self.walk.symmetry_order
        for _ in range(ATTEMPTS_PER_MOVE):
            self.word, where, whither = (draw(self.seed, 3 * self.attempts + i) for i in range(3))
            self.attempts += 1
            kind, port, voltage = self.word >> 32 & 1023, below(self.word, ports), below(whither, elements)
            involution, other = self.involution(where), self.involution(whither)
            if kind < SHIFT_SHARE:
                made = network.shift(port, voltage, involution)
            elif kind < SHIFT_SHARE + SPLIT_SHARE and involution is not None and other is not None:
                made = network.split(port, involution, other)
            else:
                made = network.exchange(port, below(where, ports), voltage, involution)
            if made:
                return True
        return False

    def involution(self, word: int) -> int | None:
        """One of the involutions of the group, by the high half of a draw; None where it has none."""
        involutions = self.network.involutions
        return involutions[below(word >> 32, len(involutions))] if involutions else None

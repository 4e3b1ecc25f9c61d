"""The routers of a simulation: what they are like, and how long a hop takes when nothing is in the way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Routers:
    """Input-queued routers with virtual channels and credits.

    The defaults are those of the papers' simulations (Liang et al. 2022; Besta and Hoefler, SC14).

    Attributes:
        width: virtual channels of a class; a routing without deadlock takes one class or more.
        buffer: flits that a virtual channel holds.
        speedup: internal steps a cycle.
        lookahead: whether a packet is routed on its way to the router, not in it.
        credit_delay: cycles until a credit that has come back is used.
    """

    width: int = 2
    buffer: int = 64
    speedup: int = 2
    lookahead: bool = True
    credit_delay: int = 2

    @property
    def hop_cycles(self) -> int:
        """Cycles from a router's input to the next one's, over a link of one cycle, without contention.

        A head takes a step for its route (none with lookahead), one for its virtual channel, one for the
        switch and one to cross it; and two cycles to the next router.

        Example:
            >>> Routers(speedup=1, lookahead=False).hop_cycles, Routers().hop_cycles
            (5, 3)
        """
        steps = 4 - self.lookahead
        return (steps - 1) // self.speedup + 2

    def zero_load_latency(self, routers: float, flits: float = 1) -> float:
        """Return the latency of a packet that visits so many routers and meets no other, in cycles."""
        return 2 + self.hop_cycles * routers + flits - 1

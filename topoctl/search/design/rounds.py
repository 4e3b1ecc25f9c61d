"""The searches of a design: splits of ports, in rounds that each keep the better half."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from topoctl.search.design.prospects import Prospect
from topoctl.search.design.request import GENERAL, GRID, DesignRequest

ROUNDS = 3
"""Every round starts half as many searches anew, with twice the time or work for each."""
SPLITS = 4
"""Splits of every kind of network in the first round, where work is counted."""
MOST_SPLITS = 16
SECONDS = 1.5
"""Seconds of a search, at least, which limit the splits."""
TOP = 3
"""Networks of each search that are measured for the design."""
TOLERANCE = 0.01  # some orders have few groups
"""Share of the routers by which a Cayley network may have more."""
COMMANDS = {
    "cayley": "search cayley",
    "equality": "search equality",
    GENERAL: "optimize graph",
    GRID: "optimize grid",
}
"""The command that searches each kind of network."""
REPLICAS = 2


@dataclass(frozen=True, eq=False)
class SplitSearch:
    """A search that a design may run: one kind of network with one split of the ports.

    Attributes:
        prospect: the split; its family is the kind of network.
        room: how many more routers the range of endpoints allows.
    """

    prospect: Prospect
    room: int

    @property
    def command(self) -> str:
        """The command that runs the search."""
        return COMMANDS[self.prospect.family]

    def options(self, request: DesignRequest, number: int, share: float | None) -> dict[str, Any]:
        """Return the options of the search, by the fields of its request.

        Args:
            request: of the design.
            number: of the round, counted from 0.
            share: seconds; None where the work is counted.
        """
        claims, p = self.prospect.claims, self.prospect.concentration
        work = None if request.evaluations is None else request.evaluations << number
        asked: dict[str, Any] = {"order": claims.order, "seed": request.seed, "top": TOP}
        if self.prospect.family in (GENERAL, GRID):
            limit = {"moves": None if work is None else -(-work // REPLICAS), "replicas": REPLICAS}
            asked |= {"degree": claims.network_radix, **limit}
        else:
            asked |= {"network_radix": claims.network_radix, "concentration": p, "evaluations": work}
        if self.prospect.layout is not None:
            layout, length = self.prospect.layout, self.prospect.length_limit
            asked |= {"width": layout.width, "height": layout.height, "length_limit": length}
        if self.prospect.family == "cayley":
            tolerance = min(self.room // 2, int(TOLERANCE * claims.order))
            asked |= {"order": claims.order + tolerance, "tolerance": tolerance}
        return {name: value for name, value in {**asked, "seconds": share}.items() if value is not None}


def splits_searched(request: DesignRequest) -> int:
    """Return how many splits of each kind are in the first round, at most."""
    return SPLITS if request.seconds is None else MOST_SPLITS

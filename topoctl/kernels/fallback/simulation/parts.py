"""What sources and routers share: ports, packets, their flits, and where they are going."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from topoctl.kernels.simulation import Plan

FROM_ENDPOINT = 2
"""The kind of port by which a packet came that its source sent here."""


class Network:
    """What the arrays of a plan say of ports and endpoints.

    Attributes:
        upstream: by input port, the output port from which flits come, -2 - e for those of endpoint e.
        exits: by endpoint, the output port that leads to it.
        homes: by endpoint, its router.
        queues: by output port, its used credits as this cycle began, where sources know those of all routers.
    """

    def __init__(self, plan: Plan) -> None:
        ports: int = plan.ends.shape[1]
        self.upstream = {int(end): output for output, end in enumerate(plan.ends.flat) if end >= 0}
        self.upstream |= {int(entry): -2 - endpoint for endpoint, entry in enumerate(plan.entries)}
        exits = {-2 - int(end): output for output, end in enumerate(plan.ends.flat) if end < -1}
        self.exits = [exits[endpoint] for endpoint in range(len(plan.entries))]
        self.homes: list[int] = [output // ports for output in self.exits]
        self.queues: list[int] = []
        self._heads = [{int(end) // ports for end in row if end >= 0} for row in plan.ends]

    def beside(self, router: int) -> set[int]:
        """Return the routers to which a router has a channel."""
        return self._heads[router]


class Course(NamedTuple):
    """Where a packet is going: first (leg 0) to an intermediate router, or to its destination's (leg 1)."""

    leg: int
    target: int
    phase: int


@dataclass(eq=False, slots=True)
class Packet:
    """A packet; `group` is its class, `came_by` the kind of port that its head took last.

    `crossing` is the cycles in which its flits arrived, less those in which they were sent; `message` is the
    number of the message that it is of.
    Of `vias`, intermediate routers, the source's router takes one or none; then it is empty.
    """

    source: int
    number: int
    ctime: int
    destination: int
    flits: int
    course: Course
    group: int
    vias: list[int]
    message: int = -1
    came_by: int = FROM_ENDPOINT
    wanted: bool = False
    itime: int = -1
    head_atime: int = -1
    atime: int = -1
    hops: int = 0
    flits_arrived: int = 0
    crossing: int = 0


class Flit(NamedTuple):
    """A flit of a packet; 0 is the head."""

    packet: Packet
    number: int

    @property
    def is_head(self) -> bool:
        """Whether it is the first flit."""
        return self.number == 0

    @property
    def is_tail(self) -> bool:
        """Whether it is the last flit."""
        return self.number == self.packet.flits - 1


def first_at_least(shares: list[int], word: int) -> int:
    """Return the place of the first share that is not less than a word."""
    return next(place for place, share in enumerate(shares) if share >= word)

"""The request of a search for host-switch graphs, validated when it is made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from topoctl.analysis.host_bounds import smallest_order
from topoctl.errors import Infeasible
from topoctl.options import Option, check_options
from topoctl.options.shared import PORTS, ROUTERS
from topoctl.search.annealing.request import MAX_ORDER
from topoctl.search.options import Moves, Replicas, Seconds, Seed, Seeds, Top, check_work

MOST_HOSTS = 2**20
"""Hosts, at most."""


@dataclass(frozen=True, kw_only=True)
class HostsRequest:
    """One request; constructing it checks it.

    Its fields are its options, completed by :mod:`topoctl.runs.requests`. Without `order` the number of
    routers is free, without `symmetry` so is the symmetry.

    Raises:
        InvalidParameters: a value out of range.
        Infeasible: so many routers have no ports for all hosts.

    Example:
        >>> HostsRequest(hosts=128, router_radix=24).hosts
        128
    """

    hosts: Annotated[
        int, Option("--hosts", "Hosts, each on one router.", metavar="COUNT", least=2, most=MOST_HOSTS)
    ]
    router_radix: Annotated[
        int, replace(PORTS, help="Ports of a router, for links and hosts.", least=3, most=2**15)
    ]
    order: Annotated[
        int | None,
        replace(ROUTERS, help="Routers, at most.", least=1, most=MAX_ORDER, default="as many as are best"),
    ] = None
    symmetry: Annotated[
        int | None,
        Option(
            "--symmetry",
            "Hold the network to a rotation of this order, 1 for none; it must divide the hosts.",
            metavar="auto|ORDER",
            none="auto",
            default="auto",
            least=1,
            most=MAX_ORDER,
            meaning="order of the rotation that networks are held to",
        ),
    ] = None
    seconds: Seconds = None
    moves: Moves = None
    replicas: Replicas = 2
    start: Annotated[
        str | None,
        Option(
            "--start",
            "Improve the host-switch graph in this file; its routers and hosts need not be said again.",
            metavar="FILE",
            file="file",
            meaning="the file that annealing begins with",
        ),
    ] = None
    seed: Seed = 1
    seeds: ClassVar[Seeds]
    top: Top = 3

    def __post_init__(self) -> None:
        check_options(self)
        check_work(self.seconds, moves=self.moves)
        least = smallest_order(self.hosts, self.router_radix)
        if least > MAX_ORDER or (self.order is not None and self.order < least):
            raise Infeasible(
                f"{self.hosts} hosts on routers of {self.router_radix} ports: expected {least} routers or "
                "more"
                + (f", of which {MAX_ORDER} are looked at" if least > MAX_ORDER else f", not {self.order}")
            )
        symmetry = self.symmetry or 1
        if self.hosts % symmetry or (self.order or symmetry) % symmetry:
            raise Infeasible(
                f"--symmetry {symmetry}: expected a divisor of the {self.hosts} hosts"
                + (f" and of the {self.order} routers" if self.order else "")
            )

"""The options of `topoctl bounds`, `topoctl bounds grid` and `topoctl bounds hosts`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from topoctl.options import Option, check_options
from topoctl.options.shared import (
    CABINET,
    ENDPOINTS,
    HEIGHT,
    LENGTH_LIMIT,
    LINKS,
    OVERHEAD,
    PORTS,
    ROUTERS,
    WIDTH,
)

MOST = 2**31 - 1
"""The most routers or endpoints with known bounds."""


@dataclass(frozen=True)
class BoundsRequest:
    """Of which networks `topoctl bounds` says how short paths can be; constructing it checks it.

    Raises:
        InvalidParameters: a value out of range.
    """

    order: Annotated[int | None, replace(ROUTERS, least=2, most=MOST)] = None
    network_radix: Annotated[int | None, replace(LINKS, least=1)] = None
    concentration: Annotated[int | None, replace(ENDPOINTS, least=1, most=MOST)] = None
    router_radix: Annotated[
        int | None,
        replace(PORTS, help="Ports per router, k: links and endpoints.", least=2, most=2**16),
    ] = None
    endpoints: Annotated[
        int | None,
        Option(
            "--endpoints",
            "Least number of endpoints; with --router-radix alone, a row for every sensible split of the "
            "ports.",
            metavar="E",
            least=2,
            most=MOST,
            meaning="number of endpoints",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class HostBoundsRequest:
    """Of which hosts `topoctl bounds hosts` says how short paths can be; constructing it checks it.

    Raises:
        InvalidParameters: a value out of range.
    """

    hosts: Annotated[
        int,
        Option("--hosts", "Hosts, each on one router.", metavar="COUNT", least=2, most=2**20),
    ] = 1024
    router_radix: Annotated[
        int,
        replace(PORTS, help="Ports of a router, for links and hosts.", least=3, most=2**15),
    ] = 10

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class LayoutBoundsRequest:
    """Of which networks on a floor `topoctl bounds grid` says how short paths can be; checked when made.

    Raises:
        InvalidParameters: a value out of range.
    """

    width: Annotated[int | None, replace(WIDTH, least=1)] = None
    height: Annotated[int | None, replace(HEIGHT, least=1)] = None
    network_radix: Annotated[int | None, replace(LINKS, least=1)] = None
    length_limit: Annotated[int | str | None, LENGTH_LIMIT] = None
    cabinet: Annotated[
        tuple[float, float] | None,
        replace(
            CABINET, help="Width and depth of cabinets in metres, with --l in metres.", default="0.6x2.1"
        ),
    ] = None
    overhead: Annotated[float | None, replace(OVERHEAD, default="0 with --cabinet, else 1")] = None
    layout: Annotated[
        Literal["grid", "diagrid"],
        Option("--layout", "Lengths along rows and columns, or along diagonals.", meaning="grid or diagrid"),
    ] = "grid"
    levels: Annotated[
        bool, Option("--levels", "Also count the routers that a corner reaches in 0, 1, 2, … hops.")
    ] = False
    balanced: Annotated[
        bool, Option("--balanced", "List the well-balanced pairs k', L for k' from 3 to 16 instead.")
    ] = False
    diameter: Annotated[
        int | None,
        Option(
            "--diameter",
            "With --balanced: also find the least k' and L whose bounds allow diameter D.",
            metavar="D",
            least=1,
            unit="hops",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_options(self)

"""The options of `topoctl enumerate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from topoctl.options import Option, check_options
from topoctl.options.shared import EACH

RANGE = "RANGE"
QUANTITIES = (
    *("order", "endpoints", "links", "network_radix", "router_radix", "concentration", "diameter", "aspl"),
    *("moore_percent", "balance", "relative_bisection"),
)
"""The fields of an enumeration that are ranges. Balance: concentration over the balanced one. Relative
bisection: links between halves, from the closed form, over half of the endpoints (FleX, eq. 3)."""


@dataclass(frozen=True)
class EnumerationRequest:
    """Which networks `topoctl enumerate` lists; constructing it checks it.

    A range is a text ``a..b``, ``a..``, ``..b`` or ``a``.

    Attributes:
        families: names, or ``all``; none for all balanced networks of about 1000 endpoints.

    Raises:
        InvalidParameters: a value out of range.
    """

    families: tuple[str, ...] = ()
    order: Annotated[str | None, Option("--order", "Routers.", metavar=RANGE)] = None
    endpoints: Annotated[str | None, Option("--endpoints", "Endpoints.", metavar=RANGE)] = None
    links: Annotated[str | None, Option("--links", "Links between routers.", metavar=RANGE)] = None
    network_radix: Annotated[
        str | None, Option("--network-radix", "Links of the router with the most, k'.", metavar=RANGE)
    ] = None
    router_radix: Annotated[
        str | None,
        Option(
            "--router-radix",
            "Ports of the largest router: links and endpoints, k (HyperX, eq. 1).",
            metavar=RANGE,
        ),
    ] = None
    concentration: Annotated[
        str | None, Option("--concentration", "Endpoints per router, p.", metavar=RANGE)
    ] = None
    diameter: Annotated[str | None, Option("--diameter", "Hops.", metavar=RANGE)] = None
    aspl: Annotated[str | None, Option("--aspl", "Average hops between distinct routers.", metavar=RANGE)] = (
        None
    )
    moore_percent: Annotated[
        str | None,
        Option("--moore-percent", "Routers as a percentage of the Moore bound.", metavar=RANGE),
    ] = None
    balance: Annotated[
        str | None,
        Option(
            "--balance",
            "Concentration over the family's balanced one; above 1 is oversubscribed.",
            metavar=RANGE,
        ),
    ] = None
    relative_bisection: Annotated[
        str | None,
        Option(
            "--relative-bisection",
            "Bisection over half of the endpoints, from its closed form (HyperX, eq. 3).",
            metavar=RANGE,
        ),
    ] = None
    balanced: Annotated[
        bool, Option("--balanced", "Only networks that obey every rule of balance of their family.")
    ] = False
    wide: Annotated[
        bool,
        Option("--wide", "Every structure: Dragonfly of any g and arrangement, FleX with nx > ny too."),
    ] = False
    fill_ports: Annotated[
        bool,
        Option(
            "--fill-ports",
            "Put random links (seed 0) into the ports that the largest --router-radix leaves empty: Slim "
            "Fly.",
        ),
    ] = False
    sort: Annotated[
        str | None,
        Option(
            "--sort",
            "Quantities separated by commas, - before one for largest first; also endpoint_aspl and "
            "degree_times_diameter.",
            metavar="KEYS",
            default="diameter, aspl, router_radix, order, concentration",
            listed=True,
            meaning="quantities, a minus before one for largest first",
        ),
    ] = None
    top: Annotated[int, Option("--top", "Networks to print; 0 for all.", metavar="COUNT", least=0)] = 20
    each: Annotated[int | None, EACH] = None

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def ranges(self) -> dict[str, str]:
        """The ranges that are asked for, by quantity."""
        given = {name: getattr(self, name) for name in QUANTITIES}
        return {name: text for name, text in given.items() if text is not None}

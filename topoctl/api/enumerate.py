"""Enumeration, with the command line's options as keyword arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from topoctl.api.arguments import checked_arguments, plain
from topoctl.api.results import Results
from topoctl.engine.cluster_names import engine_on
from topoctl.errors import InvalidParameters, quoted
from topoctl.kernels.backend import thread_count
from topoctl.options.enumerate import QUANTITIES, EnumerationRequest
from topoctl.runs.enumerations import enumerated, refuse_nothing
from topoctl.runs.session import Listener

Range = str | float | tuple[float | None, float | None]
"""``"900..1100"``, ``"..48"``, a number, or a pair of ends of which either may be None."""


def enumerate(  # noqa: A001 - the command's word
    *families: str,
    order: Range | None = None,
    endpoints: Range | None = None,
    links: Range | None = None,
    network_radix: Range | None = None,
    router_radix: Range | None = None,
    concentration: Range | None = None,
    diameter: Range | None = None,
    aspl: Range | None = None,
    moore_percent: Range | None = None,
    balance: Range | None = None,
    relative_bisection: Range | None = None,
    balanced: bool = False,
    wide: bool = False,
    fill_ports: bool = False,
    sort: str | None = None,
    top: int = 20,
    each: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Results:
    """List every network of some families within ranges, best first: `topoctl enumerate`.

    Args:
        families: names, or ``all``; without any and without ranges, all balanced networks of 900 to 1100
            endpoints and up to 48 ports.
        order: range of routers: ``"900..1100"``, ``(900, 1100)``, ``(None, 48)`` or ``1024``, as all ranges.
        endpoints: range of endpoints.
        links: range of links between routers.
        network_radix: range of the links of the router that has most, k'.
        router_radix: range of the ports of the largest router, k.
        concentration: range of endpoints per router, p.
        diameter: range of hops.
        aspl: range of average hops between distinct routers.
        moore_percent: range of routers as a percentage of the Moore bound.
        balance: range of the concentration over the family's balanced one.
        relative_bisection: range of the bisection over half of the endpoints.
        balanced: only networks that obey their family's whole rule of balance.
        wide: every structure, not only the usual ones.
        fill_ports: random links in ports that the largest router radix leaves empty.
        sort: quantities separated by commas, ``-`` before one for largest first.
        top: networks to give; 0 for all.
        each: networks of a family, at most.
        workers: threads.
        cluster: whose workers measure the networks, such as ``local:4``.
        progress: called with the name of what is measured, the sources done and their total.

    Raises:
        InvalidParameters: an unknown family or sort key, or an invalid range.
        Infeasible: no network is within the ranges.

    Example:
        >>> found = enumerate("slimfly", balanced=True, endpoints=(None, 300))
        >>> [network.topology.spec for network in found]
        ['slimfly(q=3,p=3)', 'slimfly(q=4,p=3)', 'slimfly(q=5,p=4)']
    """
    given = {name: value for name, value in locals().items() if name in QUANTITIES and value is not None}
    flags: dict[str, Any] = {"balanced": balanced, "wide": wide, "fill_ports": fill_ports}
    limits: dict[str, Any] = {"top": top, "each": each}
    checked_arguments(
        enumerate, **flags, sort=sort, **limits, workers=workers, cluster=cluster, progress=progress
    )
    if not all(isinstance(family, str) for family in families):
        raise InvalidParameters(
            f"families {quoted(repr(families))[1:-1]}: expected names, one by one, as in 'slimfly', 'torus'"
        )
    ranges: dict[str, Any] = {name: range_text(name, value) for name, value in given.items()}
    request = EnumerationRequest(families, **ranges, **flags, sort=sort, **limits)
    with engine_on(cluster) as engine:
        found, networks = enumerated(request, thread_count(workers), Listener(on_measured=progress), engine)
    refuse_nothing(found)
    return Results(tuple(networks), found)


def range_text(name: str, value: object) -> str:
    """A range as the command line has it.

    Raises:
        InvalidParameters: it is none.

    Example:
        >>> range_text("endpoints", (900, None)), range_text("diameter", 3)
        ('900..', '3')
    """
    value = plain(value)
    if isinstance(value, str):
        return value
    ends: list[Any] = value if isinstance(value, list) else [value]
    if len(ends) not in (1, 2) or not all(type(end) in (int, float) or end is None for end in ends):
        raise InvalidParameters(
            f"{name} {quoted(repr(value))[1:-1]}: expected a range: 'a..b', (a, b), (None, b) or a number"
        )
    return "..".join("" if end is None else decimal(end) for end in ends)


def decimal(value: float) -> str:
    """A number without an exponent."""
    return str(value) if isinstance(value, int) else f"{value:.12f}".rstrip("0").rstrip(".")

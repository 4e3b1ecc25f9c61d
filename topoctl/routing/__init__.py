"""Routing: next hops, virtual channels and their proof, and what links carry under any traffic."""

from __future__ import annotations

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.routing.best.routing import BEST, BEST_MINIMAL
from topoctl.routing.dimension_order import DOR
from topoctl.routing.dragonfly import DRAGONFLY, DRAGONFLY_VALIANT
from topoctl.routing.equality import AMIN, EQUALITY_BGAL, EQUALITY_UGAL
from topoctl.routing.fat_tree import FATTREE
from topoctl.routing.flex import FLEX, FLEX_SMALLEST
from topoctl.routing.minimal import ANYNET, ECMP, LOWEST, PATHS, SPREAD
from topoctl.routing.record import Routing
from topoctl.routing.tct import TCT_R
from topoctl.routing.ugal import UGAL_G, UGAL_L
from topoctl.routing.up_down import UPDOWN, UPDOWN_SPREAD
from topoctl.routing.valiant import VALIANT, VALIANT_3_HOPS

ROUTINGS = {
    routing.name: routing
    for routing in (
        *(ECMP, PATHS, LOWEST, ANYNET, SPREAD),
        *(VALIANT, VALIANT_3_HOPS, DOR, DRAGONFLY, DRAGONFLY_VALIANT),
        *(FATTREE, UPDOWN, UPDOWN_SPREAD, FLEX, FLEX_SMALLEST, TCT_R),
        *(AMIN, EQUALITY_UGAL, EQUALITY_BGAL, UGAL_L, UGAL_G),
        *(BEST, BEST_MINIMAL),
    )
}
"""By name, in the order in which they are listed."""


def routing_named(name: str) -> Routing:
    """Return the routing of a name.

    Raises:
        InvalidParameters: no routing has that name.

    Example:
        >>> routing_named("ecpm")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: routing 'ecpm' is unknown; did you mean ecmp?
    """
    known = name.casefold()
    if known not in ROUTINGS:
        raise InvalidParameters(f"routing {quoted(name)} is unknown{hint(name, list(ROUTINGS), listed=True)}")
    return ROUTINGS[known]

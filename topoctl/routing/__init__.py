"""Routing: next hops, virtual channels and their proof, and what links carry under any traffic."""

from __future__ import annotations

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.routing.best.routing import BEST, BEST_MINIMAL
from topoctl.routing.dimension_order import DOR
from topoctl.routing.dragonfly import DRAGONFLY, DRAGONFLY_VALIANT
from topoctl.routing.equality import AMIN, EQUALITY_BGAL, EQUALITY_UGAL
from topoctl.routing.fat_tree import FATTREE, FATTREE_ADAPTIVE
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
        *(FATTREE, FATTREE_ADAPTIVE, UPDOWN, UPDOWN_SPREAD, FLEX, FLEX_SMALLEST, TCT_R),
        *(AMIN, EQUALITY_UGAL, EQUALITY_BGAL, UGAL_L, UGAL_G),
        *(BEST, BEST_MINIMAL),
    )
}
"""By name, in the order in which they are listed."""
IN_PAPERS = {
    "min": "is called ecmp here, or lowest where every pair has one path",
    "minimal": "is called ecmp here, or lowest where every pair has one path",
    "val": "is called valiant here",
    "nca": "is called fattree here",
    "anca": "is called fattree-adaptive here",
    "ugal": "is called ugal-l or ugal-g here; that of Equality's paper, equality-ugal",
    "bgal": "is called equality-bgal here",
    "r": "is called tct here",
    "lbr": "of FleX's paper is not known: it does not say how often queues are told, nor who knows them; "
    "expected flex or ugal-g",
}
"""What papers call routings that have another name here, or none: what there is to say of it."""


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
    if known in IN_PAPERS:
        raise InvalidParameters(f"routing {quoted(name)} {IN_PAPERS[known]}")
    if "." in known:
        raise InvalidParameters(
            f"routing {quoted(name)}: expected a routing by name, or tables in a file that ends in .csv, "
            ".txt, .npz or .lfts"
        )
    if known not in ROUTINGS:
        raise InvalidParameters(f"routing {quoted(name)} is unknown{hint(name, list(ROUTINGS), listed=True)}")
    return ROUTINGS[known]

"""All bounds for an order and a network radix, or for a layout, before a network exists."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.analysis.bounds import MooreBounds, moore_bounds
from topoctl.analysis.layout_bounds import LayoutBounds, layout_bounds
from topoctl.cable_limit import LengthLimit
from topoctl.families.record import Family, OwnBounds
from topoctl.layout import Layout


@dataclass(frozen=True)
class KnownBounds:
    """Lower bounds of all networks of an order and a network radix.

    Attributes:
        order: routers.
        network_radix: links per router, k'.
        moore: of any graph.
        own: of networks of a family, where the family has such a network.
    """

    order: int
    network_radix: int
    moore: MooreBounds
    own: OwnBounds | None


def known_bounds(order: int, network_radix: int, family: Family | None = None) -> KnownBounds:
    """The bounds of an order and a network radix, those of a family among them.

    Example:
        >>> known_bounds(50, 7).moore.diameter_lower_bound
        2
    """
    own_bounds = family and family.own_bounds
    return KnownBounds(
        order,
        network_radix,
        moore_bounds(order, network_radix),
        own_bounds(order, network_radix) if own_bounds else None,
    )


@dataclass(frozen=True)
class KnownLayoutBounds:
    """Lower bounds of all networks on a layout with few and short links.

    Attributes:
        layout: where the routers stand.
        network_radix: K, links per router.
        length_limit: L, steps or metres of cable.
        moore: of any graph.
        placed: of networks on the layout.
    """

    layout: Layout
    network_radix: int
    length_limit: LengthLimit
    moore: MooreBounds
    placed: LayoutBounds


def known_layout_bounds(layout: Layout, network_radix: int, length_limit: LengthLimit) -> KnownLayoutBounds:
    """The bounds of a degree and a length limit on a layout.

    Example:
        >>> known_layout_bounds(Layout("grid", 10, 10), 4, 3).placed.diameter
        6
    """
    return KnownLayoutBounds(
        layout,
        network_radix,
        length_limit,
        moore_bounds(layout.order, network_radix),
        layout_bounds(layout, network_radix, length_limit),
    )

"""Bounds as rows of results: of any network, of Equality networks, and of those on a layout."""

from __future__ import annotations

from dataclasses import asdict

from topoctl.analysis.bounds import aspl_lower_bound, diameter_lower_bound, moore_bound
from topoctl.analysis.layout_bounds import layout_bounds, levels
from topoctl.layout import Layout
from topoctl.report.document import Row
from topoctl.report.layouts import floor_fields


def bound_fields(order: int, network_radix: int) -> Row:
    """Moore's bounds: of any graph of this order and network radix; None where none is connected."""
    if order < 2 or (network_radix < 2 and order > network_radix + 1):
        return {"diameter_lower_bound": None, "aspl_lower_bound": None, "moore_order": None}
    diameter = diameter_lower_bound(order, network_radix)
    return {
        "diameter_lower_bound": diameter,
        "aspl_lower_bound": aspl_lower_bound(order, network_radix),
        "moore_order": moore_bound(network_radix, diameter),
    }


def family_bound_fields(order: int, network_radix: int) -> Row:
    """The bounds that hold for Equality networks alone, tighter than Moore's."""
    from topoctl.families.equality.bounds import family_bound

    bound = family_bound(order, network_radix)
    return {"family_diameter_bound": bound.diameter, "family_aspl_bound": bound.aspl}


def bounds_row(order: int, network_radix: int) -> Row:
    """The bounds of an order and a network radix."""
    row: Row = {"order": order, "network_radix": network_radix, **bound_fields(order, network_radix)}
    if order >= 4 and order % 2 == 0 and 2 <= network_radix < order:
        row |= family_bound_fields(order, network_radix)
    return row


def layout_bounds_row(layout: Layout, network_radix: int, length_limit: int) -> Row:
    """The bounds of a degree and a length limit on a layout.

    `aspl_lower_bound` is by the degree alone (A_m⁻), `length_aspl_bound` by the length alone (A_d⁻), and
    `layout_aspl_bound` by both (A⁻).
    """
    bounds = layout_bounds(layout, network_radix, length_limit)
    return {
        **floor_fields(layout),
        "order": layout.order,
        "network_radix": network_radix,
        "length_limit": length_limit,
        **bound_fields(layout.order, network_radix),
        "length_aspl_bound": bounds.length_aspl,
        "layout_diameter_bound": bounds.diameter,
        "layout_aspl_bound": bounds.aspl,
        "layout_distance_sum_bound": bounds.distance_sum,
        "mean_length": bounds.mean_length,
        "longest_length": layout.longest,
    }


def level_rows(layout: Layout, network_radix: int, length_limit: int) -> list[Row]:
    """What the corner reaches in 0, 1, 2, … hops, by degree, by length and by both."""
    return [asdict(level) for level in levels(layout, network_radix, length_limit)]

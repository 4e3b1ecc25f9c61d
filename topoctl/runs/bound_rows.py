"""Bounds as rows of results: of any network, of a family's networks, and of those on a layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from topoctl.analysis.host_bounds import host_bounds
from topoctl.analysis.known_bounds import KnownBounds, KnownLayoutBounds
from topoctl.analysis.layout_bounds import Level
from topoctl.analysis.port_splits import PortSplit
from topoctl.cable_limit import CableLimit, LengthLimit
from topoctl.runs.document import Row


def bounds_row(known: KnownBounds | KnownLayoutBounds) -> Row:
    """The bounds of an order and a network radix, or of a layout."""
    return layout_bounds_row(known) if isinstance(known, KnownLayoutBounds) else plain_bounds_row(known)


def plain_bounds_row(known: KnownBounds) -> Row:
    """The bounds of an order and a network radix."""
    row: Row = {"order": known.order, "network_radix": known.network_radix, **asdict(known.moore)}
    if known.own is not None:
        row |= {"family_diameter_bound": known.own.diameter, "family_aspl_bound": known.own.aspl}
    return row


def host_bounds_row(hosts: int, router_radix: int) -> Row:
    """The bounds of so many hosts on routers of so many ports."""
    known = asdict(host_bounds(hosts, router_radix))
    del known["host_hops"]
    return {"hosts": hosts, "router_radix": router_radix, **known}


def split_row(known: KnownBounds, split: PortSplit, ports: int) -> Row:
    """The bounds of routers whose ports are split between links and endpoints."""
    return bounds_row(known) | {
        "concentration": split.concentration,
        "router_radix": ports,
        "endpoints": split.order * split.concentration,
        "load_lower_bound": split.load_lower_bound,
    }


def layout_bounds_row(known: KnownLayoutBounds) -> Row:
    """The bounds of a degree and a length limit on a layout.

    `aspl_lower_bound` is by the degree alone (A_m⁻), `length_aspl_bound` by the length alone (A_d⁻), and
    `layout_aspl_bound` by both (A⁻).
    """
    layout = known.layout
    return {
        "layout": layout.kind,
        "width": layout.width,
        "height": layout.height,
        "order": layout.order,
        "network_radix": known.network_radix,
        **length_fields(known.length_limit),
        **asdict(known.moore),
        "length_aspl_bound": known.placed.length_aspl,
        "layout_diameter_bound": known.placed.diameter,
        "layout_aspl_bound": known.placed.aspl,
        "layout_distance_sum_bound": known.placed.distance_sum,
        "mean_length": known.placed.mean_length,
        "longest_length": layout.longest,
    }


def length_fields(limit: LengthLimit | None) -> Row:
    """A limit of lengths by the field of its unit."""
    if isinstance(limit, CableLimit):
        return {"length_limit": None, "length_limit_m": limit.metres}
    return {"length_limit": limit}


def level_rows(levels: Sequence[Level]) -> list[Row]:
    """What the corner reaches in 0, 1, 2, … hops, by degree, by length and by both."""
    return [asdict(level) for level in levels]

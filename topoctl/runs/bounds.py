"""Bounds on diameter and average distance: of any network, of splits of ports, and on a floor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from topoctl.analysis.known_bounds import KnownBounds, KnownLayoutBounds, known_bounds, known_layout_bounds
from topoctl.analysis.layout_bounds import levels as corner_levels
from topoctl.analysis.layout_choice import recommend, well_balanced
from topoctl.analysis.port_splits import PortSplit, sensible_splits
from topoctl.cable_limit import CableLimit, LengthLimit
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES
from topoctl.layout import Kind, Layout
from topoctl.options.bounds import BoundsRequest, HostBoundsRequest, LayoutBoundsRequest
from topoctl.papers.presets import all_presets
from topoctl.papers.presets import bounds_of as bounds_of_preset
from topoctl.runs.bound_rows import (
    bounds_row,
    host_bounds_row,
    layout_bounds_row,
    length_fields,
    level_rows,
    split_row,
)
from topoctl.runs.document import Document, Row, document
from topoctl.runs.lengths import OVERHEAD, limit_of, usual_cabinets
from topoctl.runs.listed_rows import preset_row

MAX_ON_FLOOR = 10**8
"""Routers on a floor; the bounds look at each of them."""
WHAT_DESCRIBES = (
    "--n and --k go together, or --endpoints and --router-radix; "
    "with --p, one of them follows from the others"
)
BARE_SIZE: dict[str, tuple[int, int]] = {"grid": (10, 10), "diagrid": (7, 14)}
BARE_LINKS = (4, 3)
DEGREES = range(3, 17)
"""Where well-balanced pairs are looked for, as in the paper's tables."""


def bounds_document(request: BoundsRequest) -> Document:
    """The bounds of the networks that a request describes, or of every preset where it describes none.

    Raises:
        InvalidParameters, Infeasible: no such network exists, or too little describes it.
    """
    asked = asdict(request)
    if any(value is not None for value in asked.values()):
        rows = _described_rows(**asked)
    else:
        rows = [preset_row(preset) | bounds_row(bounds_of_preset(preset)) for preset in all_presets()]
    return document("bounds", asked, rows)


def host_bounds_document(request: HostBoundsRequest) -> Document:
    """The bounds of so many hosts on routers of so many ports."""
    return document("bounds hosts", asdict(request), [host_bounds_row(request.hosts, request.router_radix)])


def _described_rows(
    order: int | None,
    network_radix: int | None,
    concentration: int | None,
    router_radix: int | None,
    endpoints: int | None,
) -> list[Row]:
    """The bounds of the network that the options describe, or of every split of its ports."""
    if endpoints and router_radix and not (order or network_radix or concentration):
        splits = sensible_splits(endpoints, router_radix)
        known = [bounds_of(one.order, one.network_radix) for one in splits]
        return [split_row(*pair, router_radix) for pair in zip(known, splits, strict=True)]
    if concentration is None and router_radix and network_radix:
        concentration = router_radix - network_radix
    if concentration is None and endpoints and order:
        concentration = -(-endpoints // order)
    if network_radix is None and router_radix and concentration:
        network_radix = router_radix - concentration
    if order is None and endpoints and concentration and concentration > 0:
        order = -(-endpoints // concentration)
    if order is None or network_radix is None:
        raise InvalidParameters(WHAT_DESCRIBES)
    found = bounds_of(order, network_radix)
    if concentration is None:
        return [bounds_row(found)]
    ports = router_radix or network_radix + concentration
    if concentration < 1 or network_radix + concentration > ports:
        raise InvalidParameters(
            f"{network_radix} links and {concentration} endpoints do not share {ports} ports"
        )
    if endpoints and order * concentration < endpoints:
        raise InvalidParameters(
            f"{order} routers with {concentration} endpoints each have fewer than {endpoints}"
        )
    return [split_row(found, PortSplit(order, network_radix, concentration), ports)]


def bounds_of(n: int, k: int) -> KnownBounds:
    """The bounds of an order and a network radix.

    Raises:
        InvalidParameters, Infeasible: there is no such network.
    """
    if not 2 <= n <= 2**31 - 1:
        raise InvalidParameters(f"--n {n}: expected 2..{2**31 - 1}")
    if not 1 <= k < n:
        raise InvalidParameters(f"--k {k}: expected at most {n - 1} links for {n} routers")
    if k == 1 and n > 2:
        raise Infeasible(f"--k 1: {n} routers with one link each cannot be connected; expected 2 or more")
    return known_bounds(n, k, FAMILIES["equality"])


def bounds_on_floor(
    width: int, height: int, k: int, length_limit: LengthLimit, kind: Kind | None
) -> KnownLayoutBounds:
    """The bounds of a floor, a degree and a length limit.

    Raises:
        InvalidParameters: one of them is wrong.
        Infeasible: links as short as that cannot connect the routers.
    """
    layout = Layout(kind or "grid", width, height)
    if not 2 <= layout.order <= MAX_ON_FLOOR:
        raise InvalidParameters(f"{layout}: {layout.order} routers, expected 2..{MAX_ON_FLOOR}")
    if not 1 <= k < layout.order:
        raise InvalidParameters(f"--k {k}: expected 1..{layout.order - 1} links for {layout.order} routers")
    return known_layout_bounds(layout, k, length_limit)


def layout_bounds_document(request: LayoutBoundsRequest, say: Callable[[str], None]) -> Document:
    """The bounds of a floor, a degree and a length limit, or the well-balanced pairs of a floor.

    Args:
        request: what is bounded; the paper's example where it has neither sizes nor links.
        say: takes a line on what nobody asked for.

    Raises:
        InvalidParameters: an option is missing, wrong, or contradicts another.
        Infeasible: links as short as that cannot connect the routers.
    """
    kind, cabinet, overhead = request.layout, request.cabinet, request.overhead
    if request.balanced:
        if (request.network_radix, request.length_limit, cabinet, overhead) != (None,) * 4 or request.levels:
            raise InvalidParameters(
                "--balanced looks for k' and L: it goes without --k, --l, --cabinet, --overhead and --levels"
            )
        layout = _sized_layout(kind, request.width, request.height)
        rows = _balanced_rows(layout, request.diameter)
        own: dict[str, Any] = {"balanced": True, "degrees": [DEGREES[0], DEGREES[-1]]}
        own["diameter"] = request.diameter
    else:
        if request.diameter is not None:
            raise InvalidParameters("--diameter goes with --balanced")
        given = (request.width, request.height, request.network_radix, request.length_limit)
        width, height, network_radix, length_limit = (
            _papers_example(kind, say) if given == (None,) * 4 else given
        )
        layout = _sized_layout(kind, width, height)
        limit = None if length_limit is None else limit_of(length_limit, cabinet, overhead)
        if isinstance(limit, CableLimit) and cabinet is None:
            say(usual_cabinets(OVERHEAD if overhead is None else overhead))
        rows = [_pair_row(layout, network_radix, limit, levels=request.levels)]
        own = {"network_radix": network_radix, **length_fields(limit), "levels": request.levels}
        if isinstance(limit, CableLimit):
            own |= {"cabinet": limit.cabinet, "overhead": limit.overhead}
    parameters = {"layout": kind, "width": layout.width, "height": layout.height, **own}
    return document("bounds grid", parameters, rows)


def _papers_example(kind: str, say: Callable[[str], None]) -> tuple[int, int, int, int]:
    """The paper's example of a layout, for a command without sizes; said on standard error."""
    (width, height), (network_radix, length_limit) = BARE_SIZE[kind], BARE_LINKS
    say(
        f"no --width, --height, --k and --l: bounds of the paper's {kind} {width}x{height}, "
        f"k' {network_radix}, L {length_limit}"
    )
    return width, height, network_radix, length_limit


def _sized_layout(kind: Kind, width: int | None, height: int | None) -> Layout:
    """The layout, where its size is given and can be handled."""
    if width is None or height is None:
        raise InvalidParameters(f"--{'width' if width is None else 'height'} is missing")
    if not 2 <= width * height <= MAX_ON_FLOOR:
        raise InvalidParameters(
            f"{kind} {width}x{height}: {width * height} routers, expected 2..{MAX_ON_FLOOR}"
        )
    return Layout(kind, width, height)


def _pair_row(
    layout: Layout, network_radix: int | None, length_limit: LengthLimit | None, *, levels: bool
) -> Row:
    """The bounds of one K and one L."""
    if network_radix is None or length_limit is None:
        raise InvalidParameters(
            f"--{'k' if network_radix is None else 'l'} is missing; --k and --l go together"
        )
    if network_radix >= layout.order:
        raise InvalidParameters(
            f"--k {network_radix}: expected at most {layout.order - 1} links for {layout.order} routers"
        )
    row = layout_bounds_row(known_layout_bounds(layout, network_radix, length_limit))
    if levels:
        row["levels"] = level_rows(corner_levels(layout, network_radix, length_limit))
    return row


def _balanced_rows(layout: Layout, diameter: int | None) -> list[Row]:
    """The well-balanced pairs, and the least pair for a diameter, by ascending K and L."""
    balanced = well_balanced(layout, DEGREES, range(1, layout.longest + 1))
    recommended = [] if diameter is None else [recommend(layout, diameter)]
    pairs = sorted({*balanced, *recommended})
    if not pairs:
        raise Infeasible(f"{layout}: no well-balanced pair with k' {DEGREES[0]}..{DEGREES[-1]}")
    rows = []
    for pair in pairs:
        row = layout_bounds_row(known_layout_bounds(layout, *pair)) | {"well_balanced": pair in balanced}
        if diameter is not None:
            row["recommended"] = pair in recommended
        rows.append(row)
    return rows

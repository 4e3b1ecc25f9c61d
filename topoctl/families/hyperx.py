"""HyperX: a generalised hypercube of any dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.instances import sizes_lattice
from topoctl.families.product_links import clique_links, grid_of, translations
from topoctl.families.record import Claims, Crossing, Parameter, Parameters
from topoctl.families.spec import MAX_SIZES, ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def hyperx(dims: tuple[int, ...], multiplicity: int = 1) -> Graph:
    """HyperX of the given sizes; the router at (c_1, .., c_d) has its index in row-major order.

    Args:
        dims: routers along each dimension; any two that differ in one coordinate are linked.
        multiplicity: parallel links between two routers, K_k of the paper: only 1.

    Example:
        >>> hyperx((10, 10)).order, hyperx((10, 10)).network_radix
        (100, 18)
    """
    del multiplicity
    grid = grid_of(dims)
    return Graph.from_links(
        grid.size, np.concatenate([clique_links(grid, axis) for axis in range(len(dims))])
    )


def claims(dims: tuple[int, ...], multiplicity: int = 1) -> Claims:
    """Closed forms: (order / s)(s - 1) routers differ from a given one along a dimension of size s."""
    found = _least(dims, multiplicity)
    order, radix = found.order, found.network_radix
    sides = [size for size in dims if size > 1]
    return replace(
        found,
        bisection=Fraction(order // 2 * radix - 2 * _most_links(sorted(dims), order // 2)) if sides else None,
        bisection_proof="Lindsey 1964" if sides else None,
        crossings=tuple(
            Crossing(order * (size - 1) // 2, order * (order - order // size) // 2) for size in sides
        ),
    )


def _least(dims: tuple[int, ...], multiplicity: int) -> Claims:
    """The closed forms that grow with every size."""
    del multiplicity
    order = math.prod(dims)
    radix = sum(dims) - len(dims)
    return Claims(
        order,
        radix,
        order * radix // 2,
        diameter=sum(size > 1 for size in dims),
        distance_sum=order * sum(order // size * (size - 1) for size in dims) // 2,
    )


def shapes(
    endpoints: range, ports: int, throughput: float = 0.0, prefix: tuple[int, ...] = ()
) -> Iterator[Parameters]:
    """Yield the HyperX of all sizes of 2 and more, none larger than the one before it, and of every p.

    The links along a dimension of size S carry S/p of the endpoints' bandwidth.

    Args:
        endpoints: that they may have.
        ports: of a router, at most.
        throughput: that the links along every dimension can carry.
        prefix: the first sizes.

    Example:
        >>> [(*known["dims"], known["p"]) for known in shapes(range(12, 14), 6)]
        [(2, 2, 3), (3, 4), (3, 2, 2), (3, 2, 2, 1), (4, 3), (4, 3, 1)]
    """
    order, links = math.prod(prefix), sum(prefix) - len(prefix)
    largest = min(prefix[-1] if prefix else ports, ports - links, (endpoints.stop - 1) // order)
    for size in range(2, largest + 1) if len(prefix) < MAX_SIZES else ():
        dims, routers = (*prefix, size), order * size
        carried = size / throughput if throughput else math.inf
        most = min(ports - links - size + 1, (endpoints.stop - 1) // routers, math.floor(min(carried, ports)))
        for p in range(max(1, -(-endpoints.start // routers)), most + 1):
            yield {"dims": dims, "p": p}
        yield from shapes(endpoints, ports, throughput, dims)


def _most_links(sizes: list[int], routers: int) -> int:
    """Return the most links between so many routers: of those that come first, the largest size fastest.

    Lindsey, "Assignment of numbers to vertices", American Mathematical Monthly 71 (1964). So halves are
    joined by N S/4 links where the smallest size S is even.

    Args:
        sizes: routers along each dimension, ascending.
        routers: up to the product of the sizes.

    Example:
        >>> _most_links([3, 4], 6)  # a row of four routers and two beside
        9
    """
    if not sizes:
        return 0
    row = math.prod(sizes[1:])
    rows, rest = divmod(routers, row)
    within_rows = rows * row * sum(size - 1 for size in sizes[1:]) // 2
    return within_rows + math.comb(rows, 2) * row + rows * rest + _most_links(sizes[1:], rest)


def symmetry(dims: tuple[int, ...], multiplicity: int = 1) -> Symmetry | None:
    """Cyclic shifts of every coordinate: vertex-transitive."""
    del multiplicity
    return Symmetry(translations(grid_of(dims))) if math.prod(dims) > 1 else None


HYPERX = ParametricFamily(
    name="hyperx",
    title="HyperX",
    source="Ahn, Binkert, Davis, McLaren and Schreiber, SC09; FleX, II-B",
    definition="Routers at integer coordinates; every two that differ in exactly one coordinate are linked.",
    closed_forms=(
        "N = product of the sizes S",
        "k' = sum of (S - 1)",
        "N k'/2 links",
        "D = sizes above 1",
        "ASPL = sum of (N - N/S) over N - 1",
        "relative bisection min S/(2p) where that S is even (FleX paper, eq. 3 with K_k = 1); of any sizes "
        "that of the half of the routers that come first, the largest S fastest (Lindsey 1964)",
    ),
    parameters=(
        Parameter("dims", "routers along each dimension", kind="sizes", least=1),
        concentration(
            "balanced: the smallest size S, the largest p with S/(2p) of at least 1/2, which is the relative "
            "bisection bandwidth of even S",
            lambda known: min(known["dims"]),
        ),
        Parameter(
            "multiplicity",
            "parallel links between two routers (K_k): only 1, since router graphs are simple; ports, "
            "bisection and cost of more are left out",
            "1",
            least=1,
            most=1,
            omitted=1,
        ),
    ),
    examples=("hyperx(dims=10x10)", "hyperx(dims=3x3x3)", "hyperx(dims=4x3x2,p=2)", "hyperx(dims=6)"),
    graph=hyperx,
    claims=claims,
    symmetry=symmetry,
    lattice=sizes_lattice,
    shapes=shapes,
    least=_least,
    placement=lambda dims, multiplicity: Placement.by_coordinates(dims, most=1),  # noqa: ARG005
    drawing=lambda dims, multiplicity: at_coordinates(dims),  # noqa: ARG005
)

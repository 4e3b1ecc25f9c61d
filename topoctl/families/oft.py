"""Orthogonal fat trees: two levels of leaves over the lines of a projective plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.families.fat_tree import leaf_endpoints
from topoctl.families.galois_field import galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import joined
from topoctl.families.projective_plane import isometries, polar_lines
from topoctl.families.record import Claims, Crossing, Parameter
from topoctl.families.spec import ParametricFamily
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def orthogonal_fat_tree(q: int) -> Graph:
    """Two copies of the points of PG(2, q) over its lines, each point linked to the lines it is on.

    With n = q^2 + q + 1: leaves 0..n - 1 and n..2n - 1 are the points, router 2n + j is the polar line of
    point j. Valerio, Moser and Melliar-Smith, FCN 1994; Kathareios et al., SC15.

    Args:
        q: prime power.

    Raises:
        InvalidParameters: q is not a prime power.

    Example:
        >>> orthogonal_fat_tree(2).order, orthogonal_fat_tree(2).degrees[[0, 14]].tolist()
        (21, [3, 6])
    """
    lines = polar_lines(galois_field(q))
    count = len(lines)
    points = np.arange(count, dtype=np.int32)[:, None]
    copies = [joined(points + np.int32(copy * count), lines + np.int32(2 * count)) for copy in (0, 1)]
    return Graph.from_links(3 * count, np.concatenate(copies))


def _claims(q: int) -> Claims:
    """Closed forms: two leaves are two hops apart, as are two lines; a leaf is three from other lines."""
    if prime_power(q) is None:
        raise InvalidParameters(f"oft: q={q}: expected a prime power, such as 2, 3, 4, 5, 7, 8, 9, 11")
    points = q * q + q + 1
    leaves, links = 2 * points, 2 * points * (q + 1)
    between_leaves = leaves * (leaves - 1)
    return Claims(
        order=3 * points,
        network_radix=2 * (q + 1),
        size=links,
        diameter=3,
        distance_sum=between_leaves + points * (points - 1) + 3 * leaves * points - 2 * links,
        leaves=leaves,
        leaf_radix=q + 1,
        leaf_distance_sum=between_leaves,
        crossings=(Crossing(links, between_leaves),),
    )


def _symmetry(q: int) -> Symmetry:
    """Isometries of the plane, which carry polar lines like points, and the exchange of the copies."""
    points = q * q + q + 1
    turns = [
        np.concatenate([moved, moved + points, moved + 2 * points]) for moved in isometries(galois_field(q))
    ]
    routers = np.arange(3 * points)
    exchange = np.concatenate([routers[points : 2 * points], routers[:points], routers[2 * points :]])
    return Symmetry(tuple(moved.astype(np.int32) for moved in (*turns, exchange)))


def _drawing(q: int) -> Drawing:
    """The lines in a row between the two rows of points."""
    points = q * q + q + 1
    row = np.arange(3 * points, dtype=np.int32) // points
    height = np.array([-1.0, 1.0, 0.0])[row] * max(1.5, 0.25 * points)
    positions = np.stack([np.arange(3 * points) % points, height], axis=1)

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        copies: NDArray[np.int64] = row[links].min(axis=1).astype(np.int64)
        return copies

    return Drawing(positions, row, LinkKinds(("of the first copy", "of the second copy"), kind_of))


OFT = ParametricFamily(
    name="oft",
    title="Orthogonal fat tree (two levels)",
    source=(
        "Valerio, Moser and Melliar-Smith, FCN 1994; Kathareios, Minkenberg, Prisacari, Rodriguez and "
        "Hoefler, SC15, section 3"
    ),
    definition=(
        "Leaves are two copies of the points of the projective plane over GF(q), the routers above them its "
        "lines; a leaf is linked to the q + 1 lines of its point. Two points have one line in common, so any "
        "two leaves are two hops apart, by one path, or by q + 1 where they are copies of one point."
    ),
    closed_forms=(
        "N = 3(q^2 + q + 1), of which 2(q^2 + q + 1) are leaves",
        "k' = 2(q + 1), of leaves q + 1",
        "2(q + 1)(q^2 + q + 1) links",
        "D = 3, between leaves 2",
    ),
    parameters=(
        Parameter("q", "prime power", least=2),
        Parameter(
            "p", "endpoints per leaf", "balanced: q + 1 (SC15, 3)", omitted=lambda known: known["q"] + 1
        ),
    ),
    examples=("oft(q=3)", "oft(q=2)", "oft(q=4)", "oft(q=5,p=4)"),
    graph=orthogonal_fat_tree,
    claims=_claims,
    symmetry=_symmetry,
    endpoints=lambda p, q: leaf_endpoints(p, 2 * (q * q + q + 1), 3 * (q * q + q + 1)),
    lattice=axes(q=2),
    drawing=_drawing,
)

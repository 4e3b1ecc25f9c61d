"""PolarFly: the polarity graphs of Brown and of Erdős and Rényi, diameter 2."""

from __future__ import annotations

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, circle
from topoctl.families.galois_field import galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import joined
from topoctl.families.projective_plane import isometries, polar_lines
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import concentration, parametric_family
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def polarfly(q: int) -> Graph:
    """Polarity graph of PG(2, q): points are routers, orthogonal points are linked.

    The points (1, y, z) have index q*y + z, then come (0, 1, z) and (0, 0, 1). The q + 1 points that are
    orthogonal to themselves have one link less. Lakhotia et al., SC22, section IV.

    Args:
        q: prime power.

    Returns:
        Graph of order q^2 + q + 1, network radix q + 1, diameter 2.

    Raises:
        InvalidParameters: q is not a prime power.

    Example:
        >>> polarfly(5).order, polarfly(5).size
        (31, 90)
    """
    lines = polar_lines(galois_field(q))
    points = np.arange(len(lines), dtype=np.int32)[:, None]
    once = points < lines
    return Graph.from_links(len(lines), joined(np.broadcast_to(points, lines.shape)[once], lines[once]))


def claims(q: int) -> Claims:
    """Closed forms: q + 1 of the points are absolute, every two points have exactly one common neighbour."""
    if prime_power(q) is None:
        raise InvalidParameters(f"polarfly: q={q}: expected a prime power, such as 2, 3, 4, 5, 7, 8, 9, 11")
    order, size = q * q + q + 1, q * (q + 1) ** 2 // 2
    return Claims(order, q + 1, size, diameter=2, distance_sum=order * (order - 1) - size)


def drawing(q: int) -> Drawing:
    """On a circle; the points (1, y, z) of one y belong together, and so do those at infinity."""
    order = q * q + q + 1
    return Drawing(circle(order), np.minimum(np.arange(order, dtype=np.int32) // q, q))


POLARFLY = parametric_family(
    name="polarfly",
    title="PolarFly (Brown, Erdős-Rényi polarity graphs)",
    source="Brown, Canadian Mathematical Bulletin 9 (1966); Lakhotia et al., SC22, section IV",
    definition=(
        "The q^2 + q + 1 points of the projective plane over GF(q), linked where orthogonal: two routers "
        "have one common neighbour, so the diameter is 2, and the order nears the Moore bound."
    ),
    closed_forms=(
        "N = q^2 + q + 1",
        "k' = q + 1; q + 1 routers have one link less",
        "q(q + 1)^2/2 links",
        "D = 2",
        "ASPL = 2 - (q + 1)/N",
    ),
    parameters=(
        Parameter("q", "prime power", least=2),
        concentration(
            "balanced: ceil(k'/2), as for every network of diameter 2 (SC14, II-B2)",
            lambda known: (known["q"] + 2) // 2,
        ),
    ),
    examples=tuple(f"polarfly(q={q})" for q in (7, 2, 3, 4, 5, 8, 9)),
    graph=polarfly,
    claims=claims,
    symmetry=lambda q: Symmetry(isometries(galois_field(q))),
    lattice=axes(q=2),
    drawing=drawing,
)

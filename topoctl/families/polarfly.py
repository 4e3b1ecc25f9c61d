"""PolarFly: the polarity graphs of Brown and of Erdős and Rényi, diameter 2."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds, Positions, circle
from topoctl.families.galois_field import galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.projective_plane import isometries, polar_lines, polarity_arcs
from topoctl.families.record import Claims, Parameter, Parameters
from topoctl.families.spec import ParametricFamily, concentration
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
    return Graph.from_links(q * q + q + 1, polarity_arcs(galois_field(q), loops=False))


def _claims(q: int) -> Claims:
    """Closed forms: q + 1 of the points are absolute, every two points have exactly one common neighbour."""
    if prime_power(q) is None:
        raise InvalidParameters(f"polarfly: q={q}: expected a prime power, such as 2, 3, 4, 5, 7, 8, 9, 11")
    order, size = q * q + q + 1, q * (q + 1) ** 2 // 2
    return Claims(order, q + 1, size, diameter=2, distance_sum=order * (order - 1) - size)


def _drawing(q: int) -> Drawing:
    """The q + 1 quadrics, which are orthogonal to themselves, and q fans of triangles, round a circle.

    The hubs of the fans are the neighbours of one quadric; every other router that is no quadric has one hub
    for a neighbour, and stands on the rim of its fan beside the third router of their triangle. For even q
    the neighbours of one hub are all quadrics. Lakhotia et al., SC22, who put fans into racks so.
    """
    lines = polar_lines(galois_field(q))
    quadric = (lines == np.arange(len(lines))[:, None]).any(axis=1)
    first = np.flatnonzero(quadric)[0]
    fan_of = np.zeros(len(lines), dtype=np.int32)
    places = 3.8 * circle(q + 1)
    positions = np.empty((len(lines), 2))
    positions[quadric] = places[0] + _rim(q + 1)
    for fan, hub in enumerate(lines[first][lines[first] != first], 1):
        blades = lines[hub][~quadric[lines[hub]]]
        fan_of[hub] = fan_of[blades] = fan
        beside = lines[blades]
        third = beside[(fan_of[beside] == fan) & (beside != hub)]
        positions[hub] = places[fan]
        paired = blades[np.argsort(np.minimum(blades, third), kind="stable")]
        positions[paired] = places[fan] + _rim(len(paired))

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        tails, heads = fan_of[links.T]
        return np.where(tails == heads, 0, np.where(tails * heads == 0, 2, 1))

    return Drawing(
        positions, fan_of, LinkKinds(("in a fan", "between fans", "to quadrics"), kind_of), shaded=True
    )


def _replicas(values: Parameters, order: int, degree: int) -> Iterator[tuple[str, Graph]]:
    """The networks with copies of the quadrics, and of the other clusters, which are its fans.

    A copy of a cluster is linked as the cluster is: its routers to each other, and to all others' neighbours.
    With r0 copies of the quadrics and r1 of fans, r0, r1 <= q, there are (q + 1) r0 + q r1 routers more, and
    q + 1 + 2 r0 + r1 links per router. The diameter stays 2 without copies of fans. Lakhotia et al., SC22.
    """
    q = int(str(values["q"]))
    network = polarfly(q)
    fan_of = _drawing(q).groups
    for quadrics in range(q + 1):
        others, rest = divmod(order - network.order - (q + 1) * quadrics, q)
        if rest or not 0 <= others <= q or quadrics + others == 0:
            continue
        grown = network
        for fan in [0] * quadrics + [*range(1, others + 1)]:
            grown = _with_copy(grown, np.flatnonzero(fan_of == fan))
        if grown.network_radix <= degree:
            yield f"{quadrics} copies of the quadrics, {others} of fans", grown


def _with_copy(graph: Graph, routers: NDArray[np.int64]) -> Graph:
    """A network with copies of some routers, linked as these are."""
    copies = np.full(graph.order, -1, dtype=np.int32)
    copies[routers] = graph.order + np.arange(len(routers), dtype=np.int32)
    links = graph.links()
    new = np.where(copies[links] < 0, links, copies[links])[(copies[links] >= 0).any(axis=1)]
    return Graph.from_links(graph.order + len(routers), np.concatenate([links, new]))


def _rim(count: int) -> Positions:
    """Places on a circle of radius 1, clockwise from the top: float64, shape (count, 2)."""
    angles = 2 * np.pi * np.arange(count) / max(count, 1)
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1)


POLARFLY = ParametricFamily(
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
    claims=_claims,
    symmetry=lambda q: Symmetry(isometries(galois_field(q))),
    lattice=axes(q=2),
    drawing=_drawing,
    growth=_replicas,
)

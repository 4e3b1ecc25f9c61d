"""Xpander: random lifts of a complete graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.drawing import circle, grouped
from topoctl.families.instances import axes
from topoctl.families.jellyfish import ATTEMPTS, root_of_radix
from topoctl.families.product_links import joined
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph


def xpander(d: int, lift: int, seed: int = 0) -> Graph:
    """The lift of a complete graph: d + 1 metanodes of `lift` routers, every two joined by a random matching.

    Router i of metanode m has index lift*m + i. Valadarsky, Shahaf, Dinitz and Schapira, CoNEXT 2016, section
    3. Lifts that come out disconnected are drawn again.

    Args:
        d: links per router.
        lift: routers per metanode.
        seed: of the random generator.

    Raises:
        Infeasible: no connected lift was found.

    Example:
        >>> xpander(4, 3, seed=1).order, xpander(4, 3, seed=1).degrees.max()
        (15, np.int32(4))
    """
    _claims(d, lift, seed)
    words = np.random.PCG64(seed)
    routers = np.arange((d + 1) * lift, dtype=np.int32).reshape(d + 1, lift)
    low, high = np.triu_indices(d + 1, 1)
    for _ in range(ATTEMPTS):
        matchings = np.argsort(words.random_raw(len(low) * lift).reshape(-1, lift), axis=1, kind="stable")
        links = joined(routers[low], np.take_along_axis(routers[high], matchings, axis=1))
        found = Graph.from_links(routers.size, links)
        if len(found.component_sizes()) == 1:
            return found
    raise Infeasible(
        f"xpander: no connected lift of {routers.size} routers with {d} links in {ATTEMPTS} draws"
    )


def _claims(d: int, lift: int, seed: int) -> Claims:  # noqa: ARG001 - all structural parameters come by name
    """Order, radix and size: the rest depends on the draw, but for the complete graph itself."""
    if d < 3 and lift > 1:
        raise InvalidParameters(f"xpander: d={d}: expected 3 links or more, so that lifts are connected")
    order = (d + 1) * lift
    complete = order * d // 2 if lift == 1 else None
    return Claims(order, d, order * d // 2, diameter=complete and 1, distance_sum=complete)


XPANDER = ParametricFamily(
    name="xpander",
    title="Xpander (random lift of a complete graph)",
    source="Valadarsky, Shahaf, Dinitz and Schapira, CoNEXT 2016, section 3",
    definition=(
        "d + 1 metanodes of as many routers each; the routers of every two metanodes are joined one to one, "
        "drawn at random from a seed until connected. Cables run in bundles between metanodes, and the "
        "network grows by a router in every metanode."
    ),
    closed_forms=(
        "N = (d + 1) lift",
        "k' = d",
        "N d/2 links",
        "D and ASPL depend on the draw",
    ),
    parameters=(
        Parameter("d", "links per router", least=1),
        Parameter("lift", "routers per metanode", least=1),
        concentration(
            "balanced: floor(sqrt(k)) of the router radix k (SC14, III, for random networks)",
            lambda known: root_of_radix(known["d"]),
        ),
        Parameter("seed", "of the random generator", "0", omitted=0),
    ),
    examples=("xpander(d=5,lift=4)", "xpander(d=3,lift=8,seed=7)", "xpander(d=6,lift=1)"),
    graph=xpander,
    claims=_claims,
    lattice=axes(d=3, lift=1),
    least=lambda d, lift, seed: replace(_claims(d, lift, seed), diameter=1, distance_sum=None),
    random=True,
    placement=lambda d, lift, seed: Placement.in_a_square(  # noqa: ARG005
        np.repeat(np.arange(d + 1), lift), d + 1
    ),
    drawing=lambda d, lift, seed: grouped(d + 1, circle(lift), "metanode"),  # noqa: ARG005
)

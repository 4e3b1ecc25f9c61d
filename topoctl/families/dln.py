"""DLN-2-y: a ring with random shortcuts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds, on_a_circle
from topoctl.families.instances import axes
from topoctl.families.jellyfish import root_of_radix
from topoctl.families.product_links import grid_of, ring_links
from topoctl.families.random_links import fill_ports
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.graph import Graph


def ring_with_shortcuts(n: int, y: int, seed: int = 0) -> Graph:
    """A ring of n routers and y random shortcuts at each: DLN-2-y of Koibuchi et al., ISCA 2012.

    Args:
        n: routers, at least 4.
        y: shortcuts per router, at most n - 3, with n*y even.
        seed: of the random generator.

    Raises:
        InvalidParameters: y is out of its range, or n*y is odd.
        Infeasible: no simple graph was found.

    Example:
        >>> ring_with_shortcuts(16, 2, seed=3).network_radix
        4
    """
    _claims(n, y, seed)
    ring = Graph.from_links(n, ring_links(grid_of((n,)), 0))
    return fill_ports(ring, 2 + y, seed) if y else ring


def _claims(n: int, y: int, seed: int) -> Claims:  # noqa: ARG001 - all structural parameters come by name
    """Order, radix and size: the rest depends on the draw."""
    if y > n - 3 or n * y % 2:
        raise InvalidParameters(
            f"dln: n={n}, y={y}: expected 0..{n - 3} shortcuts per router, and an even product n*y"
        )
    return Claims(n, 2 + y, n * (2 + y) // 2)


def _drawing(n: int, y: int, seed: int) -> Drawing:  # noqa: ARG001
    """The ring as a circle, and its shortcuts."""

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        hops: NDArray[np.int64] = abs(links[:, 1] - links[:, 0])
        return np.isin(hops, (1, n - 1), invert=True).astype(np.int64)

    return on_a_circle(n, LinkKinds(("the ring", "random shortcuts"), kind_of))


DLN = ParametricFamily(
    name="dln",
    title="DLN-2-y (ring with random shortcuts)",
    source="Koibuchi, Matsutani, Amano, Hsu and Casanova, ISCA 2012, section 3; SC14, III",
    definition="A ring of n routers, and y random shortcuts at every router, drawn from a seed.",
    closed_forms=(
        "k' = 2 + y",
        "n(2 + y)/2 links",
        "D and ASPL depend on the draw",
    ),
    parameters=(
        Parameter("n", "routers", least=4),
        Parameter("y", "random shortcuts per router"),
        concentration(
            "balanced: floor(sqrt(k)) of the router radix k (SC14, III)",
            lambda known: root_of_radix(known["y"] + 2),
        ),
        Parameter("seed", "of the random generator", "0", omitted=0),
    ),
    examples=("dln(n=64,y=2)", "dln(n=15,y=4,seed=9)", "dln(n=9,y=0)"),
    graph=ring_with_shortcuts,
    claims=_claims,
    drawing=_drawing,
    lattice=axes(n=4, y=lambda known: range(known["n"] - 2)),
    random=True,
)

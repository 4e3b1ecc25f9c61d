"""Jellyfish: random regular graphs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.instances import axes
from topoctl.families.product_links import Links
from topoctl.families.random_links import random_links
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.graph import Graph

ATTEMPTS = 100


def jellyfish(n: int, r: int, seed: int = 0) -> Graph:
    """A random connected graph of n routers with r links each, the same for the same seed on every machine.

    Singla, Hong, Popa and Godfrey, NSDI 2012. Graphs that come out disconnected are drawn again.

    Args:
        n: routers.
        r: links per router, at least 3 (or n - 1), with n*r even.
        seed: of the random generator.

    Raises:
        InvalidParameters: r is out of its range, or n*r is odd.
        Infeasible: no connected simple graph was found.

    Example:
        >>> jellyfish(20, 3, seed=1).degrees.min(), jellyfish(20, 3, seed=1).network_radix
        (np.int32(3), 3)
    """
    _claims(n, r, seed)
    words = np.random.PCG64(seed)
    # The complement of a random regular graph is one too: draw the sparser of the two.
    dense = 2 * r > n - 1
    free = np.full(n, n - 1 - r if dense else r, dtype=np.int64)
    for _ in range(ATTEMPTS):
        links = random_links(n, free, np.empty((0, 2), dtype=np.int32), words)
        routers = Graph.from_links(n, _complement(n, links) if dense else links)
        if len(routers.component_sizes()) == 1:
            return routers
    raise Infeasible(f"jellyfish: no connected graph of {n} routers with {r} links in {ATTEMPTS} draws")


def _complement(order: int, links: Links) -> Links:
    """All links that are not in `links`: int32, shape (count, 2).

    Example:
        >>> _complement(3, np.array([[0, 1]], dtype=np.int32)).tolist()
        [[0, 2], [1, 2]]
    """
    absent = np.triu(np.ones((order, order), dtype=bool), 1)
    absent[links.min(axis=1), links.max(axis=1)] = False
    return np.argwhere(absent).astype(np.int32)


def _claims(n: int, r: int, seed: int) -> Claims:  # noqa: ARG001 - all structural parameters come by name
    """Order, radix and size: the rest depends on the draw."""
    if r >= n or n * r % 2 or (r < 3 and r != n - 1):
        raise InvalidParameters(
            f"jellyfish: n={n}, r={r}: expected 3..{n - 1} links per router, and an even product n*r"
        )
    complete = r == n - 1
    return Claims(
        n, r, n * r // 2, diameter=1 if complete else None, distance_sum=n * r // 2 if complete else None
    )


def root_of_radix(network_radix: int) -> int:
    """The largest p with p = floor(sqrt(k' + p)), SC14's rule for random networks.

    Example:
        >>> root_of_radix(12), root_of_radix(11)
        (4, 3)
    """
    p = 1
    while (p + 1) ** 2 <= network_radix + p + 1:
        p += 1
    return p


JELLYFISH = ParametricFamily(
    name="jellyfish",
    title="Jellyfish (random regular graph)",
    source="Singla, Hong, Popa and Godfrey, NSDI 2012, section 3",
    definition="n routers with r links each, drawn at random from a seed until simple and connected.",
    closed_forms=(
        "k' = r",
        "n r/2 links",
        "D and ASPL depend on the draw",
    ),
    parameters=(
        Parameter("n", "routers", least=2),
        Parameter("r", "links per router", least=1),
        concentration(
            "balanced: floor(sqrt(k)) of the router radix k (SC14, III, for random networks)",
            lambda known: root_of_radix(known["r"]),
        ),
        Parameter("seed", "of the random generator", "0", omitted=0),
    ),
    examples=("jellyfish(n=50,r=7)", "jellyfish(n=64,r=3,seed=5)", "jellyfish(n=6,r=5)"),
    graph=jellyfish,
    claims=_claims,
    lattice=axes(n=4, r=lambda known: range(3, known["n"])),
    least=lambda n, r, seed: replace(_claims(n, r, seed), diameter=1, distance_sum=None),
    random=True,
)

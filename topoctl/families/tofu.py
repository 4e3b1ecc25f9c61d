"""Tofu, the six-dimensional torus of the K computer and of Fugaku."""

from __future__ import annotations

from topoctl.families import torus as tori
from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.instances import axes
from topoctl.families.product_links import grid_of, translations
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def tofu_sizes(k: int) -> tuple[int, ...]:
    """The six sizes: a k-ary 3-dimensional torus of (2, 3, 2)-tori."""
    return (k, k, k, 2, 3, 2)


def tofu(k: int) -> Graph:
    """k-ary Tofu: 12 k^3 routers, a torus of six dimensions.

    Example:
        >>> tofu(4).order, tofu(4).network_radix
        (768, 10)
    """
    return tori.torus(tofu_sizes(k))


def _claims(k: int) -> Claims:
    """Closed forms of the torus; its diameter equals the routing bound 3*floor(k/2) + 3 (Lemma 1).

    Halving the outer torus, for even k, cuts 24 k^2 links, and 48 for k = 2 (Bossard 2023, section 4). Odd k
    cannot be halved so; for k up to 5 halving a side of 2 cuts N/2 links.
    """
    return tori.claims(tofu_sizes(k))


TOFU = ParametricFamily(
    name="tofu",
    title="Tofu interconnect",
    source="Ajima, Sumimoto and Shimizu, IEEE Computer 42 (2009); Bossard 2023, section 4 and Lemma 1",
    definition=(
        "A k-ary three-dimensional torus of clusters, each a 2 x 3 x 2 torus of 12 routers; every router is "
        "linked to the routers of the same place in the six neighbouring clusters."
    ),
    closed_forms=(
        "N = 12 k^3",
        "k' = 10 for k >= 3",
        "D = 3 floor(k/2) + 3",
        "bisection 24 k^2 for even k > 2, 6 k^3 for k <= 3, 24 k^2 + 24 k + 30 for odd k > 3",
        "ASPL of the torus k x k x k x 2 x 3 x 2",
    ),
    parameters=(
        Parameter("k", "arity of the outer torus", least=1),
        concentration("1: every router is a compute node", 1),
    ),
    examples=("tofu(k=3)", "tofu(k=1)", "tofu(k=2)", "tofu(k=4)"),
    graph=tofu,
    claims=_claims,
    symmetry=lambda k: Symmetry(translations(grid_of(tofu_sizes(k)))),
    lattice=axes(k=1),
    placement=lambda k: Placement.by_coordinates(tofu_sizes(k), folded=True),
    drawing=lambda k: at_coordinates(tofu_sizes(k)),
)

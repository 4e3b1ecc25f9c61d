"""Flattened butterfly: HyperX with equal sides."""

from __future__ import annotations

from topoctl.families import hyperx as generalised
from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.instances import axes
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def flattened_butterfly(k: int, n: int) -> Graph:
    """k-ary n-flat: a k-ary n-fly butterfly whose rows of routers are merged, n - 1 dimensions of k routers.

    Example:
        >>> flattened_butterfly(k=4, n=3).order, flattened_butterfly(k=4, n=3).network_radix
        (16, 6)
    """
    return generalised.hyperx((k,) * (n - 1))


def _claims(k: int, n: int) -> Claims:
    """Closed forms of HyperX with n - 1 dimensions of size k."""
    return generalised.claims((k,) * (n - 1))


def _symmetry(k: int, n: int) -> Symmetry | None:
    """Cyclic shifts of every coordinate."""
    return generalised.symmetry((k,) * (n - 1))


FLATTENED_BUTTERFLY = ParametricFamily(
    name="flatbutterfly",
    title="Flattened butterfly",
    source="Kim, Dally and Abts, ISCA 2007, section 2",
    definition="k^(n-1) routers at n - 1 coordinates; every two that differ in exactly one are linked.",
    closed_forms=(
        "N = k^(n - 1)",
        "k' = (n - 1)(k - 1)",
        "D = n - 1",
        "ASPL = (n - 1)(k^(n - 1) - k^(n - 2))/(N - 1)",
        "relative bisection k/(2p) for even k, and exact for odd k too (HyperX)",
    ),
    parameters=(
        Parameter("k", "routers along each dimension", least=2),
        Parameter("n", "stages of the butterfly, one more than the dimensions", least=2, most=32),
        concentration("balanced: k, as in the butterfly that is flattened", lambda known: known["k"]),
    ),
    examples=("flatbutterfly(k=4,n=3)", "flatbutterfly(k=4,n=2)", "flatbutterfly(k=3,n=4)"),
    graph=flattened_butterfly,
    claims=_claims,
    symmetry=_symmetry,
    lattice=axes(k=2, n=2),
    placement=lambda k, n: Placement.by_coordinates((k,) * (n - 1), most=1),
    drawing=lambda k, n: at_coordinates((k,) * (n - 1)),
)

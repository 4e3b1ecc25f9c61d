"""FleX: layers of routers on a ring of layers, with links between neighbouring layers only."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np
from numpy.typing import NDArray

from topoctl.families.coordinate_drawing import lattice
from topoctl.families.drawing import Drawing, LinkKinds, around
from topoctl.families.instances import axes
from topoctl.families.product_links import Links, grid_of, joined, translations
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def flex(nx: int, ny: int, nz: int) -> Graph:
    """FleX network of nz layers of nx x ny routers. Router (x, y, z) has index nx*ny*z + nx*y + x.

    Router (x, y, z) is linked to every (x', y, z + 1 mod nz) with x' != x and to every (x, y', z + 1 mod nz)
    with y' != y. Jeon et al., IEEE Access 2022, eqs. 4-6.

    Args:
        nx: routers along x, at least 2.
        ny: routers along y, at least 2.
        nz: layers, at least 2.

    Returns:
        Graph of order nx*ny*nz; network radix 2nx + 2ny - 4, and nx + ny - 2 for two layers.

    Example:
        >>> flex(6, 6, 3).order, flex(6, 6, 3).network_radix
        (108, 20)
    """
    grid = grid_of((nz, ny, nx))
    # Two layers face each other once: the links upward from layer 1 are those upward from layer 0.
    here = grid if nz > 2 else grid[:1]
    above = np.roll(grid, -1, axis=0)[: len(here)]
    parts: list[Links] = []
    for axis in (1, 2):
        steps = range(1, grid.shape[axis])
        parts += [joined(here, np.roll(above, -step, axis=axis)) for step in steps]
    return Graph.from_links(grid.size, np.concatenate(parts))


def _claims(nx: int, ny: int, nz: int) -> Claims:
    """Closed forms: III-A and III-B for three layers, and their extension to any number of layers.

    A path of t hops makes t moves along x or y and t steps of +1 or -1 along z. Where both sides are at least
    3, any t >= 2 reaches every x and y, t = 1 those routers that differ along one axis, and t = 0 the start.
    """
    order = nx * ny * nz
    radix = (nx + ny - 2) * (2 if nz > 2 else 1)
    size = order * radix // 2
    cut = bisection(nx, ny) if nz == 3 else None
    proof = None if cut is None else _bisection_proof(nx, ny)
    if min(nx, ny) < 3:
        connected = not (nx == ny == 2 and nz % 2 == 0)
        return Claims(order, radix, size, connected=connected, bisection=cut, bisection_proof=proof)
    at_least_one, column = nx + ny - 2, nx * ny
    others = column - at_least_one
    # Within the layer two hops reach every other router; in the next layer one hop or, with z back in step,
    # two hops (three layers) or three.
    own_layer = 2 * (column - 1)
    beside = at_least_one + (2 if nz == 3 else 3) * others
    layers_beside = 1 if nz == 2 else 2
    # A layer m >= 2 layers away takes m hops to every one of its routers.
    half = (nz - 1) // 2
    farther = 2 * column * (half * (half + 1) // 2 - 1) if half >= 1 else 0
    if nz % 2 == 0 and nz > 2:
        farther += column * (nz // 2)
    return Claims(
        order,
        radix,
        size,
        diameter=max(2 if nz == 3 else 3, nz // 2),
        distance_sum=order * (own_layer + layers_beside * beside + farther) // 2,
        bisection=cut,
        bisection_proof=proof,
    )


def _least(nx: int, ny: int, nz: int) -> Claims:
    """Lower bounds that grow with nx, ny and nz: the hops along the ring of layers.

    The diameter itself does not: two layers have 3 where three have 2.
    """
    found = _claims(nx, ny, nz)
    hops = nx * ny * (nz * nz // 4)
    return replace(found, diameter=max(2, nz // 2), distance_sum=found.order * hops // 2)


def _carries(nx: int, ny: int, nz: int) -> float:
    """Half of the traffic crosses the two cuts that halve the ring of layers, if there are more than two."""
    return math.inf if nz == 2 else 2 * (nx + ny - 2) * nz / (nz * nz // 4)


def bisection(nx: int, ny: int) -> Fraction | None:
    """Links between halves of three layers, across an even shorter side: 3 nx ny min(nx, ny) / 2 (eq. 8).

    Only 2 x 2 routers a layer have the smaller cut 8. An odd side cannot be halved, and more links are cut
    than eq. 8 says.

    Example:
        >>> bisection(6, 7), bisection(2, 2), bisection(5, 6)
        (Fraction(378, 1), Fraction(8, 1), None)
    """
    if nx == ny == 2:
        return Fraction(8)
    side = min(nx, ny)
    return None if side % 2 else Fraction(3 * nx * ny * side, 2)


def _placement(nx: int, ny: int, nz: int) -> Placement:
    """The routers that share x and z in cabinet (x, z), by y: a row of cabinets for every layer (IV-A)."""
    layer, _, x = np.unravel_index(np.arange(nx * ny * nz), (nz, ny, nx))
    row, column = np.divmod(np.arange(nx * nz, dtype=np.int32), np.int32(nx))
    return Placement((layer * nx + x).astype(np.int32), np.stack([column, row], axis=1))


def _bisection_proof(nx: int, ny: int) -> str:
    """Why no halving of three layers cuts fewer links than :func:`bisection` says, where it says a number.

    The adjacency matrix has the eigenvalues (a + b) c with a = nx - 1 or -1, b = ny - 1 or -1, and c = 2 or
    -1 of the ring. So the Laplacian's second is 2 min(nx, ny), and N/4 times that is eq. 8, but for 2 x 2
    routers a layer.
    """
    return "all halvings counted" if nx == ny == 2 else "second eigenvalue 2 min(nx, ny)"


def _drawing(nx: int, ny: int, nz: int) -> Drawing:
    """The layers round a circle; links are told apart by the axis that they change."""
    layer_of, _, x = np.unravel_index(np.arange(nx * ny * nz), (nz, ny, nx))

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        same_x: NDArray[np.int64] = (x[links[:, 0]] == x[links[:, 1]]).astype(np.int64)
        return same_x

    kinds = LinkKinds(("to another x", "to another y"), kind_of)
    layer = lattice((ny, nx))[:, ::-1] if ny < nx else lattice((ny, nx))
    return Drawing(around(layer, nz), layer_of.astype(np.int32), kinds, shaded=True)


FLEX = ParametricFamily(
    name="flex",
    title="FleX",
    source="Jeon, Joo, Kim, Kim and Youn, IEEE Access 2022, III",
    definition=(
        "nz layers of nx x ny routers, the layers on a ring. A router is linked to the routers of the next "
        "and of the previous layer that share exactly one of its x and y coordinates; there are no links "
        "inside a layer. Three layers with both sides of at least 3 have diameter 2. Vertex-transitive; 2x2 "
        "routers in an even number of layers are not connected."
    ),
    closed_forms=(
        "N = nx ny nz",
        "k' = 2nx + 2ny - 4; nx + ny - 2 for two layers",
        "N k'/2 links",
        "for sides of at least 3: D = 2 for three layers, else max(3, floor(nz/2)), and the ASPL",
        "relative bisection min(nx, ny)/p for three layers whose shorter side is even (eq. 8), 4/(3p) for "
        "2x2x3",
    ),
    parameters=(
        Parameter("nx", "routers along x", least=2),
        Parameter("ny", "routers along y", least=2),
        Parameter("nz", "layers", least=2),
        concentration(
            "balanced: floor(k/3) of the router radix k, that is floor(k'/2) (FleX, III-B, for three layers)",
            lambda known: (known["nx"] + known["ny"] - 2) * (2 if known["nz"] > 2 else 1) // 2,
        ),
    ),
    examples=(
        "flex(nx=6,ny=6,nz=3,p=10)",
        "flex(nx=3,ny=4,nz=2)",
        "flex(nx=5,ny=4,nz=4,p=2)",
        "flex(nx=3,ny=3,nz=5)",
        "flex(nx=4,ny=3,nz=8)",
        "flex(nx=2,ny=3,nz=4)",
        "flex(nx=2,ny=2,nz=3)",
        "flex(nx=2,ny=2,nz=4)",
    ),
    graph=flex,
    claims=_claims,
    symmetry=lambda nx, ny, nz: Symmetry(translations(grid_of((nz, ny, nx)))),
    least=_least,
    carries=_carries,
    lattice=axes(nx=2, ny=lambda known: count(known["nx"]), nz=2),
    wide=axes(nx=2, ny=2, nz=2),
    placement=_placement,
    drawing=_drawing,
    # III-B has three layers; more of them load their links beyond what p endpoints may send.
    balanced=lambda known: known["nx"] == known["ny"] and known["nz"] == 3,
)

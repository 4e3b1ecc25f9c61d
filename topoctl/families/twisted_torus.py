"""Twisted tori: the way round a short side ends some routers further along the long ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.families.instances import axes, sizes_lattice
from topoctl.families.product_links import Grid, grid_of, joined, permutation
from topoctl.families.record import Claims, Parameter, Parameters, Within
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry

NAME = "twistedtorus"


def twisted_torus(dims: tuple[int, ...], twist: int) -> Graph:
    """Torus whose links round each of its shortest sides lead `twist` further along all longer sides.

    Cámara et al., IEEE Transactions on Parallel and Distributed Systems 21 (2010). The router at (c_1, ..,
    c_d) has its index in row-major order.

    Raises:
        InvalidParameters: all sides are equal, or the twist leads once round a longer one.

    Example:
        >>> twisted_torus((8, 4), 4).order, twisted_torus((8, 4), 4).size
        (32, 64)
    """
    _claims(dims, twist)
    grid = grid_of(dims)
    links = [joined(grid, _ahead(grid, axis, twist)) for axis in range(len(dims))]
    return Graph.from_links(grid.size, np.concatenate(links))


def _ahead(grid: Grid, axis: int, twist: int) -> Grid:
    """The router one step along an axis from that at each place of the grid: int32, of the grid's shape."""
    short = min(grid.shape)
    ahead = np.roll(grid, -1, axis=axis)
    if grid.shape[axis] == short:
        last = [slice(None)] * grid.ndim
        last[axis] = slice(short - 1, short)
        longer = [other for other, size in enumerate(grid.shape) if size > short]
        ahead[tuple(last)] = np.roll(ahead[tuple(last)], [-twist] * len(longer), axis=longer)
    return ahead


def _claims(dims: tuple[int, ...], twist: int) -> Claims:
    """Closed forms: the network is a Cayley graph of an abelian group, and no two of its 2d steps are equal.

    The diameters of 2a x a and of a x a x 2a twisted by a are those of Cámara et al., section 3.
    """
    short = min(dims)
    longer = [size for size in dims if size > short]
    if not longer:
        raise InvalidParameters(
            f"{NAME}: {len(dims)} equal sides of {short}: expected a side longer than the others"
        )
    if not 1 <= twist < min(longer):
        raise InvalidParameters(
            f"{NAME}: twist={twist}: expected 1..{min(longer) - 1}, less than a turn round a longer side"
        )
    rectangle = len(dims) == 2 and max(dims) == 2 * short and twist == short
    found = _least(dims, twist)
    return replace(found, diameter=short) if rectangle else found


def _least(dims: tuple[int, ...], twist: int) -> Claims:  # noqa: ARG001 - they hold for every twist
    """The closed forms that grow with every size."""
    order = math.prod(dims)
    return Claims(order, 2 * len(dims), order * len(dims))


def _lattice(within: Within, orders: range) -> Iterator[Parameters]:
    """Yield 2a x a, 2a x a x a and 2a x 2a x a, which are twisted by a."""
    for halved in ((1, 2), (1, 2, 2), (1, 1, 2)):

        def dims_of(longest: int, halved: tuple[int, ...] = halved) -> tuple[int, ...]:
            return tuple(longest // parts for parts in halved)

        lengths = axes(longest=lambda known: count(4, 2))  # noqa: ARG005
        for known in lengths(lambda longest, dims_of=dims_of: within(dims=dims_of(longest)), orders):
            yield {"dims": dims_of(known["longest"])}  # type: ignore[arg-type]


def _wide(within: Within, orders: range) -> Iterator[Parameters]:
    """Yield all sizes, descending and not all equal, each twisted by the shortest."""
    for known in sizes_lattice(within, orders):
        dims: tuple[int, ...] = known["dims"]  # type: ignore[assignment]
        if dims[0] > dims[-1]:
            yield known


def _symmetry(dims: tuple[int, ...], twist: int) -> Symmetry:
    """A step along every axis: together they carry any router to any other."""
    grid = grid_of(dims)
    return Symmetry(tuple(permutation(grid, _ahead(grid, axis, twist)) for axis in range(len(dims))))


def _drawing(dims: tuple[int, ...], twist: int) -> Drawing:  # noqa: ARG001
    """Routers at their coordinates; links that wrap round a short side, and so are twisted, stand out."""
    grid = grid_of(dims)
    short = min(dims)
    places = np.stack(np.unravel_index(np.arange(grid.size), dims))
    shortest = [axis for axis, size in enumerate(dims) if size == short]

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        apart = places[:, links[:, 0]] != places[:, links[:, 1]]
        along = len(dims) - 1 - apart[::-1].argmax(axis=0)
        along = np.where(
            apart[shortest].any(axis=0), np.array(shortest)[apart[shortest].argmax(axis=0)], along
        )
        return np.where(apart.sum(axis=0) > 1, len(dims), along)

    names = tuple(f"dimension {axis + 1}" for axis in range(len(dims)))
    plain = at_coordinates(dims)
    return Drawing(plain.positions, plain.groups, LinkKinds((*names, "twisted"), kind_of))


TWISTED_TORUS = ParametricFamily(
    name=NAME,
    title="Twisted torus",
    source=(
        "Cámara, Moretó, Vallejo, Beivide, Miguel-Alonso, Martínez and Navaridas, IEEE Transactions on "
        "Parallel and Distributed Systems 21 (2010); Jouppi et al., ISCA 2023 (TPU v4)"
    ),
    definition=(
        "A torus in which the links that close the rings of the shortest sides lead `twist` routers further "
        "along all longer sides. Twisted by the shortest side, 2a x a, 2a x a x a and 2a x 2a x a have every "
        "distance as evenly spread over the dimensions as cubes have."
    ),
    closed_forms=(
        "N = product of the sizes",
        "k' = 2 dimensions",
        "N k'/2 links",
        "D = a for 2a x a twisted by a",
    ),
    parameters=(
        Parameter("dims", "routers along each dimension, not all equal", kind="sizes", least=2),
        Parameter(
            "twist",
            "routers along the longer sides that one turn round a shortest side leads on",
            "the shortest side",
            least=1,
            omitted=lambda known: min(known["dims"]),
        ),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=(
        "twistedtorus(dims=8x4)",
        "twistedtorus(dims=8x4x4)",
        "twistedtorus(dims=4x4x2)",
        "twistedtorus(dims=3x5,twist=1)",
        "twistedtorus(dims=4x2)",
    ),
    graph=twisted_torus,
    claims=_claims,
    symmetry=_symmetry,
    lattice=_lattice,
    wide=_wide,
    least=_least,
    balanced=lambda known: known["twist"] == min(known["dims"]),
    placement=lambda dims, twist: Placement.by_coordinates(dims, folded=True),  # noqa: ARG005
    drawing=_drawing,
)

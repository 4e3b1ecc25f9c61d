"""Delorme graphs: diameter 3, near the Moore bound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import circle, grouped
from topoctl.families.galois_field import GaloisField, galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import joined
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.graph import Graph
from topoctl.topology import Symmetry


@dataclass(frozen=True, eq=False)
class Quadrangle:
    """Generalised quadrangle W(v): points of PG(3, v) and totally isotropic lines of a symplectic form.

    Attributes:
        field: GF(v).
        points: int32, shape (count, 4), the first non-zero coordinate 1; count = (v + 1)(v^2 + 1).
        lines: int32, shape (count, v + 1): the points on every line, ascending; as many lines as points.
        pencils: int32, shape (count, v + 1): the lines through every point, ascending.
    """

    field: GaloisField
    points: NDArray[np.int32]
    lines: NDArray[np.int32]
    pencils: NDArray[np.int32]


def _symplectic(field: GaloisField, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int32]:
    """The form x0 y1 - x1 y0 + x2 y3 - x3 y2 over the last axis, which has 4 places.

    The arguments are field elements, int32, of shapes that broadcast; the result lacks the last axis.
    """
    turned = np.stack(
        [right[..., 1], field.negate[right[..., 0]], right[..., 3], field.negate[right[..., 2]]], axis=-1
    )
    return field.dot(left, turned)


def _index_of(field: GaloisField, vectors: NDArray[np.int32]) -> NDArray[np.int32]:
    """The points that non-zero vectors stand for: int32, of the shape of `vectors` without its last axis."""
    q = field.q
    lead = np.take_along_axis(vectors, (vectors != 0).argmax(axis=-1)[..., None], axis=-1)
    unit = field.multiply[vectors, field.invert[lead]]
    value = unit @ np.array([q**3, q**2, q, 1], dtype=np.int64)
    # Points are listed by this value: 1, q..2q - 1, q^2..2q^2 - 1, q^3..2q^3 - 1.
    first = np.where(value >= q**3, q**3, np.where(value >= q**2, q**2, np.where(value >= q, q, 1)))
    before = (first - 1) // (q - 1)
    index: NDArray[np.int32] = (value - first + before).astype(np.int32)
    return index


@cache
def _quadrangle(v: int) -> Quadrangle:
    """Build W(v).

    Example:
        >>> _quadrangle(2).lines.shape
        (15, 3)
    """
    field = galois_field(v)
    numbers = np.concatenate([np.arange(v**digit, 2 * v**digit) for digit in range(4)])
    points = (numbers[:, None] // np.array([v**3, v**2, v, 1]) % v).astype(np.int32)
    low, high = np.nonzero(np.triu(_symplectic(field, points[:, None], points[None]) == 0, 1))
    scaled = field.multiply[np.arange(v)[:, None], points[high][:, None]]
    span = _index_of(field, field.add[points[low][:, None], scaled])
    lines = np.sort(np.concatenate([span, high[:, None].astype(np.int32)], axis=1), axis=1)
    lines = lines[(lines[:, 0] == low) & (lines[:, 1] == high)]
    pencils = np.argsort(lines.reshape(-1), kind="stable").reshape(len(points), v + 1) // (v + 1)
    return Quadrangle(field, points, lines, pencils.astype(np.int32))


def delorme(v: int) -> Graph:
    """Delorme graph: router (p, l), a point and a line of W(v), has index lines*p + l.

    (p, l) and (p', l') are linked where p is on l' and p' is on l. A router whose point is on its line would
    be linked to itself, and has one link less. Delorme, European Journal of Combinatorics 6 (1985).

    Args:
        v: prime power.

    Returns:
        Graph of order (v + 1)^2 (v^2 + 1)^2, network radix (v + 1)^2, diameter 3.

    Raises:
        InvalidParameters: v is not a prime power.

    Example:
        >>> delorme(2).order, delorme(2).network_radix
        (225, 9)
    """
    _claims(v)
    space = _quadrangle(v)
    count = len(space.points)
    routers = np.arange(count * count, dtype=np.int32).reshape(count, count)
    parts = []
    for place in range(v + 1):
        # Heads (p', l'): p' is the point at this place of line l, l' any line through p.
        heads = space.lines[None, :, place, None] * np.int32(count) + space.pencils[:, None, :]
        tails = np.broadcast_to(routers[:, :, None], heads.shape)
        once = tails < heads
        parts.append(joined(tails[once], heads[once]))
    return Graph.from_links(count * count, np.concatenate(parts))


def _claims(v: int) -> Claims:
    """SC14, II-C; the (v + 1)^2 (v^2 + 1) pairs of a line and a point on it lack one link."""
    if prime_power(v) is None:
        raise InvalidParameters(f"delorme: v={v}: expected a prime power, such as 2, 3, 4, 5, 7, 8, 9")
    count = (v + 1) * (v * v + 1)
    radix = (v + 1) ** 2
    return Claims(count * count, radix, (count * count * radix - count * (v + 1)) // 2, diameter=3)


def _symmetry(v: int) -> Symmetry:
    """Symplectic transvections x + s B(x, r) r: two orbits, point on the line and point off it."""
    space = _quadrangle(v)
    field, count = space.field, len(space.points)
    keys = space.lines[:, 0].astype(np.int64) * count + space.lines[:, 1]
    generators = []
    for vector in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 0), (0, 1, 0, 1)):
        for scale in field.basis:
            along = np.array(vector, dtype=np.int32)
            share = field.multiply[_symplectic(field, space.points, along), scale]
            image = field.add[space.points, field.multiply[share[:, None], along]]
            points = _index_of(field, image)
            ends = np.sort(points[space.lines], axis=1)
            lines = np.searchsorted(keys, ends[:, 0].astype(np.int64) * count + ends[:, 1])
            generators.append((points[:, None] * np.int32(count) + lines.astype(np.int32)).reshape(-1))
    return Symmetry(tuple(generators))


DELORME = ParametricFamily(
    name="delorme",
    title="Delorme graphs (Slim Fly of diameter 3)",
    source="Delorme, European Journal of Combinatorics 6 (1985); Besta and Hoefler, SC14, II-C",
    definition=(
        "Routers are the pairs of a point and a line of the symplectic generalised quadrangle over GF(v); "
        "two are linked where the point of each is on the line of the other."
    ),
    closed_forms=(
        "N = (v + 1)^2 (v^2 + 1)^2",
        "k' = (v + 1)^2; (v + 1)^2 (v^2 + 1) routers have one link less",
        "D = 3",
    ),
    parameters=(
        Parameter("v", "prime power", least=2),
        concentration(
            "balanced: ceil(k'/3), as paths take up to three hops (SC14, II-B2 for D = 3)",
            lambda known: -(-((known["v"] + 1) ** 2) // 3),
        ),
    ),
    examples=("delorme(v=3)", "delorme(v=2)"),
    graph=delorme,
    claims=_claims,
    symmetry=_symmetry,
    lattice=axes(v=2),
    drawing=lambda v: grouped((v + 1) * (v * v + 1), circle((v + 1) * (v * v + 1)), "block"),
)

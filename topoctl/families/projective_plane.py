"""Points of the projective plane PG(2, q), their polarity and the automorphisms that keep it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.galois_field import GaloisField
from topoctl.families.product_links import Links, joined


def _plane_points(field: GaloisField) -> NDArray[np.int32]:
    """The q^2 + q + 1 points (1, y, z), (0, 1, z), (0, 0, 1), in this order: int32, shape (order, 3).

    Example:
        >>> from topoctl.families.galois_field import galois_field
        >>> _plane_points(galois_field(2)).tolist()
        [[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 1, 1], [0, 0, 1]]
    """
    q = field.q
    points = np.zeros((q * q + q + 1, 3), dtype=np.int32)
    points[: q * q, 0] = 1
    points[: q * q, 1:] = np.indices((q, q)).reshape(2, -1).T
    points[q * q : q * q + q, 1] = 1
    points[q * q : q * q + q, 2] = np.arange(q)
    points[-1, 2] = 1
    return points


def _point_index(field: GaloisField, vectors: NDArray[np.int32]) -> NDArray[np.int32]:
    """The points that non-zero vectors stand for: int32, of the shape of `vectors` without its last axis."""
    q = field.q
    x, y, z = np.moveaxis(vectors, -1, 0)
    lead = np.where(x != 0, x, np.where(y != 0, y, z))
    unit = field.invert[lead]
    y, z = field.multiply[y, unit], field.multiply[z, unit]
    return np.where(x != 0, y * q + z, np.where(y != 0, q * q + z, q * q + q)).astype(np.int32)


def polar_lines(field: GaloisField) -> NDArray[np.int32]:
    """The points of every point's polar line, those orthogonal to it: int32, shape (order, q + 1).

    Point (a, b, c) is orthogonal to (c, 0, -a) and (0, c, -b), or for c = 0 to (b, -a, 0) and (0, 0, 1), and
    to all their combinations.
    """
    a, b, c = _plane_points(field).T
    zero = np.zeros_like(a)
    minus_a, minus_b = field.negate[a], field.negate[b]
    outer = (c != 0)[:, None]
    first = np.where(outer, np.stack([c, zero, minus_a], 1), np.stack([b, minus_a, zero], 1))
    second = np.where(outer, np.stack([zero, c, minus_b], 1), np.stack([zero, zero, np.ones_like(a)], 1))
    scaled = field.multiply[np.arange(field.q)[None, :, None], second[:, None, :]]
    line = field.add[first[:, None, :], scaled]
    return np.concatenate([_point_index(field, line), _point_index(field, second)[:, None]], axis=1)


def polarity_arcs(field: GaloisField, *, loops: bool) -> Links:
    """Pairs of orthogonal points, the lower one first: int32, shape (arcs, 2).

    Args:
        field: of the plane.
        loops: whether a point that is orthogonal to itself has an arc to itself.

    Example:
        >>> from topoctl.families.galois_field import galois_field
        >>> len(polarity_arcs(galois_field(2), loops=False)), len(polarity_arcs(galois_field(2), loops=True))
        (9, 12)
    """
    lines = polar_lines(field)
    points = np.arange(len(lines), dtype=np.int32)[:, None]
    once = points <= lines if loops else points < lines
    return joined(np.broadcast_to(points, lines.shape)[once], lines[once])


def isometries(field: GaloisField) -> tuple[NDArray[np.int32], ...]:
    """Some permutations of the points that keep orthogonality: int32, shape (order,) each.

    For odd q, reflections x - 2 (x.r)/(r.r) r along points r that are not orthogonal to themselves; for even
    q, transvections x + (x.r) r along points that are.
    """
    points = _plane_points(field)
    vectors = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    for scale in field.basis:
        vectors += [
            (1, scale, 0),
            (0, 1, scale),
            (scale, 0, 1),
            (1, 1, scale),
            (1, scale, field.add[1, scale]),
        ]
    generators = []
    for vector in vectors:
        along = np.array(vector, dtype=np.int32)
        square = field.dot(along, along)
        if (square == 0) != (field.p == 2):
            continue
        factor = (
            np.int32(1)
            if field.p == 2
            else field.negate[field.multiply[field.add[1, 1], field.invert[square]]]
        )
        share = field.multiply[field.dot(points, along), factor]
        image = field.add[points, field.multiply[share[:, None], along]]
        generators.append(_point_index(field, image))
    return tuple(generators)


def supernode_isometries(field: GaloisField, routers: int) -> tuple[NDArray[np.int32], ...]:
    """The isometries where every point is a supernode of so many routers, which keep their places in it."""
    places = np.arange(routers, dtype=np.int32)
    return tuple((points[:, None] * np.int32(routers) + places).reshape(-1) for points in isometries(field))

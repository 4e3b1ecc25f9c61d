"""Distances in Cayley networks of semidirect products of two cyclic groups, whole populations per call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.semidirect_product import SemidirectProduct
from topoctl.kernels.validation import check_array, check_whole

Generators = NDArray[np.int32]


def cayley_levels(
    s: int, t: int, r: int, generators: Generators, threads: int | None = 1, most: int | None = None
) -> NDArray[np.int32]:
    """Count the routers within 0, 1, 2, … hops of router 0, for every Cayley network of a population.

    The group is a :class:`~topoctl.kernels.semidirect_product.SemidirectProduct`, which numbers its elements.
    Router g links to g x for every x of the connection set. One search from one router is enough because
    Cayley networks are vertex-transitive (Akers and Krishnamurthy, IEEE Trans. Computers 38 (1989)).

    Args:
        s: order of the normal subgroup, at least 1.
        t: order of the other, at least 1; s t is at most 2^25.
        r: with r^t = 1 modulo s, in 1..s-1, or 1.
        generators: int32, shape (networks, columns): numbers of elements, of which the connection set of a
            network holds each one and its inverse; 0, the identity, stands for none.
        threads: None uses every core; the result does not depend on it.
        most: look no further than this distance; None looks as far as there are routers.

    Returns:
        int32, shape (networks, levels): cumulative counts. Where the last count is s t, the network is
        connected and its diameter is the first level that says s t.

    Raises:
        InvalidParameters: s, t and r are no group, or an array has another shape, type or range.

    Example:
        >>> cayley_levels(7, 2, 6, np.array([[13, 7, 8, 11, 2]], dtype=np.int32))  # N14K6[-1,1,3,9](4)
        array([[ 1,  7, 14]], dtype=int32)
    """
    check_generators(SemidirectProduct(s, t, r), generators)
    if most is not None:
        check_whole(most=most)
    table: NDArray[np.int32] = backend().cayley_levels(
        s,
        t,
        r,
        np.ascontiguousarray(generators),
        s * t if most is None else max(0, most),
        thread_count(threads),
    )
    return table


def check_generators(group: SemidirectProduct, generators: Generators) -> None:
    """Require a row of numbers of elements for every network: int32, shape (networks, columns).

    Raises:
        InvalidParameters: an array of another shape or type, or a value out of range.
    """
    check_array("generators", generators, np.int32, 2, contiguous=False)
    if generators.size and not 0 <= generators.min() <= generators.max() < group.order:
        raise InvalidParameters(
            f"generators span {generators.min()}..{generators.max()}: expected 0..{group.order - 1}"
        )

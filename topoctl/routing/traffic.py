"""Traffic: how much every router sends to every other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from topoctl.topology import Topology

Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Sources, targets and flits a cycle, of one shape."""


@dataclass(frozen=True, eq=False)
class Traffic:
    """How much every router sends to every other when every endpoint sends all it can.

    Attributes:
        name: of the pattern.
        toward: from a batch of destinations to float64, shape (destinations, order): flits a cycle that each
            router sends to that destination; 0 from the destination itself, whose endpoints reach each other
            inside it.
        note: which endpoints are idle, where some are.
        bits: of the endpoints' numbers that a pattern of bits works on; None for other patterns.
        even: whether all endpoints send alike to all others, so that what is symmetric keeps the traffic too.
        pairs: where endpoints are told apart, returns those that send, int64, those that they send to, int64,
            and flits a cycle, float64, all of shape (pairs,), pairs of one router among them; None where what
            a router sends is sent by its endpoints alike.
    """

    name: str
    toward: Callable[[NDArray[np.int32]], NDArray[np.float64]] = field(repr=False)
    note: str | None = None
    bits: int | None = None
    even: bool = False
    pairs: Callable[[], Pairs] | None = field(default=None, repr=False)


def uniform(topology: Topology) -> Traffic:
    """Return uniform traffic: every endpoint sends to all others evenly.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> ring = topology_from_spec("torus(dims=4,p=2)")
        >>> uniform(ring).toward(np.array([0], dtype=np.int32)).round(3).tolist()
        [[0.0, 0.571, 0.571, 0.571]]
    """
    endpoints = topology.endpoints_per_router.astype(np.float64)

    def toward(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent = endpoints[destinations][:, None] * endpoints / (topology.endpoints - 1)
        sent[np.arange(len(destinations)), destinations] = 0
        return sent

    return Traffic("uniform", toward, even=True)


def between_routers(
    name: str,
    order: int,
    sources: NDArray[np.integer],
    targets: NDArray[np.integer],
    flits: NDArray[np.float64],
    note: str | None = None,
    bits: int | None = None,
) -> Traffic:
    """Return traffic between some pairs of routers, kept as a sparse matrix.

    Args:
        name: of the pattern.
        order: routers.
        sources: routers, shape (pairs,); a pair may be there several times.
        targets: routers, of the same shape.
        flits: a cycle, float64, of the same shape.
        note: which endpoints are idle, where some are.
        bits: that the pattern works on.

    Example:
        >>> sent = between_routers("ahead", 3, np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.5]))
        >>> sent.toward(np.array([0, 1], dtype=np.int32)).tolist()
        [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0]]
    """
    from scipy.sparse import coo_array

    outside = sources != targets
    ends = (targets[outside], sources[outside])
    sent = coo_array((flits[outside], ends), shape=(order, order)).tocsr()
    return Traffic(name, lambda destinations: sent[destinations].toarray(), note, bits)


def all_to_all(topology: Topology) -> Traffic:
    """Return one flit between all routers with endpoints; between all routers if none has endpoints.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> all_to_all(topology_from_spec("mesh(dims=3,p=1)")).toward(np.array([1], dtype=np.int32)).tolist()
        [[1.0, 0.0, 1.0]]
    """
    endpoints = topology.endpoints_per_router
    sends = (endpoints > 0 if endpoints.any() else np.ones(len(endpoints), dtype=bool)).astype(np.float64)

    def toward(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent = np.outer(sends[destinations], sends)
        sent[np.arange(len(destinations)), destinations] = 0
        return sent

    return Traffic("everyone", toward)


def within_parts(traffic: Traffic, parts: NDArray[np.int32]) -> Traffic:
    """Return the traffic between routers of the same part; what goes from one part to another is not sent.

    Args:
        traffic: of the whole network.
        parts: of every router, int32, shape (order,).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> everyone = all_to_all(topology_from_spec("mesh(dims=3,p=1)"))
        >>> cut = within_parts(everyone, np.array([0, 0, 1], dtype=np.int32))
        >>> cut.toward(np.array([1], dtype=np.int32)).tolist()
        [[1.0, 0.0, 0.0]]
    """

    def toward(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent: NDArray[np.float64] = traffic.toward(destinations) * (parts[destinations][:, None] == parts)
        return sent

    return replace(traffic, toward=toward, even=False, pairs=None)

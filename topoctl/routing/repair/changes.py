"""What a repair changes: the entries of tables that differ, and the routers that hold them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topoctl.analysis.failures import Left
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Destinations, Routes

EQUAL = 1e-9
"""Shares that differ by less are equal: the rest is rounding."""


class Changes(NamedTuple):
    """Differences between tables before and after a failure, at routers that work.

    Attributes:
        entries: for destinations that are still reached, whose next hops or their shares differ.
        routers: that hold such entries.
        withdrawn: entries for destinations that are no longer reached.
    """

    entries: int
    routers: int
    withdrawn: int


def changes(before: Routes, after: Routes, left: Left, destinations: Destinations | None = None) -> Changes:
    """Compare the tables of all routers, entry by entry.

    Args:
        before: routes of the whole network.
        after: of the same arcs and phases, round what has failed.
        left: what of the network is left.
        destinations: to which they may differ; by default all.

    Example:
        >>> from topoctl.analysis.failures import Failures
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.repair.anew import anew
        >>> ring, ecmp = topology_from_spec("torus(dims=4,p=1)"), ROUTINGS["ecmp"]
        >>> routes, left = ecmp.routes(ring), Failures(links=((0, 1),)).left_of(ring)
        >>> changes(routes, anew(ecmp, routes, left).routes, left)
        Changes(entries=6, routers=4, withdrawn=0)
    """
    starts, order = before.topology.graph.offsets[:-1], before.topology.graph.order
    entries, withdrawn, at = 0, 0, np.zeros(order, dtype=np.bool_)
    for batch in destination_batches(before, destinations=destinations):
        was, now = before.moves(batch).shares, after.moves(batch).shares
        differ = np.logical_or.reduceat(np.abs(was - now) > EQUAL, starts, axis=2)
        reached = (left.parts[batch][:, None] == left.parts)[:, None]
        changed = differ & reached & ~left.dead
        entries += int(changed.sum())
        at |= changed.any(axis=(0, 1))
        had = np.logical_or.reduceat(was > 0, starts, axis=2)
        withdrawn += int((had & ~reached & ~left.dead).sum())
    return Changes(entries, int(at.sum()), withdrawn)

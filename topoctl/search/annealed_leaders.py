"""The best networks (``--top``) of one search that anneals links, with hosts or without.

Several seeds are ranked together in :mod:`topoctl.search.leaders_of_seeds`. Populations apply ``--top`` in
:mod:`topoctl.search.populations.leaders`, `enumerate` in its :mod:`~topoctl.search.enumeration.ranking`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar


class Leader(Protocol):
    """The best network of one replica in one leg."""

    @property
    def leg(self) -> int:
        """The leg that found it."""

    @property
    def replica(self) -> int:
        """The replica that found it."""

    @property
    def rank(self) -> tuple[Any, ...]:
        """Sort key, best first."""

    def links(self) -> Hashable:
        """Return a value that is equal for equal networks."""


One = TypeVar("One", bound=Leader)


def with_leader(leaders: Sequence[One], found: One, top: int) -> list[One]:
    """Return the `top` best of the leaders and a network, best first, one of each leg and replica.

    Args:
        leaders: distinct networks, best first.
        found: replaces the leader of its leg and replica if it is better and not equal to another leader.
        top: leaders that are kept.
    """
    place = (found.leg, found.replica)
    former = [leader for leader in leaders if (leader.leg, leader.replica) == place]
    others = [leader for leader in leaders if (leader.leg, leader.replica) != place]
    if former and former[0].rank <= found.rank:
        return [*leaders]
    if any(other.rank == found.rank and other.links() == found.links() for other in others):
        return [*leaders]
    return sorted([*others, found], key=lambda leader: leader.rank)[:top]

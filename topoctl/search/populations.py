"""What searches of populations on islands share: the best distinct networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self, TypeVar

from topoctl.search.options import ObjectiveName


class Leader(Protocol):
    """A network that a search has found, with its exact score."""

    def rank(self, objective: ObjectiveName) -> tuple[Any, ...]:
        """Sort key, best first."""

    def same_network(self, other: Self) -> bool:
        """Whether two leaders are one network."""


L = TypeVar("L", bound=Leader)


def best_distinct(leaders: Sequence[L], found: Iterable[L], objective: ObjectiveName, count: int) -> list[L]:
    """The best `count` different networks of both, best first."""
    kept: list[L] = []
    for leader in sorted([*leaders, *found], key=lambda leader: leader.rank(objective)):
        if len(kept) == count:
            break
        if not any(leader.same_network(other) for other in kept):
            kept.append(leader)
    return kept

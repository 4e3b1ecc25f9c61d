"""The best distinct networks of a search."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from topoctl.families.cayley.canonical import canonical_form
from topoctl.families.cayley.family import spec_of
from topoctl.families.cayley.group import Group
from topoctl.families.cayley.network import Cayley
from topoctl.search.cayley.population import Rank, rank_of
from topoctl.search.options import ObjectiveName
from topoctl.search.protocol import Candidate

EXACTLY = 2**128
"""Makes integers of ranks, of which two that differ do so by more than a part of it."""


@dataclass(frozen=True)
class CayleyLeader:
    """A network with its exact score.

    Attributes:
        group: s, t and r.
        generators: numbers of elements, one of each and its inverse.
        diameter: hops.
        reach: sum of the distances from router 0.
    """

    group: tuple[int, ...]
    generators: tuple[int, ...]
    diameter: int
    reach: int

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> CayleyLeader:
        """The inverse of :meth:`to_json`."""
        return cls(**{**value, "group": tuple(value["group"]), "generators": tuple(value["generators"])})

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {**asdict(self), "group": [*self.group], "generators": [*self.generators]}

    @property
    def order(self) -> int:
        """Routers."""
        return self.group[0] * self.group[1]

    @cached_property
    def network(self) -> Cayley:
        """The network."""
        return Cayley.from_numbers(Group(*self.group), [*self.generators])

    def rank(self, objective: ObjectiveName) -> Rank:
        """Sort key, best first; of networks that tie, the one found first stays first."""
        return rank_of(self.order, self.network.network_radix, self.diameter, self.reach, objective)

    @cached_property
    def name(self) -> tuple[int, ...]:
        """Equal names prove equal networks."""
        return canonical_form(self.network)

    def same_network(self, other: CayleyLeader) -> bool:
        """Whether two leaders are one network; names are compared only where the scores agree."""
        mine, yours = ((one.group, one.diameter, one.reach) for one in (self, other))
        return mine == yours and (self.generators == other.generators or self.name == other.name)

    def candidate(self, concentration: int | None, objective: ObjectiveName) -> Candidate:
        """What a report needs to build and measure the network again, and a merger to rank it."""
        network = Cayley(self.network.group, self.network.generators, concentration)
        return Candidate(
            *(spec_of(network), self.diameter, self.order * self.reach // 2),
            standing=tuple(int(part * EXACTLY) for part in self.rank(objective)),
            name=lambda: (self.group, self.name),
        )

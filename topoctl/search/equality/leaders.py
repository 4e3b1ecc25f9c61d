"""The best distinct networks of a search."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.families.equality.canonical import canonical_form
from topoctl.families.equality.network import Equality
from topoctl.search.equality.population import Individual
from topoctl.search.options import ObjectiveName
from topoctl.search.protocol import Candidate


@dataclass(frozen=True)
class EqualityLeader:
    """A network with its exact score.

    Attributes:
        order: routers.
        odd, even: halves, ascending.
        diameter: hops.
        reach: sum of the distances from router 0.
    """

    order: int
    odd: tuple[int, ...]
    even: tuple[int, ...]
    diameter: int
    reach: int

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> EqualityLeader:
        """The inverse of :meth:`to_json`."""
        return cls(**{**value, "odd": tuple(value["odd"]), "even": tuple(value["even"])})

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return asdict(self)

    def rank(self, objective: ObjectiveName) -> tuple[int, ...]:
        """Sort key in integers, best first; of networks that tie, the one found first stays first."""
        product = (self.diameter * self.reach,) if objective == "product" else ()
        return (*product, self.diameter, self.reach)

    @cached_property
    def name(self) -> tuple[int, ...]:
        """Equal names prove equal networks."""
        return canonical_form(self.order, self.odd, self.even)

    def same_network(self, other: EqualityLeader) -> bool:
        """Whether two leaders are one network; names are compared only where the scores agree."""
        if (self.diameter, self.reach) != (other.diameter, other.reach):
            return False
        if len(self.odd) != len(other.odd) or len(self.even) != len(other.even):
            return False
        return (self.odd, self.even) == (other.odd, other.even) or self.name == other.name

    def candidate(self, concentration: int | None, objective: ObjectiveName) -> Candidate:
        """What a report needs to build and measure the network again, and a merger to rank it."""
        network = Equality.from_halves(self.order, self.odd, self.even, concentration)
        distance_sum = self.order * self.reach // 2
        return Candidate(
            *(network.spec, self.diameter, distance_sum),
            standing=self.rank(objective),
            name=lambda: self.name,
        )


def scored(order: int, individual: Individual, levels: NDArray[np.int64]) -> EqualityLeader:
    """Score an individual from its cumulative router counts, int64, shape (levels,).

    The ring makes every network connected.
    """
    odd, even = individual.key
    return EqualityLeader(order, odd, even, int(np.argmax(levels == order)), int((order - levels).sum()))

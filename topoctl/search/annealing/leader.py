"""The best networks that an annealing search has found, and what ranks them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.search.annealing.symmetry import group_json, group_named
from topoctl.search.protocol import Json, SearchState


@dataclass(frozen=True)
class AnnealingLeader:
    """The best network of one replica in one leg.

    Attributes:
        leg, replica: where the network was found.
        group: the network is held to it.
        unreached: ordered pairs without a path.
        values: integers that rank it next, by the objective: for ASPL the ordered pairs beyond the target
            diameter, 0 without one.
        diameter: hops.
        hops: sum of distances over ordered pairs.
        slots: int32, shape (order, degree).
        origin: the base graph that the network was made of; empty where it began at random.
        start_links: links of the network that it was made of, or of the start file; 0 where there is none.
        kept: bool, shape (order, degree): the slots whose links are still those.
    """

    leg: int
    replica: int
    group: Group
    unreached: int
    values: tuple[int, ...]
    diameter: int
    hops: int
    slots: NDArray[np.int32]
    kept: NDArray[np.bool_]
    origin: str = ""
    start_links: int = 0

    @classmethod
    def stored_in(cls, state: SearchState) -> list[AnnealingLeader]:
        """Return the leaders of a stored state, best first."""
        notes, arrays = state.notes, state.arrays
        stored = zip(
            *(notes["leaders"], arrays["leaders"], arrays["kept"]),
            *(notes["leader_origins"], notes["leader_start_links"]),
            strict=True,
        )
        return [cls._from_row(row, *others) for row, *others in stored]

    @classmethod
    def best_of(cls, state: SearchState) -> AnnealingLeader:
        """Return the best leader of a stored state."""
        return cls.stored_in(state)[0]

    @classmethod
    def _from_row(
        cls, row: list[Json], slots: NDArray[np.int32], kept: NDArray[np.bool_], origin: str, start_links: int
    ) -> AnnealingLeader:
        leg, replica, group, unreached, *values, diameter, hops = row
        found = (leg, replica, group_named(group), unreached, tuple(values), diameter, hops)
        return cls(*found, slots, kept, origin, start_links)

    @property
    def row(self) -> list[Json]:
        """Where it was found, its group and its rank, as JSON values."""
        return [self.leg, self.replica, group_json(self.group), *self.rank]

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, best first."""
        return (self.unreached, *self.values, self.diameter, self.hops)

    @property
    def links_kept(self) -> dict[str, int]:
        """What it has of the network that it was made of, by name; nothing where there is none."""
        kept = {"start_links": self.start_links, "start_links_kept": int(self.kept.sum()) // 2}
        return kept if self.start_links else {}

    @property
    def slots_kept(self) -> NDArray[np.int32]:
        """Its slots whose links are those of the network that it was made of, the others -1."""
        return np.where(self.kept, self.slots, np.int32(-1))

    def links(self) -> bytes:
        """Return bytes that are equal for equal networks."""
        return np.sort(self.slots, axis=1).tobytes()

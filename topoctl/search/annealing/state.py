"""The state of an annealing search in memory, and as the arrays and JSON values that are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing import PairScore
from topoctl.search.annealing.action import group_of, stored_group
from topoctl.search.draws import Draws
from topoctl.search.protocol import Json, SearchState


@dataclass(frozen=True)
class TraceColumn:
    """A column of a trace: its name, its unit, what it means."""

    name: str
    unit: str
    meaning: str


TRACE = (
    TraceColumn("epoch", "epochs", "the one that the row ends; 0 for where the replica begins, too"),
    TraceColumn("replica", "", "counted from 0"),
    TraceColumn("temperature", "1/65536 of the energy's unit", "that held in the epoch"),
    TraceColumn("diameter", "hops or units of latency", "of the replica's network, the largest"),
    TraceColumn("sum", "hops or units of latency", "of the same network, over all ordered pairs"),
    TraceColumn("best_diameter", "hops or units of latency", "of the best network of the epoch, the largest"),
    TraceColumn("best_sum", "hops or units of latency", "of the same network, over all ordered pairs"),
)
"""The columns of a trace, in their order; :class:`TraceScale` of the objective says what the units are."""


EXHAUSTED = 3
"""Legs that meet the same best rank of an arm, after which others of the race have their turn."""

Arm = Group | str
"""What a leg of a replica begins with: a random network under a group, or what the starter so named makes."""


def stored_arm(arm: Arm) -> Json:
    """An arm as JSON."""
    return arm if isinstance(arm, str) else stored_group(arm)


def arm_of(value: Json) -> Arm:
    """The inverse of :func:`stored_arm`."""
    return value if isinstance(value, str) else group_of(value)


def arm_order(arm: Arm) -> tuple[bool, Arm]:
    """Sort key: groups, then names."""
    return isinstance(arm, str), arm


@dataclass(frozen=True)
class AnnealingLeader:
    """The best network of one replica in one leg.

    Attributes:
        leg, replica: where it was found.
        group: that it is held to.
        unreached: ordered pairs without a path.
        values: what counts next, by the search's objective: for ASPL one number, the hops beyond the
            target diameter over ordered pairs, where there is one, else 0.
        diameter: hops.
        hops: sum of distances over ordered pairs.
        slots: int32, shape (order, degree).
        origin: the network that it was made of; empty where it began at random.
    """

    leg: int
    replica: int
    group: Group
    unreached: int
    values: tuple[int, ...]
    diameter: int
    hops: int
    slots: NDArray[np.int32]
    origin: str = ""

    @classmethod
    def from_row(cls, row: list[Json], slots: NDArray[np.int32], origin: str = "") -> AnnealingLeader:
        """The inverse of :attr:`row`; slots: int32, shape (order, degree)."""
        leg, replica, group, unreached, *values, diameter, hops = row
        return cls(leg, replica, group_of(group), unreached, tuple(values), diameter, hops, slots, origin)

    @classmethod
    def best_of(cls, state: SearchState) -> AnnealingLeader:
        """The best one of a stored state."""
        return cls.from_row(state.notes["leaders"][0], state.arrays["leaders"][0])

    @property
    def row(self) -> list[Json]:
        """All but the slots and the origin, as JSON values."""
        return [self.leg, self.replica, stored_group(self.group), *self.rank]

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, best first."""
        return (self.unreached, *self.values, self.diameter, self.hops)

    def links(self) -> bytes:
        """Equal for equal networks."""
        return np.sort(self.slots, axis=1).tobytes()


@dataclass
class Tries:
    """How often an arm had its turn in a race.

    Attributes:
        legs: that it had.
        last: the last of them that met its best network's rank, and
        met: how many did.
    """

    legs: int = 0
    last: int = -1
    met: int = 0


@dataclass
class AnnealingState:
    """All replicas and what they have found.

    Attributes:
        draws: the one source of randomness.
        slots: int32, shape (replicas, order, degree): where the replicas are.
        groups: that the replicas are held to.
        arms: that the replicas began their leg with.
        origins: what their networks were made of; empty where they began at random.
        temperatures: fixed point, by replica.
        leaders: best first.
        bests: the best rank met with every arm that was tried.
        tries: how often every arm had its turn in a race.
        known: origins that legs began with, which starters do not make again.
        scores: of every replica, over the pairs with its own sources.
        trace: rows of the columns in TRACE.
        epoch: epochs done.
        evaluations: networks scored.
    """

    draws: Draws
    slots: NDArray[np.int32]
    groups: list[Group]
    arms: list[Arm]
    origins: list[str]
    temperatures: list[int]
    leaders: list[AnnealingLeader]
    bests: dict[Arm, tuple[int, ...]]
    tries: dict[Arm, Tries]
    known: list[str]
    scores: list[PairScore]
    trace: list[list[int]]
    epoch: int = 0
    evaluations: int = 0

    @classmethod
    def empty(cls, draws: Draws) -> AnnealingState:
        """No replicas yet."""
        return cls(draws, np.zeros((0, 0, 0), np.int32), [], [], [], [], [], {}, {}, [], [], [])

    def meet(self, found: AnnealingLeader, top: int, arm: Arm) -> None:
        """Take a network in among the `top` leaders if it is good enough; one of each leg and replica.

        Args:
            found: the network.
            top: leaders that are kept.
            arm: with which its leg began.
        """
        self._count(found, arm)
        self.bests[arm] = min(found.rank, self.bests.get(arm, found.rank))
        place = (found.leg, found.replica)
        former = [leader for leader in self.leaders if (leader.leg, leader.replica) == place]
        if former and former[0].rank <= found.rank:
            return
        others = [leader for leader in self.leaders if (leader.leg, leader.replica) != place]
        if any(other.rank == found.rank and other.links() == found.links() for other in others):
            return
        self.leaders = sorted([*others, found], key=lambda leader: leader.rank)[:top]

    def least_tried(self, rivals: Sequence[Arm]) -> Arm:
        """The first of the arms that were tried least, which is one try more."""
        arm = min(rivals, key=lambda arm: self.tries[arm].legs if arm in self.tries else 0)
        self.tries.setdefault(arm, Tries()).legs += 1
        return arm

    def standing(self, arm: Arm) -> tuple[bool, tuple[int, ...]]:
        """Sort key of an arm in a race, best first; last those whose best several legs have met."""
        return arm in self.tries and self.tries[arm].met >= EXHAUSTED, self.bests.get(arm, ())

    def _count(self, found: AnnealingLeader, arm: Arm) -> None:
        """Count the legs that meet the best rank of their arm."""
        tries, best = self.tries.get(arm), self.bests.get(arm, found.rank)
        if tries is None or best < found.rank:
            return
        if found.rank < best:
            tries.met, tries.last = 0, -1
        if tries.last != found.leg:
            tries.met, tries.last = tries.met + 1, found.leg

    def stored(self) -> SearchState:
        """As plain arrays and JSON values."""
        return SearchState(
            epoch=self.epoch,
            evaluations=self.evaluations,
            arrays={
                "slots": self.slots,
                "leaders": np.stack([leader.slots for leader in self.leaders]),
                "trace": np.array(self.trace, dtype=np.int64).reshape(-1, len(TRACE)),
            },
            notes={
                "draws": self.draws.state,
                "groups": [stored_group(group) for group in self.groups],
                "arms": [stored_arm(arm) for arm in self.arms],
                "origins": self.origins,
                "temperatures": self.temperatures,
                "leaders": [leader.row for leader in self.leaders],
                "leader_origins": [leader.origin for leader in self.leaders],
                "bests": [
                    [stored_arm(arm), list(self.bests[arm])] for arm in sorted(self.bests, key=arm_order)
                ],
                "tries": [
                    [stored_arm(arm), self.tries[arm].legs, self.tries[arm].last, self.tries[arm].met]
                    for arm in sorted(self.tries, key=arm_order)
                ],
                "known": self.known,
                "scores": [list(score) for score in self.scores],
            },
        )

    @classmethod
    def restored(cls, state: SearchState) -> AnnealingState:
        """The inverse of :meth:`stored`."""
        notes, arrays = state.notes, state.arrays
        return cls(
            draws=Draws(notes["draws"]),
            slots=arrays["slots"],
            groups=[group_of(group) for group in notes["groups"]],
            arms=[arm_of(arm) for arm in notes["arms"]],
            origins=list(notes["origins"]),
            temperatures=list(notes["temperatures"]),
            leaders=[
                AnnealingLeader.from_row(row, slots, origin)
                for row, slots, origin in zip(
                    notes["leaders"], arrays["leaders"], notes["leader_origins"], strict=True
                )
            ],
            bests={arm_of(arm): tuple(rank) for arm, rank in notes["bests"]},
            tries={arm_of(arm): Tries(*counts) for arm, *counts in notes["tries"]},
            known=list(notes["known"]),
            scores=[PairScore(*row) for row in notes["scores"]],
            trace=arrays["trace"].tolist(),
            epoch=state.epoch,
            evaluations=state.evaluations,
        )

"""The state of an annealing search in memory, and as the arrays and JSON values that are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing import PairScore
from topoctl.search.annealed_leaders import with_leader
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.symmetry import group_json, group_named
from topoctl.search.draws import Draws
from topoctl.search.protocol import Json, SearchState
from topoctl.search.slots import common_slots


@dataclass(frozen=True)
class TraceColumn:
    """A column of a trace: its name, its unit, what it means."""

    name: str
    unit: str
    meaning: str


TRACE = (
    TraceColumn("epoch", "epochs", "the epoch that the row ends; 0 also for where the replica begins"),
    TraceColumn("replica", "", "counted from 0"),
    TraceColumn("temperature", "1/65536 of the energy's unit", "in the epoch"),
    TraceColumn(
        "diameter", "hops or units of latency", "the largest in the replica's network; -1 if in parts"
    ),
    TraceColumn("sum", "hops or units of latency", "of the same network, over all ordered pairs"),
    TraceColumn("best_diameter", "hops or units of latency", "in the epoch's best network, likewise"),
    TraceColumn("best_sum", "hops or units of latency", "of the same network, over all ordered pairs"),
)
"""The columns of a trace, in order; :class:`TraceScale` of the objective says what the units are."""

EXHAUSTED = 3  # more legs hardly find anything better
"""Legs that meet the same best rank of a contender, after which the others of the race go first."""

Contender = Group | str
"""What a leg of a replica begins with: a random network under a group, or what a starter, named, makes."""


@dataclass(frozen=True)
class Structure:
    """A network made of a structure, where the last leg left it.

    Attributes:
        rank: as of leaders, but as a cold walk will leave it.
        slots: int32, shape (order, degree).
        left: int32, shape (order, degree): the links of the base graph that it was made with, padded with -1.
        origin: the base graph, and what was changed.
        links: of the base graph.
    """

    rank: tuple[int, ...]
    slots: NDArray[np.int32]
    left: NDArray[np.int32]
    origin: str
    links: int


@dataclass
class Tries:
    """How often a contender had its turn in a race.

    Attributes:
        legs: that began with it.
        last: the last leg that met the rank of its best network; -1 for none.
        met: legs that met that rank.
    """

    legs: int = 0
    last: int = -1
    met: int = 0


@dataclass
class AnnealingState:
    """All replicas and what they have found.

    Attributes:
        draws: the one source of randomness.
        slots: int32, shape (replicas, order, degree): the networks of the replicas.
        starts: int32, shape (replicas, order, width): the start file, or what is left of a base graph, by
            the numbers of each replica's routers, as padded adjacencies; shape (0, 0, 0) without either.
        start_links: links of that file or base graph, by replica; 0 where the network began at random.
        groups: by replica, the group that its network is held to.
        contenders: by replica, what its leg began with.
        origins: by replica, the base graph of its network; empty where the network began at random.
        temperatures: fixed point, by replica.
        leaders: best first.
        best_ranks: the best rank met with every contender that was tried.
        tries: how often every contender had its turn in a race.
        bases_used: base graphs that legs began with, which starters do not make again.
        structures: the best that were tried, by name.
        scores: of every replica, over the pairs with its own sources.
        trace: int64, shape (rows, columns in TRACE).
        epoch: epochs done.
        evaluations: networks scored.
    """

    draws: Draws
    slots: NDArray[np.int32]
    groups: list[Group]
    contenders: list[Contender]
    origins: list[str]
    temperatures: list[int]
    leaders: list[AnnealingLeader]
    best_ranks: dict[Contender, tuple[int, ...]]
    tries: dict[Contender, Tries]
    bases_used: list[str]
    scores: list[PairScore]
    trace: NDArray[np.int64]
    starts: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0, 0), np.int32))
    start_links: list[int] = field(default_factory=list)
    structures: dict[str, Structure] = field(default_factory=dict)
    epoch: int = 0
    evaluations: int = 0

    @classmethod
    def empty(cls, draws: Draws) -> AnnealingState:
        """Return a state without replicas."""
        slots, trace = np.zeros((0, 0, 0), np.int32), np.zeros((0, len(TRACE)), np.int64)
        return cls(draws, slots, [], [], [], [], [], {}, {}, [], [], trace)

    def kept(self, slots: NDArray[np.int32], replica: int) -> NDArray[np.bool_]:
        """Return the slots of a replica's network whose links are those of what it began with."""
        if not len(self.starts) or not self.start_links[replica]:
            return np.zeros(slots.shape, dtype=np.bool_)
        return common_slots(slots, self.starts[replica])

    def add_leader(self, found: AnnealingLeader, top: int, contender: Contender) -> None:
        """Keep a network among the `top` best (``--top``), one of each leg and replica.

        Args:
            found: the network.
            top: leaders that are kept.
            contender: what its leg began with.
        """
        self._count_meeting(found, contender)
        self.best_ranks[contender] = min(found.rank, self.best_ranks.get(contender, found.rank))
        self.leaders = with_leader(self.leaders, found, top)

    def _count_meeting(self, found: AnnealingLeader, contender: Contender) -> None:
        """Count the legs that meet the best rank of their contender."""
        tries, best = self.tries.get(contender), self.best_ranks.get(contender, found.rank)
        if tries is None or best < found.rank:
            return
        if found.rank < best:
            tries.met, tries.last = 0, -1
        if tries.last != found.leg:
            tries.met, tries.last = tries.met + 1, found.leg

    def keep_structure(self, name: str, found: Structure, most: int) -> None:
        """Keep a structure if it is better than what was kept of that name, and one of the `most` best."""
        former = self.structures.get(name)
        if former is None or found.rank < former.rank:
            kept = sorted({**self.structures, name: found}.items(), key=lambda one: one[1].rank)
            self.structures = dict(kept[:most])

    def take_least_tried(self, rivals: Sequence[Contender]) -> Contender:
        """Return the first of the contenders that were tried least, and count one more try of it."""
        contender = min(rivals, key=lambda one: self.tries[one].legs if one in self.tries else 0)
        self.tries.setdefault(contender, Tries()).legs += 1
        return contender

    def race_key(self, contender: Contender) -> tuple[bool, tuple[int, ...]]:
        """Return a sort key of a contender, best first; those whose best several legs have met come last."""
        exhausted = contender in self.tries and self.tries[contender].met >= EXHAUSTED
        return exhausted, self.best_ranks.get(contender, ())

    def stored(self) -> SearchState:
        """Return the state as plain arrays and JSON values."""
        return SearchState(
            epoch=self.epoch,
            evaluations=self.evaluations,
            arrays={
                "slots": self.slots,
                "starts": self.starts,
                "leaders": np.stack([leader.slots for leader in self.leaders]),
                "kept": np.stack([leader.kept for leader in self.leaders]),
                "structures": _stacked([one.slots for one in self.structures.values()]),
                "structures_left": _stacked([one.left for one in self.structures.values()]),
                "trace": self.trace,
            },
            notes={
                "draws": self.draws.state,
                "groups": [group_json(group) for group in self.groups],
                "contenders": [_contender_json(one) for one in self.contenders],
                "origins": self.origins,
                "temperatures": self.temperatures,
                "leaders": [leader.row for leader in self.leaders],
                "leader_origins": [leader.origin for leader in self.leaders],
                "leader_start_links": [leader.start_links for leader in self.leaders],
                "best_ranks": [
                    [_contender_json(one), list(self.best_ranks[one])]
                    for one in sorted(self.best_ranks, key=_groups_first)
                ],
                "tries": [
                    [_contender_json(one), *astuple(self.tries[one])]
                    for one in sorted(self.tries, key=_groups_first)
                ],
                "bases_used": self.bases_used,
                "structures": [
                    [name, list(one.rank), one.origin, one.links] for name, one in self.structures.items()
                ],
                "start_links": self.start_links,
                "scores": [list(score) for score in self.scores],
            },
        )

    @classmethod
    def restored(cls, state: SearchState) -> AnnealingState:
        """Make a state of what :meth:`stored` returned."""
        notes, arrays = state.notes, state.arrays
        return cls(
            draws=Draws(notes["draws"]),
            slots=arrays["slots"],
            groups=[group_named(group) for group in notes["groups"]],
            contenders=[_contender(one) for one in notes["contenders"]],
            origins=list(notes["origins"]),
            temperatures=list(notes["temperatures"]),
            leaders=AnnealingLeader.stored_in(state),
            best_ranks={_contender(one): tuple(rank) for one, rank in notes["best_ranks"]},
            tries={_contender(one): Tries(*counts) for one, *counts in notes["tries"]},
            bases_used=list(notes["bases_used"]),
            scores=[PairScore(*row) for row in notes["scores"]],
            trace=arrays["trace"],
            starts=arrays["starts"],
            start_links=list(notes["start_links"]),
            structures={
                name: Structure(tuple(rank), slots, left, origin, links)
                for (name, rank, origin, links), slots, left in zip(
                    notes["structures"], arrays["structures"], arrays["structures_left"], strict=True
                )
            },
            epoch=state.epoch,
            evaluations=state.evaluations,
        )


def _stacked(networks: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.stack(networks) if networks else np.zeros((0, 0, 0), np.int32)


def _contender_json(contender: Contender) -> Json:
    return contender if isinstance(contender, str) else group_json(contender)


def _contender(value: Json) -> Contender:
    return value if isinstance(value, str) else group_named(value)


def _groups_first(contender: Contender) -> tuple[bool, Contender]:
    return isinstance(contender, str), contender

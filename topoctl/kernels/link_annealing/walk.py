"""What an annealing walker is given: which links it may make, how it moves, and how it finds distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.validation import check_arrays

Method = Literal["toggle", "full", "affected", "delta"]
METHODS: tuple[Method, ...] = ("toggle", "full", "affected", "delta")
FOCUSED = 102  # a walk that only looked at far pairs would leave the rest of the network cold
"""Moves of 1024 that start in or beside a pair beyond the target, where a walk looks for such pairs."""
EXACT = -1
"""The slack of a walk that never refuses a proposal by prediction."""
MOST_ORBITS = 64
"""A lifted walk searches from all orbits at once, each a bit of a word."""
ONE_BLOCK = 1024
"""The kernel searches from so many sources at once, and refuses a proposal as soon as a level is too far."""
MANY_SOURCES = 3000
"""With so many sources, repairing the distances that an exchange changes is faster than searching again."""
LOCAL_ORDER = 5000
"""In networks of so many routers an exchange changes few of all distances, however hot the walk is."""
MATRIX_BYTES = 2**30
"""A distance matrix has at most so many entries, of one or two bytes each."""
SETTING_UP = 60
"""The other methods begin with a distance matrix, which takes as long as so many full measurements."""


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """Which pairs of routers may be linked: those no further apart than a limit, and all of them.

    Attributes:
        offsets: int64, shape (order + 1,), or (0,) where any two routers may be linked.
        routers: int32: the routers that router v may be linked to are ``routers[offsets[v]:offsets[v + 1]]``.
        diagonals: int32, shape (order, 2): coordinates in which the length is max(|du|, |dv|).
        limit: of the length.
    """

    offsets: NDArray[np.int64]
    routers: NDArray[np.int32]
    diagonals: NDArray[np.int32]
    limit: int

    def __post_init__(self) -> None:
        check_arrays(offsets=self.offsets, routers=self.routers, diagonals=self.diagonals)
        for array in (self.offsets, self.routers, self.diagonals):
            array.setflags(write=False)

    @classmethod
    def unlimited(cls, order: int) -> Neighborhood:
        """Let any two routers be linked."""
        empty = np.zeros(0, dtype=np.int32)
        return cls(empty.astype(np.int64), empty, np.zeros((order, 2), dtype=np.int32), 0)

    def longest(self, tails: NDArray[np.integer], heads: NDArray[np.integer]) -> int:
        """Return the length of the longest link; 0 for none. Ends: int32 or int64, shape (links,)."""
        if not self.diagonals.any():  # without positions, every link is as short
            return 0
        return int(np.abs(self.diagonals[tails] - self.diagonals[heads]).max(initial=0))


@dataclass(frozen=True)
class Cables:
    """What makes distances latencies, in integers: what every link weighs, and what optical links cost.

    The cabinet of a router with the diagonals (u, v) stands at p = (u + v) / 2, q = (u - v) / 2, on grids
    and diagrids alike (:meth:`topoctl.floor.placement.Placement.on_layout`).

    Attributes:
        across: weight of a link per step of p.
        along: per step of q.
        constant: of every link, at least 1.
        electric: heavier links are optical.
        price: what an optical link adds to the energy; where that is not 0, distances below the target of
            the walk cost nothing.
    """

    across: int
    along: int
    constant: int
    electric: int = 2**31
    price: int = 0

    def heaviest(self, diagonals: NDArray[np.int32]) -> int:
        """Return the most that a link between these coordinates, int32, shape (order, 2), can weigh."""
        spans = np.ptp(positions_of(diagonals), axis=0).tolist()
        return int(spans[0] * self.across + spans[1] * self.along + self.constant)

    def farthest(self, diagonals: NDArray[np.int32]) -> int:
        """Return more than any path weighs, for a pair without one. Coordinates: int32, shape (order, 2)."""
        return len(diagonals) * self.heaviest(diagonals)

    def kept_by(self, rotation: NDArray[np.int32], diagonals: NDArray[np.int32]) -> bool:
        """Tell whether a rotation turns or mirrors the floor so that no link gets another weight.

        Args:
            rotation: int32, shape (order,): where every router comes to stand.
            diagonals: int32, shape (order, 2).
        """
        positions = positions_of(diagonals)
        turned = positions[rotation]

        def fixed(axis: int, other: int) -> bool:
            return any(np.ptp(turned[:, axis] + sign * positions[:, other]) == 0 for sign in (1, -1))

        swapped = self.across == self.along and fixed(0, 1) and fixed(1, 0)
        return swapped or (fixed(0, 0) and fixed(1, 1))


def positions_of(diagonals: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where routers with these coordinates stand, as (p, q): int64, shape (order, 2)."""
    u, v = diagonals.T.astype(np.int64)
    return np.stack([(u + v) // 2, (u - v) // 2], axis=1)


@dataclass(frozen=True, eq=False)
class Standing:
    """Links that stand already, of which a walk may take only so many away.

    Attributes:
        slots: int32, shape (order, width): the routers at their other ends, -1 behind the last; symmetric.
        most_missing: how many of these links a network may lack.
    """

    slots: NDArray[np.int32]
    most_missing: int

    def __post_init__(self) -> None:
        check_arrays(slots=self.slots)
        self.slots.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Hosts:
    """Hosts that hang from routers, each in one of their ports.

    Attributes:
        counts: int32, shape (order,): of every router; as many at all routers of an orbit.
        ports: of a router, for its links and hosts together.
    """

    counts: NDArray[np.int32]
    ports: int

    def __post_init__(self) -> None:
        check_arrays(counts=self.counts)
        self.counts.setflags(write=False)


@dataclass(frozen=True, kw_only=True)
class LinkWalk:
    """How one walker moves.

    Distances are hops or, with cables, latencies, whose first switch is left out.

    Attributes:
        rotation_order: of the first generator of its group; moves act on whole orbits of the group, and one
            router of each is a source.
        second_order: of the second generator; 1 where the group is cyclic.
        target: a diameter; a pair costs 1 for every distance below its own that is less than `target`, and
            `weight` for the others. 0 for none: the energy is the sum of distances over all pairs of a
            source and a router. A pair without a path counts as `order` hops apart, or as
            :meth:`Cables.farthest`.
        weight: at least 1.
        slack: a proposal is refused unseen once the energy of the distances counted so far has grown by
            that many temperatures more than the threshold; EXACT for never. Hops are counted level by level,
            latencies source by source.
        method: how the distances of a changed network are found. All but ``toggle`` give the same walk;
            ``toggle`` looks at no distances and keeps every move (the paper's step 2). Latencies are found
            in one way only.
        focus: so many of 1024 moves start in or beside a pair beyond the target, where there is one.
        moves: proposals that keep the rules of degree and length.
        aim: a diameter; the best network is the one with the fewest pairs beyond it. 0 for none; with
            cables it is 0 or the target.
        goal_diameter: end once a connected network of no more than this diameter, and
        goal_sum: no more than this sum of distances (source, router) is met; a diameter of 0 for never.
            A walk by ``toggle`` knows no goal.
        lifted: moves change the voltages and the ends of whole orbits of links, which costs least where the
            group has :data:`MOST_ORBITS` orbits at most: no more there may be. For hops, where any two
            routers may be linked; `method` and `focus` make no difference.
        cables: None where distances are hops.
        standing: links that no move may take away beyond their number; without a symmetry, and not lifted.
            None where all links are alike.
        hosts: hosts that moves may take to other routers. Then pairs are pairs of hosts, as far apart as
            their routers; a router without hosts is in none. For hops, by ``full``, ``delta`` or ``toggle``,
            not lifted. None where pairs are pairs of routers.
    """

    rotation_order: int
    second_order: int = 1
    target: int = 0
    weight: int = 1
    slack: int = EXACT
    method: Method = "full"
    focus: int = 0
    moves: int
    aim: int = 0
    goal_diameter: int = 0
    goal_sum: int = 0
    lifted: bool = False
    cables: Cables | None = None
    standing: Standing | None = None
    hosts: Hosts | None = None

    @property
    def symmetry_order(self) -> int:
        """Elements of the group, as many as every orbit has routers."""
        return self.rotation_order * self.second_order


def best_method(sources: int, order: int, *, hot: bool = False, moves: int = SETTING_UP) -> Method:
    """Return the fastest method of a walk, as ``benchmarks/link_annealing.py`` measured.

    Args:
        sources: orbits of the symmetry: the order, divided by the order of its rotation.
        order: routers.
        hot: whether many moves are kept, each of which changes many distances.
        moves: of the walk.

    Example:
        >>> best_method(225, 900), best_method(2_000, 2_000), best_method(10_000, 10_000)
        ('full', 'affected', 'delta')
        >>> best_method(2_000, 2_000, hot=True), best_method(2_000, 2_000, moves=10)
        ('full', 'full')
    """
    if sources <= ONE_BLOCK or sources * order > MATRIX_BYTES or moves < SETTING_UP:
        return "full"
    if order >= LOCAL_ORDER:
        return "delta"
    if hot:
        return "full"
    return "delta" if sources >= MANY_SOURCES else "affected"

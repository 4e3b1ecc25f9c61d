"""The annealed exchange of links without a compiler: the native walk, step by step, on Python integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cooling import Cooling, below, draw
from topoctl.kernels.fallback.link_annealing.energy import Energy, HopEnergy, LatencyEnergy, Score
from topoctl.kernels.fallback.link_annealing.network import Lift, Neighborhood, Network
from topoctl.kernels.link_annealing.walk import LinkWalk

__all__ = ["anneal_links"]

ATTEMPTS_PER_MOVE = 256
STUB_SHARE = 102  # of 1024 draws, as in link_walker.cpp
HOST_SHARE = 410
FOCUS_PERIOD = 256
SHIFT_SHARE, SPLIT_SHARE = 341, 64  # of 1024 draws, as in lift_walker.cpp

Slots = NDArray[np.int32]
Int64s = NDArray[np.int64]
Link = tuple[int, int]


def anneal_links(
    radix: int,
    slots: NDArray[np.int32],
    generators: NDArray[np.int32],
    near_offsets: NDArray[np.int64],
    near: NDArray[np.int32],
    diagonals: NDArray[np.int32],
    limit: int,
    walks: Sequence[LinkWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[Slots, Slots, Slots, Int64s, Int64s, Int64s]:
    """Anneal every network; see :func:`topoctl.kernels.link_annealing.anneal_links`.

    Returns:
        The last and the best slots; the last and the best hosts, shape (walkers, 2, order); the scores of
        both networks, int64, shape (walkers, 2, fields of a score); the moves, shape (walkers,); those
        accepted, shape (walkers, steps).
    """
    neighborhood = Neighborhood(near_offsets.tolist(), near.tolist(), diagonals.tolist(), limit)
    last, best = np.full_like(slots, -1), np.full_like(slots, -1)
    hosts = np.zeros((len(slots), 2, len(diagonals)), dtype=np.int32)
    scores = np.zeros((len(slots), 2, len(Score._fields)), dtype=np.int64)
    moves = np.zeros(len(slots), dtype=np.int64)
    accepted = np.zeros_like(temperatures)
    table = thresholds.tolist()
    for number, walk in enumerate(walks):
        rows = [[r for r in row if r >= 0] for row in slots[number].reshape(-1, radix).tolist()]
        orders = (walk.rotation_order, walk.second_order)
        network_class, walker_class = (Lift, LiftWalker) if walk.lifted else (Network, LinkWalker)
        network = network_class(radix, orders, rows, generators[number].reshape(2, -1).tolist())
        if walk.hosts is not None:
            network.most_ports, network.hosts = walk.hosts.ports, walk.hosts.counts.tolist()
        walker = walker_class(neighborhood, walk, network, int(seeds[number]))
        accepted[number] = walker.run(Cooling(temperatures[number].tolist(), table, walk.moves))
        scores[number] = walker.energy.score, walker.best
        moves[number] = walker.moves
        if walk.hosts is not None:
            hosts[number] = network.hosts, walker.best_hosts
        for target, kept in ((last, network.rows), (best, walker.best_rows)):
            target[number] = [r for row in kept for r in (*row, *[-1] * (radix - len(row)))]
    return last, best, hosts, scores, moves, accepted


class LinkWalker:
    """One annealed network."""

    def __init__(self, neighborhood: Neighborhood, walk: LinkWalk, network: Network, seed: int) -> None:
        self.neighborhood = neighborhood
        self.walk = walk
        self.network = network
        self.seed = seed
        self.moves = self.attempts = self.word = 0
        self.blind = walk.method == "toggle"
        self.energy: Energy
        if walk.cables and not self.blind:
            self.energy = LatencyEnergy(network, neighborhood, walk, walk.cables)
        else:
            self.energy = HopEnergy(network, walk, self.blind)
        self.best = self.energy.score
        self.best_rows, self.best_hosts = [row.copy() for row in network.rows], network.hosts.copy()
        self.far: list[int] = []
        self.stubs: list[int] = []
        self.open: list[int] = []
        self.find_stubs()
        self.standing = standing_links(walk)
        links = {(router, other) for router, row in enumerate(network.rows) for other in row}
        self.missing, self.rise = len(self.standing - links) // 2, 0

    def find_stubs(self) -> None:
        """List the routers with a free port for a link; with hosts, also those with one for a host."""
        network = self.network
        self.stubs = [router for router, row in enumerate(network.rows) if len(row) < network.radix]
        if network.hosts:
            self.open = [router for router in range(len(network.rows)) if network.is_open(router)]
            self.stubs = [router for router in self.stubs if network.has_stub(router)]

    def find_far(self) -> None:
        """List the routers that some source is further from than the target."""
        score = self.energy.score
        is_beyond = (
            self.walk.target and not self.blind and (score.unreached or score.diameter > self.walk.target)
        )
        self.far = self.energy.far() if is_beyond else []

    def met_goal(self) -> bool:
        """Whether the walk may end."""
        return (
            not self.blind
            and not self.best.unreached
            and self.best.diameter <= self.walk.goal_diameter
            and self.best.distance_sum <= self.walk.goal_sum
        )

    def run(self, cooling: Cooling) -> list[int]:
        """Make the moves of the walk; how many were kept while each temperature held."""
        accepted = [0] * len(cooling.temperatures)
        while self.moves < self.walk.moves and not (self.walk.goal_diameter and self.met_goal()):
            if self.walk.focus and self.moves % FOCUS_PERIOD == 0:
                self.find_far()
            move, self.moves = self.moves, self.moves + 1
            if not self.propose():
                continue
            if not self.energy.propose(cooling.allowance(move, self.word, self.walk.slack)):
                self.network.undo()
                continue
            self.energy.accept()
            self.missing += self.rise
            accepted[cooling.step(move)] += 1
            if self.stubs or self.open or self.network.added != self.network.removed:
                self.find_stubs()
            if self.energy.score.rank < self.best.rank:
                self.best, self.best_rows = self.energy.score, [row.copy() for row in self.network.rows]
                self.best_hosts = self.network.hosts.copy()
        return accepted

    def propose(self) -> bool:
        """Draw until a move keeps the rules, and make it; False where none was found."""
        for _ in range(ATTEMPTS_PER_MOVE):
            self.word, second, third = (draw(self.seed, 3 * self.attempts + i) for i in range(3))
            self.attempts += 1
            if self.make(second, third):
                return True
        return False

    def make(self, second: int, third: int) -> bool:
        """Make the move that three random words choose; False where it would break a rule."""
        kind = self.word >> 32 & 1023
        if kind < STUB_SHARE:
            if self.open and (not self.stubs or self.word >> 42 & 1):
                return self.shift(second)
            if self.stubs:
                return self.use_stub(second, third)
        elif self.network.hosts and kind < STUB_SHARE + HOST_SHARE:
            return self.swing(second, third)
        if self.far and kind >= 1024 - self.walk.focus:
            return self.exchange(self.focused(third), second, third)
        return self.exchange(below(self.word, len(self.network.rows)), second, third)

    def focused(self, third: int) -> int:
        """A router of a pair beyond the target, or one beside it."""
        router = self.far[below(self.word, len(self.far))]
        row = self.network.rows[router]
        return router if self.word >> 42 & 1 or not row else row[below(third >> 32, len(row))]

    def exchange(self, p: int, second: int, third: int) -> bool:
        """Make pr, qs of pq, rs, with all their images under the group."""
        network, rows = self.network, self.network.rows
        r = self.neighborhood.partner(p, second >> 32)
        if p == r or not rows[p] or not rows[r]:
            return False
        q, s = rows[p][below(second, len(rows[p]))], rows[r][below(third, len(rows[r]))]
        if q == s or not self.neighborhood.may_link(q, s) or network.linked(p, r) or network.linked(q, s):
            return False
        if not self.may_change(((p, q), (r, s)), ((p, r), (q, s))):
            return False
        degrees = [len(rows[router]) for router in (p, q, r, s)]
        network.begin(p, q, r, s)
        network.remove(p, q)
        network.remove(r, s)
        kept = network.add(p, r) and network.add(q, s)
        if kept and [len(rows[router]) for router in (p, q, r, s)] == degrees:
            return True
        network.undo()
        return False

    def use_stub(self, second: int, third: int) -> bool:
        """Give a router with a free port a link: to another such router, or one taken from a link nearby."""
        network = self.network
        r = self.stubs[below(second, len(self.stubs))]
        p = self.neighborhood.partner(r, second >> 32)
        if p == r or network.linked(p, r):
            return False
        if network.has_stub(p):
            self.may_change((), ((p, r),))
            network.begin(p, r)
        elif not network.rows[p]:
            return False
        else:
            q = network.rows[p][below(third, len(network.rows[p]))]
            if not self.may_change(((p, q),), ((p, r),)):
                return False
            network.begin(p, q, r)
            network.remove(p, q)
        if network.add(p, r) and network.added >= network.removed:
            return True
        network.undo()
        return False

    def swing(self, second: int, third: int) -> bool:
        """Move a host of a to b, and an end of a link of b to a, with all their images under the group."""
        network, rows = self.network, self.network.rows
        a = below(self.word, len(rows))
        b = self.neighborhood.partner(a, second >> 32)
        if a == b or not network.hosts[a] or not rows[b]:
            return False
        c = rows[b][below(third, len(rows[b]))]
        if a == c or not self.neighborhood.may_link(a, c) or network.linked(a, c):
            return False
        network.begin(a, b, c)
        network.move_host(a, b)
        network.remove(b, c)
        if network.add(a, c) and all(map(network.fits, (a, b, c))):
            return True
        network.undo()
        return False

    def shift(self, second: int) -> bool:
        """Give a router with a free port a host of another."""
        to = self.open[below(second, len(self.open))]
        source = self.neighborhood.partner(to, second >> 32)
        if source == to or not self.network.hosts[source]:
            return False
        self.network.begin(source, to)
        self.network.move_host(source, to)
        return True

    def may_change(self, gone: Sequence[Link], come: Sequence[Link]) -> bool:
        """Whether enough standing links stay; notes how many more are missing once the move is kept."""
        self.rise = sum(link in self.standing for link in gone) - sum(link in self.standing for link in come)
        standing = self.walk.standing
        return standing is None or self.missing + self.rise <= standing.most_missing


def standing_links(walk: LinkWalk) -> set[Link]:
    """The standing links of a walk, each from both its ends."""
    rows = [] if walk.standing is None else walk.standing.slots.tolist()
    return {(router, other) for router, row in enumerate(rows) for other in row if other >= 0}


class LiftWalker(LinkWalker):
    """One annealed network, by moves of its voltage graph."""

    network: Lift

    def make(self, second: int, third: int) -> bool:
        """Make the move that three random words choose; False where it would break a rule."""
        network = self.network
        ports = len(network.ports)
        kind, port = self.word >> 32 & 1023, below(self.word, ports)
        voltage = below(third, self.walk.symmetry_order)
        involution, other = self.involution(second), self.involution(third)
        if kind < SHIFT_SHARE:
            return network.shift(port, voltage, involution)
        if kind < SHIFT_SHARE + SPLIT_SHARE and involution is not None and other is not None:
            return network.split(port, involution, other)
        return network.exchange(port, below(second, ports), voltage, involution)

    def involution(self, word: int) -> int | None:
        """One of the involutions of the group, by the high half of a draw; None where it has none."""
        involutions = self.network.involutions
        return involutions[below(word >> 32, len(involutions))] if involutions else None

"""The annealed exchange of links without a compiler: the native walk, step by step, on Python integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.draws import below, draw
from topoctl.kernels.fallback.hops import Hops, HopState
from topoctl.kernels.fallback.latencies import Latencies, LatencyState
from topoctl.kernels.fallback.network import Network
from topoctl.kernels.fallback.walks import Plan, Room
from topoctl.kernels.walks import METHODS

ATTEMPTS_PER_MOVE = 256
STUB_SHARE = FOCUS_SHARE = 102  # of 1024 draws
FOCUS_PERIOD = 256
TOGGLE = METHODS.index("toggle")


class Walker:
    """One annealed network."""

    def __init__(self, room: Room, plan: Plan, network: Network, seed: int) -> None:
        self.room = room
        self.plan = plan
        self.network = network
        self.seed = seed
        self.moves = self.attempts = self.word = 0
        self.blind = plan.method == TOGGLE
        with_cables = plan.constant > 0 and not self.blind
        self.objective = Latencies(network, plan, room) if with_cables else Hops(network, plan, self.blind)
        self.best: HopState | LatencyState = self.objective.current
        self.best_rows = [row.copy() for row in network.rows]
        self.far: list[int] = []
        self.stubs: list[int] = []
        self.find_stubs()

    def find_stubs(self) -> None:
        """List the routers with a free port."""
        self.stubs = [r for r in range(len(self.network.rows)) if self.network.has_stub(r)]

    def find_far(self) -> None:
        """List the routers that some source is further from than the target."""
        unreached, _, diameter, _, _ = self.objective.current.score
        is_beyond = self.plan.target and not self.blind and (unreached or diameter > self.plan.target)
        self.far = self.objective.far() if is_beyond else []

    def met_goal(self) -> bool:
        """Whether the walk may end."""
        unreached, _, diameter, total, _ = self.best.score
        return (
            not self.blind
            and not unreached
            and diameter <= self.plan.goal_diameter
            and total <= self.plan.goal_sum
        )

    def run(self, temperatures: list[int], thresholds: list[int]) -> list[int]:
        """Make the planned moves; how many were kept while each temperature held."""
        accepted = [0] * len(temperatures)
        while self.moves < self.plan.moves and not (self.plan.goal_diameter and self.met_goal()):
            if self.plan.focus and self.moves % FOCUS_PERIOD == 0:
                self.find_far()
            step = self.moves * len(temperatures) // self.plan.moves
            self.moves += 1
            if not self.propose():
                continue
            rise = temperatures[step] * thresholds[self.word >> 48] >> 32
            slack = rise + (self.plan.slack * temperatures[step] >> 16) if self.plan.slack >= 0 else None
            if not self.objective.propose(rise, slack):
                self.network.undo()
                continue
            self.objective.accept()
            accepted[step] += 1
            if self.stubs:
                self.find_stubs()
            if self.objective.current.rank < self.best.rank:
                self.best, self.best_rows = self.objective.current, [row.copy() for row in self.network.rows]
        return accepted

    def propose(self) -> bool:
        """Draw until a move keeps the rules, and make it; False where none was found."""
        for _ in range(ATTEMPTS_PER_MOVE):
            self.word, where, whither = (draw(self.seed, 3 * self.attempts + i) for i in range(3))
            self.attempts += 1
            kind = self.word >> 32 & 1023
            if self.stubs and kind < STUB_SHARE:
                made = self.use_stub(where, whither)
            elif self.far and kind >= 1024 - FOCUS_SHARE:
                made = self.exchange(self.focused(whither), where, whither)
            else:
                made = self.exchange(below(self.word, len(self.network.rows)), where, whither)
            if made:
                return True
        return False

    def focused(self, whither: int) -> int:
        """A router of a pair beyond the target, or one beside it."""
        router = self.far[below(self.word, len(self.far))]
        row = self.network.rows[router]
        return router if self.word >> 42 & 1 or not row else row[below(whither >> 32, len(row))]

    def exchange(self, p: int, where: int, whither: int) -> bool:
        """Make pr, qs of pq, rs, with all their images under the rotation."""
        network, rows = self.network, self.network.rows
        r = self.room.partner(p, where >> 32)
        if p == r or not rows[p] or not rows[r]:
            return False
        q, s = rows[p][below(where, len(rows[p]))], rows[r][below(whither, len(rows[r]))]
        if q == s or not self.room.may_link(q, s) or network.linked(p, r) or network.linked(q, s):
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

    def use_stub(self, where: int, whither: int) -> bool:
        """Give a router with a free port a link: to another such router, or one taken from a link nearby."""
        network = self.network
        r = self.stubs[below(where, len(self.stubs))]
        p = self.room.partner(r, where >> 32)
        if p == r or network.linked(p, r):
            return False
        if network.has_stub(p):
            network.begin(p, r)
        else:
            q = network.rows[p][below(whither, len(network.rows[p]))]
            network.begin(p, q, r)
            network.remove(p, q)
        if network.add(p, r) and network.added >= network.removed:
            return True
        network.undo()
        return False


def anneal_links(
    radix: int,
    slots: NDArray[np.int32],
    rotations: NDArray[np.int32],
    near_offsets: NDArray[np.int64],
    near: NDArray[np.int32],
    diagonals: NDArray[np.int32],
    limit: int,
    plans: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """The twin of the native function; `threads` makes no difference here."""
    del threads
    room = Room(near_offsets.tolist(), near.tolist(), diagonals.tolist(), limit)
    last, best = np.full_like(slots, -1), np.full_like(slots, -1)
    scores = np.zeros((len(slots), 13), dtype=np.int64)
    accepted = np.zeros_like(temperatures)
    table = thresholds.tolist()
    for number, plan in enumerate(plans.tolist()):
        rows = [[r for r in row if r >= 0] for row in slots[number].reshape(-1, radix).tolist()]
        network = Network(radix, plan[0], rows, rotations[number].tolist())
        walker = Walker(room, Plan(*plan), network, int(seeds[number]))
        accepted[number] = walker.run(temperatures[number].tolist(), table)
        current, kept_best = walker.objective.current, walker.best
        scores[number] = (
            *(*current.score, *kept_best.score, walker.moves),
            *(current.optical, kept_best.optical),
        )
        for target, kept in ((last, network.rows), (best, walker.best_rows)):
            target[number] = [r for row in kept for r in (*row, *[-1] * (radix - len(row)))]
    return last, best, scores, accepted

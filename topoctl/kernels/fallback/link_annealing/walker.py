"""One network whose links are annealed without a compiler: the native walker, step by step."""

from __future__ import annotations

from topoctl.kernels.fallback.acceptance import Cooling
from topoctl.kernels.fallback.draws import below, draw
from topoctl.kernels.fallback.link_annealing.energy import Energy
from topoctl.kernels.fallback.link_annealing.hop_energy import HopEnergy
from topoctl.kernels.fallback.link_annealing.latency_energy import LatencyEnergy
from topoctl.kernels.fallback.link_annealing.neighborhood import Neighborhood
from topoctl.kernels.fallback.link_annealing.network import Network
from topoctl.kernels.link_annealing.walk import LinkWalk

ATTEMPTS_PER_MOVE = 256
STUB_SHARE = FOCUS_SHARE = 102  # of 1024 draws
FOCUS_PERIOD = 256


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
        self.best_rows = [row.copy() for row in network.rows]
        self.far: list[int] = []
        self.stubs: list[int] = []
        self.find_stubs()

    def find_stubs(self) -> None:
        """List the routers with a free port."""
        self.stubs = [r for r in range(len(self.network.rows)) if self.network.has_stub(r)]

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
            accepted[cooling.step(move)] += 1
            if self.stubs:
                self.find_stubs()
            if self.energy.score.rank < self.best.rank:
                self.best, self.best_rows = self.energy.score, [row.copy() for row in self.network.rows]
        return accepted

    def propose(self) -> bool:
        """Draw until a move keeps the rules, and make it; False where none was found."""
        for _ in range(ATTEMPTS_PER_MOVE):
            self.word, where, whither = (draw(self.seed, 3 * self.attempts + i) for i in range(3))
            self.attempts += 1
            if self.make(where, whither):
                return True
        return False

    def make(self, where: int, whither: int) -> bool:
        """Make the move that three random words choose; False where it would break a rule."""
        kind = self.word >> 32 & 1023
        if self.stubs and kind < STUB_SHARE:
            return self.use_stub(where, whither)
        if self.far and kind >= 1024 - FOCUS_SHARE:
            return self.exchange(self.focused(whither), where, whither)
        return self.exchange(below(self.word, len(self.network.rows)), where, whither)

    def focused(self, whither: int) -> int:
        """A router of a pair beyond the target, or one beside it."""
        router = self.far[below(self.word, len(self.far))]
        row = self.network.rows[router]
        return router if self.word >> 42 & 1 or not row else row[below(whither >> 32, len(row))]

    def exchange(self, p: int, where: int, whither: int) -> bool:
        """Make pr, qs of pq, rs, with all their images under the group."""
        network, rows = self.network, self.network.rows
        r = self.neighborhood.partner(p, where >> 32)
        if p == r or not rows[p] or not rows[r]:
            return False
        q, s = rows[p][below(where, len(rows[p]))], rows[r][below(whither, len(rows[r]))]
        if q == s or not self.neighborhood.may_link(q, s) or network.linked(p, r) or network.linked(q, s):
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
        p = self.neighborhood.partner(r, where >> 32)
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

"""Two networks matched outward, in plain Python."""

from __future__ import annotations

from collections import Counter, deque
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.matching import LINK_WEIGHTS, NOBODY, Links

__all__ = ["match_outward"]

TRIED = 8
"""Places that an exchange looks at."""
BITS = 2**64 - 1


def match_outward(
    plan_offsets: NDArray[np.int32],
    plan_neighbors: NDArray[np.int32],
    plan_ports: NDArray[np.int32],
    plan_colors: NDArray[np.int32],
    plan_hosts: NDArray[np.int32],
    found_offsets: NDArray[np.int32],
    found_neighbors: NDArray[np.int32],
    found_ports: NDArray[np.int32],
    found_colors: NDArray[np.int32],
    found_hosts: NDArray[np.int32],
    starts: NDArray[np.int32],
    seeds: NDArray[np.int64],
    limit: int,
    rounds: int,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Match from one row of pairs after the other.

    Returns:
        images, int32, shape (rows, order); what agrees, int64, shape (rows,).
    """
    plan = Side(Links(plan_offsets, plan_neighbors, plan_ports, plan_colors, plan_hosts))
    found = Side(Links(found_offsets, found_neighbors, found_ports, found_colors, found_hosts))
    images = np.empty((len(starts), len(plan_colors)), dtype=np.int32)
    totals = np.empty(len(starts), dtype=np.int64)
    for row, (pairs, seed) in enumerate(zip(starts.tolist(), seeds.tolist(), strict=True)):
        matching = Matching(plan, found, seed)
        totals[row] = matching.run(pairs, limit, rounds)
        images[row] = matching.image
    return images, totals


class Side:
    """One of the networks: of every router, its neighbours and both ports of the link; and its colour."""

    def __init__(self, links: Links) -> None:
        arcs = [*zip(links.neighbors.tolist(), *links.ports.T.tolist(), strict=True)]
        ends = links.offsets.tolist()
        self.arcs = [arcs[begin:end] for begin, end in pairwise(ends)]
        self.ports = [{there: ports for there, *ports in reversed(some)} for some in self.arcs]
        self.colors, self.hosts = links.colors.tolist(), links.hosts.tolist()


class Queue:
    """Routers by a key: the highest first, and of one key the first that came."""

    def __init__(self) -> None:
        self.lists: dict[int, deque[int]] = {}

    def push(self, key: int, router: int) -> None:
        """Add a router."""
        self.lists.setdefault(key, deque()).append(router)

    def pop(self) -> int:
        """Take a router; NOBODY where there is none."""
        while self.lists:
            highest = max(self.lists)
            if self.lists[highest]:
                return self.lists[highest].popleft()
            del self.lists[highest]
        return NOBODY


class Matching:
    """A matching that grows."""

    def __init__(self, plan: Side, found: Side, seed: int) -> None:
        self.plan, self.found, self.seed = plan, found, seed & BITS
        order = len(plan.colors)
        self.image, self.taken = [NOBODY] * order, [NOBODY] * len(found.colors)
        self.known, self.tried = [0] * order, [NOBODY] * order
        self.certain, self.likely, self.open = Queue(), Queue(), Queue()
        self.matched = 0

    def run(self, pairs: list[list[int]], limit: int, rounds: int) -> int:
        """Match, and count what agrees."""
        for here, there in pairs:
            if here >= 0 and there >= 0 and self.image[here] < 0 and self.taken[there] < 0:
                self.put(here, there)
        while self.matched < limit and self.grow():
            pass
        if rounds > 0:
            self.fill()
        for _ in range(rounds):
            if not self.mend():
                break
        return sum(map(self.agreed, range(len(self.image))))

    def grow(self) -> bool:
        """Take the next router; False where none is left."""
        router = self.certain.pop()
        if router >= 0:
            if self.image[router] >= 0 or self.tried[router] == self.known[router]:
                return True
            self.tried[router] = self.known[router]
            there, best, second, votes, possible = self.choose(router)
            if there < 0:
                return True
            if best - second >= 2 and votes * 2 > possible:
                self.put(router, there)
            else:
                (self.likely if best > second else self.open).push(best, router)
            return True
        router = self.likely.pop()
        if router < 0:
            router = self.open.pop()
        if router < 0:
            return False
        if self.image[router] < 0 and (there := self.choose(router)[0]) >= 0:
            self.put(router, there)
        return True

    def put(self, router: int, there: int) -> None:
        """Match a router."""
        self.image[router], self.taken[there] = there, router
        self.matched += 1
        for neighbor, *_ in self.plan.arcs[router]:
            self.known[neighbor] += 1
            if self.image[neighbor] < 0:
                self.certain.push(self.known[neighbor], neighbor)

    def tally(self, router: int, *, all_of_them: bool) -> tuple[Counter[int], int]:
        """The votes for routers that were found, and how many there might be."""
        votes, possible = Counter[int](), 0
        for neighbor, *ports in self.plan.arcs[router]:
            if (image := self.image[neighbor]) >= 0:
                possible += LINK_WEIGHTS[sum(port > 0 for port in ports)]
                for there, *others in self.found.arcs[image]:
                    if all_of_them or self.taken[there] < 0:
                        votes[there] += weight(ports, others[::-1])
        return votes, possible

    def choose(self, router: int) -> tuple[int, int, int, int, int]:
        """Where a router goes, what speaks for it and for the next, its votes, and how many might be."""
        votes, possible = self.tally(router, all_of_them=False)
        ranked = sorted(
            (
                -2 * count - (self.plan.colors[router] == self.found.colors[there]),
                self.lot(router, there),
                there,
            )
            for there, count in votes.items()
        )
        if not ranked:
            return NOBODY, 0, 0, 0, possible
        there = ranked[0][2]
        return there, -ranked[0][0], -ranked[1][0] if len(ranked) > 1 else 0, votes[there], possible

    def lot(self, router: int, there: int) -> int:
        """A number that decides between equals (splitmix64)."""
        x = ((self.seed ^ (router << 32 | there)) + 0x9E3779B97F4A7C15) & BITS
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & BITS
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & BITS
        return x ^ (x >> 31)

    def fill(self) -> None:
        """Give the routers without an image those that are left, both by colour and number."""
        routers = sorted(without(self.image), key=self.plan.colors.__getitem__)
        left = sorted(without(self.taken), key=self.found.colors.__getitem__)
        for router, there in zip(routers, left, strict=False):
            self.assign(router, there)

    def mend(self) -> bool:
        """Make one round of exchanges, each of which lets more agree; False where there was none."""
        changed = False
        for router in range(len(self.image)):
            votes, possible = self.tally(router, all_of_them=True)
            now = votes[self.image[router]] if self.image[router] >= 0 else 0
            if possible == now:
                continue
            better = [(-count, there) for there, count in votes.items() if count >= now]
            for _, there in sorted(one for one in better if one[1] != self.image[router])[:TRIED]:
                before, other = self.image[router], self.taken[there]
                was = self.agreed(router) + self.agreed(other)
                self.assign(router, there)
                self.assign(other, before)
                if self.agreed(router) + self.agreed(other) > was:
                    changed = True
                    break
                self.assign(other, there)
                self.assign(router, before)
        return changed

    def assign(self, router: int, there: int) -> None:
        """Match two, of which either may be nobody."""
        if router >= 0:
            self.image[router] = there
        if there >= 0:
            self.taken[there] = router

    def agreed(self, router: int) -> int:
        """The links of a router that are where its image has them, with ports; endpoints that both have."""
        if router < 0 or self.image[router] < 0:
            return 0
        linked = self.found.ports[self.image[router]]
        hosts: int = min(self.plan.hosts[router], self.found.hosts[self.image[router]])
        return hosts + sum(
            weight(ports, linked[self.image[neighbor]])
            for neighbor, *ports in self.plan.arcs[router]
            if self.image[neighbor] in linked
        )


def weight(ports: list[int], others: list[int]) -> int:
    """What it counts that two arcs are the same, and some of their ports."""
    return LINK_WEIGHTS[sum(0 < one == other for one, other in zip(ports, others, strict=True))]


def without(partners: list[int]) -> list[int]:
    """Those that have no partner."""
    return [one for one, partner in enumerate(partners) if partner < 0]

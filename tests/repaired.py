"""Every single failure of networks of some hundred routers, repaired: do tables hold, and is little changed?

``python tests/repaired.py 'slimfly(q=11)' 'torus(dims=8x8x7)' --routing ecmp --seconds 600`` fails links and
routers one by one, in a random order, and holds the fewest changes (free, and within the proven channels) and
all tables anew against arrays of their own: no entry leads over what has failed, to a place without one or
round; all that can be reached is; no more entries differ than where all is made anew, nor than the
destinations concerned have; the certificates hold.
"""

import argparse
import time

import numpy as np

from routing.repair.test_repair import repaired
from topoctl.analysis.failures import single_failures
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_after, channels_of, fault_in
from topoctl.routing.repair.anew import anew
from topoctl.routing.repair.changes import changes


class Tables:
    """Next hops, of every destination, phase and arc whether it is taken; and what they hold."""

    def __init__(self, routes):
        graph = routes.topology.graph
        self.next_phase, self.heads, self.first = routes.next_phase, graph.neighbors, graph.offsets[:-1]
        self.on = routes.moves(np.arange(graph.order, dtype=np.int32)).shares > 0

    def entries(self, arcs):
        """Whether places have any of some arcs: bool, shape (destinations, phases, routers)."""
        return np.logical_or.reduceat(arcs, self.first, axis=2)

    def stray(self, left):
        """Whether an entry leads over what has failed, to a place without one, or round."""
        if (self.on & ~left.alive).any():
            return True
        there = self.entries(self.on)
        everyone = np.arange(len(self.first))
        good = np.zeros_like(there)
        good[everyone, :, everyone] = True
        while True:
            ahead = good[:, self.next_phase, self.heads]
            now = good | (there & ~self.entries(self.on & ~ahead))
            if (now == good).all():
                return bool((there & ~good).any())
            good = now

    def unreached(self, left):
        """Whether a router has no entry for one that it could reach."""
        asked = (left.parts[:, None] == left.parts) & ~left.dead[:, None] & ~left.dead
        np.fill_diagonal(asked, val=False)
        return bool((asked & ~self.entries(self.on).any(axis=1)).any())

    def differing(self, other, left):
        """How many entries differ, of routers that still reach the destination."""
        asked = (left.parts[:, None] == left.parts) & ~left.dead[:, None]
        return int((self.entries(self.on != other.on) & asked[:, None]).sum())

    def concerned(self, left):
        """How many entries the destinations have of which an entry leads over what has failed."""
        hit = (self.on & ~left.alive).any(axis=(1, 2)) & ~left.dead
        return int(self.entries(self.on)[hit].sum())


def faults_after(failures, routes, routing, channels, before):
    """What is wrong after some failures, and how many entries differ at least."""
    left = failures.left_of(routes.topology)
    free, within = repaired(routes, routing, left), repaired(routes, routing, left, channels)
    again = anew(ROUTINGS[routing], routes, left)
    made = [free, within, again]
    tables = [Tables(one.routes) for one in made]
    entries = [changes(routes, one.routes, left).entries for one in made]
    proven = [
        (channels_after(one.routes, channels, "auto", one.proof, one.destinations), one.routes)
        for one in made[1:]
    ]
    told = {
        "strays": any(one.stray(left) for one in tables),
        "unreached": any(one.unreached(left) for one in tables),
        "count": entries[0] != before.differing(tables[0], left),
        "more than anew": entries[0] > min(entries[1:]),
        "more than concerned": entries[0] > before.concerned(left),
        "certificate": not all(
            one.deadlock_free and fault_in(one.certificate, its) is None for one, its in proven
        ),
    }
    return [name for name, wrong in told.items() if wrong], entries[0]


def main():
    """Fail what there is, and say what became of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--routing", default="ecmp")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="at most, a network")
    asked = parser.parse_args()
    bad = 0
    for spec in asked.specs:
        network = topology_from_spec(spec)
        routes = ROUTINGS[asked.routing].routes(network)
        channels, before = channels_of(routes), Tables(routes)
        singles = [
            one for kind in ("link", "router") for one, _ in single_failures(network, kind, orbits=False)
        ]
        began, tried, most = time.monotonic(), 0, 0
        for place in np.random.default_rng(1).permutation(len(singles)):
            if time.monotonic() - began > asked.seconds:
                break
            faults, entries = faults_after(singles[place], routes, asked.routing, channels, before)
            tried, most, bad = tried + 1, max(most, entries), bad + bool(faults)
            if faults:
                print(f"{spec} {asked.routing}, {singles[place]}: {', '.join(faults)}", flush=True)
        each = (time.monotonic() - began) / max(tried, 1)
        print(
            f"{spec} {asked.routing}, {network.graph.order} routers: {tried} of {len(singles)} failures "
            f"tried, {each:.2f} s each; at most {most} entries",
            flush=True,
        )
    print(f"{bad} bad")
    raise SystemExit(bad > 0)


if __name__ == "__main__":
    main()

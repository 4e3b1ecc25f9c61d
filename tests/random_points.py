"""Packets over small networks by all routings that are proven: none deadlocks, and all arrive.

A point is a network, a routing, virtual channels by a scheme that is proven for it, routers of any kind, and
packets. What is looked at: every packet arrives once, at its destination, by no more links than the routes
claim and in no less time than without others; no buffer ever holds more than it has room for; no flit is lost
or made; the same packets, sent again when the network is empty, arrive as well, so that no credit is lost;
packets of a source stay in order where there is only one way and one virtual channel.

The tests take a small sample. A large one: ``python tests/random_points.py --count 10000 --seed 1``.
"""

import argparse
import random
import time
from collections import Counter
from contextlib import suppress

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.kernels.simulation import Sums, simulator_of
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import SCHEMES, channels_of
from topoctl.simulation.packet_files import Packets
from topoctl.simulation.plans import simulated
from topoctl.simulation.routers import Routers
from topoctl.simulation.waiting import waiting_cycle

SPECS = [
    *("torus(dims={0},p=1)", "torus(dims={0}x3,p={1})", "mesh(dims={0}x3,p={1})", "hypercube(d=3,p={1})"),
    *("hyperx(dims={0}x2,p={1})", "dragonfly(p=1,a=3,h=1,g=4)", "dragonfly(p=1,a=2,h=1)", "fattree(k=4)"),
    *("slimfly(q=3,p={1})", "slimfly(q=4,p={1})", "flex(nx=2,ny=2,nz=3,p={1})", "tct(n=2,k=2,p={1})"),
    *("N8K3P{1}[-1,1](4)", "N14K6P{1}[-1,1,3,9](4)", "karytree(k=2,n=3)", "mlfm(h=3)", "oft(k=2)"),
    *("jellyfish(n=8,r=3,p={1},seed={2})", "jellyfish(n=12,r=4,p={1},seed={2})", "twistedtorus(a={0})"),
]
POINTS_OF_A_NETWORK, PACKETS = 60, 160
SECOND, LIMIT = 4000, 10**6
"""When the list is sent again, mostly over an empty network, and when all have arrived, if they ever do."""


def network_of(draw):
    """A small network, laid out by routings and schemes that are proven for it."""
    while True:
        spec = draw.choice(SPECS).format(draw.randint(3, 6), draw.randint(1, 3), draw.randint(1, 10**6))
        with suppress(InvalidParameters):
            topology = topology_from_spec(spec)
            if topology.endpoints > 1:
                return topology


def ways_of(topology, draw):
    """Some routings of a network, each with a scheme that is proven for it."""
    found = []
    for name in draw.sample([*ROUTINGS], 6):
        with suppress(InvalidParameters):
            ROUTINGS[name].needs(topology)
            routes = ROUTINGS[name].routes(topology)
            channels = channels_of(routes, draw.choice(["auto", *SCHEMES]))
            if channels.deadlock_free:
                found.append((ROUTINGS[name], routes, channels))
    return found


def packets_of(topology, draw):
    """Packets at random, in two halves: to anyone, to a few, or from a few; some at once, some by and by."""
    endpoints, rng = topology.endpoints, np.random.default_rng(draw.randrange(2**32))
    few = rng.integers(0, endpoints, draw.choice([1, 2, endpoints]))
    sources, others = rng.integers(0, endpoints, PACKETS), rng.choice(few, PACKETS)
    if draw.random() < 0.3:
        sources, others = others, sources
    times = rng.integers(0, draw.choice([1, 20, 400]), PACKETS)
    flits = rng.choice(draw.choice([[1], [1, 5], [4], [1, 2, 3, 30]]), PACKETS)
    rows = np.stack((sources, times, others, flits), axis=1)
    return rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def faults_of(topology, way, draw):
    """What is wrong with what became of the packets of a point, in words; None where nothing is."""
    routing, routes, channels = way
    routers = Routers(
        width=draw.choice([1, 1, 2, 3]),
        buffer=draw.choice([1, 2, 3, 64]),
        speedup=draw.choice([1, 2, 3]),
        lookahead=draw.random() < 0.5,
        credit_delay=draw.choice([0, 2, 7]),
    )
    delays = None
    if draw.random() < 0.3:
        arcs = len(topology.graph.neighbors)
        delays = np.random.default_rng(draw.randrange(2**32)).integers(1, 9, arcs).astype(np.int32)
    with suppress(InvalidParameters):  # more virtual channels than a simulation has
        network = simulated(topology, routing, routes, channels, routers, delays)
        return _faults(network, packets_of(topology, draw), draw)
    return None


def _faults(network, rows, draw):
    both = np.concatenate((rows, rows + np.array([0, SECOND, 0, 0])))
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    fields = Packets(both).fields(network.topology.endpoints)
    plan = network.plan_of_packets({**fields, "logged": 1}, draw.randrange(2**20))
    simulator, arrived = simulator_of(plan), 0
    looks = sorted(draw.sample(range(1, 600), 3))
    for look in [*looks, SECOND, *(SECOND + look for look in looks), *range(2 * SECOND, LIMIT, SECOND)]:
        simulator.run(look, True, 2**62, False)
        waiting = simulator.waiting()
        if len(waiting) and waiting[:, 3].max() > plan.buffer:
            return f"{waiting[:, 3].max()} flits in a buffer of {plan.buffer}"
        if waiting_cycle(waiting, plan.ends, plan.channels, plan.buffer) is not None:
            return "deadlocked"
        arrived = Sums(*simulator.sums().tolist()).delivered
        if look >= 2 * SECOND and arrived == len(both):
            break
    if arrived < len(both) or simulator.live()[0] or len(simulator.waiting()):
        return f"{len(both) - arrived} packets have not arrived after {look} cycles"
    return _fault_of_the_arrived(network, both, simulator)


def _fault_of_the_arrived(network, rows, simulator):
    found, sums = simulator.packets(), Sums(*simulator.sums().tolist())
    found = found[np.lexsort((found[:, 3], found[:, 1], found[:, 0]))]
    if not np.array_equal(
        found[:, :3][np.lexsort(found[:, 2::-1].T)], rows[:, :3][np.lexsort(rows[:, 2::-1].T)]
    ):
        return "other packets arrived than were sent"
    hops, flits = found[:, 5], rows[:, 3].sum()
    if sums.sent != flits or sums.taken != flits:
        return f"{sums.sent} flits sent and {sums.taken} taken of {flits}"
    if hops.max() > network.routes.longest + 1 or hops.min() < 1:
        return f"{hops.max()} routers on a way of at most {network.routes.longest} links"
    if (found[:, 4] - found[:, 3] < 2 + network.routers.hop_cycles * hops).any() or (
        found[:, 3] < found[:, 1]
    ).any():
        return "faster than without others"
    if network.routing.single and network.arrays["channels"] == 1:
        pairs = found[:, 0] * network.topology.endpoints + found[:, 2]
        for pair in np.unique(pairs):
            if (np.diff(found[pairs == pair, 4]) < 0).any():
                return "packets of a pair out of order"
    return None


def tried(seed, number):
    """The points of a network: how many, how many of each scheme, and faults in words."""
    draw = random.Random(f"{seed} {number}")
    topology = network_of(draw)
    ways, counts, faults = ways_of(topology, draw), Counter(), []
    for _ in range(POINTS_OF_A_NETWORK if ways else 0):
        way = draw.choice(ways)
        fault = faults_of(topology, way, draw)
        counts[way[0].name] += 1
        if fault:
            faults.append(
                f"seed {seed}, network {number}, {topology.spec}, {way[0].name}, {way[2].scheme}: {fault}"
            )
    return counts, faults


def main():
    """Try as many points as are asked for; say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    counts, wrong, number, began = Counter(), 0, 0, time.process_time()
    with suppress(KeyboardInterrupt):  # then what was tried so far is told
        while counts.total() < asked.count:
            found, faults = tried(asked.seed, number)
            counts, number, wrong = counts + found, number + 1, wrong + len(faults)
            for fault in faults:
                print(fault, flush=True)
    took = time.process_time() - began
    print(f"{counts.total()} points of {number} networks in {took:.0f} s of the processor, {wrong} faults")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()

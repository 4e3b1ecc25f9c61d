"""Wirings without names, some cables of which are wrong: is the work found never more than was made wrong?

``python tests/miswired.py --count 1000`` tries random cases over all families, and prints the figures.
"""

import argparse
import time
from collections import Counter

import numpy as np

from topoctl.errors import TopoctlError
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.topology import Names
from topoctl.wiring.checking import check_wiring
from topoctl.wiring.wiring import Wiring

LARGER = (
    *("slimfly(q=13,p=2)", "slimfly(q=19)", "slimfly(q=25)", "slimfly(q=31)", "torus(dims=12x12x12)"),
    *("torus(dims=44x45)", "hypercube(n=11)", "hyperx(dims=12x12x12)", "dragonfly(p=4,a=12,h=6)"),
    *("fattree(k=24)", "karytree(k=6,n=4)", "polarfly(q=31)", "mesh(dims=30x40)", "jellyfish(n=600,r=12)"),
    *("xpander(d=11,lift=40)", "dln(n=800,y=3)", "oft(q=13)", "mlfm(h=16)", "flatbutterfly(k=6,n=4)"),
)
"""Networks beside the families' examples, up to 2,100 routers."""


def plan_of(spec):
    """The wiring of a network, its systems called by their numbers."""
    topology = topology_from_spec(spec)
    routers = tuple(f"S{n}" for n in range(topology.graph.order))
    return Wiring.planned(topology, Names(routers, tuple(f"H{n}" for n in range(topology.endpoints))))


def miswired(plan, ends, random, *, names=(), ports=True):
    """A wiring in which ends of cables between routers are exchanged in pairs, its systems unnamed.

    Args:
        plan: as it should be.
        ends: to exchange at most; links stay single.
        random: a generator of numpy.
        names: of systems that keep theirs.
        ports: whether the wiring tells ports.

    Returns:
        The wiring; and how many ends are exchanged.
    """
    cables = plan.cables.copy()
    between = np.flatnonzero(plan.is_router[cables[:, [0, 2]]].all(axis=1))
    there = {tuple(sorted(pair)) for pair in cables[between][:, [0, 2]].tolist()}
    free, made = set(between.tolist()), 0
    for _ in range(20 * ends):
        if made + 2 > ends or len(free) < 2:
            break
        first, second = random.choice(between, 2, replace=False).tolist()
        if not {first, second} <= free:
            continue
        (a, _, b, _), (c, _, d, _) = cables[[first, second]].tolist()
        new = {tuple(sorted((a, d))), tuple(sorted((c, b)))}
        if a == d or b == c or len(new) < 2 or new & there:
            continue
        there = there - {tuple(sorted((a, b))), tuple(sorted((c, d)))} | new
        cables[[first, second], 2:] = cables[[second, first], 2:]
        free -= {first, second}
        made += 2
    order = random.permutation(len(plan.names))
    places = np.argsort(order)
    cables[:, [0, 2]] = places[cables[:, [0, 2]]]
    turned = random.random(len(cables)) < 0.5
    cables[turned] = cables[turned][:, [2, 3, 0, 1]]
    if not ports:
        cables[:, [1, 3]] = 0
    called = tuple(plan.names[one] if plan.names[one] in names else f"x{n}" for n, one in enumerate(order))
    return Wiring(called, plan.is_router[order], random.permutation(cables)), made


def case_of(number, seed=1):
    """A network, a share of wrong cables, and whether ports are told."""
    random = np.random.default_rng([seed, number])
    family = [*FAMILIES.values()][number % len(FAMILIES)]
    spec = str(random.choice(LARGER) if random.random() < 0.2 else random.choice(family.examples))
    return spec, float(random.choice([0, random.uniform(0, 0.05)])), bool(random.random() < 0.5), random


def main():
    """Try cases, and say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print every case")
    asked = parser.parse_args()
    ends, slowest = Counter(), (0.0, "")
    for number in range(asked.first, asked.first + asked.count):
        spec, share, ports, random = case_of(number, asked.seed)
        plan = plan_of(spec)
        links = int(plan.is_router[plan.cables[:, [0, 2]]].all(axis=1).sum())
        found, made = miswired(plan, int(share * links), random, ports=ports)
        began = time.process_time()
        try:
            moved = check_wiring(plan, found, match="structure").summary["moved_ends"]
        except TopoctlError as error:
            moved = str(error)
        seconds = time.process_time() - began
        slowest = max(slowest, (seconds, spec))
        right = isinstance(moved, int) and moved <= made
        ends[right] += 1
        if not right or asked.verbose:
            print(
                f"{number}: {spec}, {links} links, ports {ports}: {made} wrong, {moved} ({seconds:.1f} s)",
                flush=True,
            )
    print(f"{ends[True]} of {asked.count} right; {slowest[0]:.1f} s of the processor at most, {slowest[1]}")
    raise SystemExit(ends[False] > 0)


if __name__ == "__main__":
    main()

"""Small random simulations: any network, routes, virtual channels and traffic that a plan can tell."""

from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise
from math import floor

import numpy as np

from topoctl.kernels.simulation import OPTION, UNIFORM, UNIFORM_OTHERS, Plan

WHOLE_SHARE, WHOLE_WORD = 2**32, 2**64
LATE = 2**62


@dataclass(frozen=True)
class Case:
    """What a random plan is like; the rest is drawn by the seed.

    With `by_hops` the class of virtual channels rises at every hop, so that no packets can wait in a circle.
    """

    seed: int
    routers: int = 4
    channels: int = 2
    buffer: int = 4
    steps: int = 1000
    lookahead: int = 0
    credit_delay: int = 0
    phases: int = 1
    way: int = 0
    by_hops: bool = False
    replayed: bool = False
    messaged: bool = False
    head_room: int = 0
    output_room: int = 0


def random_plan(case):
    """A plan for a random connected network of any minimal routes."""
    rng = np.random.default_rng(case.seed)
    neighbors = random_neighbors(case.routers, rng)
    distances = all_distances(neighbors)
    network, port_to = random_ports(neighbors, rng)
    width, classes, rising = case.channels, 1, {}
    if case.by_hops:
        classes = 1 + int(distances.max()) * (1 if case.way == 0 else 2)
        rising = random_classes(case, network["ends"].shape, width, rng)
    channels = width * classes
    routes = random_routes(case.phases, neighbors, distances, port_to, width, channels, rng)
    endpoints = len(network["entries"])
    return Plan(
        seed=int(rng.integers(2**62)),
        channels=channels,
        buffer=case.buffer,
        steps=case.steps,
        lookahead=case.lookahead,
        credit_delay=case.credit_delay,
        queued=int(rng.integers(2)),
        head_room=case.buffer if case.head_room == 2 else case.head_room,
        output_room=case.output_room,
        entry=random_range(channels, rng),
        entry_drawn=int(rng.integers(2)),
        way=case.way,
        early=int(rng.integers(2)),
        detours=int(rng.integers(1, 4)),
        logged=1,
        bias=np.array([rng.integers(2), *rng.integers(1, 4, 2), rng.integers(-4, 5)], dtype=np.int64),
        **network,
        **routes,
        **rising,
        **random_intermediates(case.routers, rng),
        **sent_in(case)(endpoints, rng),
    )


def sent_in(case):
    """What draws the packets of a case."""
    return random_messages if case.messaged else random_list if case.replayed else random_traffic


def random_neighbors(order, rng):
    """Neighbours of every router: a random tree, and some links more."""
    neighbors = [set() for _ in range(order)]
    links = [(router, int(rng.integers(router))) for router in range(1, order)]
    links += [tuple(map(int, rng.choice(order, 2, replace=False))) for _ in range(rng.integers(order + 1))]
    for a, b in links:
        neighbors[a].add(b)
        neighbors[b].add(a)
    return [sorted(each) for each in neighbors]


def all_distances(neighbors):
    """Links between routers: uint8, shape (routers, routers)."""
    order = len(neighbors)
    distances = np.full((order, order), 255, dtype=np.uint8)
    for router in range(order):
        level, hops = {router}, 0
        while level:
            distances[router, sorted(level)] = hops
            level, hops = {b for a in level for b in neighbors[a] if distances[router, b] == 255}, hops + 1
    return distances


def random_ports(neighbors, rng):
    """Endpoints, ports in random order with some unused, latencies; and [router][neighbour] output ports."""
    order = len(neighbors)
    homes = rng.permutation(np.repeat(np.arange(order), rng.integers(1, 4, order)))
    counts = np.bincount(homes, minlength=order) + [len(each) for each in neighbors]
    ports = int(counts.max() + rng.integers(2))
    outputs, inputs = ([rng.permutation(ports).tolist() for _ in range(order)] for _ in range(2))
    ends = np.full((order, ports), -1, dtype=np.int32)
    delays = rng.integers(1, 4, (order, ports)).astype(np.int32)
    entries = np.zeros(len(homes), dtype=np.int32)
    for endpoint, router in enumerate(homes):
        ends[router, outputs[router].pop()] = -2 - endpoint
        entries[endpoint] = router * ports + inputs[router].pop()
    port_to = [{} for _ in range(order)]
    for router, others in enumerate(neighbors):
        for other in others:
            port_to[router][other] = outputs[router].pop()
            ends[router, port_to[router][other]] = other * ports + inputs[other].pop()
    return {"ends": ends, "delays": delays, "entries": entries}, port_to


def random_range(channels, rng):
    """First and last of some virtual channels."""
    return np.sort(rng.integers(channels, size=2)).astype(np.int32)


def random_routes(phases, neighbors, distances, port_to, width, channels, rng):
    """For every phase, router and target a set of options of its own, all on shortest paths."""
    order = len(neighbors)
    table = np.zeros((phases, order, order), dtype=rng.choice([np.uint16, np.uint32]))
    options = [(0, 0, 0, 0, 0, 0, WHOLE_SHARE - 1)]
    for phase in range(phases):
        for router in range(order):
            for target in range(order):
                nearer = [
                    port_to[router][other]
                    for other in neighbors[router]
                    if distances[other, target] < distances[router, target]
                ]
                if nearer:
                    ports = rng.choice(nearer, rng.integers(1, 4)).tolist()
                    shares = np.sort(rng.integers(1, WHOLE_SHARE, len(ports)))
                    shares[-1] = WHOLE_SHARE
                    table[phase, router, target] = len(options)
                    options += [
                        (port, *random_range(width, rng), *random_phases(phases, channels, rng), share - 1)
                        for port, share in zip(ports, shares.tolist(), strict=True)
                    ]
    return {
        "table": table,
        "options": np.array(options, dtype=OPTION),
        "choice": rng.integers(3, size=phases).astype(np.int32),
        "arrival": np.array([random_range(width, rng) for _ in range(phases)], dtype=np.int32),
        "start": rng.integers(phases, size=2).astype(np.int32),
        "turn": rng.integers(phases, size=phases).astype(np.int32),
        "distances": distances,
    }


def random_phases(phases, channels, rng):
    """The phase after a hop, the virtual channel below which it is another, and that."""
    return int(rng.integers(phases)), int(rng.integers(channels + 1)), int(rng.integers(phases))


def random_classes(case, shape, width, rng):
    """Classes that rise at every hop but the first; some packets begin a class higher."""
    return {
        "class_width": width,
        "kinds": np.zeros(shape, dtype=np.int32),
        "rises": np.array([[1, 0], [0, 0], [0, 0]], dtype=np.int32),
        "start_class": rng.integers(2, size=(case.routers, case.routers)).astype(np.uint8),
    }


def random_intermediates(order, rng):
    """How intermediate routers are drawn; digits where the order has two factors."""
    factor = next((k for k in (2, 3) if order % k == 0), order)
    return {
        "through": int(rng.choice([0, 1, 2, 4] if order > 2 else [0, 2, 4])),
        "radices": np.array([factor, order // factor], dtype=np.int32),
    }


def random_shares(count, rng):
    """Shares that ascend to all of a word."""
    shares = np.sort(rng.integers(WHOLE_WORD - 1, size=count, dtype=np.uint64, endpoint=True))
    shares[-1] = WHOLE_WORD - 1
    return shares


def random_traffic(endpoints, rng):
    """Rates, destinations and sizes, where some endpoints may send nothing."""
    rows = [rng.choice(endpoints, rng.integers(1, 4)).tolist() for _ in range(2)]
    sizes = rng.integers(1, 5, rng.integers(1, 4)).astype(np.int32)
    length, links = int(rng.choice([3, 40])), int(rng.choice([0, 2]))
    since = [0, *np.unique(rng.integers(1, 100, rng.integers(3))).tolist()]
    shape = (len(since), endpoints)
    return {
        "gaps": np.array([geometric(rate, length) for rate in (rng.choice([0.02, 0.1, 0.4, 1]), 0.2)]),
        "longer": rng.integers(2, size=links).astype(np.int32),
        "after": rng.integers(2, size=links).astype(np.int32),
        "since": np.array(since, dtype=np.int64),
        "rate_of": rng.choice([0, 0, 0, 1, -1], shape).astype(np.int32),
        "destination_of": rng.choice([UNIFORM, UNIFORM_OTHERS, 0, 1], shape).astype(np.int32),
        "destination_rows": np.array([0, *accumulate(map(len, rows))], dtype=np.int64),
        "destinations": np.array([*chain(*rows)], dtype=np.int32),
        "destination_shares": np.concatenate([random_shares(len(row), rng) for row in rows]),
        "sizes": sizes,
        "size_shares": random_shares(len(sizes), rng),
    }


def geometric(rate, length):
    """A row of gaps of packets that are made in a cycle with this probability."""
    row = [floor(WHOLE_WORD * (1 - (1 - rate) ** (gap + 1))) - 1 for gap in range(length)]
    return np.array(row, dtype=np.uint64)


def random_list(endpoints, rng):
    """Packets of a list, some of them made in the same cycle of the same endpoint."""
    counts = rng.integers(0, 12, endpoints)
    packets = np.column_stack(
        (
            np.concatenate([np.sort(rng.integers(0, 40, count)) for count in counts]),
            rng.integers(endpoints, size=counts.sum()),
            rng.integers(1, 5, counts.sum()),
        )
    )
    return {
        "replay_rows": np.array([0, *accumulate(counts.tolist())], dtype=np.int64),
        "replay": packets.astype(np.int64),
    }


def random_messages(endpoints, rng):
    """Messages and computations, in a random order, each waiting for some before it to be sent or over."""
    count = int(rng.integers(1, 25))
    order, is_message = rng.permutation(count), rng.random(count) < 0.6
    messages = np.column_stack(
        (
            np.where(is_message, rng.integers(endpoints, size=count), rng.integers(-1, min(2, count), count)),
            np.where(is_message, rng.integers(endpoints, size=count), -1),
            np.where(is_message, rng.integers(1, 9, count), rng.choice([0, 0, 1, 7, 300], count)),
        )
    )
    needs = []
    for place in range(1, count):
        for earlier in rng.choice(place, rng.integers(0, min(3, place) + 1), replace=False):
            before = int(order[earlier])
            needs.append((2 * before + int(not is_message[before] or rng.integers(2)), int(order[place])))
    needs.sort()
    return {
        "messages": messages.astype(np.int64),
        "dependent_rows": np.searchsorted([event for event, _ in needs], np.arange(2 * count + 1)).astype(
            np.int64
        ),
        "dependents": np.array([waiting for _, waiting in needs], dtype=np.int32),
        "sizes": rng.integers(1, 5, 1).astype(np.int32),
    }


def only_packets(plan, packets):
    """The same plan with these packets instead: rows of source, ctime, destination, flits."""
    packets = np.array(sorted(map(tuple, packets)), dtype=np.int64).reshape(-1, 4)
    return replace(
        plan,
        replay_rows=np.searchsorted(packets[:, 0], np.arange(len(plan.entries) + 1)).astype(np.int64),
        replay=np.ascontiguousarray(packets[:, 1:]),
    )


def random_calls(seed):
    """Arguments of successive calls of `run`, and whether statistics are cleared before each."""
    rng = np.random.default_rng(seed)
    untils = np.cumsum(rng.choice([0, 1, 7, 60, 150], rng.integers(2, 6))).tolist()
    return [
        (
            until,
            bool(rng.integers(2)),
            int(rng.choice([LATE, begin + 20])),
            bool(rng.integers(2)),
            rng.random() < 0.3,
        )
        for begin, until in pairwise([0, *untils])
    ]


def told(simulator):
    """All that a simulator says of itself, but the packets that it lists once."""
    return {
        "sums": simulator.sums().tolist(),
        "sent": simulator.sent().tolist(),
        "taken": simulator.taken().tolist(),
        "carried": simulator.carried().tolist(),
        "histogram": simulator.histogram().tolist(),
        "live": tuple(simulator.live()),
        "moved": simulator.moved(),
        "reached": simulator.reached().tolist(),
        "waiting": simulator.waiting().tolist(),
        "unfinished": simulator.unfinished().tolist(),
        "messages": simulator.messages().tolist(),
        "left": simulator.left(),
    }


def course_of(simulator, calls):
    """All that a simulator says after every call."""
    course = []
    for until, counting, last, drain, cleared in calls:
        if cleared:
            simulator.clear()
        reached = simulator.run(until, counting, last, drain)
        course.append({"reached": reached, **told(simulator), "packets": simulator.packets().tolist()})
    return course

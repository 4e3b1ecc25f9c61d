"""Slow and obvious versions of what the package computes fast."""

import csv
import heapq
from collections import deque
from itertools import combinations
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / "data"


def table(name):
    """Rows of a tab-separated file of tests/data, without its # lines."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def distances(neighbors_of, source):
    """Breadth-first search with a queue: router -> hops, for the routers that can be reached."""
    found = {source: 0}
    queue = deque([source])
    while queue:
        router = queue.popleft()
        for neighbor in neighbors_of(router):
            if neighbor not in found:
                found[neighbor] = found[router] + 1
                queue.append(neighbor)
    return found


def adjacency_of(graph):
    return [graph.neighbors_of(router).tolist() for router in range(graph.order)]


def measure(graph):
    """Connected or not, diameter, and distance sum over unordered pairs; None for both where disconnected."""
    adjacency = adjacency_of(graph)
    all_hops = [distances(adjacency.__getitem__, router) for router in range(graph.order)]
    if any(len(hops) < graph.order for hops in all_hops):
        return False, None, None
    diameter = max(max(hops.values()) for hops in all_hops)
    return True, diameter, sum(sum(hops.values()) for hops in all_hops) // 2


def equality_adjacency(order, odd_hops, even_hops):
    """The paper's connection rule (sec. 3.1), router by router."""
    neighbors = [set() for _ in range(order)]
    for router in range(order):
        for hop in (*odd_hops, *even_hops):
            other = (router + hop) % order if router % 2 == 0 else (router - hop) % order
            neighbors[router].add(other)
            neighbors[other].add(router)
    return [sorted(routers) for routers in neighbors]


def equality_distances(order, odd_hops, even_hops):
    """Hops from router 0, by the connection rule seen from one end of every link."""
    steps = np.array([*odd_hops, *even_hops, *(-hop for hop in even_hops)], dtype=int)
    hops = np.full(order, -1)
    front, level = np.zeros(1, dtype=int), 0
    while len(front):
        hops[front] = level
        ahead = (front[:, None] + np.where(front % 2, -1, 1)[:, None] * steps) % order
        front, level = np.unique(ahead[hops[ahead] < 0]), level + 1
    return {router: hop for router, hop in enumerate(hops.tolist()) if hop >= 0}


def weighted_latencies(arcs_of, source, fewest_hops=False):
    """Dijkstra's search with a heap: router -> latency, for the routers that can be reached."""
    found = {}
    heap = [((0, 0), source)]
    while heap:
        (hops, latency), router = heapq.heappop(heap)
        if router in found:
            continue
        found[router] = latency
        for neighbor, weight in arcs_of(router):
            key = (hops + 1 if fewest_hops else 0, latency + weight)
            heapq.heappush(heap, (key, neighbor))
    return found


def annealing_score(rows, aim):
    """Pairs without a path; beyond the aim, or the diameter; the diameter; the sum; pairs that far apart."""
    hops = [distances(rows.__getitem__, router) for router in range(len(rows))]
    found = [hop for reached in hops for hop in reached.values()]
    lost = len(rows) ** 2 - len(found)
    excess = lost + sum(hop > aim for hop in found) if aim else max(found)
    furthest = found.count(max(found)) if max(found) else 0
    return [lost, excess, max(found), sum(found) + lost * len(rows), furthest]


def annealing_energy(rows, target, weight, most=None):
    """Over all pairs, for every distance below their own and `most`: 1 if < target, else the weight."""
    costs = [1 if distance < target else weight for distance in range(len(rows))][:most]
    until = [sum(costs[:distance]) for distance in range(len(rows) + 1)]
    energy = 0
    for router in range(len(rows)):
        hops = distances(rows.__getitem__, router)
        energy += sum(until[hops.get(other, len(rows))] for other in range(len(rows)))
    return energy


def least_cut(graph):
    """Over all halves that hold router 0; of an odd order, all nearly equal ones."""
    links = graph.links()
    return min(
        crossing(links, graph.order, np.array(list(combinations(range(1, graph.order), others)), dtype=int))
        for others in {graph.order // 2 - 1, (graph.order + 1) // 2 - 1}
    )


def crossing(links, order, others):
    """The fewest links between router 0 with some others and the rest."""
    side = np.zeros((len(others), order), dtype=bool)
    side[:, 0] = True
    side[np.arange(len(others))[:, None], others] = True
    return int((side[:, links[:, 0]] != side[:, links[:, 1]]).sum(axis=1).min())

"""A search so small that the runner, the study and the commands can be tested with it: random odd hops."""

import os
import time
from collections import deque
from pathlib import Path

import numpy as np

from topoctl.search.protocol import Candidate, SearchState, Status

PER_EPOCH = 10
KEPT = 3


def score(order, odd_hops):
    """Diameter and distance sum of an Equality network without even hops, by a queue from router 0."""
    distance = {0: 0}
    queue = deque([0])
    while queue:
        router = queue.popleft()
        for hop in odd_hops:
            neighbor = (router + hop if router % 2 == 0 else router - hop) % order
            if neighbor not in distance:
                distance[neighbor] = distance[router] + 1
                queue.append(neighbor)
    return max(distance.values()), sum(distance.values()) * order // 2


class ToySearch:
    command = "search equality"
    recorded = None

    def __init__(self, parameters):
        self.parameters = parameters

    @classmethod
    def plan(cls, request, threads):
        return cls(
            {
                "order": request.order,
                "network_radix": request.network_radix,
                "epochs": (request.evaluations or 50) // PER_EPOCH,
                "seed": request.seed,
                "top": KEPT,
            }
        )

    @classmethod
    def from_parameters(cls, parameters):
        return cls(dict(parameters))

    @property
    def seed(self):
        return self.parameters["seed"]

    def first_state(self):
        generator = np.random.PCG64(self.seed)
        state = SearchState(0, 0, {"leaders": np.zeros((0, self.parameters["network_radix"]), np.int64)}, {})
        return self._advance(state, generator, epoch=0)

    def step(self, state, threads):
        if sign := os.environ.get("TOY_SIGN"):
            Path(sign).touch()
        time.sleep(float(os.environ.get("TOY_PAUSE", "0")))
        generator = np.random.PCG64()
        generator.state = state.notes["generator"]
        return self._advance(state, generator, epoch=state.epoch + 1)

    def finished(self, state):
        return state.epoch >= self.parameters["epochs"]

    def timed_work(self, state):
        return None

    def record(self, state):
        return {"corrections": state.corrections}

    def leaders(self, state):
        return [self._candidate(hops) for hops in state.arrays["leaders"].tolist()]

    def status(self, state):
        best = self.leaders(state)[0]
        order = self.parameters["order"]
        aspl = 2 * best.distance_sum / (order * (order - 1))
        planned = (self.parameters["epochs"] + 1) * PER_EPOCH
        return Status(state.epoch, self.parameters["epochs"], state.evaluations, planned, best, aspl, 1.0)

    def _advance(self, state, generator, epoch):
        order, radix = self.parameters["order"], self.parameters["network_radix"]
        pool = [tuple(row) for row in state.arrays["leaders"].tolist()]
        for _ in range(PER_EPOCH):
            hops = {-1, 1}
            while len(hops) < radix:
                hop = 2 * (int(generator.random_raw()) % (order // 2)) + 1
                if hop != order - 1:
                    hops.add(hop)
            pool.append(tuple(sorted(hops)))
        best = sorted(set(pool), key=lambda hops: (*score(order, hops), hops))[:KEPT]
        notes = {"generator": generator.state}
        return SearchState(epoch, state.evaluations + PER_EPOCH, {"leaders": np.array(best)}, notes)

    def _candidate(self, hops):
        order, radix = self.parameters["order"], self.parameters["network_radix"]
        return Candidate(f"N{order}K{radix}[{','.join(map(str, hops))}]()", *score(order, hops))

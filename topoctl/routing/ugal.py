"""UGAL: the source chooses between a minimal path and some of Valiant's, by queues."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.record import Routing
from topoctl.routing.routes import Intermediates, Routes
from topoctl.routing.traffic import Traffic
from topoctl.routing.valiant import VALIANT, needs_a_third_router
from topoctl.topology import Topology

DETOURS = 4
"""Paths of Valiant's that are candidates beside a minimal one: SC14, IV-C."""


@dataclass(frozen=True)
class Candidates:
    """All candidates evenly: one straight to the destination, the others over a third router."""

    detours: Intermediates

    def legs(self, traffic: Traffic) -> tuple[Traffic, Traffic]:
        """Split traffic: straight or to intermediate routers, then on from these."""
        first, second = self.detours.legs(traffic)

        def begun(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
            return (traffic.toward(destinations) + DETOURS * first.toward(destinations)) / (DETOURS + 1)

        def ended(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
            return second.toward(destinations) * (DETOURS / (DETOURS + 1))

        return Traffic(traffic.name, begun), Traffic(traffic.name, ended)

    def kinds(self, traffic: Traffic) -> list[tuple[Traffic, ...]]:
        """Split packets: straight, and over third routers."""
        return [(traffic,), *self.detours.kinds(traffic)]


def _candidate_routes(topology: Topology) -> Routes:
    """Minimal routes to the destination or to a random router and on from there."""
    detours = VALIANT.routes(topology)
    assert detours.through is not None
    return replace(detours, through=Candidates(detours.through))


def _ugal(name: str, chosen_by: str, *, knows_all_queues: bool) -> Routing:
    """Return UGAL with local or global queues, whose link loads are equal."""
    return Routing(
        name=name,
        title=f"a minimal path or one of {DETOURS} random ones over third routers, by {chosen_by}",
        source="Singh, PhD thesis, Stanford (2005); Besta and Hoefler, Slim Fly, SC14, section IV-C",
        needs=needs_a_third_router,
        routes=_candidate_routes,
        adaptive=True,
        mixes=("ecmp", VALIANT.name),
        knows_all_queues=knows_all_queues,
    )


UGAL_L = _ugal("ugal-l", "the first queue times the hops", knows_all_queues=False)
UGAL_G = _ugal("ugal-g", "the sum of all queues on the way", knows_all_queues=True)

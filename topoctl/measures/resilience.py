"""What a network survives of random failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Steps of 5 percent by three criteria, of links and of routers; None where not connected."""
    from topoctl.analysis.resilience import TRIALS, resilience

    return resilience(
        assessment.topology,
        trials=TRIALS if asked.trials is None else asked.trials,
        seed=asked.seed,
        threads=asked.threads,
        progress=progress,
        exact=asked.exact,
        survive=asked.survive,
    ).numbers()


def needs(topology: Topology, asked: Asked) -> None:
    """Two routers, enough trials for an interval, and no more than can be made in about a minute."""
    from topoctl.analysis.resilience import TRIALS, refuse_unfit

    refuse_unfit(topology, TRIALS if asked.trials is None else asked.trials, exact=asked.exact)


RESILIENCE = Measure(
    name="resilience",
    title="how much of the links and of the routers may fail at random",
    columns=(
        "link_failures_connected_percent",
        "link_failures_diameter_percent",
        "link_failures_aspl_percent",
        "router_failures_connected_percent",
        "router_failures_diameter_percent",
        "router_failures_aspl_percent",
    ),
    others=("resilience_trials", "resilience"),
    needs=needs,
    measure=measure,
    counts="trials",
    options=("trials",),
)

"""Throughput under the best routing that is known, and under the worst traffic."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from topoctl.measures.loads import needs
from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Uniform traffic by the best routing, and the worst permutation; None where not connected, or large."""
    from topoctl.routing.best_known import best_known

    patience = inf if asked.exact else 1.0
    return best_known(assessment.topology, asked.threads, progress, patience=patience).numbers()


ROUTING = Measure(
    name="routing",
    title="throughput under the best routing that is known, and under the worst permutation",
    columns=("routing_throughput", "worst_case_throughput", "best_throughput", "best_minimal_throughput"),
    others=("routing", "worst_case_routing"),
    needs=needs,
    measure=measure,
    counts="parts",
    parts=("loads", "best minimal", "best", "worst case of ecmp", "worst case of valiant"),
)

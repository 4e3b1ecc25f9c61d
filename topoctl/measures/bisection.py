"""The bisection as an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """What is proven, what is found, and the figures of the sources."""
    from topoctl.analysis.bisection import PARTITIONER, PARTITIONS, bisect

    return bisect(
        assessment.topology,
        partitions=PARTITIONS if asked.partitions is None else asked.partitions,
        partitioner=asked.partitioner or PARTITIONER,
        seed=asked.seed,
        seconds=asked.partition_seconds,
        threads=asked.threads,
        progress=progress,
    ).numbers()


def needs(topology: Topology, asked: Asked) -> None:
    """Two routers, the partitioner, and no more routers than halve in a minute or the time that is given."""
    from topoctl.analysis.bisection import PARTITIONER, PARTITIONS, refuse_unfit
    from topoctl.analysis.effort import refuse_halvings

    partitions = PARTITIONS if asked.partitions is None else asked.partitions
    refuse_unfit(topology, partitions, asked.partitioner or PARTITIONER, asked.partition_seconds)
    if not asked.exact and asked.partition_seconds is None:
        refuse_halvings(topology.graph, partitions)


BISECTION = Measure(
    name="bisection",
    title="the fewest links between two halves of the routers: a proven bound and the best halves found",
    columns=("bisection_lower_bound", "bisection_upper_bound", "relative_bisection_upper_bound"),
    others=(
        "bisection_proof",
        "bisection_partitions",
        "bisection_planned_partitions",
        "bisection_closed_form",
        "bisection_ratio",
        "relative_bisection",
    ),
    needs=needs,
    measure=measure,
    counts="partitions",
    options=("partitions", "partitioner", "partition_seconds"),
)

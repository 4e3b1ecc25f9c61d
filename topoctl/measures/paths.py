"""How many ways there are between routers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Shortest paths, None where not connected; edge connectivity, and paths without a common link."""
    from topoctl.analysis.path_diversity import path_diversity

    found = path_diversity(
        assessment.topology, seed=asked.seed, threads=asked.threads, progress=progress, exact=asked.exact
    )
    return found.numbers()


def needs(topology: Topology, asked: Asked) -> None:
    """Two routers, and no more links than can be looked along in a minute."""
    from topoctl.analysis.path_diversity import refuse_unfit

    refuse_unfit(topology, exact=asked.exact)


PATHS = Measure(
    name="paths",
    title="shortest paths and paths without a common link, and the edge connectivity",
    columns=("edge_connectivity", "edge_disjoint_paths_mean", "shortest_paths_min", "shortest_paths_mean"),
    others=("shortest_paths_histogram", "edge_disjoint_pairs"),
    needs=needs,
    measure=measure,
)

"""Which numbers of a network are better where they are larger."""

from __future__ import annotations

from topoctl.search.design.objectives import OBJECTIVES

CRITERIA = ("connected", "diameter", "aspl")
"""Of what a network has to keep when parts of it fail."""
MORE_IS_BETTER = frozenset(
    {objective.field for objective in OBJECTIVES.values() if objective.more}
    | {"order", "endpoints", "concentration", "moore_percent", "relative_bisection"}
    | {"uniform_throughput_paths", "uniform_throughput_bound"}
    | {"best_throughput", "best_minimal_throughput"}
    | {"bisection_lower_bound", "bisection_upper_bound", "relative_bisection_upper_bound"}
    | {f"{part}_failures_{what}_percent" for part in ("link", "router") for what in CRITERIA}
    | {"edge_connectivity", "edge_disjoint_paths_mean", "shortest_paths_min", "shortest_paths_mean"}
)
"""Of every other number, less is better."""


def sign(field: str) -> int:
    """1 where less of a quantity is better, else -1."""
    return -1 if field in MORE_IS_BETTER else 1

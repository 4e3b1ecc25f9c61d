"""The objectives by name: what options go with each, and what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from topoctl.errors import InvalidParameters
from topoctl.search.annealing.objectives.base import Objective, Wanted
from topoctl.search.annealing.objectives.hops import HopObjective
from topoctl.search.annealing.objectives.latency import LatencyObjective
from topoctl.search.annealing.problem import Problem


@dataclass(frozen=True)
class ObjectiveKind:
    """An objective that a request can name.

    Attributes:
        make: the objective of a problem and of what is wanted there.
        on_cables: it is about cables between cabinets: it needs cabinets, and rotations keep the lengths of
            cables.
        limited: it needs a limit of the latencies.
        defaults: of options, in the command line.
    """

    make: Callable[[Problem, Wanted], Objective]
    on_cables: bool = False
    limited: bool = False
    defaults: Mapping[str, Any] = field(default_factory=dict)


OBJECTIVES = {
    "aspl": ObjectiveKind(HopObjective),
    "latency": ObjectiveKind(
        LatencyObjective, on_cables=True, defaults={"cabinet": (1.0, 1.0), "overhead": 0.0}
    ),
    "power": ObjectiveKind(
        LatencyObjective,
        on_cables=True,
        limited=True,
        defaults={"cabinet": (0.6, 2.1), "overhead": 1.0, "max_latency_ns": 1000.0},
    ),
}
"""By name. Defaults: Nakano et al. (2016), sections VIII-A and VIII-B."""


def objective_kind(name: str) -> ObjectiveKind:
    """Find an objective.

    Raises:
        InvalidParameters: there is none of that name.

    Example:
        >>> objective_kind("power").limited
        True
    """
    if name not in OBJECTIVES:
        raise InvalidParameters(f"objective {name!r}: expected {', '.join(OBJECTIVES)}")
    return OBJECTIVES[name]

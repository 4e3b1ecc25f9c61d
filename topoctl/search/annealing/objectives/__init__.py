"""What annealing can make small: the objectives by name, with the options that go with each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from topoctl.errors import InvalidParameters
from topoctl.search.annealing.objectives.hops import HopObjective
from topoctl.search.annealing.objectives.latency import LatencyObjective
from topoctl.search.annealing.objectives.objective import Objective, Wishes
from topoctl.search.annealing.problem import Problem


@dataclass(frozen=True)
class ObjectiveKind:
    """An objective that a request can name.

    Attributes:
        make: makes the objective of a problem, for the wishes of a request.
        on_cables: whether it is about cables: it needs cabinets, and rotations keep the lengths of cables.
        limited: whether it needs a limit of the latencies.
        defaults: of options of the command line.
    """

    make: Callable[[Problem, Wishes], Objective]
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
    """Return the objective of a name.

    Raises:
        InvalidParameters: no objective has that name.

    Example:
        >>> objective_kind("power").limited
        True
    """
    if name not in OBJECTIVES:
        raise InvalidParameters(f"objective {name!r}: expected {', '.join(OBJECTIVES)}")
    return OBJECTIVES[name]

"""The objectives of a design: what networks are compared by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.fields import FIELDS

Vector = tuple[float, ...]
"""One number for every objective; less is better."""


@dataclass(frozen=True)
class Objective:
    """A number of a network that designs are compared by.

    Attributes:
        field: its name in documents.
        measure: the measurement that gives it.
        enough: more than this is of no use, and counts as this.
    """

    field: str
    measure: str
    enough: float = math.inf

    @property
    def more(self) -> bool:
        """Whether more of it is better."""
        return FIELDS[self.field].more_is_better


OBJECTIVES = {
    "cost": Objective("cost_per_endpoint", "cost"),
    "power": Objective("power_per_endpoint", "power"),
    "latency": Objective("average_latency_ns", "latency"),
    "throughput": Objective("uniform_throughput", "loads", enough=1.0),
    "routed": Objective("routing_throughput", "routing", enough=1.0),
    "worst-case": Objective("worst_case_throughput", "routing", enough=1.0),
    "bisection": Objective("relative_bisection_lower_bound", "bisection"),
    "resilience": Objective("link_failures_connected_percent", "resilience"),
}
"""By the words of ``--front``. A throughput above 1 is more than the endpoints can send."""
DEFAULT_FRONT = ("cost", "latency", "throughput")
SYNONYMS = {"theta": "throughput"}
OBJECTIVE_FIELDS = {word: OBJECTIVES[SYNONYMS.get(word, word)].field for word in (*OBJECTIVES, *SYNONYMS)}
"""The fields of documents, by all words for objectives."""


def parse_front(text: str) -> tuple[str, ...]:
    """Objectives separated by commas.

    Raises:
        InvalidParameters: an objective does not exist, or is given twice.

    Example:
        >>> parse_front("cost, theta")
        ('cost', 'throughput')
    """
    words = [word.strip().lower() for word in text.split(",")]
    names = tuple(SYNONYMS.get(word, word) for word in words)
    check_front(names)
    return names


def check_front(names: Sequence[str]) -> None:
    """Refuse a front that networks cannot be compared by.

    Raises:
        InvalidParameters: an objective does not exist or is given twice, or there is none.
    """
    for name in names:
        if name not in OBJECTIVES:
            likely = hint(name, OBJECTIVES, listed=True)
            raise InvalidParameters(f"objective {quoted(name)} is unknown{likely}")
    if not names or len(set(names)) < len(names):
        raise InvalidParameters(
            f"front {quoted(','.join(names))}: expected each once of {', '.join(OBJECTIVES)}"
        )


def vector(numbers: Mapping[str, float | None], front: Sequence[str]) -> Vector:
    """Return what a network is compared by; a missing number is worse than any other.

    Example:
        >>> vector({"cost_per_endpoint": 900.0, "uniform_throughput": 1.25}, ["cost", "throughput", "power"])
        (900.0, -1.0, inf)
    """
    return tuple(_lessened(numbers.get(OBJECTIVES[name].field), OBJECTIVES[name]) for name in front)


def _lessened(value: float | None, objective: Objective) -> float:
    """Return a value of which less is better."""
    if value is None:
        return math.inf
    return -min(value, objective.enough) if objective.more else value


def missed(asked: Mapping[str, float], numbers: Mapping[str, float | None]) -> dict[str, float]:
    """Return by which share of its limit each objective misses it; empty if none does.

    Missing numbers miss no limit, because they may be anything.

    Example:
        >>> missed({"cost": 800, "throughput": 0.5}, {"cost_per_endpoint": 900.0, "uniform_throughput": 0.75})
        {'cost': 0.125}
    """
    found = {}
    for name, limit in asked.items():
        objective, value = OBJECTIVES[name], numbers.get(OBJECTIVES[name].field)
        if value is not None and (value < limit if objective.more else value > limit):
            found[name] = abs(value - limit) / limit if limit else math.inf
    return found

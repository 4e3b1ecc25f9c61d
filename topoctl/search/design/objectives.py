"""The objectives of a design: what networks are compared by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.fields import FIELDS
from topoctl.fields.measures import TRAFFIC_PATTERNS
from topoctl.options import real

Vector = tuple[float, ...]
"""One number for every objective; less is better."""


@dataclass(frozen=True)
class Objective:
    """A number of a network that designs are compared by.

    Attributes:
        field: its name in documents.
        measure: the measurement that gives it.
        enough: more than this is of no use, and counts as this.
        each_plane: whether it is told of one plane, and every further one gives as much again.
    """

    field: str
    measure: str
    enough: float = math.inf
    each_plane: bool = False

    @property
    def more(self) -> bool:
        """Whether more of it is better."""
        return FIELDS[self.field].more_is_better

    def of_all(self, numbers: Mapping[str, Any], most: float = math.inf) -> float | None:
        """Return what all planes of a network have of it; None where it is not known.

        Args:
            numbers: of the network.
            most: that counts of one plane.

        Example:
            >>> OBJECTIVES["ecmp"].of_all({"uniform_throughput": 0.5, "planes": 4})
            2.0
        """
        value: float | None = numbers.get(self.field)
        if value is None:
            return None
        return min(value, most) * (planes_of(numbers) if self.each_plane else 1)


def planes_of(numbers: Mapping[str, Any]) -> int:
    """Return in how many planes a network is that has these numbers."""
    return int(numbers.get("planes", 1))


OBJECTIVES = {
    "cost": Objective("cost_per_endpoint", "cost"),
    "power": Objective("power_per_endpoint", "power"),
    "latency": Objective("average_latency_ns", "latency"),
    "throughput": Objective("own_throughput", "loads", enough=1.0, each_plane=True),
    "ecmp": Objective("uniform_throughput", "loads", enough=1.0, each_plane=True),
    "routed": Objective("routing_throughput", "routing", enough=1.0, each_plane=True),
    "worst-case": Objective("worst_case_throughput", "routing", enough=1.0, each_plane=True),
    "bisection": Objective("relative_bisection_lower_bound", "bisection", each_plane=True),
    "resilience": Objective("link_failures_connected_percent", "resilience"),
}
"""By the words of ``--front``. A throughput above 1 is more than the endpoints can send."""
DEFAULT_FRONT = ("cost", "latency", "throughput")
SYNONYMS = {"theta": "throughput"}
OBJECTIVE_FIELDS = (
    *(("throughput", "uniform_throughput"), ("theta", "uniform_throughput")),
    *((word, OBJECTIVES[SYNONYMS.get(word, word)].field) for word in (*OBJECTIVES, *SYNONYMS)),
)
"""All words for objectives, with the fields of documents; of several, the last that a document has."""
LIMITED = OBJECTIVES | {
    name: Objective(f"{name}_throughput", "loads", each_plane=True) for name in TRAFFIC_PATTERNS
}
"""All that a design may ask for: the objectives, and throughputs under patterns of traffic."""
EACH_PLANE = frozenset(objective.field for objective in LIMITED.values() if objective.each_plane)
"""Fields that are told of one plane, and compared and limited times the planes."""
THROUGHPUTS = ("ecmp", "routed", "worst-case", *TRAFFIC_PATTERNS)
"""What ``--throughput NAME:X`` may name."""


def parse_throughput(text: str) -> dict[str, float]:
    """Throughputs that are asked for: a number for the uniform one by a network's own routings, or NAME:X.

    Raises:
        InvalidParameters: a name is unknown, a value is no number of 0 or more, or one is given twice.

    Example:
        >>> parse_throughput("0.8,worst-case:0.4")
        {'throughput': 0.8, 'worst-case': 0.4}
    """
    found = dict[str, float]()
    for part in text.split(","):
        word, named, value = part.strip().lower().rpartition(":")
        name = word.strip() if named else "throughput"
        if named and name not in THROUGHPUTS:
            likely = hint(name, THROUGHPUTS, listed=True)
            raise InvalidParameters(f"--throughput {quoted(text)}: {quoted(name)} is unknown{likely}")
        try:
            limit = real(value)
        except ValueError:
            raise InvalidParameters(
                f"--throughput {quoted(text)}: expected a decimal number, such as 0.8 or worst-case:0.4"
            ) from None
        if name in found or limit < 0:
            raise InvalidParameters(f"--throughput {quoted(text)}: expected each once, 0 or more")
        found[name] = limit
    return found


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


def parse_tolerance(text: str) -> float:
    """A number of percent, with or without its sign.

    Raises:
        InvalidParameters: the text is none.

    Example:
        >>> parse_tolerance("0.5"), parse_tolerance("2%")
        (0.5, 2.0)
    """
    try:
        return real(text.strip().removesuffix("%"))
    except ValueError:
        raise InvalidParameters(f"--tolerance {quoted(text)}: expected percent, such as 1") from None


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
        >>> vector({"cost_per_endpoint": 900.0, "own_throughput": 1.25}, ["cost", "throughput", "power"])
        (900.0, -1.0, inf)
    """
    return tuple(_lessened(numbers, OBJECTIVES[name]) for name in front)


def _lessened(numbers: Mapping[str, float | None], objective: Objective) -> float:
    """Return a value that is better when it is less."""
    value = objective.of_all(numbers, objective.enough)
    if value is None:
        return math.inf
    return -value if objective.more else value


def missed(asked: Mapping[str, float], numbers: Mapping[str, float | None]) -> dict[str, float]:
    """Return by which share of its limit each objective misses it; empty if none does.

    Missing numbers miss no limit, because they may be anything.

    Example:
        >>> missed({"cost": 800, "throughput": 0.5}, {"cost_per_endpoint": 900.0, "own_throughput": 0.75})
        {'cost': 0.125}
    """
    found = {}
    for name, limit in asked.items():
        objective, value = LIMITED[name], LIMITED[name].of_all(numbers)
        if value is not None and (value < limit if objective.more else value > limit):
            found[name] = abs(value - limit) / limit if limit else math.inf
    return found

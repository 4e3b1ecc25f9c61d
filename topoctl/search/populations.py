"""What searches of populations on islands share: the ranges of a request, and the best distinct networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, Self, TypeVar, get_args

from topoctl.errors import InvalidParameters
from topoctl.graph import MAX_ROUTERS
from topoctl.search.ranges import MAX_EPOCHS, MAX_EVALUATIONS, MAX_INDIVIDUALS, MAX_SECONDS, MAX_SEED

ObjectiveName = Literal["product", "lexicographic"]

RANGES = {
    "concentration": (0, MAX_ROUTERS),
    "population": (2, MAX_INDIVIDUALS),
    "generations": (1, MAX_EPOCHS),
    "evaluations": (1, MAX_EVALUATIONS),
    "stagnation": (1, MAX_EPOCHS),
    "islands": (1, MAX_INDIVIDUALS),
    "top": (1, MAX_INDIVIDUALS),
}
"""Fields of requests; not every request has all of them."""
PROBABILITIES = ("crossover", "mutation")


class Leader(Protocol):
    """A network that a search has found, with its exact score."""

    def rank(self, objective: ObjectiveName) -> tuple[Any, ...]:
        """Sort key, best first."""

    def same_network(self, other: Self) -> bool:
        """Whether two leaders are one network."""


L = TypeVar("L", bound=Leader)


def check_populations(request: Any) -> None:
    """Refuse a request whose populations, work, seed or objective are out of range.

    Raises:
        InvalidParameters: so it is.
    """
    for name, (least, most) in RANGES.items():
        value = getattr(request, name, None)
        if value is not None and not least <= value <= most:
            raise InvalidParameters(f"{name} {value}: expected {least}..{most}")
    if request.islands * request.population > MAX_INDIVIDUALS:
        raise InvalidParameters(
            f"{request.islands} islands of population {request.population}: expected at most "
            f"{MAX_INDIVIDUALS} individuals in all"
        )
    for name in PROBABILITIES:
        if not 0 <= getattr(request, name, 0) <= 1:
            raise InvalidParameters(f"{name} {getattr(request, name)}: expected a probability in 0..1")
    if request.seconds is not None and not 0 < request.seconds <= MAX_SECONDS:
        raise InvalidParameters(f"seconds {request.seconds}: expected more than 0 and at most {MAX_SECONDS}")
    if request.seconds is not None and request.evaluations is not None:
        raise InvalidParameters("seconds and evaluations exclude each other; give one of them")
    if not 0 <= request.seed <= MAX_SEED:
        raise InvalidParameters(f"seed {request.seed}: expected 0..{MAX_SEED}")
    if request.objective not in get_args(ObjectiveName):
        raise InvalidParameters(
            f"objective {request.objective!r}: expected {' or '.join(get_args(ObjectiveName))}"
        )


def best_distinct(leaders: Sequence[L], found: Iterable[L], objective: ObjectiveName, count: int) -> list[L]:
    """The best `count` different networks of both, best first."""
    kept: list[L] = []
    for leader in sorted([*leaders, *found], key=lambda leader: leader.rank(objective)):
        if len(kept) == count:
            break
        if not any(leader.same_network(other) for other in kept):
            kept.append(leader)
    return kept

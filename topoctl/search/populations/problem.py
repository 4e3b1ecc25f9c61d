"""What a kind of network gives to be searched by populations: its forms, founders, annealing and scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

from topoctl.json_shapes import Shape
from topoctl.search.draws import Draws
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.populations.state import Individual, Island, Kinds, Leader, PopulationState
from topoctl.search.protocol import Candidate, Json, SearchState

REACH = 5
"""What a router beyond the target diameter costs where it is to be reached; 1 where the ASPL alone counts."""


class Form(Protocol):
    """What the networks of a population have in common, and how one of them is drawn."""

    @property
    def lengths(self) -> tuple[int, int]:
        """How many generators of each kind a network has."""

    @property
    def fixed(self) -> Kinds:
        """Generators of each kind that no operator exchanges; they stand first."""

    @property
    def modulus(self) -> int:
        """Crossover swaps generators of the first kind that are alike modulo this number; 0: any two."""

    @property
    def order(self) -> int:
        """Routers."""

    @property
    def exchangeable(self) -> tuple[int, int]:
        """How many generators of each kind can be exchanged for others; (0, 0): the form is one network."""

    @property
    def space(self) -> Hashable:
        """Networks of two forms can only be the same where this is equal."""

    def founder(self, draws: Draws) -> Individual:
        """Return a random network."""

    def other(self, kind: int, own: Collection[int], draws: Draws) -> int:
        """Return a random generator of a kind that a network does not have yet; there must be one."""


@dataclass(frozen=True)
class Child:
    """A network to be annealed.

    Attributes:
        individual: where its annealing starts.
        island: whose form and weight it has.
        bred: from members of the island, rather than drawn anew.
    """

    individual: Individual
    island: Island
    bred: bool


class Problem(ABC):
    """A kind of network, the request, and the forms that race.

    Attributes:
        request: what is asked for.
        forms: the likeliest first.
        raced: how many of them race.
        crossover: probability that two children exchange generators.
        mutation: probability that a child exchanges a generator for another.
        generations: planned epochs, or None.
        gap: what tables call the distance of the ASPL from its bound.
        founders: scored networks that an island begins with; it has as many children at least.
        race_epochs: epochs that the race of forms takes at most; None: a third of all.
        perfect_epochs: epochs after which one network on the bounds ends the search; before, it takes `top`.
        trial_epochs, trial_moves: how many last epochs a trial of the speed has, and its first moves.
        planned_shapes: of the values of `planned`.
    """

    request_class: ClassVar[type[EqualityRequest] | type[CayleyRequest]]
    planned_shapes: ClassVar[Mapping[str, Shape]]
    gap: ClassVar[str] = "gap"
    founders: ClassVar[int]
    perfect_epochs: ClassVar[int]
    trial_epochs: ClassVar[int]
    trial_moves: ClassVar[int]

    request: EqualityRequest | CayleyRequest
    forms: Sequence[Form]
    raced: int
    race_epochs: int | None
    crossover: float
    mutation: float
    generations: int | None = None

    @abstractmethod
    def __init__(self, request: Any, **planned: Json) -> None:
        """Take a request, and what :attr:`planned` says, as JSON; None: all forms race."""

    @property
    @abstractmethod
    def planned(self) -> Mapping[str, Json]:
        """What a plan fixes beside the request, by the names of this class's arguments."""

    @property
    def children(self) -> int:
        """Networks that are annealed in an ordinary epoch."""
        return self.request.islands * self.request.population

    @cached_property
    def founded(self) -> SearchState:
        """The first state; a plan has made it already."""
        return self.first_state().stored()

    @abstractmethod
    def first_state(self) -> PopulationState:
        """Return scored founders of every form that races, on one island each."""

    @abstractmethod
    def newcomers(self, count: int, *, racing: bool) -> int:
        """Return how many of an island's children are drawn anew, rather than bred, after the first epoch."""

    @abstractmethod
    def anneal(
        self, children: Sequence[Child], state: PopulationState, moves: int, cooling: float, threads: int
    ) -> list[Individual]:
        """Anneal all children at once, in the kernel.

        Args:
            children: of all islands.
            state: draws the seeds, and counts the networks that are scored.
            moves: of each child of an ordinary epoch.
            cooling: part of the first start temperature that is left.
            threads: for the kernel; no result depends on it.
        """

    @abstractmethod
    def measure(self, found: Sequence[tuple[int, Individual]], threads: int) -> list[Leader | None]:
        """Score networks exactly, each given by its form and itself; None where one is not connected."""

    @abstractmethod
    def fitness(self, individual: Individual, weight: int) -> tuple[float, float]:
        """Return what is minimised on an island of some weight."""

    @abstractmethod
    def settlement(self, pools: Mapping[int, Sequence[Individual]], kept: int) -> list[tuple[int, int]]:
        """Return the form and the weight of every island.

        Args:
            pools: members of every form.
            kept: about how many forms go on.
        """

    @abstractmethod
    def rank(self, leader: Leader) -> tuple[Any, ...]:
        """Return a sort key, best first."""

    @abstractmethod
    def canonical(self, leader: Leader) -> tuple[int, ...]:
        """Return a name: in one space, equal names prove equal networks."""

    @abstractmethod
    def candidate(self, leader: Leader) -> Candidate:
        """Return what builds the network again, with its score."""

    @abstractmethod
    def bounds(self, order: int) -> tuple[int | None, int]:
        """Return lower bounds on the diameter, if one is known, and on the sum of distances of a router."""

    @property
    @abstractmethod
    def move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively: it only sizes epochs."""

    @property
    @abstractmethod
    def least_epoch(self) -> int:
        """Networks scored in an epoch, at least, while that leaves more than one epoch."""

    @abstractmethod
    def scoring_seconds(self) -> float:
        """Measure what one thread takes to score a network."""

    @abstractmethod
    def hurried(self, scoring: float) -> Self:
        """Return this problem with as many founders as there is time for, where `scoring` seconds score one.

        Raises:
            InvalidParameters: the planned seconds are not enough for any.
        """

    def racing(self, moves: int) -> Self:  # noqa: ARG002 - not every kind needs it
        """Return this problem with no more forms in the race than epochs of so many moves allow."""
        return self

    @property
    def searching_seconds(self) -> float:
        """The planned seconds, without those in which the best network is measured again."""
        return self.request.seconds or 0.0

"""What a search asks of its networks, whatever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from topoctl.kernels.link_annealing import AnnealedLinks, LinkWalk, PairScore
from topoctl.search.annealing.state import Leader
from topoctl.search.protocol import FloorScore


@dataclass(frozen=True)
class Stretch:
    """What a replica is about to do.

    Attributes:
        fold: the order of the rotation that its network is held to.
        moves: how many it makes.
        score: of its network, by the kernel; None where it is not known yet.
        push: whether it presses on the best network.
    """

    fold: int
    moves: int
    score: PairScore | None
    push: bool


class Goal(Protocol):
    """How networks are walked through towards it, and how good they are.

    An objective is a tuple of integers, first things first, less is better; the diameter and the sum of
    distances come after it.
    """

    @property
    def in_hops(self) -> bool:
        """Whether the kernel's scores are distances in hops."""

    @property
    def parts(self) -> int:
        """How many numbers an objective has."""

    def walk(self, stretch: Stretch) -> LinkWalk:
        """How the kernel is to walk."""

    def first_temperature(self, fold: int) -> float:
        """A guess, in units of the energy, which the share of moves kept corrects."""

    def objective(self, found: AnnealedLinks, replica: int, fold: int) -> tuple[int, ...]:
        """What counts before diameter and distances in the best network that a replica found."""

    def floor_score(self, objective: tuple[int, ...]) -> FloorScore | None:
        """Its latencies and cables, where it is about them."""

    def remark(self, objective: tuple[int, ...]) -> str:
        """How good the best network is, for people; empty where diameter and ASPL say it."""

    def attained(self, leader: Leader) -> bool:
        """Whether nothing is left to ask of a connected network."""

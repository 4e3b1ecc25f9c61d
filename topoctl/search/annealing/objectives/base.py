"""What a search asks of its networks, whatever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from topoctl.kernels.anneal import Annealed, Walk
from topoctl.search.annealing.state import AnnealingLeader
from topoctl.search.protocol import FloorScore


@dataclass(frozen=True)
class EpochPlan:
    """What a replica is about to do.

    Attributes:
        rotation_order: the order of the rotation that its network is held to.
        moves: how many it makes.
        score: of its network, by the kernel; None where it is not known yet.
        push: whether it presses on the best network.
    """

    rotation_order: int
    moves: int
    score: list[int] | None
    push: bool


class Objective(Protocol):
    """How networks are walked through towards it, and how good they are.

    An objective is a tuple of integers, first things first, less is better; the diameter and the sum of
    distances come after it.
    """

    @property
    def in_hops(self) -> bool:
        """Whether the kernel's scores are distances in hops."""

    @property
    def value_count(self) -> int:
        """How many numbers an objective has."""

    def walk(self, plan: EpochPlan) -> Walk:
        """How the kernel is to walk."""

    def first_temperature(self, rotation_order: int) -> float:
        """A guess, in units of the energy, which the share of moves kept corrects."""

    def values(self, found: Annealed, replica: int, rotation_order: int) -> tuple[int, ...]:
        """What counts before diameter and distances in the best network that a replica found."""

    def floor_score(self, values: tuple[int, ...]) -> FloorScore | None:
        """Its latencies and cables, where it is about them."""

    def remark(self, values: tuple[int, ...]) -> str:
        """How good the best network is, for people; empty where diameter and ASPL say it."""

    def attained(self, leader: AnnealingLeader) -> bool:
        """Whether nothing is left to ask of a connected network."""

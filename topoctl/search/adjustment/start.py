"""Where a leg begins, and what says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.graph import Graph
from topoctl.search.adjustment.starts import best_starts
from topoctl.search.adjustment.structures import tried
from topoctl.search.annealing.action import cyclic
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.state import AnnealingState


class Start(NamedTuple):
    """Where a leg begins.

    Attributes:
        slots: int32, shape (order, degree).
        group: that maps the network onto itself.
        origin: what it was made of; empty where that is not known.
    """

    slots: NDArray[np.int32]
    group: Group
    origin: str


class Starter(Protocol):
    """Something that makes networks to begin with."""

    @property
    def name(self) -> str:
        """What it is called in a state."""

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """A network.

        Args:
            problem: order and degree.
            current: what is known so far; it is drawn from, and what is made is noted there.
            nanoseconds: about what one core may take to find it.
            threads: the result does not depend on them.
        """


def adjusted_start(
    origins: Sequence[tuple[str, Graph]], problem: Problem, current: AnnealingState, threads: int
) -> Start:
    """The best network of the order that is made of some others, each with its name."""
    order, degree, found = problem.order, problem.degree, []
    for name, graph in origins:
        tries = max(1, tried(order, degree) // len(origins))
        found.append((*best_starts(graph, order, degree, tries, current.draws, threads)[0], name))
    _, slots, name = min(found, key=lambda one: one[0])
    return Start(slots, cyclic(1), name)

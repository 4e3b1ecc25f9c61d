"""What a leg of annealing begins with, one kind of start a file.

``random_networks``: random under a group; ``start_file``: the network of ``--start``; ``base_graph``: the
network that ``--origin`` names, or one of a family near the order, brought to the order;
``cayley_and_lifts``: Cayley networks and lifts near the order; ``best_so_far``: the best network of earlier
legs, held to a part of its symmetry.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.state import AnnealingState, Structure
from topoctl.search.annealing.symmetry import rotation_group


class Start(NamedTuple):
    """A network that a leg begins with.

    Attributes:
        slots: int32, shape (order, degree).
        group: maps the network onto itself.
        origin: the base graph that the network was made of; empty where there is none.
        left: int32, shape (order, degree): the slots of the network that hold links of that base graph, the
            others -1; None where there is none.
        links: of that base graph.
    """

    slots: NDArray[np.int32]
    group: Group
    origin: str
    left: NDArray[np.int32] | None = None
    links: int = 0

    @classmethod
    def kept(cls, structure: Structure) -> Start:
        """Go on with a structure where the last leg left it."""
        none = rotation_group(1)
        return cls(structure.slots, none, structure.origin, structure.left, structure.links)


class Starter(Protocol):
    """Makes networks that legs begin with; one contender of a race."""

    @property
    def name(self) -> str:
        """The name of the contender in a state."""

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """Make a network.

        Args:
            problem: order and degree.
            current: what the search has found so far; supplies the draws, and notes the bases that are used.
            nanoseconds: about how long one core may take.
            threads: the result does not depend on them.
        """

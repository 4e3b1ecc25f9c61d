"""What annealed networks are judged by: how far their routers are apart, and how many pairs are too far."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class PairScore(NamedTuple):
    """The score of one network, over the pairs of a source and a router.

    Distances are hops or, with cables, latencies.

    Attributes:
        unreached: pairs without a path.
        beyond: pairs beyond the aim of the walk; without an aim the diameter in hops, or 0 with cables.
        diameter: the largest distance of a pair with a path.
        distance_sum: of all pairs; one without a path counts as :class:`LinkWalk` says under `target`.
        at_diameter: pairs as many hops apart as the diameter; 0 with cables.
    """

    unreached: int
    beyond: int
    diameter: int
    distance_sum: int
    at_diameter: int


class PairScores(NamedTuple):
    """The scores of many networks: every quantity of :class:`PairScore` as int64, shape (walkers,)."""

    unreached: NDArray[np.int64]
    beyond: NDArray[np.int64]
    diameter: NDArray[np.int64]
    distance_sum: NDArray[np.int64]
    at_diameter: NDArray[np.int64]

    def by_walker(self) -> list[PairScore]:
        """The score of every network.

        Example:
            >>> PairScores(*np.array([[0], [2], [2], [88], [32]])).by_walker()[0].distance_sum
            88
        """
        return [PairScore(*row) for row in np.stack(self, axis=1).tolist()]

"""Exchanges between neighbours of a grid of ranks, and permutations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.families.record import Parameter, Parameters
from topoctl.families.spec import write_value
from topoctl.graph import Graph
from topoctl.routing.patterns import PATTERNS
from topoctl.routing.patterns.record import Pattern
from topoctl.simulation.workloads.record import Round, Workload
from topoctl.topology import Topology, uniform_endpoints


def _stencil(ranks: int, size: int, given: Parameters) -> Iterator[Round]:
    """Every rank of a grid sends to its neighbours in every dimension, again and again."""
    dims: tuple[int, ...] = given["dims"] or _square(ranks)  # type: ignore[assignment]
    if int(np.prod(np.array(dims, dtype=object))) != ranks:
        raise InvalidParameters(
            f"stencil: dims={write_value(dims)}: expected a product of {ranks}, the ranks"
        )
    grid = np.arange(ranks).reshape(dims)
    ends = [
        (np.take(grid, range(length - 1), axis).ravel(), np.take(grid, range(1, length), axis).ravel())
        for axis, length in enumerate(dims)
    ]
    sources = np.concatenate([each for low, high in ends for each in (low, high)])
    destinations = np.concatenate([each for low, high in ends for each in (high, low)])
    for _ in range(int(given["rounds"])):  # type: ignore[arg-type]
        yield sources, destinations, np.full(len(sources), size)


def _square(ranks: int) -> tuple[int, int]:
    """The sides of the grid of two dimensions that is most like a square.

    Example:
        >>> _square(24), _square(7)
        ((4, 6), (1, 7))
    """
    side = next(side for side in range(int(ranks**0.5), 0, -1) if ranks % side == 0)
    return side, ranks // side


STENCIL = Workload(
    "stencil",
    "every rank of a grid exchanges with its neighbours",
    "Jain et al., Maximizing throughput on a Dragonfly network, SC14",
    _stencil,
    parameters=(
        Parameter(
            "dims", "ranks in every dimension", "most like a square", kind="sizes", least=1, omitted=()
        ),
        Parameter("rounds", "exchanges, one after another", "1", least=1, most=10**6, omitted=1),
    ),
)


def _permutation(pattern: Pattern) -> Workload:
    """The messages of a pattern of traffic that is a permutation, once."""

    def rounds(ranks: int, size: int, given: Parameters) -> Iterable[Round]:
        # The pattern goes by the numbers of endpoints alone, whichever network has them.
        links = np.stack((np.arange(ranks - 1), np.arange(1, ranks)), axis=1)
        standing_for = Topology("ranks", {}, Graph.from_links(ranks, links), uniform_endpoints(ranks, 1))
        pattern.needs(standing_for)
        pairs = pattern.traffic(standing_for, given).pairs
        assert pairs
        sources, destinations, _ = pairs()
        outside = sources != destinations
        yield sources[outside], destinations[outside], np.full(int(outside.sum()), size)

    return Workload(
        pattern.name, pattern.title, pattern.source, rounds, ordered=False, parameters=pattern.parameters
    )


PERMUTATIONS = tuple(
    _permutation(PATTERNS[name])
    for name in (
        *("bitcomp", "bitrev", "shuffle", "rotation", "transpose"),
        *("tornado", "neighbor", "half", "permutation"),
    )
)

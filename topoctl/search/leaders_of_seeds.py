"""The best distinct networks (``--top``) of several searches of the same kind, such as of several seeds.

Those of one search: :mod:`topoctl.search.annealed_leaders`, :mod:`topoctl.search.populations.leaders`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from topoctl.search.protocol import Candidate


@dataclass(frozen=True)
class LeaderOfSeeds:
    """A network of the ranking of several searches together.

    Attributes:
        place: of the search that found it, counted from 0.
        rank: in that search, counted from 1.
        candidate: the network with its score.
    """

    place: int
    rank: int
    candidate: Candidate


def ranked_together(leaders: Sequence[Sequence[Candidate]], count: int) -> list[LeaderOfSeeds]:
    """Return the best distinct networks of several searches; which search ended first makes no difference.

    Args:
        leaders: of every search, best first; the searches differ only in their seed.
        count: networks, at most.

    Returns:
        Best first; equal networks are represented by that of the first search, which also wins ties.

    Example:
        >>> first, second = Candidate("a", 3, 20), Candidate("b", 2, 30)
        >>> [(one.place, one.rank) for one in ranked_together([[first], [second, first]], 10)]
        [(1, 1), (0, 1)]
    """
    found = [
        LeaderOfSeeds(place, rank, candidate)
        for place, candidates in enumerate(leaders)
        for rank, candidate in enumerate(candidates, 1)
    ]
    kept: list[LeaderOfSeeds] = []
    specs, names = set[str | None](), set[Hashable]()
    for one in sorted(found, key=lambda one: (candidate_key(one.candidate), one.place, one.rank)):
        if len(kept) == count:
            break
        if one.candidate.spec in specs or (name := _identity(one.candidate)) in names:
            continue
        kept.append(one)
        names.add(name)
        specs |= {one.candidate.spec} - {None}
    return kept


def candidate_key(candidate: Candidate) -> tuple[int, ...]:
    """Return the integers that candidates of one kind of search are sorted by."""
    return candidate.standing or (candidate.diameter, candidate.distance_sum)


def _identity(candidate: Candidate) -> Hashable:
    """Return a value that is equal for equal networks: their name, their links, or their spec."""
    if candidate.name is not None:
        return candidate.name()
    topology = candidate.topology
    return candidate.spec if topology is None else topology.graph.links().tobytes()

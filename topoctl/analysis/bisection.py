"""The bisection of a network as an interval: a proven lower bound, and the best halving found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.bisection_bounds import closed_form, lower_bound
from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.halving import cut_links, halving, kahip_halving
from topoctl.errors import InvalidParameters, TopoctlError, hint, quoted
from topoctl.graph import Graph
from topoctl.topology import Topology

PARTITIONS, PARTITIONER = 24, "topoctl"

Halving = Callable[[Graph, int, int], NDArray[np.bool_]]
"""A graph, the number of a start and a seed to a halving, bool, shape (order,)."""

PARTITIONERS: dict[str, Halving] = {"topoctl": halving, "kahip": kahip_halving}
"""By the names that users give."""


@dataclass(frozen=True, eq=False)
class Bisection:
    """Links between two halves of the routers, of floor(N/2) and ceil(N/2), at least.

    Attributes:
        lower_bound: no halving cuts fewer links.
        proof: name of the argument that gives this bound.
        upper_bound: links that the best halving found cuts, counted one by one.
        half: bool, shape (order,): the routers of its one half.
        partitions: how many halvings were refined.
        planned: how many were asked for.
        closed_form: the source's own formula, where its family has one, proven or not; it may be half an odd
            number.
        links: between routers, in the whole network.
        endpoints: in the whole network.
    """

    lower_bound: int
    proof: str
    upper_bound: int
    half: NDArray[np.bool_]
    partitions: int
    planned: int
    closed_form: Fraction | None
    links: int
    endpoints: int

    def numbers(self) -> dict[str, int | float | str | None]:
        """Return all numbers by their names in documents."""
        form = None if self.closed_form is None else float(self.closed_form)
        return {
            "bisection_lower_bound": self.lower_bound,
            "bisection_upper_bound": self.upper_bound,
            "bisection_proof": self.proof,
            "bisection_partitions": self.partitions,
            "bisection_planned_partitions": self.planned,
            "bisection_closed_form": form,
            "bisection_ratio": self.upper_bound / self.links if self.links else None,
            "relative_bisection_upper_bound": self.relative(self.upper_bound),
            "relative_bisection": None if form is None else self.relative(form),
        }

    def relative(self, links: float) -> float | None:
        """Links over half of the endpoints; None without endpoints."""
        return 2 * links / self.endpoints if self.endpoints else None


def bisect(
    topology: Topology,
    *,
    partitions: int = PARTITIONS,
    partitioner: str = PARTITIONER,
    seed: int = 1,
    seconds: float | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> Bisection:
    """Bound the bisection from below by a proof, and from above by the best halving found.

    What proves the lower bound is in :mod:`topoctl.analysis.bisection_bounds`; the halvings are those of
    :func:`topoctl.analysis.halving.halving`, or KaHIP's.

    Args:
        topology: of two routers or more.
        partitions: halvings that are refined, at least one; fewer where one is proven to be the best.
        partitioner: ``topoctl`` or ``kahip``, which has to be installed.
        seed: of the draws. The result depends on the seed and the number of partitions alone.
        seconds: start no further halving after so long; `partitions` of the result counts the halvings.
        threads: for the lower bound; by default every core.
        progress: called with the partitions done and their number.

    Raises:
        InvalidParameters: as of :func:`refuse_unfit`.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = bisect(topology_from_spec("flex(nx=4,ny=4,nz=3)"))
        >>> found.lower_bound, found.upper_bound, int(found.half.sum())
        (96, 96, 24)
    """
    refuse_unfit(topology, partitions, partitioner, seconds)
    graph = topology.graph
    began, (least, proof) = monotonic(), lower_bound(topology, threads)
    best, fewest, done = np.zeros(graph.order, dtype=np.bool_), graph.size + 1, 0
    while done < partitions and fewest > least:
        if done and seconds is not None and monotonic() - began >= seconds:
            break
        if progress:
            progress(done, partitions)
        half = PARTITIONERS[partitioner](graph, done, seed)
        done += 1
        if (links := cut_links(graph, half)) < fewest:
            best, fewest = half, links
    if progress:
        progress(partitions, partitions)
    _certify(graph, best, least, fewest)
    form = closed_form(topology)[0]
    return Bisection(least, proof, fewest, best, done, partitions, form, graph.size, topology.endpoints)


def refuse_unfit(topology: Topology, partitions: int, partitioner: str, seconds: float | None) -> None:
    """Raise InvalidParameters for a single router, or arguments that :func:`bisect` does not take."""
    if topology.graph.order < 2:
        raise InvalidParameters("a single router has no halves: expected two routers or more")
    if partitions < 1:
        raise InvalidParameters(f"partitions {partitions}: expected 1 or more")
    if seconds is not None and not seconds >= 0:
        raise InvalidParameters(f"partition_seconds {seconds}: expected 0 or more")
    if partitioner not in PARTITIONERS:
        raise InvalidParameters(
            f"partitioner {quoted(partitioner)} is unknown{hint(partitioner, PARTITIONERS, listed=True)}"
        )
    if partitioner == "kahip" and find_spec("kahip") is None:
        raise InvalidParameters(
            "partitioner kahip is not installed: expected topoctl, or pip install kahip before"
        )


def _certify(graph: Graph, half: NDArray[np.bool_], least: int, links: int) -> None:
    """Raise TopoctlError where the halves are not equal, or a cut is below what is proven."""
    if int(half.sum()) != graph.order // 2 or links < least:
        raise TopoctlError(
            f"a cut of {links} links with {int(half.sum())} of {graph.order} routers on one side: expected "
            f"{graph.order // 2} of them and {least} links or more; please report this"
        )

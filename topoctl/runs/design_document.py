"""What a design found: the front, then the best of every other family, and why it is not on it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topoctl.analysis.assessment import assess
from topoctl.families import topology_from_spec
from topoctl.runs.design import COMMAND, Design
from topoctl.runs.document import Document, Row, document
from topoctl.runs.rows import network_row
from topoctl.search.design.pool import DesignNetwork, Pool, misses
from topoctl.search.evaluated_networks import EvaluatedNetwork


@dataclass(frozen=True, eq=False)
class _Reported:
    """A network that is reported.

    Attributes:
        option: the network.
        pareto: whether it is on the front.
        remark: why not.
    """

    option: DesignNetwork
    pareto: bool
    remark: str | None = None


def _reported(pool: Pool) -> list[_Reported]:
    """The front by its first objective, then the best of each family that is not on it, the best first."""
    front = pool.front
    there = {option.family for option in front}
    others: dict[str, list[DesignNetwork]] = {}
    for option in pool.networks:
        if option.family not in there:
            others.setdefault(option.family, []).append(option)
    best = [own[pool.merit([one.numbers for one in own])[0]] for own in others.values()]
    best = [best[place] for place in pool.merit([one.numbers for one in best])]
    rest = [
        _Reported(one, False, misses(one.numbers, pool.request) or _beaten(pool, one, front)) for one in best
    ]
    return [*(_Reported(one, True) for one in front), *rest]


def _beaten(pool: Pool, option: DesignNetwork, front: list[DesignNetwork]) -> str:
    """Which network of the front is at least as good in every respect."""
    own = pool.vector(option.numbers)
    for rank, other in enumerate(front, 1):
        if all(x <= y for x, y in zip(pool.vector(other.numbers), own, strict=True)):
            return f"{'equal to' if pool.vector(other.numbers) == own else 'beaten by'} {rank}"
    return ""


def design_document(design: Design) -> tuple[Document, list[EvaluatedNetwork]]:
    """The document of a design, and the networks of its rows, each built and measured again."""
    pool, request = design.pool, design.request
    rows: list[Row] = []
    networks: list[EvaluatedNetwork] = []
    for rank, one in enumerate(_reported(pool), 1):
        option, topology = one.option, one.option.topology
        if isinstance(topology, str):
            topology = topology_from_spec(topology)
        network = EvaluatedNetwork(assess(topology, design.threads))
        networks.append(network)
        row = network_row(rank, network) | dict(option.numbers)
        row |= {"family": option.family, "pareto": one.pareto, "remark": one.remark}
        row |= {"found_by": option.found_by, "run": option.run, "run_rank": option.run_rank}
        rows.append(row)
    found = document(
        COMMAND,
        request.parameters,
        rows,
        seed=request.seed,
        evaluations=design.evaluations,
        seconds=time.monotonic() - design.began,
        status="interrupted" if design.interrupted else "finished",
        group=None if design.stored is None else f"g{design.stored.id}",
        considered=pool.considered,
        measured=len(pool.networks),
        undecided=pool.undecided,
        skipped=[{"family": name, "reason": reason} for name, reason in design.skipped.items()],
        refused=[{"structure": name, "reason": reason} for name, reason in pool.refused.items()],
        notes=[*_grids(networks), *_notes(design)],
    )
    return found, networks


def _grids(networks: Sequence[EvaluatedNetwork]) -> Iterator[str]:
    """The grids among the networks, which have no spec to tell them by."""
    for rank, network in enumerate(networks, 1):
        topology = network.topology
        if topology.layout is not None:
            yield f"{rank}: {topology.layout}, links at most {topology.length_limit} long"


def _notes(design: Design) -> list[str]:
    """What was left out."""
    pool = design.pool
    by_bounds = sum(map(len, pool.excluded.values()))
    worse = sum(map(len, pool.dropped.values()))
    found = [
        f"networks measured: {len(pool.networks):,}; by their bounds not what is asked: {by_bounds:,}, "
        f"beaten: {worse:,}"
    ]
    if pool.undecided:
        found.append(f"less promising, not measured: {pool.undecided:,}")
    endpoints, ports = (pool.request.windows[name] for name in ("endpoints", "router_radix"))
    if endpoints.least <= ports.most < math.inf:
        found.append(
            f"a single router of {ports.most} ports needs no network for {endpoints.least} endpoints"
        )
    return found

"""The document of a design: the rows that are reported, and what there was no time for."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence

from topoctl.analysis.assessment import assess
from topoctl.analysis.effort import simulation_seconds
from topoctl.measures.traffic import SIMULATED
from topoctl.runs.design_under_way import Design
from topoctl.runs.document import Document, Row, document
from topoctl.runs.rows import network_row, whole_of_planes
from topoctl.search.design.front import DesignNetwork, in_all
from topoctl.search.design.objectives import planes_of
from topoctl.search.design.reported import NO_TIME, reported
from topoctl.search.evaluated_networks import EvaluatedNetwork

COMMAND = "design"


def design_document(design: Design) -> tuple[Document, list[EvaluatedNetwork]]:
    """The document of a design, and the networks of its rows, each built and measured again."""
    pool, request = design.pool, design.request
    rows: list[Row] = []
    networks: list[EvaluatedNetwork] = []
    for rank, one in enumerate(reported(pool), 1):
        option = one.option
        network = EvaluatedNetwork(assess(option.built(), design.threads))
        networks.append(network)
        row = network_row(rank, network) | dict(option.numbers)
        if request.planes != (1,):
            row |= whole_of_planes(planes_of(option.numbers), network.topology)
        row |= {"family": option.family, "pareto": one.pareto, "remark": one.remark}
        row |= {"found_by": option.found_by, "run": option.run, "run_rank": option.run_rank}
        if option in design.simulated:
            row |= design.simulated[option] or dict.fromkeys(SIMULATED)
        if one.merged:
            row |= {"behind": len(one.merged), "merged": [_in_full(other) for other in one.merged]}
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
        undecided=in_all(pool.undecided),
        skipped=[{"family": name, "reason": reason} for name, reason in design.skipped.items()],
        refused=[{"structure": name, "reason": reason} for name, reason in pool.refused.items()],
        notes=[*_grids(networks), *_notes(design, rows)],
    )
    return found, networks


def _in_full(option: DesignNetwork) -> Row:
    """A network that another stands for."""
    name = option.topology if isinstance(option.topology, str) else option.topology.spec
    found = {"spec": name, "family": option.family, "found_by": option.found_by}
    return {**found, "run": option.run, "run_rank": option.run_rank, **option.numbers}


def _grids(networks: Sequence[EvaluatedNetwork]) -> Iterator[str]:
    """The grids among the networks, which have no spec to tell them by."""
    for rank, network in enumerate(networks, 1):
        topology = network.topology
        if topology.layout is not None:
            yield f"{rank}: {topology.layout}, links at most {topology.length_limit} long"


def _notes(design: Design, rows: Sequence[Row]) -> list[str]:
    """What was left out, and what numbers count as."""
    pool, limited = design.pool, design.times.limited
    seconds = f"{pool.request.seconds or 0:g}"
    listed = " (most are not listed)" if limited and pool.request.carried else ""
    found = [
        f"networks measured: {len(pool.networks):,}; by their bounds not what is asked: "
        f"{in_all(pool.excluded):,}{listed}, beaten: {in_all(pool.dropped):,}"
    ]
    found += _undecided(design)
    if not design.interrupted and (
        unlisted := [family for family, reason in design.skipped.items() if reason == NO_TIME]
    ):
        found.append(f"no time in --seconds {seconds} to list {', '.join(unlisted)}")
    shown = {one.family for one in pool.networks} - {one.family for one in pool.front}
    if limited and not design.interrupted and (unsure := sorted(pool.unsettled & shown)):
        found.append(f"no time in --seconds {seconds} to look for nearer networks of {', '.join(unsure)}")
    if limited and not design.interrupted and design.wanted and not sum(design.times.searched):
        found.append(f"no time in --seconds {seconds} for a search")
    if left := [one for one, own in design.simulated.items() if own is None]:
        reason = f"no time in --seconds {seconds}" if limited else "it would take minutes each"
        taken = max(simulation_seconds(one.built()) for one in left)
        each = f", {taken:.0f} s of a core each at most, about" if limited else ""
        found.append(
            f"{reason} to simulate {len(left):,} of {len(design.simulated):,} networks of the front{each}"
        )
    if any(row.get("worst_case_throughput") is not None for row in rows):
        found.append("θ worst: by ecmp or by Valiant's routing, whichever carries more")
    if pool.request.planes != (1,):
        found.append(
            "cost and power are of all planes; throughputs and bisections of one, compared times the planes"
        )
    if any((row["own_throughput"] or 0) > 1 for row in rows):
        found.append("a throughput above 1 counts as 1: endpoints cannot send more")
    prices = pool.request.prices
    priced = prices.name if prices.sold else f"{prices.name} of used ports (see --sold)"
    found.append(f"prices and power: {priced}; racks and cables: {pool.request.floor.name}")
    endpoints, ports = (pool.request.windows[name] for name in ("endpoints", "router_radix"))
    if endpoints.least <= ports.most < math.inf:
        found.append(
            f"a single router of {ports.most} ports needs no network for {endpoints.least} endpoints"
        )
    return found


def _undecided(design: Design) -> Iterator[str]:
    """What was not measured although bounds allow it: of families that have a row, then of the others."""
    pool, limited = design.pool, design.times.limited
    known = {network.family for network in pool.networks}
    left = {family: len(own) for family, own in pool.undecided.items() if own}
    if some := {family: count for family, count in left.items() if family in known}:
        told = ", ".join(f"{count:,} of {family}" for family, count in some.items())
        late = f"no time in --seconds {pool.request.seconds or 0:g} for {sum(some.values()):,} networks"
        if design.interrupted:
            late = f"not measured when it was interrupted: {sum(some.values()):,} networks"
        yield (
            f"{late} that bounds allow: {told}"
            if limited or design.interrupted
            else f"less promising, not measured: {told}"
        )
    if none := [family for family in left if family not in known]:
        count = sum(left[family] for family in none)
        hint = "; name fewer families or give more --seconds" if limited and not design.interrupted else ""
        yield f"no network measured, of {count:,} that bounds allow, of {', '.join(none)}{hint}"

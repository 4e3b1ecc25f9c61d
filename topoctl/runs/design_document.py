"""What a design reports: its front, the nearest of each other family, and what there was no time for."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoctl.analysis.assessment import assess
from topoctl.analysis.effort import simulation_seconds
from topoctl.analysis.pareto import merged
from topoctl.measures.traffic import SIMULATED
from topoctl.runs.document import Document, Row, document
from topoctl.runs.rows import network_row, whole_of_planes
from topoctl.search.design.front import DesignNetwork, Pool, in_all
from topoctl.search.design.objectives import planes_of
from topoctl.search.design.prospects import missed_in_words
from topoctl.search.design.request import GRID
from topoctl.search.evaluated_networks import EvaluatedNetwork

if TYPE_CHECKING:
    from topoctl.runs.design import Design

COMMAND = "design"
NO_TIME = "no time to list it"


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


@dataclass(frozen=True, eq=False)
class Reported:
    """A network that is reported.

    Attributes:
        option: the network.
        pareto: whether it is on the front.
        remark: why it is not shown there.
        merged: others of the front that it stands for.
    """

    option: DesignNetwork
    pareto: bool
    remark: str | None = None
    merged: Sequence[DesignNetwork] = ()


def _in_full(option: DesignNetwork) -> Row:
    """A network that another stands for."""
    name = option.topology if isinstance(option.topology, str) else option.topology.spec
    found = {"spec": name, "family": option.family, "found_by": option.found_by}
    return {**found, "run": option.run, "run_rank": option.run_rank, **option.numbers}


def reported(pool: Pool) -> list[Reported]:
    """The front by its first objective, then of each other family the network nearest to what is asked.

    Networks of the front that another stands for are shown only as those of families that are not there.
    """
    tolerance = pool.request.front_tolerance
    whole = pool.front
    standing = merged([pool.vector(option.numbers) for option in whole], tolerance / 100)
    ranks = {place: rank for rank, place in enumerate(sorted({*standing}), 1)}
    front = {option: ranks[place] for option, place in zip(whole, standing, strict=True)}
    shown = [whole[place] for place in ranks]
    there = {option.family for option in shown}
    others: dict[str, list[DesignNetwork]] = {}
    for option in pool.networks:
        if option.family not in there:
            others.setdefault(option.family, []).append(option)
    choices = [[one for one in own if one in front] or own for own in others.values()]
    best = [own[pool.merit([one.numbers for one in own])[0]] for own in choices]
    best = [best[place] for place in pool.merit([one.numbers for one in best])]
    found = [
        Reported(one, True, merged=[other for other in whole if front[other] == rank and other is not one])
        for rank, one in enumerate(shown, 1)
    ]
    for one in best:
        if one in front:
            found.append(Reported(one, True, f"within {tolerance:g}% of {front[one]}"))
        else:
            missed = missed_in_words(one.numbers, pool.request, sure=True)
            remark = missed or _beaten(pool, one, shown, front)
            found.append(Reported(one, False, remark))
    return found


def _beaten(
    pool: Pool, option: DesignNetwork, shown: Sequence[DesignNetwork], front: Mapping[DesignNetwork, int]
) -> str:
    """Which network of the front is at least as good in every respect; shown networks come first."""
    own = pool.vector(option.numbers)
    for other in (*shown, *front):
        if all(x <= y for x, y in zip(pool.vector(other.numbers), own, strict=True)):
            which = front[other] if other in shown else f"one behind {front[other]}"
            return f"{'equal to' if pool.vector(other.numbers) == own else 'beaten by'} {which}"
    return ""


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
    if undecided := {family: len(own) for family, own in pool.undecided.items() if own}:
        known = {network.family for network in pool.networks}
        told = ", ".join(
            f"{count:,} of {family}{'' if family in known else ' (no other of it either)'}"
            for family, count in undecided.items()
        )
        count = in_all(pool.undecided)
        late = f"no time in --seconds {seconds} for {count:,} networks that bounds allow"
        found.append(f"{late if limited else 'less promising, not measured'}: {told}")
    if unlisted := [family for family, reason in design.skipped.items() if reason == NO_TIME]:
        found.append(f"no time in --seconds {seconds} to list {', '.join(unlisted)}")
    if limited and design.wanted and not sum(design.times.searched):
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
    endpoints, ports = (pool.request.windows[name] for name in ("endpoints", "router_radix"))
    if endpoints.least <= ports.most < math.inf:
        found.append(
            f"a single router of {ports.most} ports needs no network for {endpoints.least} endpoints"
        )
    return found


def reason_for_nothing(design: Design) -> str:
    """Why no network is what is required: the nearest one, and what it lacks."""
    pool = design.pool
    late = in_all(pool.undecided) if design.times.limited else 0
    unlisted = [family for family, reason in design.skipped.items() if reason == NO_TIME]
    left = [f"{late:,} networks were not measured"] * bool(late)
    left += [f"{', '.join(unlisted)} not listed"] * bool(unlisted)
    return _nearest_of_none(design) + (f"; {', and '.join(left)}: give more --seconds" if left else "")


def _nearest_of_none(design: Design) -> str:
    pool = design.pool
    if pool.networks:
        best = pool.networks[pool.merit([one.numbers for one in pool.networks])[0]]
        name = best.topology if isinstance(best.topology, str) else best.family
        reason = missed_in_words(best.numbers, pool.request, sure=True)
        return f"no network is what is asked; nearest is {name}: {reason}"
    if design.times.limited and in_all(pool.undecided):
        return f"no network could be measured in --seconds {design.request.seconds:g}"
    if pool.refused:  # these bounds do not exclude
        name, reason = next(iter(pool.refused.items()))
        return f"no network is what is asked: {name}: {reason}"
    if bounded := [one for own in pool.excluded.values() for one in own]:
        nearest, reason = bounded[pool.merit([one.numbers for one, _ in bounded])[0]]
        every = f"bounds exclude all {len(bounded):,}, even {nearest.name}"
        return f"no network is what is asked: {every}: {reason}"
    windows = ", ".join(f"{name.replace('_', ' ')} {one}" for name, one in pool.request.windows.items())
    room = f"; {design.skipped[GRID]}" if GRID in design.skipped else ""
    return f"no network with {windows}{room}"

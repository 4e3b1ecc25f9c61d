"""What was wired beside what was planned: the differences, as work for a technician."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.wiring.moved_ends import (
    EXTRA,
    MISSING,
    NEW_SYSTEM,
    NO_SYSTEM,
    SPEED,
    WIDTH,
    Cable,
    Difference,
    End,
    differences_of,
)
from topoctl.wiring.names import LAST_NUMBER
from topoctl.wiring.who import BY_NAMES, identified
from topoctl.wiring.wiring import Rate, Wiring


@dataclass(frozen=True)
class Check:
    """What differs.

    Attributes:
        differences: by the numbers of cables.
        summary: equal, missing and extra cables, moved ends, and how systems were told.
        network: the routers of the plan, as they are linked.
        endpoints: int32, shape (routers,): endpoints on each, as they are cabled; as planned where they are
            left out.
        notes: what could not be compared.
        matching: the systems of the plan, and what was found for each, by name or identifier; or None.
        wrong: int64, shape (links, 2): links of `network` that no plan has; routers by number.
        lost: int64, shape (links, 2): planned links that it lacks.
    """

    differences: tuple[Difference, ...]
    summary: Mapping[str, Any]
    network: Graph
    endpoints: NDArray[np.int32]
    notes: tuple[str, ...]
    matching: tuple[tuple[str, str | None], ...]
    wrong: NDArray[np.int64]
    lost: NDArray[np.int64]


def check_wiring(
    plan: Wiring,
    found: Wiring,
    ports: Sequence[str] | None = None,
    endpoint_ports: Sequence[str] | None = None,
    *,
    match: str | None = None,
    anchors: Sequence[str] = (),
    places: Mapping[str, str] | None = None,
) -> Check:
    """Compare what was found with a plan.

    Names that differ in case, by a domain, or by words behind the first are the same where that is one name.
    Ports count where both sides tell all of them; those of endpoints where these have several in the plan,
    systems are told by names, and half of the endpoints have the same ones. Where no endpoint of the plan was
    found, endpoints are left out.

    Args:
        plan: systems and cables as they should be.
        found: as they are.
        ports: what the ports of routers are called, from 1 on; None for what the plan calls them.
        endpoint_ports: of endpoints, likewise.
        match: how to tell who is who: names, anchors or structure; by default the best that there is.
        anchors: ``NAME=PLAN`` each, or files of such lines.
        places: where systems stand, such as ``R1C1 unit 3``, by their names in the plan.

    Raises:
        FormatError: a file of anchors cannot be read.
        InvalidParameters: who is who cannot be told.

    Example:
        >>> cables = np.array([[0, 1, 1, 1], [1, 2, 2, 1]], dtype=np.int32)
        >>> plan = Wiring(("a", "b", "c"), np.ones(3, dtype=bool), cables)
        >>> found = Wiring(("a", "b", "c"), np.ones(3, dtype=bool), cables[:1])
        >>> check_wiring(plan, found).differences[0].action
        'plug a cable from b port 2 to c port 1'
    """
    who = identified(plan, found, match, anchors)
    called, notes = who.called, [*who.notes]
    planned, wired = _ends(plan, plan.names), _ends(found, called)
    there = {*called}
    missing = [name for name in plan.names if name not in there]
    hosts = {name for name, router in zip(plan.names, plan.is_router.tolist(), strict=True) if not router}
    if hosts and not hosts & there:
        notes.append(f"{len(hosts)} endpoints of the plan are left out: none of them was found")
        keep = [place for place, cable in enumerate(planned) if not {cable[0][0], cable[1][0]} & hosts]
        unseen = [cable for cable in planned if {cable[0][0], cable[1][0]} & hosts]
        missing = [name for name in missing if name not in hosts]
    else:
        keep, unseen = [*range(len(planned))], []
    unclear = _unclear_ports(planned, hosts) or _unclear_ports(wired, hosts)
    if who.compares_ports and unclear:
        notes.append(f"ports are not compared: {unclear}")
    portless, cabled = hosts, Counter(name for cable in planned for name, _ in cable)
    if not who.compares_ports or unclear:
        planned, wired = ([((a, 0), (b, 0)) for (a, _), (b, _) in one] for one in (planned, wired))
    elif several := {name for name in hosts if cabled[name] > 1}:
        if who.matched_by != BY_NAMES:
            notes.append("ports of endpoints are not compared: names alone tell which plane is which")
        elif not _have_the_same_ports(several, planned, wired):
            notes.append("ports of endpoints are not compared: most of them do not have those of the plan")
        else:
            portless = hosts - several
    planned, wired = ([_ordered(cable, portless) for cable in one] for one in (planned, wired))
    of_plan = {*plan.names}
    own = {
        name: told
        for name, told in zip(called, found.identifiers or found.names, strict=True)
        if who.matched_by != BY_NAMES and name in of_plan and name != told
    }

    port_called = _ports_of_plan(plan, ports, endpoint_ports)

    def said(end: End) -> str:
        name, port = end
        at = (places or {}).get(name)
        also = [*([own[name]] if name in own else []), *([at] if at else [])]
        system = f"{name} ({', '.join(also)})" if also else name
        return system if name in portless or not port else f"{system} port {port_called(name, port)}"

    numbered = {place + 1: planned[place] for place in keep}
    differences = [
        *differences_of(numbered, wired, said),
        *_other_rates(numbered, plan.rates, wired, found.rates, said),
        *(Difference(NO_SYSTEM, None, (name, None), None, f"look for {said((name, 0))}") for name in missing),
        *(
            Difference(NEW_SYSTEM, None, (None, None), name, f"look what {name} is")
            for name in sorted(there - of_plan)
        ),
    ]
    kinds = Counter(one.kind for one in differences)
    summary = {
        "equal": not differences,
        "missing": kinds[MISSING],
        "extra": kinds[EXTRA],
        "moved_ends": sum(one.moved for one in differences),
        "matched_by": who.matched_by,
    }
    matching = dict(zip(called, found.identifiers or found.names, strict=True))
    network, endpoints, links = _as_wired(plan, [*wired, *unseen])
    wanted = _as_wired(plan, planned)[2]
    return Check(
        tuple(differences),
        summary,
        network,
        endpoints,
        tuple(notes),
        tuple((name, matching.get(name)) for name in plan.names),
        _links_of(links - wanted),
        _links_of(wanted - links),
    )


def _unclear_ports(cables: Sequence[Cable], hosts: set[str]) -> str | None:
    """Why the ports of cables are not fit to be compared; None where they are."""
    ends = Counter(end for cable in cables for end in cable if end[0] not in hosts)
    told = [port > 0 for _, port in ends]
    if not all(told):
        return "not all are told" if any(told) else "one side tells none"
    twice = next((end for end, count in ends.items() if count > 1), None)
    return None if twice is None else f"several of {twice[0]} have the number {twice[1]}"


def _have_the_same_ports(systems: set[str], planned: Sequence[Cable], wired: Sequence[Cable]) -> bool:
    """Whether half of those systems that were found have the ports of the plan, each once."""
    wanted, found = _ports_by_system(planned), _ports_by_system(wired)
    there = [name for name in systems if found[name]]
    alike = [name for name in there if wanted[name] == found[name] and max(found[name].values()) == 1]
    return 2 * len(alike) >= len(there)


def _ports_by_system(cables: Sequence[Cable]) -> dict[str, Counter[int]]:
    """The ports of every system, and how many cables each has."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for cable in cables:
        for name, port in cable:
            found[name][port] += 1
    return found


def _ports_of_plan(
    plan: Wiring, ports: Sequence[str] | None, endpoint_ports: Sequence[str] | None
) -> Callable[[str, int], str]:
    """What a port is called in the plan; one without a cable there like the others of its system."""
    kinds = zip(plan.names, plan.is_router.tolist(), strict=True)
    listed = {name: ports if router else endpoint_ports for name, router in kinds}
    names: dict[str, dict[int, str]] = defaultdict(dict)
    for (a, port, b, other), (one, two) in zip(plan.cables.tolist(), plan.port_names, strict=False):
        names[plan.names[a]][port] = one
        names[plan.names[b]][other] = two

    def called(name: str, port: int) -> str:
        if (own := listed.get(name)) is not None:
            return own[port - 1] if port <= len(own) else str(port)
        if name not in names or port in names[name]:
            return names.get(name, {}).get(port, str(port))
        return LAST_NUMBER.sub(str(port), next(iter(names[name].values())))

    return called


def _other_rates(
    planned: Mapping[int, Cable],
    wanted: Sequence[Rate],
    wired: Sequence[Cable],
    rates: Sequence[Rate],
    said: Callable[[End], str],
) -> Iterator[Difference]:
    """Cables that are where they are planned, of another width or speed, where both sides tell these."""
    if not (wanted and rates):
        return
    found = dict(zip(wired, rates, strict=True))
    for number, cable in planned.items():
        for kind, plan, seen in zip(
            (WIDTH, SPEED), wanted[number - 1], found.get(cable, ("", "")), strict=True
        ):
            if plan and seen and plan != seen:
                first, second = map(said, cable)
                unit = " Gb/s a lane" if kind == SPEED else ""
                at = f"{first} – {second}: {seen}{unit}"
                action = (
                    f"look why cable {number} from {first} to {second} has {seen}{unit} instead of {plan}"
                )
                yield Difference(kind, number, (first, second), at, action)


def _ends(wiring: Wiring, called: Sequence[str]) -> list[Cable]:
    """Both ends of every cable."""
    return [((called[a], port), (called[b], other)) for a, port, b, other in wiring.cables.tolist()]


def _ordered(cable: Cable, portless: set[str]) -> Cable:
    """A cable in the order of its ends, at port 0 of systems whose ports are not compared."""
    first, second = ((name, 0 if name in portless else port) for name, port in cable)
    return (first, second) if first <= second else (second, first)


def _as_wired(plan: Wiring, wired: Sequence[Cable]) -> tuple[Graph, NDArray[np.int32], set[tuple[int, int]]]:
    """The routers of the plan as they are linked, the endpoints on each, and the links."""
    routers = [name for name, router in zip(plan.names, plan.is_router.tolist(), strict=True) if router]
    numbers = {name: number for number, name in enumerate(routers)}
    endpoints = np.zeros(len(routers), dtype=np.int32)
    links = set[tuple[int, int]]()
    hosts = {*plan.names} - {*routers}
    for (first, _), (second, _) in wired:
        ends = numbers.get(first), numbers.get(second)
        if ends[0] is not None and ends[1] is not None:
            if ends[0] != ends[1]:
                links.add((min(ends[0], ends[1]), max(ends[0], ends[1])))
        elif first in hosts and ends[1] is not None:
            endpoints[ends[1]] += 1
        elif second in hosts and ends[0] is not None:
            endpoints[ends[0]] += 1
    return Graph.from_links(len(routers), _links_of(links)), endpoints, links


def _links_of(links: set[tuple[int, int]]) -> NDArray[np.int64]:
    """Links in order, as an array."""
    return np.array(sorted(links), dtype=np.int64).reshape(-1, 2)

"""Which system of a plan is which that was found: by names, by some that are known, or by neither."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from topoctl.errors import FormatError, InvalidParameters, hint, quoted
from topoctl.formats.files import read_files
from topoctl.topology import Names, Topology
from topoctl.wiring.matching import Matched, matched_by_structure
from topoctl.wiring.names import filled
from topoctl.wiring.targets.record import text_of
from topoctl.wiring.wiring import Wiring

BY_NAMES, BY_ANCHORS, BY_STRUCTURE = "names", "anchors", "structure"
MATCHES = (BY_NAMES, BY_ANCHORS, BY_STRUCTURE)
HARDLY = 0.1
"""The share of routers with a name of the plan below which they are told outward from endpoints."""
USUAL = (("S{n}", "H{n}"), ("router {n}", "endpoint {n}"))
"""What routers and endpoints are called in files of topoctl, where the user does not say."""
NUMBERED = re.compile(r"(?:(router|endpoint) )?([0-9]{1,9})")


@dataclass(frozen=True)
class Identified:
    """What the systems that were found are in the plan.

    Attributes:
        called: the name in the plan of each; of those that it lacks, a name of their own.
        matched_by: one of :data:`MATCHES`.
        compares_ports: whether ports can be those of the plan.
        notes: what was not taken as it was told.
    """

    called: tuple[str, ...]
    matched_by: str
    compares_ports: bool = True
    notes: tuple[str, ...] = ()


def identified(
    plan: Wiring, found: Wiring, match: str | None = None, anchors: Sequence[str] = ()
) -> Identified:
    """Tell who is who.

    Args:
        plan: systems and cables as they should be.
        found: as they are.
        match: one of :data:`MATCHES`; by default anchors where some are told, names where half of the
            systems have one of the plan, the others outward from these where some have, else structure; where
            hardly a router has such a name, but endpoints do, outward from the endpoints.
        anchors: ``NAME=PLAN``, a name or identifier of what was found and what it is in the plan; or files
            with such lines.

    Raises:
        FormatError: a file of anchors cannot be read.
        InvalidParameters: a name that is in neither, or no matching that convinces.
    """
    told = _anchors(plan, found, anchors)
    if told and match in (BY_NAMES, BY_STRUCTURE):
        raise InvalidParameters(f"--anchor tells who is who beside --match anchors, not --match {match}")
    called = known_names(plan, found)
    ours = {name: place for place, name in enumerate(plan.names)}
    named = {place: ours[name] for place, name in enumerate(called) if name in ours}
    if match is None and not told and (outward := _outward_from_endpoints(plan, found, named)):
        return outward
    if match == BY_NAMES or (match is None and not told and 2 * len(named) >= len(called)):
        if not named:
            raise InvalidParameters(
                f"no system that was found has a name of the plan: found {quoted(found.names[0])}, planned "
                f"{quoted(plan.names[0])}; --names tells the names of a plan, --match structure needs none"
            )
        return Identified(tuple(called), BY_NAMES)
    known = {} if match == BY_STRUCTURE else named | told
    if told:
        known = {place: here for place, here in known.items() if place in told or here not in told.values()}
    if match == BY_ANCHORS and not known:
        raise InvalidParameters(
            "--match anchors: nothing is known; --anchor NAME=PLAN tells what a system is"
        )
    matched, ports, notes = _matched(plan, found, known)
    if not matched.is_convincing:
        raise InvalidParameters(
            f"who is who cannot be told: at best {matched.agreed:.0%} of the cables agree with the plan; "
            "--anchor NAME=PLAN tells it of some systems"
        )
    return Identified(_called(plan, found, matched), BY_ANCHORS if known else BY_STRUCTURE, ports, notes)


def _outward_from_endpoints(plan: Wiring, found: Wiring, named: Mapping[int, int]) -> Identified | None:
    """Who is who by the names of endpoints, where hardly a router has one of the plan; None where that fails.

    Args:
        plan: as it should be.
        found: as it is.
        named: systems that were found, and those of the plan with their names.
    """
    known = {
        place: here for place, here in named.items() if not (found.is_router[place] or plan.is_router[here])
    }
    routers = [place for place in named if found.is_router[place]]
    if not known or len(routers) >= HARDLY * found.is_router.sum():
        return None
    matched, ports, notes = _matched(plan, found, known)
    if not matched.is_convincing:
        return None
    hardly = f"{len(routers)} of {found.is_router.sum()} routers have a name of the plan"
    said = f"systems are told outward from {len(known)} endpoints: {hardly}"
    return Identified(_called(plan, found, matched), BY_ANCHORS, ports, (said, *notes))


def _matched(plan: Wiring, found: Wiring, known: Mapping[int, int]) -> tuple[Matched, bool, tuple[str, ...]]:
    """A matching outward from known systems, whether ports can be those of the plan, and why they cannot."""
    pairs = np.array([(here, there) for there, here in known.items()], dtype=np.int64).reshape(-1, 2)
    ports = _tells_ports(plan) and _tells_ports(found)
    matched = matched_by_structure(plan, found, pairs, ports=ports)
    if ports and not matched.is_convincing:
        without = matched_by_structure(plan, found, pairs, ports=False)
        if without.is_convincing:
            said = "ports are not compared: systems are linked as planned, but from other ports"
            return without, False, (said,)
    return matched, ports, ()


def _called(plan: Wiring, found: Wiring, matched: Matched) -> tuple[str, ...]:
    """Names of the plan; the others keep theirs, with a word behind where the plan has that too."""
    taken = {*plan.names}
    called = [f"{name} as found" if name in taken else name for name in found.names]
    for place, there in enumerate(matched.images.tolist()):
        if there >= 0:
            called[there] = plan.names[place]
    return tuple(called)


def _tells_ports(wiring: Wiring) -> bool:
    """Whether every end at a router tells its port."""
    cables = wiring.cables
    at_routers = wiring.is_router[cables[:, [0, 2]]]
    return bool(((cables[:, [1, 3]] > 0) | ~at_routers).all())


def planned_as_found(topology: Topology, names: Names, found: Wiring, planes: int = 1) -> Wiring:
    """The wiring of a network, whose systems without names get the usual ones that most systems found have.

    Args:
        topology: the network, one plane of it.
        names: of all planes, as far as there are some.
        found: as it is.
        planes: copies of the network.
    """
    plans = []
    for router, endpoint in USUAL:
        full = filled(
            names, topology, planes, router=router, endpoint=endpoint, port="{n}", endpoint_port="{n}"
        )
        plans.append(Wiring.planned(topology, full, planes))
    return max(reversed(plans), key=lambda one: len({*known_names(one, found)} & {*one.names}))


def known_names(plan: Wiring, found: Wiring) -> list[str]:
    """What the systems that were found are called in the plan, each; its own name where the plan has none."""

    def alike(name: str) -> list[str]:
        words = name.split()
        lower = (words[0] if words else name).casefold()
        return [name, words[0] if words else name, name.casefold(), lower, lower.split(".")[0]]

    of_plan: dict[str, set[str]] = defaultdict(set)
    for name in plan.names:
        for other in (name, name.casefold(), name.casefold().split(".")[0]):
            of_plan[other].add(name)
    called = []
    for name in found.names:
        known = next((of_plan[one] for one in alike(name) if len(of_plan.get(one, ())) == 1), {name})
        called.append(next(iter(known)))
    twice = {name for name, count in Counter(called).items() if count > 1}
    return [own if name in twice else name for own, name in zip(found.names, called, strict=True)]


def _anchors(plan: Wiring, found: Wiring, told: Sequence[str]) -> dict[int, int]:
    """Systems that were found, and what they are in the plan."""
    here, there = _places(plan), _places(found)
    known: dict[int, int] = {}
    for text in _lines(told):
        name, _, planned = (part.strip() for part in text.rpartition("="))
        place, ours = there.get(_plain(name), there.get(f"router {name}")), here.get(_plain(planned))
        if ours is None:
            ours = _numbered(plan, planned)
        for value, known_place, kind, names in (
            (name, place, "found", found),
            (planned, ours, "planned", plan),
        ):
            if known_place is None:
                close = hint(value[:40], names.names)
                raise InvalidParameters(
                    f"--anchor {quoted(text)}: no system {quoted(value)} was {kind}{close}"
                )
        assert place is not None
        assert ours is not None
        if known.get(place, ours) != ours or (place not in known and ours in known.values()):
            raise InvalidParameters(f"--anchor {quoted(text)}: an anchor before says otherwise")
        if plan.is_router[ours] != found.is_router[place]:
            raise InvalidParameters(f"--anchor {quoted(text)}: one is a router, the other an endpoint")
        known[place] = ours
    return known


def _lines(told: Iterable[str]) -> Iterable[str]:
    """What is told itself or in files, without comments."""
    for text in told:
        if "=" in text:
            yield text
            continue
        for line, content in enumerate(text_of(text, read_files(text)[0]).split("\n"), start=1):
            if content.strip() and not content.lstrip().startswith("#"):
                if "=" not in content:
                    raise FormatError(Path(text), "expected an anchor, NAME=PLAN", line)
                yield content.strip()


def _places(wiring: Wiring) -> Mapping[str, int]:
    """Systems by their names and identifiers, as :func:`_plain` has them."""
    places = {_plain(name): place for place, name in enumerate(wiring.identifiers)}
    return places | {_plain(name): place for place, name in enumerate(wiring.names)}


def _plain(name: str) -> str:
    """A name in small letters; of an identifier of InfiniBand its number.

    Example:
        >>> {_plain(name) for name in ("S-0008F10500", "0x8f10500", "0008f10500")}
        {'8f10500'}
    """
    plain = name.casefold()
    number = re.fullmatch(r"(?:[sh]-|0x)?([0-9a-f]{10,16}|(?<=0x)[0-9a-f]+)", plain)
    return number[1].lstrip("0") if number else plain


def _numbered(plan: Wiring, name: str) -> int | None:
    """A system of the plan by the kind and number that it has."""
    said = NUMBERED.fullmatch(name.casefold())
    if said is None:
        return None
    places = np.flatnonzero(plan.is_router == (said[1] != "endpoint"))
    return int(places[int(said[2])]) if int(said[2]) < len(places) else None

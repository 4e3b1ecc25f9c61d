"""Wiring that several files tell: a plane or a subnet each, which share their endpoints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters, quoted
from topoctl.graph import Graph
from topoctl.wiring.wiring import Wiring


def together(wirings: Sequence[Wiring], paths: Sequence[str]) -> Wiring:
    """Put what several files tell of one fabric together; a cable that two of them tell is one.

    Routers are the same by their identifiers where they have some, else by their names; endpoints by the
    first word of their names, where no file has it twice: adapters ``node7 mlx5_0`` and ``node7 mlx5_1`` are
    of one node. Where an endpoint has a cable in each file, all at one port, as such adapters have, its port
    is the place of the file, from 1.

    Args:
        wirings: one at least, in the order of the planes.
        paths: of their files, for messages.

    Raises:
        InvalidParameters: two files tell different cables at one port of a router.

    Example:
        >>> one = Wiring(("s0", "n mlx0"), np.array([True, False]), np.array([[0, 2, 1, 1]], dtype=np.int32))
        >>> two = Wiring(("s1", "n mlx1"), np.array([True, False]), np.array([[0, 2, 1, 1]], dtype=np.int32))
        >>> both = together([one, two], ["a", "b"])
        >>> both.names, both.cables.tolist()
        (('s0', 'n', 's1'), [[0, 2, 1, 1], [2, 2, 1, 2]])
    """
    if len(wirings) == 1:
        return wirings[0]
    once = _words_of_one(wirings)
    systems: dict[str, int] = {}
    names, identifiers, routers, places = list[str](), list[str](), list[bool](), list[list[int]]()
    for wiring in wirings:
        places.append([])
        told = wiring.identifiers or wiring.names
        for name, identifier, router in zip(wiring.names, told, wiring.is_router.tolist(), strict=True):
            word = (name.split() or [name])[0]
            key = identifier if router else word if word in once else name
            if key not in systems:
                systems[key] = len(names)
                names.append(name if router else key)
                identifiers.append(identifier)
                routers.append(router)
            routers[systems[key]] |= router
            places[-1].append(systems[key])
    counts = Counter(names)
    called = tuple(
        identifier if counts[name] > 1 else name for name, identifier in zip(names, identifiers, strict=True)
    )
    kinds = np.array(routers, dtype=np.bool_)
    cables = [
        _in_places(wiring.cables, np.array(here, dtype=np.int32))
        for wiring, here in zip(wirings, places, strict=True)
    ]
    _number_by_files(cables, kinds)
    kept = _each_once(cables, kinds, called, paths)
    rates = any(wiring.rates for wiring in wirings)
    worded = any(wiring.port_names for wiring in wirings)
    return Wiring(
        called,
        kinds,
        np.array([cables[file][row] for file, row in kept], dtype=np.int32),
        tuple(identifiers) if any(wiring.identifiers for wiring in wirings) else (),
        tuple(wirings[file].rates[row] if wirings[file].rates else ("", "") for file, row in kept)
        if rates
        else (),
        tuple(_port_names(wirings[file], cables[file], row) for file, row in kept) if worded else (),
    )


def _words_of_one(wirings: Sequence[Wiring]) -> set[str]:
    """The first words of names that no file has twice among its endpoints."""
    most: dict[str, int] = defaultdict(int)
    for wiring in wirings:
        ends = np.flatnonzero(~wiring.is_router).tolist()
        words = Counter((wiring.names[place].split() or [""])[0] for place in ends)
        for word, count in words.items():
            most[word] = max(most[word], count)
    return {word for word, count in most.items() if count == 1}


def _in_places(cables: NDArray[np.int32], places: NDArray[np.int32]) -> NDArray[np.int32]:
    """Cables whose systems have other numbers."""
    found = cables.copy()
    found[:, [0, 2]] = places[cables[:, [0, 2]]]
    return found


def _number_by_files(cables: Sequence[NDArray[np.int32]], is_router: NDArray[np.bool_]) -> None:
    """Give ports of endpoints with one cable a file, all at one port, the number of the file."""
    held: dict[int, list[int]] = defaultdict(list)
    for one in cables:
        for system, port in one.reshape(-1, 2).tolist():
            held[system].append(port)
    for number, one in enumerate(cables, start=1):
        ends = one.reshape(-1, 2)
        here = Counter(ends[:, 0].tolist())
        for end in ends:
            ports = held[int(end[0])]
            if not is_router[end[0]] and here[int(end[0])] == 1 < len(ports) and len({*ports}) == 1:
                end[1] = number


def _each_once(
    cables: Sequence[NDArray[np.int32]],
    is_router: NDArray[np.bool_],
    called: Sequence[str],
    paths: Sequence[str],
) -> list[tuple[int, int]]:
    """The file and the row of every cable, the first of several that tell it."""
    kept, seen, at = [], set[frozenset[tuple[int, int]]](), dict[tuple[int, int], int]()
    for file, one in enumerate(cables):
        for row, (tail, port, head, other) in enumerate(one.tolist()):
            ends = frozenset({(tail, port), (head, other)})
            if ends in seen and port and other:
                continue
            for system, number in ends:
                before = at.setdefault((system, number), file)
                if before != file and number and is_router[system]:
                    raise InvalidParameters(
                        f"{paths[before]} and {paths[file]} tell different cables at port {number} of "
                        f"{quoted(called[system])}: expected files of one fabric"
                    )
            seen.add(ends)
            kept.append((file, row))
    return kept


def _port_names(wiring: Wiring, cables: NDArray[np.int32], row: int) -> tuple[str, str]:
    """What the ports of a cable are called; their numbers, where a file tells these or they are new."""
    _, port, _, other = cables[row].tolist()
    if not wiring.port_names:
        return str(port), str(other)
    before, names = wiring.cables[row], wiring.port_names[row]
    return (
        names[0] if port == before[1] else str(port),
        names[1] if other == before[3] else str(other),
    )


def planes_told(wiring: Wiring, *, by_endpoints: bool) -> int:
    """How many planes a wiring seems to have.

    Args:
        wiring: planned or found.
        by_endpoints: count the cables that most endpoints have; else the parts into which routers fall, but
            for small ones.

    Example:
        >>> cables = np.array([[0, 1, 2, 1], [1, 1, 2, 2]], dtype=np.int32)
        >>> two = Wiring(("s0", "s1", "n"), np.array([True, True, False]), cables)
        >>> [planes_told(two, by_endpoints=way) for way in (True, False)]
        [2, 2]
    """
    ends = wiring.cables[:, [0, 2]]
    if by_endpoints:
        counts = np.bincount(ends.ravel(), minlength=len(wiring.names))[~wiring.is_router]
        return int(np.bincount(counts).argmax())
    places = np.cumsum(wiring.is_router) - 1
    links = places[ends[wiring.is_router[ends].all(axis=1) & (ends[:, 0] != ends[:, 1])]]
    routers = Graph.from_links(max(1, int(wiring.is_router.sum())), np.unique(np.sort(links, axis=1), axis=0))
    parts = np.bincount(routers.components())
    return int((2 * parts >= parts.max()).sum())

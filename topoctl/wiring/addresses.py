"""By what InfiniBand knows a network: the GUIDs of its switches and adapters, and the ports of its cables.

Of a fabric of ibsim's, or of one that was found, wired as it was planned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.failures import Failures
from topoctl.errors import FormatError, quoted
from topoctl.floor.cabling_list import endpoint_ports
from topoctl.formats.ibsim import ADAPTER_GUIDS, SWITCH_GUIDS
from topoctl.topology import Topology, routers_of_endpoints
from topoctl.wiring.found import read_wiring
from topoctl.wiring.room import ports_in_room
from topoctl.wiring.who import known_names, planned_as_found
from topoctl.wiring.wiring import Guids, Wiring

End = tuple[str, int]
"""A system and its port; 0 of an adapter, which has one cable."""


@dataclass(frozen=True, eq=False)
class Addresses:
    """The GUIDs and ports of a network.

    Attributes:
        whose: for messages.
        switches, adapters: of every router and endpoint; None where it has failed and is not there.
        link_ports: from 1, of every arc at its tail, int64, shape (arcs,).
        host_ports: from 1, of every endpoint at its router, int64, shape (endpoints,).
    """

    whose: str
    switches: tuple[Guids | None, ...]
    adapters: tuple[Guids | None, ...]
    link_ports: NDArray[np.int64]
    host_ports: NDArray[np.int64]

    @classmethod
    def of_ibsim(cls, topology: Topology) -> Addresses:
        """Those that ibsim gives to the fabric of ``topoctl export -o NAME.ibsim``.

        Example:
            >>> from topoctl.families import topology_from_spec
            >>> found = Addresses.of_ibsim(topology_from_spec("torus(dims=3,p=1)"))
            >>> [f"{guid:x}" for guid in found.adapters[1]], found.link_ports.tolist()
            (['100002', '100003'], [1, 2, 1, 2, 1, 2])
        """
        graph = topology.graph
        hosts = routers_of_endpoints(topology.endpoints_per_router)
        arcs = np.arange(len(graph.neighbors)) - np.repeat(graph.offsets[:-1], graph.degrees)
        return cls(
            "an ibsim export (--guids: of a fabric)",
            tuple(Guids(SWITCH_GUIDS + router, SWITCH_GUIDS + router) for router in range(graph.order)),
            tuple(
                Guids(ADAPTER_GUIDS + 2 * host, ADAPTER_GUIDS + 2 * host + 1) for host in range(len(hosts))
            ),
            arcs.astype(np.int64) + 1,
            endpoint_ports(graph, hosts),
        )

    @classmethod
    def found(cls, path: Path, topology: Topology, failures: Failures | None = None) -> Addresses:
        """Those that a fabric tells, whose systems have the names of the network or the usual ones.

        Args:
            path: what ``ibnetdiscover`` prints, or OpenSM's ``subnet.lst``.
            topology: the network as it is planned.
            failures: links and routers that may be there or not.

        Raises:
            FormatError: it cannot be read, tells no GUIDs, lacks a system or has it twice, or is wired
                otherwise.
        """
        wired = read_wiring(path)
        plan = planned_as_found(topology, topology.names, wired)
        if not wired.guids:
            raise FormatError(path, "tells no GUIDs: expected text of ibnetdiscover, or OpenSM's subnet.lst")
        wired = replace(wired, names=tuple(known_names(plan, wired)))
        if fault := next(_faults(plan, wired, topology, failures or Failures()), None):
            raise FormatError(path, f"{fault}; topoctl check PLAN {path} tells all differences")
        places = {name: place for place, name in enumerate(wired.names)}
        guids = [wired.guids[places[name]] if name in places else None for name in plan.names]
        _require_own(path, plan.names, guids)
        links, hosts = ports_in_room(topology)
        ends = topology.graph.links()
        order = np.lexsort((ends[:, ::-1].T.ravel(), ends.T.ravel()))
        routers = topology.graph.order
        return cls(str(path), tuple(guids[:routers]), tuple(guids[routers:]), links.T.ravel()[order], hosts)

    @cached_property
    def there(self) -> NDArray[np.bool_]:
        """Whether every router is there: shape (order,)."""
        return np.array([one is not None for one in self.switches], dtype=np.bool_)


def _faults(plan: Wiring, wired: Wiring, topology: Topology, gone: Failures) -> Iterator[str]:
    """Say what of a fabric, by the names of the plan, is otherwise than planned."""
    hosts = routers_of_endpoints(topology.endpoints_per_router).tolist()
    switch_of = [*range(topology.graph.order), *hosts]
    dead = {name for name, router in zip(plan.names, switch_of, strict=True) if router in gone.routers}
    cut = {frozenset(plan.names[router] for router in link) for link in gone.links}
    kinds = dict(zip(wired.names, wired.is_router.tolist(), strict=True))
    for name, router in zip(plan.names, plan.is_router.tolist(), strict=True):
        if name not in kinds and name not in dead:
            yield _unknown(name, plan, wired)
        elif kinds.get(name, router) != router:
            yield f"{quoted(name)} is {'an adapter' if router else 'a switch'}, unlike in the plan"
    planned, found = _far_ends(plan), _far_ends(wired)
    for end, far in planned.items():
        if end[0] in dead or far[0] in dead or frozenset((end[0], far[0])) in cut:
            if found.get(end, far) != far:
                yield f"{_said(end)} has a cable to {_said(found[end])}, expected the failed one or none"
        elif end not in found:
            yield f"{_said(end)} has no cable, expected one to {_said(far)}"
        elif found[end] != far:
            yield f"{_said(end)} has a cable to {_said(found[end])}, expected {_said(far)}"
    for end, far in found.items():
        if end not in planned:
            yield f"{_said(end)} has a cable to {_said(far)}, expected none"


def _unknown(name: str, plan: Wiring, wired: Wiring) -> str:
    """Why no system has a name."""
    alike = [one for one in (*wired.names, *wired.doubled, *wired.doubled) if name in (one, *one.split()[:1])]
    if len(alike) > 1:
        return f"several systems are called {quoted(name)}, expected one"
    strangers = sorted({*wired.names} - {*plan.names})
    other = f", but one {quoted(strangers[0])}: --names tells other names" if strangers else ""
    return f"no system is called {quoted(name)}{other}"


def _far_ends(wiring: Wiring) -> dict[End, End]:
    """The other end of every cable, by either end."""
    called, routers = wiring.names, wiring.is_router.tolist()
    cables = [
        ((called[tail], port * routers[tail]), (called[head], other * routers[head]))
        for tail, port, head, other in wiring.cables.tolist()
    ]
    return dict(cables) | {far: near for near, far in cables}


def _said(end: End) -> str:
    """What an end is called."""
    name, port = end
    return f"port {port} of {quoted(name)}" if port else quoted(name)


def _require_own(path: Path, names: tuple[str, ...], guids: list[Guids | None]) -> None:
    """Raise FormatError where a system has no GUID, or that of another."""
    owners: dict[int, str] = {}
    for name, told in zip(names, guids, strict=True):
        for guid in set(told or ()):
            if not guid:
                raise FormatError(path, f"tells no GUID of {quoted(name)} or of its port")
            if owners.setdefault(guid, name) != name:
                raise FormatError(
                    path, f"{quoted(owners[guid])} and {quoted(name)} have the GUID 0x{guid:016x}"
                )

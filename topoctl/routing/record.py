"""What a routing is, whichever network it routes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from topoctl.errors import InvalidParameters
from topoctl.routing.routes import Routes
from topoctl.topology import Topology


@dataclass(frozen=True)
class Routing:
    """A routing: one file that defines it, one line of the registry.

    Attributes:
        name: as users type it.
        title: what the routing does, in a few words.
        source: paper and section that define it.
        needs: raises InvalidParameters, with what is missing and what would help, where it cannot route a
            network; networks of several parts are refused before it is asked.
        routes: of a network that it can route.
        single: whether every pair of routers has one path only.
        minimal: whether every path is a shortest one.
        adaptive: whether routers choose by their queues. The routes are then all that it may take, evenly:
            their loads are those of the oblivious routing over the same paths.
        mixes: the two routings between which an adaptive one chooses for every packet, by name: then the best
            fixed mix of them stands for it. None where it does not choose between routings.
        knows_all_queues: whether it chooses by the queues of all routers, not by those of the source's alone.
    """

    name: str
    title: str
    source: str
    needs: Callable[[Topology], None]
    routes: Callable[[Topology], Routes]
    single: bool = False
    minimal: bool = False
    adaptive: bool = False
    mixes: tuple[str, str] | None = None
    knows_all_queues: bool = False

    @property
    def note(self) -> str | None:
        """One line on the loads of an adaptive routing; None for an oblivious one."""
        if not self.adaptive:
            return None
        what = "all that it may take, alike"
        if self.mixes is not None:
            what = f"the best fixed mix of {self.mixes[0]} and {self.mixes[1]}"
        return f"{self.name}: routers choose by their queues; these are the loads of {what}"


def any_network(topology: Topology) -> None:
    """Accept every network: the check of routings of any connected network."""


def of_families(routing: str, *names: str) -> Callable[[Topology], None]:
    """Return the check of a routing of some families: a network of one of them, by its spec."""

    def needs(topology: Topology) -> None:
        if topology.spec is None or topology.family not in names:
            what = "a network of no family" if topology.spec is None else f"family {topology.family}"
            one_of = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
            raise InvalidParameters(f"routing {routing} does not know {what}: expected {one_of}")

    return needs
